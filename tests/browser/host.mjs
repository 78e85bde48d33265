// Hosts printed kernels on WebGPU, knowing nothing but their manifest (docs/manifest.md).

import { Bodies } from "./bodies.mjs";

/** `mix` of the manifest's page. */
function mix(x) {
    x ^= x >>> 16;
    x = Math.imul(x, 0x7feb352d);
    x ^= x >>> 15;
    x = Math.imul(x, 0x846ca68b);
    return (x ^ (x >>> 16)) >>> 0;
}

function systemSeed(seed, ordinal) {
    const [low, high] = [Number(seed & 0xffffffffn), Number(seed >> 32n)];
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
    constructor(device, source, manifest, seed) {
        Object.assign(this, { device, manifest, step: 0 });
        this.seed = systemSeed(seed, manifest.ordinal);
        this.emission = new Emission(manifest.emission);
        this.targetStop = Number(manifest.emission.targetStop);
        this.bodies = new Bodies(manifest);
        this.prepared = [];
        this.inputs = (manifest.inputs ?? []).map(({ initial }) => initial.map(Number));
        this.buffers = new Map(manifest.bindings.map((binding) => [binding.resource, this.#buffer(binding)]));
        this.#fill();
        this.#compile(source);
    }

    #buffer({ resource, type, bytes }) {
        const { COPY_DST, COPY_SRC, INDIRECT, STORAGE, UNIFORM } = GPUBufferUsage;
        const usage = type === "uniform" ? UNIFORM : STORAGE | COPY_SRC;
        const indirect = resource === "control" ? INDIRECT : 0;
        return this.device.createBuffer({ size: bytes, usage: usage | indirect | COPY_DST });
    }

    /** First contents: counters and tables. */
    #fill() {
        const { control, tables } = this.manifest;
        const write = (resource, word, data) =>
            this.device.queue.writeBuffer(this.buffers.get(resource), word * 4, data);
        for (const { word, initial } of control) write("control", word, new Uint32Array([initial]));
        for (const { word, values } of tables) {
            if (word !== undefined) write("tables", word, new Float32Array(values.map(Number)));
        }
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
            entries: manifest.bindings.map(({ binding, resource, bytes }) => ({
                binding,
                resource: { buffer: this.buffers.get(resource), size: bytes },
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

    animate(ratio) {
        const { device, emission, manifest } = this;
        this.delta = Number(manifest.emission.updateSpeed) * ratio;
        const source = (name) => this.#source(name);
        if (this.step === 0) {
            const [stop] = this.bodies.run("init", source);
            this.targetStop = stop ?? this.targetStop;
        }
        this.prepared = this.bodies.run("prepare", source);
        const [rate] = emission.manual === null ? this.bodies.run("emitRate", source) : [];
        this.births = emission.advance(rate ?? Number(manifest.emission.rate), this.delta, this.targetStop);
        device.queue.writeBuffer(this.buffers.get("uniforms"), 0, this.#block());
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        pass.setBindGroup(0, this.group, [0]);
        for (const { pipeline, workgroups } of this.kernels) {
            pass.setPipeline(pipeline);
            pass.dispatchWorkgroups(...workgroups);
        }
        pass.end();
        device.queue.submit([encoder.finish()]);
        this.step = (this.step + 1) >>> 0;
    }

    #block() {
        const { bytes, members } = this.manifest.uniforms;
        const view = new DataView(new ArrayBuffer(bytes));
        for (const { source, type, offset } of members) {
            const value = this.#source(source);
            if (type === "u32") view.setUint32(offset, value, true);
            else view.setFloat32(offset, value, true);
        }
        return view.buffer;
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
                return identity[index];
            case "emitterPosition":
                return identity[12 + Number(index)];
            case "input":
                return this.inputs[index][component];
            case "prepared":
                return this.prepared[index];
            default:
                // No camera and no pictures here, and `zero` is 0.
                return 0;
        }
    }

    /** Ids of the living in draw order, and every column that has a field. */
    async read() {
        const control = await this.#words("control");
        const slots = await this.#words("slots");
        const word = (name) => this.manifest.control.find((found) => found.name === name).word;
        const alive = control[word("alive")];
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

    async #words(resource) {
        const from = this.buffers.get(resource);
        const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
        const copy = this.device.createBuffer({ size: from.size, usage });
        const encoder = this.device.createCommandEncoder();
        encoder.copyBufferToBuffer(from, 0, copy, 0, from.size);
        this.device.queue.submit([encoder.finish()]);
        await copy.mapAsync(GPUMapMode.READ);
        return new Uint32Array(copy.getMappedRange().slice(0));
    }
}
