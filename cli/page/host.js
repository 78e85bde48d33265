// Hosts printed kernels on WebGPU, knowing nothing but their manifest (docs/manifest.md).

import { Bodies } from "./bodies.js";

/** Steps that one submission can hold: each has a uniform block of its own. */
export const MAX_STEPS = 64;

/** WebGPU's least alignment of dynamic offsets. */
const ALIGNMENT = 256;

/** `mix` of the manifest's page. */
function mix(x) {
    x ^= x >>> 16;
    x = Math.imul(x, 0x7feb352d);
    x ^= x >>> 15;
    x = Math.imul(x, 0x846ca68b);
    return (x ^ (x >>> 16)) >>> 0;
}

function systemSeed(seed, ordinal) {
    const [low, high] = [Number(seed & 0xffffffffn), Number((seed >> 32n) & 0xffffffffn)];
    return mix((mix((mix(low) + high) >>> 0) + ordinal) >>> 0);
}

const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** When particles are created, and how many ("Emission"). */
class Emission {
    constructor({ manualEmitCount }) {
        this.manual = Number(manualEmitCount) > -1 ? Number(manualEmitCount) : null;
        Object.assign(this, { carry: 0, time: 0, stopped: true });
    }

    start() {
        Object.assign(this, { time: 0, stopped: false });
    }

    /** Births of a step. */
    advance(rate, delta, targetStop) {
        let whole;
        if (this.manual === null) {
            whole = (rate * delta) | 0;
            this.carry += rate * delta - whole;
            if (this.carry > 1) {
                whole += this.carry | 0;
                this.carry -= this.carry | 0;
            }
        } else {
            [whole, this.manual, this.carry] = [Math.ceil(this.manual), 0, 0];
        }
        if (this.stopped) return 0;
        this.time += delta;
        if (targetStop && this.time >= targetStop) this.stopped = true;
        return Math.min(Math.max(whole, 0), 0xffffffff);
    }
}

/** One system on a device. */
export class System {
    /**
     * `pictures` are the decoded textures of the manifest, in its order: `{ width, height, pixels }` with rows
     * from the top, or null.
     */
    constructor(device, source, manifest, seed, pictures = []) {
        Object.assign(this, { device, source, manifest, step: 0, pictures });
        this.seed = systemSeed(seed, manifest.ordinal);
        this.emission = new Emission(manifest.emission);
        this.targetStop = Number(manifest.emission.targetStop);
        this.bodies = new Bodies(manifest);
        this.prepared = [];
        this.inputs = (manifest.inputs ?? []).map(({ initial }) => initial.map(Number));
        /** What a person sets: a rate, unless it is the graph's; the emitter's matrix in each step. */
        this.controls = { emitRate: undefined, emitter: () => identity };
        this.camera = null;
        this.blockBytes = Math.ceil(manifest.uniforms.bytes / ALIGNMENT) * ALIGNMENT;
        this.blocks = new ArrayBuffer(this.blockBytes * MAX_STEPS);
        this.buffers = new Map(manifest.bindings.map((binding) => [binding.resource, this.#buffer(binding)]));
        this.#fill();
        this.#compile(source);
    }

    destroy() {
        for (const buffer of this.buffers.values()) buffer.destroy();
    }

    #buffer({ resource, type, bytes }) {
        const { COPY_DST, COPY_SRC, INDIRECT, STORAGE, UNIFORM } = GPUBufferUsage;
        const usage = type === "uniform" ? UNIFORM : STORAGE | COPY_SRC;
        const indirect = resource === "control" ? INDIRECT : 0;
        const size = { uniforms: this.blocks.byteLength, texels: this.#texels().byteLength }[resource] ?? bytes;
        return this.device.createBuffer({ size, usage: usage | indirect | COPY_DST });
    }

    /** First contents: counters, tables, pictures. */
    #fill() {
        const { control, tables } = this.manifest;
        const write = (resource, word, data) =>
            this.device.queue.writeBuffer(this.buffers.get(resource), word * 4, data);
        for (const { word, initial } of control) write("control", word, new Uint32Array([initial]));
        for (const { word, values } of tables) {
            if (word !== undefined) write("tables", word, new Float32Array(values.map(Number)));
        }
        if (this.buffers.has("texels")) write("texels", 0, this.#texels());
    }

    /** Heads and texels of the pictures that kernels read ("Pictures"). */
    #texels() {
        const read = this.manifest.textures
            .map(({ head, flip }, index) => ({ head, flip, picture: this.pictures[index] }))
            .filter(({ head }) => head !== undefined);
        const heads = 3 * Math.max(0, ...read.map(({ head }) => head + 1));
        const size = read.reduce((sum, { picture }) => sum + (picture ? picture.width * picture.height : 0), heads);
        const words = new Uint32Array(Math.max(size, 4));
        let next = heads;
        for (const { head, flip, picture } of read) {
            if (!picture) continue;
            const { width, height, pixels } = picture;
            words.set([next, width, height], 3 * head);
            const texels = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);
            for (let row = 0; row < height; row += 1) {
                const from = (flip ? height - 1 - row : row) * width;
                words.set(texels.subarray(from, from + width), next + row * width);
            }
            next += width * height;
        }
        return words;
    }

    #compile(code) {
        const { device, manifest } = this;
        const entries = manifest.bindings.map(({ binding, type, hasDynamicOffset }) => ({
            binding,
            visibility: GPUShaderStage.COMPUTE,
            buffer: { type, hasDynamicOffset },
        }));
        const groupLayout = device.createBindGroupLayout({ entries });
        const layout = device.createPipelineLayout({ bindGroupLayouts: [groupLayout] });
        const module = device.createShaderModule({ code });
        this.kernels = manifest.steps.map(({ entryPoint, workgroups }) => ({
            pipeline: device.createComputePipeline({ layout, compute: { module, entryPoint } }),
            workgroups,
        }));
        this.group = device.createBindGroup({
            layout: groupLayout,
            entries: manifest.bindings.map(({ binding, resource, type, bytes }) => ({
                binding,
                resource: { buffer: this.buffers.get(resource), size: type === "uniform" ? bytes : undefined },
            })),
        });
    }

    start() {
        this.emission.start();
    }

    /** Changes the input of that name from the next step on. */
    set(name, numbers) {
        const index = (this.manifest.inputs ?? []).findIndex((input) => input.name === name);
        if (this.inputs[index]?.length !== numbers.length) throw new Error(`no input ${name}`);
        this.inputs[index] = numbers;
    }

    /** Emits no more, or again from where it was. */
    set isStopped(isStopped) {
        this.emission.stopped = isStopped;
    }

    /** Whether another system keeps the same state at the same places. */
    #isAlike({ manifest }) {
        const shape = ({ capacity, bindings, control, slots, columns, host }) =>
            JSON.stringify([capacity, bindings, control, slots, columns, host.registers]);
        return shape(manifest) === shape(this.manifest);
    }

    /** Goes on from where another system is, if that keeps the same state; says whether it does. */
    adopt(other) {
        if (!this.#isAlike(other)) return false;
        const encoder = this.device.createCommandEncoder();
        for (const [resource, buffer] of this.buffers) {
            if (["uniforms", "tables", "texels"].includes(resource)) continue;
            const from = other.buffers.get(resource);
            encoder.copyBufferToBuffer(from, 0, buffer, 0, Math.min(from.size, buffer.size));
        }
        this.device.queue.submit([encoder.finish()]);
        const { step, seed, targetStop } = other;
        Object.assign(this, { step, seed, targetStop });
        Object.assign(this.emission, other.emission);
        this.bodies.registers = new Map(other.bodies.registers);
        return true;
    }

    /** Takes one step. */
    animate(ratio) {
        const encoder = this.device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        this.record(pass, 1, ratio);
        pass.end();
        this.device.queue.submit([encoder.finish()]);
    }

    /** Records steps into a pass, and writes what they need; at most `MAX_STEPS` until the pass is submitted. */
    record(pass, steps, ratio) {
        for (let index = 0; index < steps; index += 1) this.#block(index * this.blockBytes, ratio);
        const blocks = new Uint8Array(this.blocks, 0, steps * this.blockBytes);
        this.device.queue.writeBuffer(this.buffers.get("uniforms"), 0, blocks);
        for (let index = 0; index < steps; index += 1) {
            pass.setBindGroup(0, this.group, [index * this.blockBytes]);
            for (const { pipeline, workgroups } of this.kernels) {
                pass.setPipeline(pipeline);
                pass.dispatchWorkgroups(...workgroups);
            }
        }
    }

    /** The host's part of a step: emission, and the uniform block at that byte. */
    #block(start, ratio) {
        const { emission, manifest } = this;
        this.delta = Number(manifest.emission.updateSpeed) * ratio;
        this.emitterMatrix = this.controls.emitter(this.step);
        const source = (name) => this.#source(name);
        if (this.step === 0) {
            const [stop] = this.bodies.run("init", source);
            this.targetStop = stop ?? this.targetStop;
        }
        this.prepared = this.bodies.run("prepare", source);
        const [live] = emission.manual === null ? this.bodies.run("emitRate", source) : [];
        const rate = this.controls.emitRate ?? live ?? Number(manifest.emission.rate);
        this.births = emission.advance(rate, this.delta, this.targetStop);
        const view = new DataView(this.blocks, start, manifest.uniforms.bytes);
        for (const { source, type, offset } of manifest.uniforms.members) {
            const value = this.#source(source);
            if (type === "u32") view.setUint32(offset, value, true);
            else view.setFloat32(offset, value, true);
        }
        this.step = (this.step + 1) >>> 0;
    }

    #source(name) {
        const [kind, index, component] = name.split(".");
        switch (kind) {
            case "births":
            case "delta":
            case "seed":
            case "step":
                return this[kind];
            case "time":
                return this.emission.time;
            case "emitterMatrix":
                return this.emitterMatrix[index];
            case "emitterPosition":
                return this.emitterMatrix[12 + Number(index)];
            case "input":
                return this.inputs[index][component];
            case "prepared":
                return this.prepared[index];
            case "hasCamera":
                return this.camera ? 1 : 0;
            case "cameraPosition":
                return this.camera ? this.camera.eye[index] : 0;
            case "view":
            case "viewProjection":
                return this.camera ? this.camera[kind][index] : 0;
            case "textureWidth":
                return this.pictures[index]?.width ?? 0;
            case "textureHeight":
                return this.pictures[index]?.height ?? 0;
            default:
                // `zero`, which compilers must not know.
                return 0;
        }
    }

    /** A counter by its name in the manifest; waits for the GPU. */
    async counter(name) {
        const { word } = this.manifest.control.find((found) => found.name === name);
        const words = await this.#words("control", word * 4, 4);
        return words[0];
    }

    /** Ids of the living in draw order, and every column that has a field. */
    async read() {
        const alive = await this.counter("alive");
        const slots = await this.#words("slots");
        const { list } = this.manifest.slots;
        const living = Array.from(slots.slice(list, list + alive));
        const columns = {};
        for (const { field, type, buffer, word, stride, constant } of this.manifest.columns) {
            if (field === undefined) continue;
            if (constant !== undefined) {
                columns[field] = living.map(() => Number(constant));
                continue;
            }
            const words = await this.#words(`columns.${buffer}`);
            const values = type === "f32" ? new Float32Array(words.buffer) : words;
            columns[field] = living.map((slot) => values[word + slot * stride]);
        }
        return { alive, columns };
    }

    async #words(resource, offset = 0, size = this.buffers.get(resource).size - offset) {
        const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
        const copy = this.device.createBuffer({ size, usage });
        const encoder = this.device.createCommandEncoder();
        encoder.copyBufferToBuffer(this.buffers.get(resource), offset, copy, 0, size);
        this.device.queue.submit([encoder.finish()]);
        await copy.mapAsync(GPUMapMode.READ);
        const words = new Uint32Array(copy.getMappedRange().slice(0));
        copy.destroy();
        return words;
    }
}
