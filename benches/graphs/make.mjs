// Makes the bench graphs out of canonical fixtures: the same effect with many particles alive.
//
//     node benches/graphs/make.mjs

import { readFileSync, writeFileSync } from "node:fs";

const SIZES = { "10k": 10_000, "100k": 100_000 };

/** Average lifetime of each effect in seconds, from which the rate follows. */
const EFFECTS = { fountain: 0.6, attractor: 0.55 };

for (const [name, lifetime] of Object.entries(EFFECTS)) {
    const url = new URL(`../../fixtures/graphs/canonical/${name}.json`, import.meta.url);
    const text = readFileSync(url, "utf8");
    for (const [size, alive] of Object.entries(SIZES)) {
        const rate = Math.round(alive / lifetime);
        const larger = text
            .replace('"name":"emitRate","valueType":"number","value":100', `"name":"emitRate","valueType":"number","value":${rate}`)
            .replace('"capacity":200', `"capacity":${alive}`);
        if (larger === text) {
            throw new Error(`${name}: nothing to replace`);
        }
        writeFileSync(new URL(`${name}_${size}.json`, import.meta.url), larger);
    }
}
