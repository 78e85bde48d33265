// Babylon's orbiting camera: left-handed, y up, depth from 0 to 1. Matrices are column-major.

const FOV = 0.8;
const NEAR = 0.05;
const FAR = 1000;

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

function unit(a) {
    const length = Math.hypot(...a);
    return a.map((component) => component / length);
}

/** The product of two matrices; `b` acts first. */
function multiply(a, b) {
    const element = (column, row) => [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * k + row] * b[4 * column + k], 0);
    return Float64Array.from({ length: 16 }, (_, index) => element(index >> 2, index & 3));
}

export class OrbitCamera {
    constructor() {
        this.reset();
    }

    reset() {
        Object.assign(this, { alpha: -Math.PI / 2, beta: 1.3, radius: 8, target: [0, 1, 0], aspect: 1 });
    }

    /** Turns by radians; never over the pole, where up has no meaning. */
    turn(alpha, beta) {
        this.alpha += alpha;
        this.beta = Math.min(Math.max(this.beta + beta, 0.01), Math.PI - 0.01);
    }

    zoom(factor) {
        this.radius = Math.min(Math.max(this.radius * factor, 0.1), 500);
    }

    /** Moves the target across the screen, by shares of its height. */
    pan(x, y) {
        const [right, up] = this.#axes();
        const scale = 2 * this.radius * Math.tan(FOV / 2);
        this.target = this.target.map((at, axis) => at + scale * (y * up[axis] - x * right[axis]));
    }

    #axes() {
        const forward = unit(this.target.map((at, axis) => at - this.eye[axis]));
        const right = unit(cross([0, 1, 0], forward));
        return [right, cross(forward, right), forward];
    }

    /** Steps to the right and up on the screen, in the world. */
    get right() {
        return this.#axes()[0];
    }

    get up() {
        return this.#axes()[1];
    }

    get eye() {
        const { alpha, beta, radius, target } = this;
        const out = radius * Math.sin(beta);
        return [
            target[0] + out * Math.cos(alpha),
            target[1] + radius * Math.cos(beta),
            target[2] + out * Math.sin(alpha),
        ];
    }

    get view() {
        const { eye } = this;
        const [r, u, f] = this.#axes();
        const back = [r, u, f].map((axis) => -dot(axis, eye));
        return Float64Array.of(r[0], u[0], f[0], 0, r[1], u[1], f[1], 0, r[2], u[2], f[2], 0, ...back, 1);
    }

    get projection() {
        const y = 1 / Math.tan(FOV / 2);
        const depth = FAR / (FAR - NEAR);
        return Float64Array.of(y / this.aspect, 0, 0, 0, 0, y, 0, 0, 0, 0, depth, 1, 0, 0, -NEAR * depth, 0);
    }

    get viewProjection() {
        return multiply(this.projection, this.view);
    }
}
