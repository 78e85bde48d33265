// Times Babylon.js on a graph: nanoseconds per live particle and step, the least of some rounds.
//
//     node benches/babylon.mjs GRAPH WARM_STEPS STEPS ROUNDS

import { readFileSync } from "node:fs";
import { installSineGenerator } from "../fixtures/oracle/random.mjs";
import { parseGraph } from "../fixtures/oracle/parse.mjs";
import { build } from "../fixtures/oracle/run.mjs";

const [path, ...numbers] = process.argv.slice(2);
const [warm, steps, rounds] = numbers.map(Number);

const graph = JSON.parse(readFileSync(path, "utf8"));
const { systems } = await build(parseGraph(graph), {});
const [system] = systems;
installSineGenerator();
system.start(0);
for (let step = 0; step < warm; step++) {
    system.animate();
}
let least = Infinity;
for (let round = 0; round < rounds; round++) {
    let particles = 0;
    const begin = process.hrtime.bigint();
    for (let step = 0; step < steps; step++) {
        particles += system.particles.length;
        system.animate();
    }
    const nanoseconds = Number(process.hrtime.bigint() - begin);
    least = Math.min(least, nanoseconds / particles);
}
console.log(JSON.stringify({ nanoseconds: least, alive: system.particles.length }));
