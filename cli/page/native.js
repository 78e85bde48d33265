// Frames that the command draws: for browsers without WebGPU, and for the Exact profile.

export class NativeView {
    constructor(image) {
        const [page] = crypto.getRandomValues(new Uint32Array(1));
        Object.assign(this, { image, page, revision: 0, step: 0, seed: 0n, isBusy: false, drawn: "" });
    }

    /** Shows another graph, from its beginning. */
    show(revision) {
        Object.assign(this, { revision, step: 0, drawn: "" });
    }

    #size() {
        const { clientWidth, clientHeight } = this.image.parentElement;
        const scale = Math.min(1, 1024 / Math.max(clientWidth, clientHeight, 1));
        return [clientWidth, clientHeight].map((side) => Math.max(1, Math.round(side * scale)));
    }

    /** Takes steps, and asks for the frame there unless one is on its way. */
    async frame(steps, camera, { profile, background }) {
        this.step += steps;
        const { alpha, beta, radius, target } = camera;
        const question = new URLSearchParams({
            page: this.page,
            revision: this.revision,
            profile,
            seed: this.seed,
            step: this.step,
            camera: [alpha, beta, radius, ...target].join(","),
            size: this.#size().join("x"),
            clear: [...background, 1].join(","),
        }).toString();
        if (this.isBusy || !this.revision || question === this.drawn) return;
        this.isBusy = true;
        this.drawn = question;
        const answer = await fetch(`/frame?${question}`).catch(() => null);
        if (answer?.ok) {
            // Long ways take more than one answer.
            this.reached = Number(answer.headers.get("x-step"));
            if (this.reached < this.step) this.drawn = "";
            const url = URL.createObjectURL(await answer.blob());
            URL.revokeObjectURL(this.image.src);
            this.image.src = url;
        }
        this.isBusy = false;
    }
}
