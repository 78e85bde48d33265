// Gives printed kernels to Chromium, which has another WGSL compiler than wgpu:
// 1. its compiler accepts the kernels of every fixture;
// 2. the page's `host.js`, which knows only the manifest, computes what `pyrograph simulate` does.
//
// Needs a Chromium in PATH (or CHROMIUM) and the command built (or PYROGRAPH).

import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { cpus } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { launch } from "./browser.mjs";
import { compare } from "./compare.mjs";

const root = path.resolve(import.meta.dirname, "../..");
const command = process.env.PYROGRAPH ?? path.join(root, "target/debug/pyrograph");
const graphs = path.join(root, "fixtures/graphs");
const run = promisify(execFile);

/** Fixtures that the JavaScript host runs; four have system-domain bodies, the last one inputs. */
const hosted = [
    { name: "canonical/fountain.json" },
    { name: "canonical/attractor.json" },
    { name: "lifecycle/stop_and_drain.json" },
    { name: "generated/base_003.json" },
    { name: "emitter/local_cylinder.json" },
    { name: "emitter/source.json" },
    { name: "generated/base_008.json" },
    {
        name: "canonical/fountain.json",
        inputs: [
            { block: "Gravity", name: "gravity", numbers: [0.5, -0.25, 0] },
            { block: "Max Lifetime", name: "max_lifetime", numbers: [1.5] },
        ],
    },
];
const steps = 120;

async function pyrograph(...args) {
    const { stdout } = await run(command, args, { maxBuffer: 1 << 28 });
    return stdout;
}

async function* files(folder) {
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const found = path.join(folder, entry.name);
        if (entry.isDirectory()) yield* files(found);
        else if (entry.name.endsWith(".json")) yield found;
    }
}

/** The kernels of a graph, system after system; null where Parallel refuses it. */
async function kernels(file, ...more) {
    try {
        const text = await pyrograph("build", file, ...more, "--profile", "parallel", "--observe", "state", "--emit", "wgsl");
        const begin = "// Particle system ";
        return text.split(new RegExp(`^(?=${begin})`, "m")).filter((part) => part.startsWith(begin));
    } catch (error) {
        if (error.code === 1 && /\[L401\]/.test(error.stderr)) return null;
        throw error;
    }
}

async function everyKernel() {
    const found = [];
    const refused = [];
    const names = [];
    for await (const file of files(graphs)) names.push(file);
    const work = names.values();
    const worker = async () => {
        for (const file of work) {
            const name = path.relative(graphs, file);
            const sources = await kernels(file);
            if (sources === null) refused.push(name);
            else found.push(...sources.map((source) => ({ name, source })));
        }
    };
    await Promise.all(cpus().map(worker));
    return { found, refused };
}

async function open() {
    const browser = await launch();
    const page = await browser.newPage();
    // WebGPU wants a secure origin; nothing leaves this machine.
    await page.route("https://pyrograph.test/**", async (route) => {
        const name = new URL(route.request().url()).pathname.slice(1);
        if (["host.js", "bodies.js"].includes(name)) {
            const body = await readFile(path.join(root, "cli/page", name), "utf8");
            await route.fulfill({ contentType: "text/javascript", body });
        } else {
            await route.fulfill({ contentType: "text/html", body: "<!doctype html>" });
        }
    });
    await page.goto("https://pyrograph.test/");
    return { browser, page };
}

/** Messages of the browser's compiler for some kernels. */
function compile(page, batch) {
    return page.evaluate(async (batch) => {
        const adapter = await navigator.gpu.requestAdapter();
        const device = await adapter.requestDevice();
        const messages = [];
        for (const { name, source } of batch) {
            const module = device.createShaderModule({ code: source });
            const info = await module.getCompilationInfo();
            for (const { type, lineNum, message } of info.messages) {
                messages.push(`${name}:${lineNum}: ${type}: ${message}`);
            }
        }
        device.destroy();
        return messages;
    }, batch);
}

/** What the JavaScript host computes. */
function host(page, source, manifest, inputs, steps) {
    return page.evaluate(
        async ({ source, manifest, inputs, steps }) => {
            const { System } = await import("https://pyrograph.test/host.js");
            const adapter = await navigator.gpu.requestAdapter();
            const device = await adapter.requestDevice();
            const errors = [];
            device.addEventListener("uncapturederror", ({ error }) => errors.push(error.message));
            const system = new System(device, source, manifest, 0n);
            for (const { name, numbers } of inputs) system.set(name, numbers);
            system.start();
            for (let step = 0; step < steps; step += 1) system.animate(1);
            const state = await system.read();
            if (errors.length > 0) throw new Error(errors.join("\n"));
            return state;
        },
        { source, manifest, inputs, steps },
    );
}

const started = performance.now();
const { found, refused } = await everyKernel();
const { browser, page } = await open();
const problems = [];
for (let first = 0; first < found.length; first += 50) {
    problems.push(...(await compile(page, found.slice(first, first + 50))));
}
console.log(`${found.length} modules, ${refused.length} graphs refused, ${problems.length} messages`);
for (const { name, inputs = [] } of hosted) {
    const file = path.join(graphs, name);
    const flags = ["--profile", "parallel"];
    const open = inputs.flatMap(({ block }) => ["--input", block]);
    const set = inputs.flatMap(({ block, numbers }) => ["--input", `${block}=${numbers}`]);
    const [source] = await kernels(file, ...open);
    const manifest = JSON.parse(await pyrograph("build", file, ...flags, ...open, "--observe", "state", "--emit", "manifest"));
    const state = JSON.parse(await pyrograph("simulate", file, ...flags, ...set, "--steps", String(steps)));
    const { problems: found } = compare(await host(page, source, manifest, inputs, steps), state.systems[0]);
    console.log(`${name}: ${state.systems[0].alive} particles, ${found.length} differences`);
    problems.push(...found.map((problem) => `${name}: ${problem}`));
}
await browser.close();
console.log(problems.slice(0, 50).join("\n"));
console.log(`${Math.round((performance.now() - started) / 1000)} s`);
process.exitCode = problems.length > 0 ? 1 : 0;
