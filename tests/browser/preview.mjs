// Uses the page of `pyrograph preview` as a person does, in a Chromium with WebGPU on its software adapter.
//
// Needs a Chromium in PATH (or CHROMIUM) and the command built (or PYROGRAPH). With PYROGRAPH_BLESS=1 it writes
// the screenshots of the docs anew.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { launch } from "./browser.mjs";
import { compare } from "./compare.mjs";
import { Preview, command } from "./page.mjs";

const root = path.resolve(import.meta.dirname, "../..");
const graphs = path.join(root, "fixtures/graphs");
const run = promisify(execFile);

const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function folder(...files) {
    const made = await mkdtemp(path.join(tmpdir(), "pyrograph-preview-"));
    for (const file of files) await copyFile(path.join(graphs, file), path.join(made, path.basename(file)));
    return made;
}

/** The fountain with another number somewhere: the state stays alike. */
async function edited(file, number) {
    const text = await readFile(path.join(graphs, "canonical/fountain.json"), "utf8");
    const graph = JSON.parse(text);
    const system = graph.blocks.find(({ customType }) => customType.endsWith("SystemBlock"));
    system.updateSpeed = 0.016 + number / 1e5;
    await writeFile(file, JSON.stringify(graph));
}

/** In the page: how far its picture is from what the command draws at a step, as a share of how far it is from none. */
async function commandDiffers(step) {
    const { camera, effect, message, native } = globalThis.pyrograph;
    const { width, height, pixels } = await drawn();
    const isBgra = navigator.gpu.getPreferredCanvasFormat().startsWith("bgra");
    const own = (at, channel) => pixels[at + (isBgra ? 2 - channel : channel)];
    const background = [0, 1, 2].map((channel) => own(0, channel));
    const { alpha, beta, radius, target } = camera;
    const question = new URLSearchParams({
        page: native.page,
        revision: message.revision,
        profile: "parallel",
        seed: effect.seed,
        step,
        camera: [alpha, beta, radius, ...target].join(","),
        size: `${width}x${height}`,
        clear: [...background.map((channel) => channel / 255), 1].join(","),
    });
    let answer;
    do answer = await fetch(`/frame?${question}`);
    while (Number(answer.headers.get("x-step")) < step);
    const bitmap = await createImageBitmap(await answer.blob());
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const command = context.getImageData(0, 0, width, height).data;
    let [differs, whole] = [0, 0];
    for (let at = 0; at < command.length; at += 4) {
        for (const channel of [0, 1, 2]) {
            differs += Math.abs(own(at, channel) - command[at + channel]);
            whole += Math.abs(own(at, channel) - background[channel]);
        }
    }
    return differs / whole;
}

const tests = {
    async "a graph is shown and moves"(browser) {
        const place = await folder("canonical/fountain.json", "canonical/attractor.json");
        const preview = await Preview.start(browser, [place]);
        await preview.waits(() => globalThis.pyrograph.effect.step > 100);
        const before = await preview.picture();
        await sleep(300);
        const after = await preview.picture();
        assert(before.lit > 300 && after.lit > 300, `${before.lit} and ${after.lit} pixels are lit`);
        assert.notEqual(before.sum, after.sum, "the picture stands still");
        await preview.screenshot("preview.png");
        await preview.page.selectOption("#graph-name", "fountain.json");
        await preview.waits(() => globalThis.pyrograph.message.name === "fountain.json");
        // A new file is listed while another is shown, and can be opened; one that goes away is told.
        await copyFile(path.join(graphs, "gradient/colors.json"), path.join(place, "new.json"));
        await preview.waits(() => globalThis.pyrograph.message.files.includes("new.json"));
        await preview.page.selectOption("#graph-name", "new.json");
        await preview.waits(() => globalThis.pyrograph.message.name === "new.json");
        await rm(path.join(place, "new.json"));
        await preview.waits(() => /new.json is none of/.test(document.getElementById("findings").innerText));
        await preview.end();
        await rm(place, { recursive: true });
    },

    async "a save is on the screen in half a second, and particles go on"(browser) {
        const place = await folder("canonical/fountain.json");
        const file = path.join(place, "fountain.json");
        const preview = await Preview.start(browser, [file]);
        await preview.waits(() => globalThis.pyrograph.effect.step > 60);
        const times = [];
        for (let save = 1; save <= 20; save += 1) {
            const { shown, step } = await preview.get(() => {
                const { shown, effect } = globalThis.pyrograph;
                return { shown, step: effect.step };
            });
            const started = performance.now();
            await edited(file, save);
            await preview.waits((shown) => globalThis.pyrograph.shown > shown, shown);
            times.push(performance.now() - started);
            assert((await preview.get(() => globalThis.pyrograph.effect.step)) >= step, "it began anew");
            assert(await preview.get(() => globalThis.pyrograph.message.systems !== null));
        }
        times.sort((a, b) => a - b);
        console.log(`  from save to swapped kernels: median ${times[10].toFixed(0)} ms, worst ${times[19].toFixed(0)} ms`);
        assert(times[10] < 500, `the median is ${times[10]} ms`);
        await preview.end();
        await rm(place, { recursive: true });
    },

    async "an error is shown beside the last good effect"(browser) {
        const place = await folder("canonical/fountain.json");
        const file = path.join(place, "fountain.json");
        const preview = await Preview.start(browser, [file]);
        const good = await readFile(file, "utf8");
        await preview.waits(() => globalThis.pyrograph.effect.step > 60);
        await writeFile(file, good.replace('"targetBlockId":16', '"targetBlockId":999'));
        await preview.waits(() => document.querySelector("#findings .error") !== null);
        const said = await preview.get(() => document.getElementById("findings").innerText);
        assert.match(said, /G201[^]*line \d+[^]*block \d+ "/);
        const [step, systems] = await preview.get(() => [globalThis.pyrograph.effect.step, globalThis.pyrograph.effect.systems.length]);
        assert.equal(systems, 1);
        await preview.waits((step) => globalThis.pyrograph.effect.step > step + 10, step);
        assert((await preview.picture()).lit > 300);
        assert.equal(await preview.get(() => document.querySelectorAll("#graph .failing").length), 1);
        await preview.screenshot("preview-error.png");
        await writeFile(file, "{");
        await preview.waits(() => /P\d+/.test(document.getElementById("findings").innerText));
        await writeFile(file, good);
        await preview.waits(() => document.querySelector("#findings .error") === null);
        assert((await preview.get(() => globalThis.pyrograph.effect.step)) > step);
        await preview.end();
        await rm(place, { recursive: true });
    },

    async "a file can be dropped, and a texture"(browser) {
        const preview = await Preview.start(browser, []);
        const drop = (name, type, text) =>
            preview.get(
                ({ name, type, text }) => {
                    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
                    const dataTransfer = new DataTransfer();
                    dataTransfer.items.add(new File([bytes], name, { type }));
                    dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
                },
                { name, type, text: text.toString("base64") },
            );
        await drop("mine.json", "application/json", await readFile(path.join(graphs, "gradient/colors.json")));
        await preview.waits(() => {
            const { message, shown, effect } = globalThis.pyrograph;
            return message.name === "mine.json" && shown === message.revision && effect.step > 60;
        });
        assert((await preview.picture()).lit > 100);
        // A red dot.
        const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";
        await drop("dot.png", "image/png", Buffer.from(png, "base64"));
        await preview.waits(() => globalThis.pyrograph.texture?.width === 1);
        const isRed = async () => {
            const { pixels } = await drawn();
            const isBgra = navigator.gpu.getPreferredCanvasFormat().startsWith("bgra");
            let [red, blue] = [0, 0];
            for (let at = 0; at < pixels.length; at += 4) {
                red = Math.max(red, pixels[at + (isBgra ? 2 : 0)]);
                blue = Math.max(blue, pixels[at + (isBgra ? 0 : 2)]);
            }
            return red > 2 * blue;
        };
        await preview.waits(isRed);
        await preview.page.click("#texture-reset");
        await preview.waits(() => globalThis.pyrograph.texture === null);
        await preview.end();
    },

    async "quads of every kind look as the command draws them"(browser) {
        const place = await mkdtemp(path.join(tmpdir(), "pyrograph-preview-"));
        const kinds = ["billboard_all", "billboard_y", "billboard_stretched", "billboard_stretched_local", "oriented", "sheet", "blend_multiply", "blend_multiply_add"];
        const scenes = path.join(root, "fixtures/pictures");
        for (const kind of kinds) await copyFile(path.join(scenes, kind, "graph.json"), path.join(place, `${kind}.json`));
        const preview = await Preview.start(browser, [place]);
        await preview.page.click("#play");
        await preview.page.fill("#seek", "60");
        for (const kind of kinds) {
            await preview.page.fill("#background", kind.startsWith("blend_multiply") ? "#ffffff" : "#000000");
            await preview.page.selectOption("#graph-name", `${kind}.json`);
            await preview.waits((name) => {
                const { message, shown } = globalThis.pyrograph;
                return message.name === name && shown === message.revision;
            }, `${kind}.json`);
            await preview.page.click("#seek-go");
            await preview.waits(() => globalThis.pyrograph.effect.step === 60 && !globalThis.pyrograph.isSeeking);
            await preview.get(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
            const { lit } = await preview.picture();
            assert(lit > 100, `${kind}: ${lit} pixels are lit`);
            const [differs, earlier] = [await preview.get(commandDiffers, 60), await preview.get(commandDiffers, 55)];
            console.log(`  ${kind}: ${(100 * differs).toFixed(2)} % of the picture is elsewhere, ${(100 * earlier).toFixed(0)} % five steps before`);
            assert(differs < 0.03 && earlier > 0.1, `${kind} is drawn otherwise than the command draws it`);
        }
        assert.deepEqual(await preview.get(() => globalThis.pyrograph.errors), []);
        await preview.end();
        await rm(place, { recursive: true });
    },

    async "every control does what it says"(browser) {
        const preview = await Preview.start(browser, []);
        const { page } = preview;
        const step = () => preview.get(() => globalThis.pyrograph.effect.step);
        const control = (read) => preview.get(read);
        await preview.waits(() => globalThis.pyrograph.effect.step > 30);

        await page.click("#play");
        const paused = await step();
        await sleep(200);
        assert.equal(await step(), paused, "pause");
        await page.click("#step");
        assert.equal(await step(), paused + 1, "step");
        await page.click("#restart");
        await preview.waits(() => globalThis.pyrograph.effect.step === 0);

        await page.fill("#seek", "200");
        await page.click("#seek-go");
        await preview.waits(() => globalThis.pyrograph.effect.step === 200 && !globalThis.pyrograph.isSeeking);
        const state = () => control(async () => JSON.stringify(await globalThis.pyrograph.effect.systems[0].read()));
        const first = await state();
        await page.click("#seek-go");
        await preview.waits(() => globalThis.pyrograph.effect.step === 200 && !globalThis.pyrograph.isSeeking);
        assert.equal(await state(), first, "seeking again gives the same state");

        await page.fill("#seed", "7");
        await page.press("#seed", "Enter");
        await preview.waits(() => globalThis.pyrograph.effect.seed === 7n && globalThis.pyrograph.effect.step === 0);
        await page.click("#seek-go");
        await preview.waits(() => globalThis.pyrograph.effect.step === 200 && !globalThis.pyrograph.isSeeking);
        assert.notEqual(await state(), first, "another seed gives another state");

        await page.fill("#rate", "0");
        await page.press("#rate", "Enter");
        await page.click("#restart");
        await preview.waits(() => globalThis.pyrograph.effect.step === 0);
        await page.click("#seek-go");
        await preview.waits(() => globalThis.pyrograph.effect.step === 200 && !globalThis.pyrograph.isSeeking);
        assert.equal(await control(() => globalThis.pyrograph.effect.alive()), 0, "no rate, no particles");
        await page.click("#rate-reset");

        await page.fill("#emitter-x", "5");
        await page.press("#emitter-x", "Enter");
        await page.click("#seek-go");
        await preview.waits(() => globalThis.pyrograph.effect.step === 200 && !globalThis.pyrograph.isSeeking);
        const middle = async () => {
            const { columns } = await globalThis.pyrograph.effect.systems[0].read();
            const x = columns["position.0"];
            return x.reduce((sum, x) => sum + x, 0) / x.length;
        };
        assert(Math.abs((await control(middle)) - 5) < 1.5, "the emitter moves to x = 5");
        await page.fill("#emitter-x", "0");
        await page.press("#emitter-x", "Enter");
        await page.check("#moving");
        const matrix = () => globalThis.pyrograph.effect.systems[0].emitterMatrix.join();
        const before = await control(matrix);
        for (let click = 0; click < 5; click += 1) await page.click("#step");
        assert.notEqual(await control(matrix), before, "the emitter is on its way");

        await page.click("#play");
        await page.fill("#speed", "0");
        await sleep(100);
        const standing = await step();
        await sleep(200);
        assert.equal(await step(), standing, "speed 0");
        await page.fill("#speed", "3");
        await preview.waits((step) => globalThis.pyrograph.effect.step > step + 60, standing);

        await page.click("#stop");
        await preview.waits(async () => (await globalThis.pyrograph.effect.alive()) === 0);
        await page.click("#stop");
        await preview.waits(async () => (await globalThis.pyrograph.effect.alive()) > 0);

        await page.fill("#background", "#ff0000");
        const corner = async () => {
            const { pixels } = await drawn();
            return pixels.slice(0, 3).filter((channel) => channel === 255).length === 1;
        };
        await preview.waits(corner);

        const alpha = () => control(() => globalThis.pyrograph.camera.alpha);
        const facing = await alpha();
        await page.mouse.move(300, 400);
        await page.mouse.down();
        await page.mouse.move(360, 400);
        await page.mouse.up();
        assert.notEqual(await alpha(), facing, "dragging turns the camera");
        await page.focus("#canvas");
        const turned = await alpha();
        await page.keyboard.press("ArrowLeft");
        assert.notEqual(await alpha(), turned, "keys turn the camera");
        await page.keyboard.press("+");
        assert((await control(() => globalThis.pyrograph.camera.radius)) < 8, "keys zoom");
        await page.click("#camera-reset");
        assert.equal(await alpha(), facing);

        const figures = await control(() => document.getElementById("figures").innerText);
        assert.match(figures, /alive\n\d+\nms a step\n.+\nbytes a particle\n\d+/);
        assert.match(await control(() => document.getElementById("explanation").innerText), /particle/);
        assert((await control(() => document.querySelectorAll("#graph .block").length)) > 50);
        await preview.end();
    },

    async "a phone shows all of it"(browser) {
        const preview = await Preview.start(browser, [], { width: 390, height: 844 });
        await preview.waits(() => globalThis.pyrograph.effect.step > 100);
        assert((await preview.picture()).lit > 100);
        const wide = await preview.get(() => document.documentElement.scrollWidth);
        assert(wide <= 390, `the page is ${wide} pixels wide`);
        await preview.screenshot("preview-phone.png");
        await preview.end();
    },

    async "the command draws for browsers without WebGPU, and Exact for all"(browser) {
        const wholeCommand = async () => {
            const image = document.getElementById("native");
            if (image.hidden || !image.complete || image.naturalWidth === 0) return false;
            const [width, height] = [image.naturalWidth, image.naturalHeight];
            const context = new OffscreenCanvas(width, height).getContext("2d");
            context.drawImage(image, 0, 0);
            const { data } = context.getImageData(0, 0, width, height);
            let lit = 0;
            for (let at = 0; at < data.length; at += 4) lit += Math.abs(data[at] - data[0]) > 8 ? 1 : 0;
            return lit > 100 && globalThis.pyrograph.native.reached > 30;
        };
        const preview = await Preview.start(browser, []);
        await preview.page.selectOption("#profile", "exact");
        await preview.waits(wholeCommand);
        await preview.page.selectOption("#profile", "parallel");
        await preview.waits(() => document.getElementById("native").hidden && globalThis.pyrograph.effect.step > 30);
        await preview.page.addInitScript(() => Object.defineProperty(navigator, "gpu", { value: undefined }));
        await preview.page.reload();
        await preview.waits(wholeCommand);
        assert.match(await preview.get(() => document.getElementById("notice").innerText), /no WebGPU/);
        await preview.end();
    },

    async "200 saves in a row leak nothing"(browser) {
        const place = await folder("canonical/fountain.json");
        const file = path.join(place, "fountain.json");
        const preview = await Preview.start(browser, [file]);
        const save = async (number) => {
            const shown = await preview.get(() => globalThis.pyrograph.shown);
            if (number % 10 === 5) await writeFile(file, `{"blocks": [${number}`);
            else await edited(file, number);
            await preview.waits((shown) => globalThis.pyrograph.shown > shown, shown);
        };
        await save(1);
        const quiet = () => preview.get(() => new Promise((done) => setTimeout(() => done(globalThis.liveBuffers), 600)));
        const before = await quiet();
        for (let number = 2; number <= 201; number += 1) await save(number);
        const after = await quiet();
        // A count that is being read has a buffer for a moment.
        assert(Math.abs(after - before) <= 2, `${before} buffers before, ${after} after`);
        assert((await preview.picture()).lit > 0);
        await preview.end();
        await rm(place, { recursive: true });
    },

    async "the page computes what simulate does"(browser) {
        const names = ["canonical/fountain.json", "canonical/attractor.json", "lifecycle/stop_and_drain.json", "emitter/local_cylinder.json", "generated/base_003.json"];
        const place = await folder(...names);
        const preview = await Preview.start(browser, [place, "--observe", "state"]);
        await preview.page.click("#play");
        await preview.page.fill("#seek", "120");
        for (const name of names) {
            const file = path.basename(name);
            await preview.page.selectOption("#graph-name", file);
            await preview.waits((file) => {
                const { message, shown } = globalThis.pyrograph;
                return message.name === file && shown === message.revision;
            }, file);
            await preview.page.click("#seek-go");
            await preview.waits(() => globalThis.pyrograph.effect.step === 120 && !globalThis.pyrograph.isSeeking);
            const states = await preview.get(() => Promise.all(globalThis.pyrograph.effect.systems.map((system) => system.read())));
            const flags = ["--profile", "parallel", "--steps", "120"];
            const { stdout } = await run(command, ["simulate", path.join(place, file), ...flags], { maxBuffer: 1 << 28 });
            const compared = JSON.parse(stdout).systems.map((expected, index) => compare(states[index], expected));
            assert.deepEqual(compared.flatMap(({ problems }) => problems), []);
            console.log(`  ${file}: ${compared.map(({ count }) => count).join(" and ")} numbers agree`);
        }
        await preview.end();
        await rm(place, { recursive: true });
    },

    async "strangers are turned away"(browser) {
        const place = await folder("canonical/fountain.json");
        await writeFile(path.join(place, "../pyrograph-secret.json"), "{}");
        const preview = await Preview.start(browser, [place]);
        const { port } = new URL(preview.address);
        const mark = { "x-pyrograph": "1" };
        const status = (method, target, headers = {}, body = undefined) =>
            new Promise((done) => {
                const request = http.request({ agent: false, port, host: "127.0.0.1", method, path: target, headers }, (answer) => {
                    answer.resume();
                    answer.on("end", () => done(answer.statusCode));
                    if (target === "/messages") answer.destroy();
                    if (target === "/messages") done(answer.statusCode);
                });
                request.on("error", () => done("closed"));
                // Who is refused early may still be writing when the answer is there.
                request.on("socket", (socket) => socket.on("error", () => done("closed")));
                request.end(body);
            });
        assert.equal(await status("GET", "/"), 200);
        assert.equal(await status("GET", "/", { host: "evil.example" }), 403);
        assert.equal(await status("GET", "/messages", { origin: "http://evil.example" }), 403);
        assert.equal(await status("POST", "/drop?name=x", { origin: "http://evil.example", ...mark }, "{}"), 403);
        assert.equal(await status("POST", "/drop?name=x", {}, "{}"), 403);
        for (const name of ["../pyrograph-secret.json", "/etc/passwd", "..%2f..%2fetc%2fpasswd", "nothing.json", ""]) {
            assert.equal(await status("POST", `/open?name=${name}`, mark), 422, name);
        }
        for (const target of ["/../Cargo.toml", "/page/..%2f..%2fCargo.toml", "/page/nothing", "/etc/passwd"]) {
            assert.equal(await status("GET", target), 404, target);
        }
        const refused = await status("POST", "/drop?name=x", mark, Buffer.alloc(17 << 20));
        assert([413, "closed"].includes(refused), `${refused}`);

        // A client that goes away in the middle of what it says.
        await new Promise((done) => {
            const socket = net.connect(port, "127.0.0.1", () => {
                socket.write(`POST /drop?name=x HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-pyrograph: 1\r\ncontent-length: 1000\r\n\r\n{"blo`);
                setTimeout(() => {
                    socket.destroy();
                    done();
                }, 50);
            });
        });
        // Fifty who listen at once: each hears of a save.
        const hear = () =>
            new Promise((done, failed) => {
                http.get({ port, host: "127.0.0.1", path: "/messages" }, (answer) => {
                    let text = "";
                    let heard = 0;
                    answer.on("data", (part) => {
                        text += part;
                        heard = text.split("\n\n").length - 1;
                        if (heard < 2) return;
                        answer.destroy();
                        done(heard);
                    });
                }).on("error", failed);
            });
        const listeners = Array.from({ length: 50 }, hear);
        await sleep(500);
        await edited(path.join(place, "fountain.json"), 1);
        assert((await Promise.all(listeners)).every((heard) => heard === 2));
        assert.equal(await status("GET", "/"), 200);
        await preview.end();
        await rm(place, { recursive: true });
        await rm(path.join(place, "../pyrograph-secret.json"));
    },
};

const wanted = process.argv[2] ?? "";
const browser = await launch();
let failures = 0;
for (const [name, test] of Object.entries(tests)) {
    if (!name.includes(wanted)) continue;
    const started = performance.now();
    try {
        await test(browser);
        console.log(`ok ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    } catch (error) {
        failures += 1;
        console.log(`FAILED ${name}: ${error.stack}`);
        for (const page of browser.contexts().flatMap((context) => context.pages())) {
            console.log(await page.evaluate(() => globalThis.pyrograph?.errors ?? []));
            await page.close();
        }
    }
}
await browser.close();
// Servers of failed tests would keep the process alive.
process.exit(failures > 0 ? 1 : 0);
