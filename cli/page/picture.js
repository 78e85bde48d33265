// Pixels of a picture that was dropped on the page.

/** `{ width, height, pixels }` with rows from the top, not premultiplied. */
export async function decodeFile(file) {
    const options = { premultiplyAlpha: "none", colorSpaceConversion: "none" };
    const bitmap = await createImageBitmap(file, options);
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    return { width, height, pixels: new Uint8Array(data.buffer) };
}
