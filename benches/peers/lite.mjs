// Babylon Lite on a graph; it needs `npm ci` in this folder.
//
//     node benches/peers/lite.mjs GRAPH WARM_STEPS STEPS
//
// Random numbers are the engine's own.

import { readFileSync } from "node:fs";
import {
    animateParticleSystem,
    parseNodeParticleSetFromSnippet,
    startParticleSystem,
} from "@babylonjs/lite";
import { serve } from "./rounds.mjs";

const [path, ...numbers] = process.argv.slice(2);
const json = JSON.parse(readFileSync(path, "utf8"));
// Neither the engine nor the scene is looked at before something is drawn.
const { systems } = await parseNodeParticleSetFromSnippet({}, {}, "", { json });
const [system] = systems;
// Lite lacks the list in its public types, not in its public objects.
const step = () => animateParticleSystem(system, 1);
startParticleSystem(system);
await serve({ step, alive: () => system._particles.length }, numbers.map(Number));
