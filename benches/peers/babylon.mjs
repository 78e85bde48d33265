// Babylon.js on a graph; it needs `npm ci` in fixtures/oracle.
//
//     node benches/peers/babylon.mjs GRAPH WARM_STEPS STEPS
//
// Steps are those of pre-warming: they do everything but fill the vertex buffer, which a step of
// Pyrograph does not do either. Random numbers are the engine's own.

import { readFileSync } from "node:fs";
import { newScene } from "../../fixtures/oracle/engine.mjs";
import { parseGraph } from "../../fixtures/oracle/parse.mjs";
import { attachBlocks } from "../../fixtures/oracle/run.mjs";
import { serve } from "./rounds.mjs";

const [path, ...numbers] = process.argv.slice(2);
const set = parseGraph(JSON.parse(readFileSync(path, "utf8")));
attachBlocks(set);
const { systems } = await set.buildAsync(newScene());
const [system] = systems;
system._scene = null;
system.start(0);
const step = () => system.animate(true);
await serve({ step, alive: () => system.particles.length }, numbers.map(Number));
