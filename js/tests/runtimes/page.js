/** A page's script: the ids of a text in the page, and in a worker. */

import { load } from "wordsplit";

const worker = new Worker(new URL("./pageWorker.js", import.meta.url), { type: "module" });
const fromWorker = new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
globalThis.found = Promise.all([load("qwen3").then((tok) => [...tok.encode("hello world")]), fromWorker]);
