// Draws the particles of a system from its columns in place: no particle passes through the page.
// The laws are those of docs/gpu.md and of the contract's section 10; blend modes have their exact factors.

const add = (srcFactor, dstFactor) => ({ srcFactor, dstFactor, operation: "add" });

/** Passes of each blend mode: factors of colours and alphas; others are drawn as Add. */
const multiply = { color: add("dst", "zero"), alpha: add("one", "one"), toWhite: true };
const addMode = { color: add("src-alpha", "one"), alpha: add("zero", "one") };
const passes = [
    [{ color: add("one", "one"), alpha: add("zero", "one") }],
    [{ color: add("src-alpha", "one-minus-src-alpha"), alpha: add("one", "one") }],
    [addMode],
    [multiply],
    [multiply, addMode],
];

/** What stands for a column that a program does not have. */
const defaults = { "scale.0": "1.0", "scale.1": "1.0", size: "1.0", "color.3": "1.0" };

/** How the corner of a quad gets its place in the world, by mode (Babylon's particle vertex shader). */
const laws = {
    all: "return view.projection * (view.view * vec4f(position, 1.0) + vec4f(turned, 0.0, 0.0));",
    y: `let ahead = position - view.eye.xyz;
    return placed(position, turned_frame(normalize(vec3f(ahead.x, 0.0, ahead.z))) * vec3f(turned.x, 0.0, turned.y));`,
    stretched: `let out = normalize(position - view.eye.xyz);
    let side = normalize(cross(normalize(direction), out));
    return placed(position, side * turned.x + normalize(cross(out, side)) * turned.y);`,
    stretchedLocal: `let along = normalize(direction);
    let out = normalize(position - view.eye.xyz);
    return placed(position, normalize(cross(along, out)) * turned.x + along * turned.y);`,
    directed: "return placed(position, turned_frame(normalize(direction)) * vec3f(turned.x, 0.0, turned.y));",
};

function lawOf({ billboardMode, isBillboardBased }) {
    if (!isBillboardBased) return "directed";
    return { 2: "y", 8: "stretched", 9: "stretchedLocal" }[Number(billboardMode)] ?? "all";
}

/** WGSL of the direction that a quad stands across. */
const directedAs = ({ isLocal }) => `var turned = ${isLocal ? "(view.emitter * vec4f(kept, 0.0)).xyz" : "kept"};
    if (turned.x == 0.0 && turned.z == 0.0) {
        turned.x = 0.001;
    }
    return turned;`;

/** WGSL that reads a field of the particle in `slot`. */
function access(manifest, field) {
    const column = manifest.columns.find((column) => column.field === field);
    if (!column) return defaults[field] ?? "0.0";
    if (column.constant !== undefined) return `${wgslNumber(Number(column.constant))}`;
    const word = `columns_${column.buffer}[${column.word}u + slot * ${column.stride}u]`;
    return column.type === "f32" ? `bitcast<f32>(${word})` : `f32(${word})`;
}

function wgslNumber(number) {
    const text = String(Math.fround(number));
    return Number.isFinite(number) ? (/[.e]/.test(text) ? text : `${text}.0`) : "0.0";
}

function shader(manifest, buffers) {
    const { render } = manifest;
    const get = (field) => access(manifest, field);
    const all = (field, count) => Array.from({ length: count }, (_, axis) => get(`${field}.${axis}`)).join(", ");
    const law = lawOf(render);
    const hasInitial = manifest.columns.some(({ field }) => field === "initialDirection.0");
    const directed = law === "directed" && hasInitial ? "initialDirection" : "direction";
    const columns = buffers.map((name, index) => `@group(0) @binding(${index + 4}) var<storage, read> ${name}: array<u32>;`);
    return `
struct View {
    view: mat4x4f, projection: mat4x4f, emitter: mat4x4f, eye: vec4f, mask: vec4f, pivot: vec2f, sheet: vec2f,
}
@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> slots: array<u32>;
@group(0) @binding(2) var picture: texture_2d<f32>;
@group(0) @binding(3) var picture_sampler: sampler;
${columns.join("\n")}

struct Corner { @builtin(position) place: vec4f, @location(0) uv: vec2f, @location(1) color: vec4f }

fn placed(position: vec3f, corner: vec3f) -> vec4f {
    return view.projection * view.view * vec4f(position + corner, 1.0);
}

fn turned_frame(y: vec3f) -> mat3x3f {
    let x = normalize(cross(vec3f(0.0, 1.0, 0.0), y));
    return mat3x3f(x, y, normalize(cross(y, x)));
}

// Across a direction in the emitter's space where the system is local; straight up has no side of its own.
fn drawn_direction(kept: vec3f) -> vec3f {
    ${law === "directed" ? directedAs(render) : "return kept;"}
}

fn place(position: vec3f, turned: vec2f, direction: vec3f) -> vec4f {
    ${laws[law]}
}

@vertex
fn corner(@builtin(vertex_index) index: u32, @builtin(instance_index) instance: u32) -> Corner {
    let slot = slots[${manifest.slots.list}u + instance];
    let offset = array(vec2f(0, 0), vec2f(1, 0), vec2f(1, 1), vec2f(0, 0), vec2f(1, 1), vec2f(0, 1))[index];
    let size = ${get("size")} * vec2f(${all("scale", 2)});
    let at = (offset - 0.5 - view.pivot) * size;
    let angle = ${get("angle")};
    let sine = sin(angle);
    let cosine = cos(angle);
    let turned = vec2f(at.x * cosine - at.y * sine, at.x * sine + at.y * cosine) + view.pivot;
    var out: Corner;
    out.place = place(vec3f(${all("position", 3)}), turned, drawn_direction(vec3f(${all(directed, 3)})));
    out.color = vec4f(${all("color", 4)});
    out.uv = offset;
    if (view.sheet.x > 0.0) {
        let cells = 1.0 / view.sheet;
        let cell = ${get("cellIndex")};
        let row = floor(cell * view.sheet.x);
        out.uv = (vec2f(offset.x, 1.0 - offset.y) + vec2f(cell - row * cells.x, row)) * view.sheet;
    }
    return out;
}

fn tinted(in: Corner) -> vec4f {
    let texel = textureSample(picture, picture_sampler, in.uv);
    return (texel * view.mask + 1.0 - view.mask) * in.color;
}

@fragment
fn plain(in: Corner) -> @location(0) vec4f {
    return tinted(in);
}

@fragment
fn to_white(in: Corner) -> @location(0) vec4f {
    let color = tinted(in);
    let alpha = in.color.a * textureSample(picture, picture_sampler, in.uv).a;
    return vec4f(color.rgb * alpha + 1.0 - alpha, color.a);
}
`;
}

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

/** Draws one system. */
export class Painter {
    constructor(device, format, system, drawn) {
        Object.assign(this, { device, system });
        const { manifest, buffers } = system;
        const columns = [...buffers.keys()].filter((name) => name.startsWith("columns."));
        const used = columns.filter((name) => manifest.columns.some(({ buffer }) => `columns.${buffer}` === name));
        const code = shader(manifest, used.map((name) => name.replace(".", "_")));
        const module = device.createShaderModule({ code });
        const { VERTEX, FRAGMENT } = GPUShaderStage;
        const storage = (binding) => ({ binding, visibility: VERTEX, buffer: { type: "read-only-storage" } });
        const groupLayout = device.createBindGroupLayout({
            entries: [
                { binding: 0, visibility: VERTEX | FRAGMENT, buffer: { type: "uniform" } },
                storage(1),
                { binding: 2, visibility: FRAGMENT, texture: {} },
                { binding: 3, visibility: FRAGMENT, sampler: {} },
                ...used.map((_, index) => storage(index + 4)),
            ],
        });
        const layout = device.createPipelineLayout({ bindGroupLayouts: [groupLayout] });
        const mode = passes[Number(manifest.render.blendMode)] ?? [addMode];
        this.pipelines = mode.map(({ color, alpha, toWhite }) =>
            device.createRenderPipeline({
                layout,
                vertex: { module, entryPoint: "corner" },
                fragment: { module, entryPoint: toWhite ? "to_white" : "plain", targets: [{ format, blend: { color, alpha } }] },
            }),
        );
        this.uniforms = device.createBuffer({ size: 240, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
        this.picture = drawn ?? spot();
        this.texture = this.#upload(this.picture, manifest.render.picture?.flip ?? false);
        const sampler = device.createSampler({
            addressModeU: "repeat",
            addressModeV: "repeat",
            magFilter: "linear",
            minFilter: "linear",
        });
        const resources = [{ buffer: this.uniforms }, { buffer: buffers.get("slots") }, this.texture.createView(), sampler];
        resources.push(...used.map((name) => ({ buffer: buffers.get(name) })));
        const entries = resources.map((resource, binding) => ({ binding, resource }));
        this.group = device.createBindGroup({ layout: groupLayout, entries });
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
    draw(pass, camera) {
        const { render } = this.system.manifest;
        const sheet = [0, 0];
        if (render.sheet) {
            const { width, height } = this.picture;
            const whole = [width, height];
            render.sheet.forEach((side, axis) => {
                const cell = Number(side) > 0 ? Number(side) : whole[axis];
                sheet[axis] = cell / whole[axis];
            });
        }
        const numbers = (list) => list.map(Number);
        const block = new Float32Array([
            ...camera.view,
            ...camera.projection,
            ...this.system.controls.emitter(this.system.step),
            ...camera.eye,
            1,
            ...numbers(render.textureMask ?? [1, 1, 1, 1]),
            ...numbers(render.translationPivot ?? [0, 0]),
            ...sheet,
        ]);
        this.device.queue.writeBuffer(this.uniforms, 0, block);
        for (const pipeline of this.pipelines) {
            pass.setPipeline(pipeline);
            pass.setBindGroup(0, this.group);
            pass.drawIndirect(this.system.buffers.get("control"), 0);
        }
    }

    destroy() {
        this.uniforms.destroy();
        this.texture.destroy();
    }
}
