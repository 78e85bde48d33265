// Frames that the command draws: for browsers without WebGPU, and for the Exact profile.

export class NativeView {
    constructor(image) {
        Object.assign(this, { image, revision: 0, step: 0, seed: 0n, isBusy: false, drawn: "" });
    }

    /** Shows another graph, from its beginning. */
    show(revision) {
        Object.assign(this, { revision, step: 0, drawn: "" });
    }

    /** Takes steps, and asks for the frame there unless one is on its way. */
    async frame(steps, camera, { profile, background }) {
        this.step += steps;
        const { alpha, beta, radius, target } = camera;
        const question = new URLSearchParams({
            revision: this.revision,
            profile,
            seed: this.seed,
            step: this.step,
            camera: [alpha, beta, radius, ...target].join(","),
            width: Math.min(1024, this.image.parentElement.clientWidth),
            height: Math.min(1024, this.image.parentElement.clientHeight),
            clear: background.join(","),
        }).toString();
        if (this.isBusy || !this.revision || question === this.drawn) return;
        this.isBusy = true;
        this.drawn = question;
        const answer = await fetch(`/frame?${question}`).catch(() => null);
        if (answer?.ok) {
            const url = URL.createObjectURL(await answer.blob());
            URL.revokeObjectURL(this.image.src);
            this.image.src = url;
        }
        this.isBusy = false;
    }
}
