// What the page hears from its server, and asks of it.

/** Calls `told` with every message, `connected` when the connection comes or goes. */
export function listen(told, connected) {
    const source = new EventSource("/messages");
    source.addEventListener("message", ({ data }) => {
        if (data !== "") told(JSON.parse(data));
    });
    source.addEventListener("open", () => connected(true));
    source.addEventListener("error", () => connected(false));
}

/** Asks for something; the error says what the server says. */
async function ask(path, name, body) {
    const answer = await fetch(`${path}?${new URLSearchParams({ name })}`, {
        method: "POST",
        headers: { "x-pyrograph": "1" },
        body,
    });
    if (!answer.ok) throw new Error((await answer.text()) || `the server answers ${answer.status}`);
}

/** Shows a graph of the folder, or a sample by `sample:NAME`. */
export const open = (name) => ask("/open", name);

/** Shows a text. */
export const drop = (name, text) => ask("/drop", name, text);

/** Has the server fetch a snippet. */
export const fetchSnippet = (id) => ask("/snippet", id);

/** The pixels of a picture of the shown graph: `{ width, height, pixels }`, rows from the top; null without. */
export async function picture(revision, system, name) {
    const answer = await fetch(`/picture?${new URLSearchParams({ revision, system, name })}`);
    if (!answer.ok) return null;
    const [width, height] = ["x-width", "x-height"].map((header) => Number(answer.headers.get(header)));
    return { width, height, pixels: new Uint8Array(await answer.arrayBuffer()) };
}
