/** Measures one library in a process of its own, and prints the result as JSON. */

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { measureLibrary } from "./measure.mjs";

const task = JSON.parse(process.argv[2]);
const here = dirname(fileURLToPath(import.meta.url));
const files = {
  read: async (url) => readFileSync(new URL(url)),
  json: async (vocab) => JSON.parse(readFileSync(join(here, `../../../shared/vocabs/${vocab}/tokenizer.json`), "utf8")),
};

const found = await measureLibrary(task, JSON.parse(readFileSync(task.file, "utf8")), files);
console.log(JSON.stringify({ ...found, memory: process.memoryUsage().rss / 1e6 }));
