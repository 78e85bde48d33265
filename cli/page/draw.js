// Draws the particles of a system from its columns in place: no particle passes through the page. The shaders are
// those of the command's own renderer, which says with them how they are fed (`DrawManifest`).

/** A soft round spot, for graphs without a picture that can be had. */
function spot() {
    const side = 64;
    const pixels = new Uint8Array(4 * side * side);
    for (let at = 0; at < side * side; at += 1) {
        const [x, y] = [(at % side) + 0.5, Math.floor(at / side) + 0.5];
        const near = Math.max(0, 1 - Math.hypot(x - side / 2, y - side / 2) / (side / 2));
        pixels.set([255, 255, 255, 255 * near * near], 4 * at);
    }
    return { width: side, height: side, pixels };
}

/** Sides of a cell as parts of the picture's, and how many cells are in a row (the contract's section 10.1). */
function cells(sheet, { width, height }) {
    const sides = [width, height].map((whole, axis) => (sheet[axis] > 0 ? sheet[axis] : whole));
    return { cell: [sides[0] / width, sides[1] / height], columns: [Math.max(1, Math.floor(width / sides[0]))] };
}

/** Draws one system. */
export class Painter {
    constructor(device, format, system, drawing, drawn) {
        Object.assign(this, { device, system, drawing });
        const { render } = system.manifest;
        const { VERTEX, FRAGMENT } = GPUShaderStage;
        this.block = Float32Array.from(drawing.block);
        const size = this.block.byteLength;
        this.uniforms = device.createBuffer({ size, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
        this.picture = drawn ?? spot();
        this.texture = this.#upload(this.picture, render.picture?.flip ?? false);
        this.cells = render.sheet ? cells(render.sheet.map(Number), this.picture) : {};
        const sampler = device.createSampler({
            addressModeU: "repeat",
            addressModeV: "repeat",
            magFilter: "linear",
            minFilter: "linear",
        });
        const columns = drawing.bindings.map((name) => ({ buffer: system.buffers.get(name) }));
        const groups = [
            [
                [{ visibility: VERTEX | FRAGMENT, buffer: {} }, { buffer: this.uniforms }],
                [{ visibility: FRAGMENT, texture: {} }, this.texture.createView()],
                [{ visibility: FRAGMENT, sampler: {} }, sampler],
            ],
            columns.map((column) => [{ visibility: VERTEX, buffer: { type: "read-only-storage" } }, column]),
        ].map((bound) => {
            const entries = bound.map(([entry], binding) => ({ binding, ...entry }));
            const layout = device.createBindGroupLayout({ entries });
            const resources = bound.map(([, resource], binding) => ({ binding, resource }));
            return { layout, group: device.createBindGroup({ layout, entries: resources }) };
        });
        this.groups = groups.map(({ group }) => group);
        const layout = device.createPipelineLayout({ bindGroupLayouts: groups.map(({ layout }) => layout) });
        this.pipelines = drawing.passes.map(({ wgsl, blend }) => {
            const module = device.createShaderModule({ code: wgsl });
            return device.createRenderPipeline({ layout, vertex: { module }, fragment: { module, targets: [{ format, blend }] } });
        });
    }

    /** Rows of a texture begin at the top of the decoded picture, or at its bottom where it is flipped. */
    #upload({ width, height, pixels }, flip) {
        const { TEXTURE_BINDING, COPY_DST } = GPUTextureUsage;
        const size = [width, height];
        const texture = this.device.createTexture({ size, format: "rgba8unorm", usage: TEXTURE_BINDING | COPY_DST });
        for (let row = 0; row < height; row += 1) {
            const from = (flip ? height - 1 - row : row) * width * 4;
            const data = pixels.subarray(from, from + width * 4);
            const layout = { bytesPerRow: width * 4, rowsPerImage: 1 };
            this.device.queue.writeTexture({ texture, origin: [0, row] }, data, layout, [width, 1]);
        }
        return texture;
    }

    /** Draws the living in slot order, once for each pass of the blend mode. */
    draw(pass, { viewProjection, right, up, eye }) {
        const local = this.system.controls.emitter(this.system.step).slice(0, 12);
        const values = { viewProjection, right, up, eye, local, ...this.cells };
        for (const { name, word } of this.drawing.members) this.block.set(values[name], word);
        this.device.queue.writeBuffer(this.uniforms, 0, this.block);
        for (const pipeline of this.pipelines) {
            pass.setPipeline(pipeline);
            this.groups.forEach((group, index) => pass.setBindGroup(index, group));
            pass.drawIndirect(this.system.buffers.get("control"), 0);
        }
    }

    destroy() {
        this.uniforms.destroy();
        this.texture.destroy();
    }
}
