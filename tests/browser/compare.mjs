// A state that was read in a browser against what `pyrograph simulate` prints.

/** How many numbers were compared, and what is wrong, particle by particle. */
export function compare({ alive, columns }, expected) {
    if (alive === 0 || alive !== expected.alive) {
        return { count: 0, problems: [`${alive} particles, not ${expected.alive}`] };
    }
    const problems = [];
    let count = 0;
    const index = new Map(columns.id.map((id, index) => [id, index]));
    for (const particle of expected.particles) {
        let compared = 0;
        for (const [field, values] of Object.entries(columns)) {
            const [name, component] = field.split(".");
            const value = component === undefined ? particle[name] : particle[name]?.[component];
            if (value === undefined) continue;
            compared += 1;
            const computed = values[index.get(particle.id)];
            if (!(Math.abs(computed - value) <= 1e-4 * Math.max(1, Math.abs(value)))) {
                problems.push(`particle ${particle.id}: ${field} is ${computed}, not ${value}`);
            }
        }
        if (compared < 8) problems.push(`particle ${particle.id}: only ${compared} numbers to compare`);
        count += compared;
    }
    return { count, problems };
}
