// A Chromium with WebGPU on its software adapter.

import { chromium } from "playwright-core";

const flags = [
    "--no-sandbox",
    "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader",
    "--enable-features=Vulkan,WebGPU",
    "--use-vulkan=swiftshader",
];

/** Starts it; CHROMIUM names another one than Debian's. */
export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });

/**
 * Gives canvases of a page a context that draws into an ordinary texture: presenting a WebGPU canvas can end the
 * software adapter's process. `globalThis.drawn()` reads the newest picture: `{ width, height, pixels }`.
 */
export const standIn = () => {
    const getContext = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        if (kind !== "webgpu") return getContext.call(this, kind, ...rest);
        const canvas = this;
        const state = { device: null, format: null, texture: null };
        globalThis.drawn = async () => {
            const { device, texture } = state;
            const bytesPerRow = Math.ceil((texture.width * 4) / 256) * 256;
            const size = bytesPerRow * texture.height;
            const { COPY_DST, MAP_READ } = GPUBufferUsage;
            const buffer = device.createBuffer({ size, usage: COPY_DST | MAP_READ });
            const encoder = device.createCommandEncoder();
            encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow }, [texture.width, texture.height]);
            device.queue.submit([encoder.finish()]);
            await buffer.mapAsync(GPUMapMode.READ);
            const rows = new Uint8Array(buffer.getMappedRange().slice(0));
            buffer.destroy();
            const { width, height } = texture;
            const pixels = new Uint8Array(4 * width * height);
            for (let row = 0; row < height; row += 1) {
                pixels.set(rows.subarray(row * bytesPerRow, row * bytesPerRow + 4 * width), 4 * row * width);
            }
            return { width, height, pixels };
        };
        return {
            configure: ({ device, format }) => Object.assign(state, { device, format }),
            getCurrentTexture: () => {
                const { width, height } = canvas;
                if (state.texture?.width !== width || state.texture?.height !== height) {
                    state.texture?.destroy();
                    const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
                    state.texture = state.device.createTexture({ size: [width, height], format: state.format, usage });
                }
                return state.texture;
            },
        };
    };
};
