// Times rounds of steps when asked, so that contestants of different languages can take turns.

import { createInterface } from "node:readline";

/**
 * Warms a system up, prints how many particles it has, then for each line of the standard input runs a
 * round and prints its nanoseconds per particle and step.
 *
 * `step` advances the system by one step, `alive` gives the number of its particles.
 */
export async function serve({ step, alive }, [warmSteps, steps]) {
    for (let k = 0; k < warmSteps; k += 1) {
        step();
    }
    console.log(alive());
    for await (const _ of createInterface({ input: process.stdin })) {
        let particles = 0;
        const begin = process.hrtime.bigint();
        for (let k = 0; k < steps; k += 1) {
            particles += alive();
            step();
        }
        console.log(Number(process.hrtime.bigint() - begin) / particles);
    }
}
