// A page of `pyrograph preview`, with its server.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { standIn } from "./browser.mjs";

const root = path.resolve(import.meta.dirname, "../..");
const images = path.join(root, "docs/images");
const blesses = process.env.PYROGRAPH_BLESS === "1";

/** The command: built, or named by PYROGRAPH. */
export const command = process.env.PYROGRAPH ?? path.join(root, "target/debug/pyrograph");

/** A server on a folder, and a page that shows it. */
export class Preview {
    static async start(browser, args, viewport = { width: 1280, height: 720 }) {
        const preview = new Preview();
        preview.server = spawn(command, ["preview", "--no-open", ...args], { stdio: ["ignore", "pipe", "inherit"] });
        preview.address = await new Promise((found, failed) => {
            preview.server.stdout.on("data", (text) => {
                const address = /http:\S+/.exec(text);
                if (address) found(address[0]);
            });
            preview.server.on("exit", (code) => failed(new Error(`the server ended with ${code}`)));
        });
        preview.complaints = [];
        preview.page = await browser.newPage({ viewport });
        preview.page.on("console", (message) => {
            if (["error", "warning"].includes(message.type())) preview.complaints.push(message.text());
        });
        preview.page.on("pageerror", (error) => preview.complaints.push(String(error)));
        await preview.page.addInitScript(standIn);
        await preview.page.addInitScript(countBuffers);
        await preview.page.goto(preview.address);
        await preview.waits(() => globalThis.pyrograph?.shown > 0);
        return preview;
    }

    async end() {
        await this.page.close();
        this.server.removeAllListeners("exit");
        this.server.kill();
        assert.deepEqual(this.complaints, [], "the console has complaints");
    }

    /** Waits until something holds in the page. */
    waits(holds, argument) {
        return this.page.waitForFunction(holds, argument, { timeout: 60_000, polling: 5 });
    }

    get(read, argument) {
        return this.page.evaluate(read, argument);
    }

    /** Pixels that differ from the background, and their sum: another picture has another. */
    async picture() {
        return this.get(async () => {
            const { pixels } = await drawn();
            const background = pixels.slice(0, 4);
            let [lit, sum] = [0, 0];
            for (let at = 0; at < pixels.length; at += 4) {
                const isLit = [0, 1, 2].some((channel) => Math.abs(pixels[at + channel] - background[channel]) > 8);
                if (!isLit) continue;
                lit += 1;
                sum = (Math.imul(sum, 31) + at + pixels[at] + pixels[at + 1] + pixels[at + 2]) | 0;
            }
            return { lit, sum };
        });
    }

    async screenshot(name) {
        if (!blesses) return;
        // A stand-in context presents nothing: its picture is laid over the canvas.
        await this.get(async () => {
            const { width, height, pixels } = await drawn();
            if (navigator.gpu.getPreferredCanvasFormat().startsWith("bgra")) {
                for (let at = 0; at < pixels.length; at += 4) {
                    [pixels[at], pixels[at + 2]] = [pixels[at + 2], pixels[at]];
                }
            }
            const copy = Object.assign(document.createElement("canvas"), { width, height, id: "copy" });
            const data = new ImageData(new Uint8ClampedArray(pixels.buffer), width, height);
            copy.getContext("2d").putImageData(data, 0, 0);
            copy.style.cssText = "position: absolute; inset: 0; width: 100%; height: 100%";
            document.getElementById("canvas").after(copy);
        });
        await mkdir(images, { recursive: true });
        await this.page.screenshot({ path: path.join(images, name) });
        await this.get(() => document.getElementById("copy").remove());
    }
}

/** Counts buffers that were made and not destroyed. */
function countBuffers() {
    if (!globalThis.GPUDevice) return;
    globalThis.liveBuffers = 0;
    const { createBuffer } = GPUDevice.prototype;
    GPUDevice.prototype.createBuffer = function (descriptor) {
        globalThis.liveBuffers += 1;
        return createBuffer.call(this, descriptor);
    };
    const { destroy } = GPUBuffer.prototype;
    GPUBuffer.prototype.destroy = function () {
        globalThis.liveBuffers -= 1;
        return destroy.call(this);
    };
}
