// The systems of a graph on the GPU: stepped together, drawn in order.

import { MAX_STEPS, System } from "./host.js";
import { Painter } from "./draw.js";

/** Steps a second at speed 1; a step is one frame of Babylon's, ratio 1. */
export const STEPS_A_SECOND = 60;

export class Effect {
    constructor(device, format) {
        Object.assign(this, { device, format, systems: [], painters: [], step: 0, seed: 0n, started: [] });
        /** What a person has set; see `System.controls`. */
        this.controls = {};
        this.timer = device.features.has("timestamp-query") ? new Timer(device) : null;
    }

    /**
     * Runs other kernels from now on; particles stay where the state is kept alike. `pictures` are those of
     * each system: `{ read: [...], drawn }`.
     */
    async load(sources, pictures) {
        const { device } = this;
        device.pushErrorScope("validation");
        const make = ({ wgsl, manifest }, index) => new System(device, wgsl, manifest, this.seed, pictures[index].read);
        const systems = sources.map(make);
        const paint = (system, index) => new Painter(device, this.format, system, sources[index].drawing, pictures[index].drawn);
        const painters = systems.map(paint);
        const error = await device.popErrorScope();
        if (error) {
            for (const old of [...systems, ...painters]) old.destroy();
            throw new Error(error.message);
        }
        const old = { systems: this.systems, painters: this.painters };
        Object.assign(this, { systems, painters });
        this.sources = sources;
        this.pictures = pictures;
        this.#control();
        const isCarried =
            old.systems.length === systems.length &&
            systems.every((system, index) => system.adopt(old.systems[index]));
        if (!isCarried) this.#begin();
        for (const gone of [...old.painters, ...old.systems]) gone.destroy();
        return isCarried;
    }

    /** Sets what a person has chosen. */
    set(controls) {
        Object.assign(this.controls, controls);
        this.#control();
    }

    #control() {
        for (const system of this.systems) Object.assign(system.controls, this.controls);
    }

    #begin() {
        this.step = 0;
        for (const system of this.systems) system.start();
    }

    /** Begins at step 0, with other random numbers where the seed is another. */
    async restart(seed = this.seed) {
        this.seed = seed;
        if (!this.sources) return;
        const { systems } = this;
        // Systems without a state to adopt begin anew.
        this.systems = [];
        await this.load(this.sources, this.pictures);
        for (const system of systems) system.destroy();
    }

    /** Emits no more, or goes on. */
    stop(isStopped) {
        for (const system of this.systems) system.isStopped = isStopped;
    }

    /** Takes some steps, in as few submissions as there can be. */
    run(steps, camera) {
        for (let left = steps; left > 0; left -= MAX_STEPS) this.#submit(Math.min(left, MAX_STEPS), camera);
    }

    #submit(steps, camera) {
        const encoder = this.device.createCommandEncoder();
        const timestampWrites = this.timer?.begin();
        const pass = encoder.beginComputePass(timestampWrites ? { timestampWrites } : {});
        for (const system of this.systems) {
            system.camera = camera;
            system.record(pass, steps, 1);
        }
        pass.end();
        if (timestampWrites) this.timer.end(encoder, steps);
        this.device.queue.submit([encoder.finish()]);
        this.timer?.read();
        this.step += steps;
    }

    /** Draws everybody; systems of lower rendering groups first. */
    draw(view, camera, background) {
        const encoder = this.device.createCommandEncoder();
        const [r, g, b] = background;
        const clearValue = { r, g, b, a: 1 };
        const attachment = { view, clearValue, loadOp: "clear", storeOp: "store" };
        const pass = encoder.beginRenderPass({ colorAttachments: [attachment] });
        const group = ({ system }) => Number(system.manifest.render.renderingGroupId ?? 0);
        for (const painter of this.painters.toSorted((a, b) => group(a) - group(b))) painter.draw(pass, camera);
        pass.end();
        this.device.queue.submit([encoder.finish()]);
    }

    /** Living particles of all systems; waits for the GPU. */
    async alive() {
        const counts = await Promise.all(this.systems.map((system) => system.counter("alive")));
        return counts.reduce((sum, count) => sum + count, 0);
    }

    /** Bytes that a particle takes, the most of all systems. */
    get bytesPerParticle() {
        const bytes = ({ manifest }) => 4 * manifest.columns.filter(({ constant }) => constant === undefined).length;
        return Math.max(0, ...this.systems.map(bytes));
    }
}

/** What a step takes on the GPU, where it can tell. */
class Timer {
    constructor(device) {
        this.device = device;
        this.queries = device.createQuerySet({ type: "timestamp", count: 2 });
        const { COPY_DST, COPY_SRC, MAP_READ, QUERY_RESOLVE } = GPUBufferUsage;
        this.resolved = device.createBuffer({ size: 16, usage: QUERY_RESOLVE | COPY_SRC });
        this.copy = device.createBuffer({ size: 16, usage: COPY_DST | MAP_READ });
        this.milliseconds = null;
        this.isBusy = false;
    }

    begin() {
        if (this.isBusy) return undefined;
        return { querySet: this.queries, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
    }

    end(encoder, steps) {
        encoder.resolveQuerySet(this.queries, 0, 2, this.resolved, 0);
        encoder.copyBufferToBuffer(this.resolved, 0, this.copy, 0, 16);
        this.steps = steps;
    }

    /** Fetches a time when it is there. */
    async read() {
        if (this.isBusy || !this.steps) return;
        this.isBusy = true;
        await this.copy.mapAsync(GPUMapMode.READ);
        const [begin, end] = new BigUint64Array(this.copy.getMappedRange());
        this.milliseconds = Number(end - begin) / 1e6 / this.steps;
        this.copy.unmap();
        this.steps = 0;
        this.isBusy = false;
    }
}
