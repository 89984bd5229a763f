/** Measures one library in a process of its own, and prints the result as JSON. */

import { readFileSync } from "node:fs";
import { measureLibrary } from "./measure.mjs";

const task = JSON.parse(process.argv[2]);
const files = {
  read: async (url) => readFileSync(new URL(url)),
  json: async () => readFileSync(task.json),
};

const found = await measureLibrary(task, JSON.parse(readFileSync(task.file, "utf8")), files);
console.log(JSON.stringify({ ...found, memory: process.memoryUsage().rss / 1e6 }));
