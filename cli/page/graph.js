// The graph as a picture: blocks in columns from left to right, wires between them.

const NS = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN] = [150, 40, 50, 14, 10];

function element(name, attributes, parent, text) {
    const made = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    parent?.append(made);
    return made;
}

/** How many wires a block is from the end of the flow, at most; wires that close a circle do not count. */
function distances(blocks, wires) {
    const consumers = new Map(blocks.map(({ id }) => [id, []]));
    for (const { from, to } of wires) consumers.get(from)?.push(to);
    const found = new Map();
    const open = new Set();
    for (const { id } of blocks) {
        // Chains may be longer than a call stack is deep.
        const stack = [id];
        while (stack.length > 0) {
            const top = stack.at(-1);
            if (found.has(top)) {
                stack.pop();
                continue;
            }
            open.add(top);
            const next = (consumers.get(top) ?? []).find((to) => !found.has(to) && !open.has(to));
            if (next !== undefined) {
                stack.push(next);
                continue;
            }
            const beyond = (consumers.get(top) ?? []).map((to) => (found.get(to) ?? -1) + 1);
            found.set(top, Math.max(0, ...beyond));
            open.delete(top);
            stack.pop();
        }
    }
    return found;
}

/** Draws a graph; `failing` are ids of blocks with errors. */
export function drawGraph(svg, graph, failing) {
    svg.replaceChildren();
    if (!graph) return;
    const { blocks, wires } = graph;
    const distance = distances(blocks, wires);
    const last = Math.max(0, ...distance.values());
    const rows = new Map();
    const places = new Map();
    for (const { id } of blocks) {
        const column = last - distance.get(id);
        const row = rows.get(column) ?? 0;
        rows.set(column, row + 1);
        places.set(id, [MARGIN + column * (WIDTH + GAP_X), MARGIN + row * (HEIGHT + GAP_Y)]);
    }
    const width = 2 * MARGIN + last * (WIDTH + GAP_X) + WIDTH;
    const height = 2 * MARGIN + Math.max(1, ...rows.values()) * (HEIGHT + GAP_Y);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    const dropped = new Map(blocks.map(({ id, dropped }) => [id, dropped]));
    for (const { from, to, output, input } of wires) {
        const [[x1, y1], [x2, y2]] = [places.get(from), places.get(to)];
        const [a, b] = [x1 + WIDTH, x2];
        const bend = Math.max(20, Math.abs(b - a) / 2);
        const d = `M${a} ${y1 + HEIGHT / 2} C${a + bend} ${y1 + HEIGHT / 2} ${b - bend} ${y2 + HEIGHT / 2} ${b} ${y2 + HEIGHT / 2}`;
        const faded = dropped.get(from) || dropped.get(to) ? " faded" : "";
        const flow = input === "particle" ? " flow" : "";
        const wire = element("path", { d, class: `wire${flow}${faded}` }, svg);
        element("title", {}, wire, `${output} → ${input}`);
    }
    for (const { id, name, class: kind, line, dropped } of blocks) {
        const [x, y] = places.get(id);
        const state = failing.has(id) ? " failing" : dropped ? " faded" : "";
        const group = element("g", { class: `block${state}`, transform: `translate(${x} ${y})` }, svg);
        const note = { plumbing: "; only routes wires", unreached: "; no system reaches it" }[dropped] ?? "";
        element("title", {}, group, `block ${id} "${name}" (${kind}), line ${line}${note}`);
        element("rect", { width: WIDTH, height: HEIGHT, rx: 4 }, group);
        element("text", { x: 8, y: 17, class: "name" }, group, short(name || `block ${id}`));
        element("text", { x: 8, y: 32 }, group, short(kind.replace(/Block$/, "")));
    }
}

const short = (text) => (text.length > 22 ? `${text.slice(0, 21)}…` : text);
