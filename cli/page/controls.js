// What a person can set, and where the page shows what it knows.

const byId = (id) => document.getElementById(id);

/** Calls `handlers` by name when a control is used. */
export function bind(handlers) {
    const on = (id, event, handle) => byId(id).addEventListener(event, handle);
    on("graph-name", "change", ({ target }) => handlers.open(target.value));
    on("snippet-form", "submit", (event) => {
        event.preventDefault();
        if (byId("snippet-id").value.trim()) handlers.snippet(byId("snippet-id").value.trim());
    });
    on("graph-file", "change", ({ target }) => handlers.files(target.files));
    on("texture", "change", ({ target }) => handlers.files(target.files));
    on("texture-reset", "click", () => {
        byId("texture").value = "";
        handlers.texture(null);
    });
    on("play", "click", () => handlers.play(byId("play").getAttribute("aria-pressed") !== "true"));
    on("step", "click", handlers.step);
    on("restart", "click", handlers.restart);
    on("stop", "click", () => {
        const isStopped = byId("stop").getAttribute("aria-pressed") !== "true";
        showStopped(isStopped);
        handlers.stop(isStopped);
    });
    on("seek-go", "click", () => handlers.seek(whole("seek")));
    on("seed", "change", () => handlers.seed(BigInt(whole("seed"))));
    on("rate", "change", ({ target }) => handlers.rate(target.value === "" ? undefined : Math.max(0, Number(target.value))));
    on("rate-reset", "click", () => {
        byId("rate").value = "";
        handlers.rate(undefined);
    });
    for (const id of ["emitter-x", "emitter-y", "emitter-z", "moving"]) on(id, "change", handlers.emitter);
    on("profile", "change", handlers.profile);
    on("camera-reset", "click", handlers.cameraReset);
    drops(handlers);
    orbit(byId("canvas"), handlers);
}

function whole(id) {
    const value = Math.floor(Number(byId(id).value));
    return Number.isFinite(value) ? Math.max(0, value) : 0;
}

function drops({ files }) {
    let depth = 0;
    const show = (change) => {
        depth = Math.max(0, depth + change);
        document.body.classList.toggle("dropping", depth > 0);
    };
    addEventListener("dragenter", (event) => {
        event.preventDefault();
        show(1);
    });
    addEventListener("dragleave", () => show(-1));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
        event.preventDefault();
        show(-depth);
        files(event.dataTransfer.files);
    });
}

/** Turns the camera by dragging, moves it with the other button or a second finger, zooms with wheel and keys. */
function orbit(canvas, { camera }) {
    const pointers = new Map();
    canvas.addEventListener("pointerdown", (event) => {
        canvas.setPointerCapture(event.pointerId);
        pointers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    for (const name of ["pointerup", "pointercancel"]) {
        canvas.addEventListener(name, ({ pointerId }) => pointers.delete(pointerId));
    }
    canvas.addEventListener("pointermove", (event) => {
        const before = pointers.get(event.pointerId);
        if (!before) return;
        const now = [event.clientX, event.clientY];
        const [x, y] = [now[0] - before[0], now[1] - before[1]];
        if (pointers.size === 2) {
            const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
            const distance = (at) => Math.max(1, Math.hypot(at[0] - other[0], at[1] - other[1]));
            camera((orbit) => orbit.zoom(distance(before) / distance(now)));
        } else if (event.buttons === 1 && !event.shiftKey) {
            camera((orbit) => orbit.turn(-x * 0.01, -y * 0.01));
        } else {
            camera((orbit) => orbit.pan(x / canvas.clientHeight, y / canvas.clientHeight));
        }
        pointers.set(event.pointerId, now);
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener(
        "wheel",
        (event) => {
            event.preventDefault();
            camera((orbit) => orbit.zoom(Math.exp(event.deltaY * 0.001)));
        },
        { passive: false },
    );
    const keys = {
        ArrowLeft: (orbit) => orbit.turn(0.1, 0),
        ArrowRight: (orbit) => orbit.turn(-0.1, 0),
        ArrowUp: (orbit) => orbit.turn(0, 0.1),
        ArrowDown: (orbit) => orbit.turn(0, -0.1),
        "+": (orbit) => orbit.zoom(0.9),
        "-": (orbit) => orbit.zoom(1 / 0.9),
    };
    canvas.addEventListener("keydown", (event) => {
        if (!(event.key in keys)) return;
        event.preventDefault();
        camera(keys[event.key]);
    });
}

/** What is set now. */
export const settings = {
    get speed() {
        return Number(byId("speed").value);
    },
    get profile() {
        return byId("profile").value;
    },
    get background() {
        const rgb = Number.parseInt(byId("background").value.slice(1), 16);
        return [rgb >> 16, (rgb >> 8) & 255, rgb & 255].map((channel) => channel / 255);
    },
    get emitter() {
        const at = ["x", "y", "z"].map((axis) => Number(byId(`emitter-${axis}`).value) || 0);
        return { at, isMoving: byId("moving").checked };
    },
};

export function showPlaying(isPlaying) {
    byId("play").textContent = isPlaying ? "Pause" : "Play";
    byId("play").setAttribute("aria-pressed", isPlaying);
}

export function showStopped(isStopped) {
    byId("stop").textContent = isStopped ? "Emit again" : "Stop emitting";
    byId("stop").setAttribute("aria-pressed", isStopped);
}

export const showStatus = (text) => {
    byId("status").textContent = text;
};

/** A remark over the picture; none for an empty text. */
export function showNotice(text) {
    byId("notice").hidden = text === "";
    byId("notice").textContent = text;
}

/** Names of what can be opened, with the one that is shown. */
export function showNames({ name, files, samples }) {
    const groups = [["Graphs", (files ?? []).map((file) => [file, file])]];
    groups.push(["Samples", samples.map(({ name, what }) => [`sample:${name}`, `${name}: ${what}`])]);
    const known = groups.flatMap(([, options]) => options.map(([value]) => value));
    if (!known.includes(name)) groups.unshift(["Shown", [[name, name]]]);
    const made = groups
        .filter(([, options]) => options.length > 0)
        .map(([label, options]) => {
            const group = document.createElement("optgroup");
            group.label = label;
            group.append(...options.map(([value, text]) => new Option(text, value, false, value === name)));
            return group;
        });
    byId("graph-name").replaceChildren(...made);
}

/** Errors and warnings; `text` is what is said where there is no list. */
export function showFindings(findings, text) {
    const items = (findings?.diagnostics ?? []).map((finding) => {
        const item = document.createElement("li");
        item.className = finding.severity;
        const line = (name, ...parts) => {
            const made = document.createElement("p");
            made.className = name;
            made.append(...parts);
            item.append(made);
        };
        const code = document.createElement("b");
        code.textContent = `${finding.severity} ${finding.code}`;
        line("message", code, ` ${finding.message}`);
        if (finding.place) {
            const { block, line: row, column, input } = finding.place;
            const owner = block ? `block ${block.id} "${block.name}" (${block.class})` : "";
            const port = input ? `, input ${input}` : "";
            line("place", `line ${row}:${column}  ${owner}${port}`);
        }
        if (finding.help) line("help", finding.help);
        return item;
    });
    if (items.length === 0 && text !== "") {
        const item = document.createElement("li");
        item.className = "error";
        item.textContent = text;
        items.push(item);
    }
    byId("findings").replaceChildren(...items);
}

export const showExplanation = (text) => {
    byId("explanation").textContent = text;
};

/** Names and values over the picture. */
export function showFigures(figures) {
    const made = Object.entries(figures).flatMap(([name, value]) => {
        const [term, detail] = [document.createElement("dt"), document.createElement("dd")];
        [term.textContent, detail.textContent] = [name, value];
        return [term, detail];
    });
    byId("figures").replaceChildren(...made);
}
