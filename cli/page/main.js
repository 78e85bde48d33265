// The page: hears of graphs, runs them, and shows what it knows.
//
// `globalThis.pyrograph` is what scripts and tests may look at.

import { OrbitCamera } from "./camera.js";
import * as controls from "./controls.js";
import { Effect, STEPS_A_SECOND } from "./effect.js";
import { drawGraph } from "./graph.js";
import { NativeView } from "./native.js";
import { decodeFile } from "./picture.js";
import * as server from "./server.js";

const { settings } = controls;
const canvas = document.getElementById("canvas");

/** Steps that are made up for when the page was hidden or slow. */
const MAX_BEHIND = 8;

const page = {
    camera: new OrbitCamera(),
    effect: null,
    native: new NativeView(document.getElementById("native")),
    message: null,
    isSeeking: false,
    isPlaying: !matchMedia("(prefers-reduced-motion: reduce)").matches,
    /** A picture that is drawn instead of the graph's. */
    texture: null,
    /** Messages that were shown, for whoever waits for one. */
    shown: 0,
    errors: [],
};
globalThis.pyrograph = page;

/** The GPU, or why there is none. */
async function openGpu() {
    if (!navigator.gpu) return [null, "This browser has no WebGPU"];
    const adapter = await navigator.gpu.requestAdapter().catch(() => null);
    if (!adapter) return [null, "This browser finds no GPU"];
    const wanted = ["timestamp-query"].filter((feature) => adapter.features.has(feature));
    const { maxStorageBufferBindingSize, maxBufferSize } = adapter.limits;
    const device = await adapter.requestDevice({
        requiredFeatures: wanted,
        requiredLimits: { maxStorageBufferBindingSize, maxBufferSize },
    });
    device.addEventListener("uncapturederror", ({ error }) => fail(error));
    device.lost.then(({ reason, message }) => {
        if (reason !== "destroyed") controls.showNotice(`The GPU was lost (${message}): load the page again.`);
    });
    return [device, ""];
}

function fail(error) {
    page.errors.push(error.message);
    controls.showNotice(error.message);
    console.error(error);
}

/** Calls what a control asks for, and shows why it did not work. */
const attempt = (work) => (...values) => Promise.resolve(work(...values)).then(() => {}, (error) => fail(error));

const isNative = () => !page.effect || settings.profile === "exact";

function emitterAt() {
    const { at, isMoving } = settings.emitter;
    return (step) => {
        const turn = (2 * Math.PI * step) / 180;
        const [x, z] = isMoving ? [1.5 * Math.cos(turn), 1.5 * Math.sin(turn)] : [0, 0];
        return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, at[0] + x, at[1], at[2] + z, 1];
    };
}

async function picturesOf({ revision, systems }) {
    const load = async ({ manifest }, system) => {
        const get = (name) => server.picture(revision, system, name);
        const read = await Promise.all(manifest.textures.map((_, index) => get(`read.${index}`)));
        const drawn = page.texture ?? (manifest.render.picture ? await get("drawn") : null);
        return { read, drawn };
    };
    return Promise.all(systems.map(load));
}

/** Shows a message; of those that come meanwhile only the newest. */
let next = null;
let isBusy = false;
async function show(message) {
    next = message;
    if (isBusy) return;
    isBusy = true;
    while (next) {
        const message = next;
        next = null;
        await swap(message).catch(fail);
        page.shown = message.revision;
    }
    isBusy = false;
}

async function swap(message) {
    const isOther = page.message?.name !== message.name;
    page.message = message;
    const { findings, text, graph, systems, milliseconds } = message;
    controls.showNames(message);
    controls.showFindings(findings, text);
    const places = (findings?.diagnostics ?? []).filter(({ severity }) => severity === "error").map(({ place }) => place);
    drawGraph(document.getElementById("graph"), graph, new Set(places.map((place) => String(place?.block?.id))));
    document.title = `${message.name} – Pyrograph`;
    if (!systems) {
        controls.showStatus(`${message.name} has errors; the last good effect goes on`);
        return;
    }
    controls.showExplanation(message.explanation);
    controls.showStatus(`${message.name}: compiled in ${milliseconds.toFixed(1)} ms`);
    page.native.show(message.revision);
    if (!page.effect) return;
    if (isOther) {
        controls.showStopped(false);
        page.effect.systems.length > 0 && (await forget());
    }
    await page.effect.load(systems, await picturesOf(message));
    controls.showNotice("");
}

/** Another graph begins at its own beginning, even where its state is kept alike. */
async function forget() {
    const { systems, painters } = page.effect;
    for (const gone of [...painters, ...systems]) gone.destroy();
    Object.assign(page.effect, { systems: [], painters: [] });
}

/** Graphs are shown, pictures drawn. */
async function files([file]) {
    if (!file) return;
    if (file.type.startsWith("image/")) return texture(await decodeFile(file));
    await server.drop(file.name, await file.arrayBuffer());
}

async function texture(picture) {
    page.texture = picture;
    if (page.effect?.sources) await page.effect.load(page.effect.sources, await picturesOf(page.message));
}

async function restart() {
    controls.showStopped(false);
    page.native.step = 0;
    await page.effect?.restart();
}

/** Goes to a step by taking all steps before it, some at a time so that the page stays alive. */
async function seek(step) {
    page.isSeeking = true;
    try {
        await restart();
        page.native.step = step;
        while (page.effect && page.effect.step < step) {
            page.effect.run(Math.min(256, step - page.effect.step), page.camera);
            await page.effect.device.queue.onSubmittedWorkDone();
            controls.showStatus(`step ${page.effect.step} of ${step}`);
        }
    } finally {
        page.isSeeking = false;
    }
}

function play(isPlaying) {
    page.isPlaying = isPlaying;
    controls.showPlaying(isPlaying);
}

function resize() {
    const scale = Math.min(devicePixelRatio, 2);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.max(1, Math.round(side * scale)));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    page.camera.aspect = width / height;
}

let last = performance.now();
let behind = 0;
function frame(now) {
    requestAnimationFrame(frame);
    resize();
    behind += page.isPlaying && !page.isSeeking ? ((now - last) / 1000) * STEPS_A_SECOND * settings.speed : 0;
    last = now;
    const steps = Math.min(Math.floor(behind), MAX_BEHIND);
    behind = Math.min(behind - steps, 1);
    canvas.hidden = isNative();
    // An image without a source looks broken.
    page.native.image.hidden = !isNative() || !page.native.image.src;
    if (isNative()) page.native.frame(steps, page.camera, settings);
    else page.frame(steps);
}

async function figures() {
    const { effect, native } = page;
    const shown = { step: isNative() ? (native.reached ?? 0) : effect.step };
    if (!isNative() && effect.systems.length > 0) {
        shown.alive = (await effect.alive()).toLocaleString("en");
        const time = effect.timer?.milliseconds;
        shown["ms a step"] = time === undefined || time === null ? "not told" : time.toFixed(3);
        shown["bytes a particle"] = effect.bytesPerParticle;
    }
    controls.showFigures(shown);
    setTimeout(() => figures().catch(fail), 250);
}

async function begin() {
    const [device, reason] = await openGpu();
    if (device) {
        const format = navigator.gpu.getPreferredCanvasFormat();
        const context = canvas.getContext("webgpu");
        context.configure({ device, format, alphaMode: "opaque" });
        page.effect = new Effect(device, format);
        page.effect.set({ emitter: emitterAt() });
        page.frame = (steps) => {
            page.effect.run(steps, page.camera);
            page.effect.draw(context.getCurrentTexture().createView(), page.camera, settings.background);
        };
    } else {
        document.querySelector("#profile [value=parallel]").textContent = "Parallel, drawn by the command";
        controls.showNotice(`${reason}: the command draws the pictures, and the Parallel profile runs in its interpreter.`);
    }
    controls.bind({
        open: attempt(server.open),
        snippet: attempt(server.fetchSnippet),
        files: attempt(files),
        texture: attempt(texture),
        play,
        step: () => {
            play(false);
            if (isNative()) page.native.step += 1;
            else page.effect.run(1, page.camera);
        },
        restart: attempt(restart),
        stop: (isStopped) => page.effect?.stop(isStopped),
        seek: attempt(seek),
        seed: attempt(async (seed) => {
            page.native.seed = seed;
            controls.showStopped(false);
            await page.effect?.restart(seed);
        }),
        rate: (emitRate) => page.effect?.set({ emitRate }),
        emitter: () => page.effect?.set({ emitter: emitterAt() }),
        profile: () => page.native.show(page.message?.revision),
        cameraReset: () => page.camera.reset(),
        camera: (change) => change(page.camera),
    });
    controls.showPlaying(page.isPlaying);
    server.listen(
        (message) => show(message),
        (isConnected) => {
            if (!isConnected) controls.showStatus("the command has ended, or cannot be reached");
        },
    );
    requestAnimationFrame(frame);
    await figures();
}

begin().catch(fail);
