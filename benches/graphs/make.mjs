// Makes the bench graphs, with ten thousand particles alive in each, and a hundred thousand in those for
// threads. Needs `npm ci` in fixtures/oracle.
//
//     node benches/graphs/make.mjs

import { readFileSync, writeFileSync } from "node:fs";
import * as g from "../../fixtures/oracle/blocks.mjs";
import { BABYLON } from "../../fixtures/oracle/engine.mjs";
import { attachBlocks } from "../../fixtures/oracle/run.mjs";
import { graphOf } from "../../fixtures/oracle/write.mjs";

const ALIVE = 10_000;
const MANY = 100_000;

function write(name, text, alive = ALIVE) {
    writeFileSync(new URL(`${name}_${alive / 1000}k.json`, import.meta.url), text);
}

/** A canonical fixture with another rate and capacity; its average lifetime is in seconds. */
function canonical(name, lifetime, alive) {
    const url = new URL(`../../fixtures/graphs/canonical/${name}.json`, import.meta.url);
    const text = readFileSync(url, "utf8");
    const rate = Math.round(alive / lifetime);
    const larger = text
        .replace('"name":"emitRate","valueType":"number","value":100', `"name":"emitRate","valueType":"number","value":${rate}`)
        .replace('"capacity":200', `"capacity":${alive}`);
    if (larger === text) {
        throw new Error(`${name}: nothing to replace`);
    }
    write(name, larger, alive);
}

function trigonometry(operation, input) {
    const operations = BABYLON.ParticleTrigonometryBlockOperations;
    return g.block("ParticleTrigonometryBlock", { input }, { name: operation, operation: operations[operation] }).output;
}

/** 15 trigonometric functions, 15 conditions, 16 lerps and a gradient, one behind the other. */
function math() {
    let x = g.of("AgeGradient");
    for (let k = 0; k < 15; k += 1) {
        const turned = trigonometry(["Sin", "Cos"][k % 2], x);
        const chosen = g.condition("LessThan", g.of("AgeGradient"), (k + 0.5) / 15, 0.25, g.of("Age"));
        x = g.lerp(chosen, turned, 0.5 + k * 0.03125);
    }
    x = g.lerp(x, g.of("AgeGradient"), 0.5);
    const size = g.gradient(x, [
        [0, 0.1],
        [0.4, 0.8],
        [1, 0.3],
    ]);
    const born = g.shape("Box", g.create({ lifeTime: g.random(0.4, 0.8) }), {
        direction1: [-0.3, 0.5, -0.3],
        direction2: [0.3, 0.8, 0.3],
    });
    return g.set(g.system(g.update("Size", g.move(born), size), { emitRate: Math.round(ALIVE / 0.6), capacity: ALIVE }));
}

/** A tenth of the pool is born in each step: a sphere, and a Random block of each lock mode. */
function births() {
    // Ten steps of 0.0167 s; a little more, so that ages that were added up stay below.
    const lifeTime = 0.16;
    const created = g.create({
        lifeTime,
        emitPower: g.random(1, 2, "None"),
        size: g.random(0.1, 0.4, "PerParticle"),
        angle: g.random(-1, 1, "OncePerParticle"),
        scale: g.random([0.8, 0.8], [1.2, 1.2], "PerSystem"),
        color: g.random([0, 0.2, 0.5, 1], [1, 0.8, 1, 1], "PerParticle"),
    });
    const born = g.shape("Sphere", created, { radius: 2, radiusRange: 1, directionRandomizer: 0.1 });
    return g.set(g.system(g.move(born), { emitRate: ALIVE / 10 / 0.0167, capacity: ALIVE }));
}

for (const alive of [ALIVE, MANY]) {
    canonical("fountain", 0.6, alive);
    canonical("attractor", 0.55, alive);
}
for (const [name, make] of Object.entries({ math, births })) {
    const set = make();
    attachBlocks(set);
    write(name, `${JSON.stringify(graphOf(set))}\n`);
}
