// Runs the system-domain bodies of a manifest (docs/manifest.md, "Bodies").

const float32 = new Float32Array(1);
const bits32 = new Uint32Array(float32.buffer);

function floatBits(number) {
    if (Number.isNaN(number)) return 0x7fc00000;
    float32[0] = number;
    return bits32[0];
}

function bitsFloat(bits) {
    bits32[0] = bits;
    return float32[0];
}

const operations = {
    neg: (a) => -a,
    abs: Math.abs,
    floor: Math.floor,
    ceil: Math.ceil,
    trunc: Math.trunc,
    round: Math.round,
    sqrt: Math.sqrt,
    sin: Math.sin,
    cos: Math.cos,
    tan: Math.tan,
    asin: Math.asin,
    acos: Math.acos,
    atan: Math.atan,
    exp: Math.exp,
    ln: Math.log,
    pow: Math.pow,
    atan2: Math.atan2,
    min: (a, b) => Math.min(a, b),
    max: (a, b) => Math.max(a, b),
    add: (a, b) => a + b,
    sub: (a, b) => a - b,
    mul: (a, b) => a * b,
    div: (a, b) => a / b,
    rem: (a, b) => a % b,
    round_f32: Math.fround,
    to_uint: (a) => a >>> 0,
    from_uint: (a) => a,
    from_int: (a) => a | 0,
    float_bits: floatBits,
    bits_float: bitsFloat,
    lt: (a, b) => a < b,
    le: (a, b) => a <= b,
    eq: (a, b) => a === b,
    ne: (a, b) => a !== b,
    select: (a, b, c) => (a ? b : c),
    iadd: (a, b) => (a + b) >>> 0,
    isub: (a, b) => (a - b) >>> 0,
    imul: (a, b) => Math.imul(a, b) >>> 0,
    iand: (a, b) => (a & b) >>> 0,
    ior: (a, b) => (a | b) >>> 0,
    ixor: (a, b) => (a ^ b) >>> 0,
    ishl: (a, b) => (a << b) >>> 0,
    ishr: (a, b) => a >>> b,
    ieq: (a, b) => a === b,
    ilt: (a, b) => a < b,
    not: (a) => !a,
    and: (a, b) => a && b,
    or: (a, b) => a || b,
    xor: (a, b) => a !== b,
};

/** The bodies of one instance, with the registers that they keep. */
export class Bodies {
    constructor(manifest) {
        this.host = manifest.host;
        this.tables = new Map(manifest.tables.map(({ name, values }) => [name, values.map(Number)]));
        this.functions = new Map(this.host.functions.map((found) => [found.name, found]));
        const initial = ({ name, initial }) => [name, typeof initial === "boolean" ? initial : Number(initial)];
        this.registers = new Map(this.host.registers.map(initial));
    }

    /** Results of `init`, `prepare` or `emitRate`; none where there is no such body. */
    run(name, uniform) {
        const body = this.host[name];
        return body ? this.#results(body, { values: new Map(), params: [], uniform }) : [];
    }

    #results(body, frame) {
        this.#block(body.statements, frame);
        return body.results.map((operand) => this.#operand(operand, frame));
    }

    #block(statements, frame) {
        for (const statement of statements) {
            if ("let" in statement) {
                frame.values.set(statement.let, this.#compute(statement, frame));
            } else if ("set" in statement) {
                this.registers.set(statement.set, this.#operand(statement.value, frame));
            } else if ("if" in statement) {
                const side = this.#operand(statement.if, frame) ? "then" : "else";
                this.#block(statement[side], frame);
                for (const result of statement.results) {
                    frame.values.set(result.let, this.#operand(result[side], frame));
                }
            } else if ("call" in statement) {
                const params = statement.args.map((operand) => this.#operand(operand, frame));
                const inner = { values: new Map(), params, uniform: frame.uniform };
                const results = this.#results(this.functions.get(statement.call), inner);
                statement.results.forEach((id, index) => frame.values.set(id, results[index]));
            } else {
                throw new Error(statement.fail);
            }
        }
    }

    #compute({ op, of, args }, frame) {
        const values = args.map((operand) => this.#operand(operand, frame));
        if (op === "get") return this.registers.get(of);
        if (op === "table") return this.tables.get(of)[values[0]] ?? NaN;
        if (!(op in operations)) throw new Error(`unknown operation ${op}`);
        return operations[op](...values);
    }

    #operand(operand, frame) {
        if ("value" in operand) return frame.values.get(operand.value);
        if ("float" in operand) return Number(operand.float);
        if ("uint" in operand) return operand.uint;
        if ("bool" in operand) return operand.bool;
        if ("param" in operand) return frame.params[operand.param];
        return frame.uniform(operand.uniform);
    }
}
