/**
 * The benchmark of JavaScript tokenizers: `node benches/javascript/run.mjs [--browser] [--rounds 5] [--megabytes 4] [FILE…]`,
 * with OpenAI's vocabs and Qwen3, or with those of the tokenizer.json files NAME.json that are given (in Node).
 *
 * Each library encodes documents of one corpus, one call a document, in a process (or a page) of its own: first a pass
 * over text it has not seen, then warm passes, of which the fastest counts. Ids are compared with those of wordsplit before
 * any time is. Rounds are interleaved, and the median of a cell counts. Writes benches/results/javascript-DATE-HOST.md and
 * .json. The libraries are those of benches/javascript/package.json (`npm ci` there first); `js/` must be built.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { has, LIBRARIES } from "./libraries.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const CORPORA = ["en", "code", "multi"];
/** What takes more milliseconds for a pass is measured once. */
const SLOW = 1000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    browser: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
    megabytes: { type: "string", default: "4" },
    libraries: { type: "string", default: Object.keys(LIBRARIES).join(",") },
  },
});

/** The tokenizer.json of each vocab, for libraries that do not know it. */
const VOCABS = positionals.length
  ? Object.fromEntries(positionals.map((path) => [basename(path, ".json"), resolve(path)]))
  : { cl100k_base: "", o200k_base: "", qwen3: join(root, "../shared/vocabs/qwen3/tokenizer.json") };

/** Every second document of a corpus, up to a size: the others are for tuning. */
function documents(corpus, bytes) {
  const file = join(root, "../shared/corpora", `${corpus}.jsonl.gz`);
  if (!existsSync(file)) throw new Error(`${file} is missing: the benchmark needs the corpora`);
  const texts = [];
  let size = 0;
  for (const [at, line] of gunzipSync(readFileSync(file)).toString().trim().split("\n").entries()) {
    if (at % 2 === 0 || size >= bytes) continue;
    const { text } = JSON.parse(line);
    texts.push(text);
    size += Buffer.byteLength(text);
  }
  return texts;
}

async function measure(task) {
  if (values.browser) {
    const { measureInBrowser } = await import("./browser.mjs");
    return measureInBrowser(task);
  }
  const output = execFileSync(process.execPath, ["--experimental-wasm-modules", "--no-warnings", join(here, "worker.mjs"), JSON.stringify(task)], {
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1 << 24,
  });
  return JSON.parse(output.toString().trim().split("\n").at(-1));
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

const folder = mkdtempSync(join(tmpdir(), "wordsplit-bench-"));
const runs = {};
try {
  const inputs = {};
  for (const corpus of CORPORA) {
    const texts = documents(corpus, Number(values.megabytes) * 1e6);
    inputs[corpus] = { file: join(folder, `${corpus}.json`), bytes: texts.reduce((n, text) => n + Buffer.byteLength(text), 0) };
    writeFileSync(inputs[corpus].file, JSON.stringify(texts));
  }
  const inBrowser = values.browser ? (await import("./browser.mjs")).IN_BROWSER : undefined;
  const names = values.libraries.split(",").filter((name) => inBrowser?.includes(name) ?? true);
  for (let round = 0; round < Number(values.rounds); ++round) {
    for (const [vocab, json] of Object.entries(VOCABS)) {
      for (const corpus of CORPORA) {
        for (const name of names.filter((each) => has(each, vocab))) {
          const cell = ((runs[vocab] ??= {})[corpus] ??= {});
          const found = (cell[name] ??= []);
          if (found.some(({ first }) => first > SLOW)) continue;
          try {
            found.push(await measure({ name, vocab, json, file: inputs[corpus].file }));
          } catch (error) {
            found.push({ error: String(error.stderr ?? error).trim().split("\n").at(-1).slice(0, 100) });
          }
          console.error(vocab, corpus, name, JSON.stringify(found.at(-1)).slice(0, 200));
        }
      }
    }
  }
  report(inputs, runs);
} finally {
  rmSync(folder, { recursive: true });
}

function report(inputs, runs) {
  const where = values.browser ? "Chromium" : `Node ${process.versions.node}`;
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root }).toString().trim();
  const lines = [
    `JavaScript tokenizers, MB of text a second: first pass / warm. ${where}, ${cpus()[0].model}, commit ${commit}.`,
    "",
    `One call a document, ${values.megabytes} MB a corpus, one thread; medians of ${values.rounds} processes.`,
    "",
    `| vocab | library | ${CORPORA.join(" | ")} | load, ms | memory, MB |`,
    `|---|---|${"---|".repeat(CORPORA.length)}---|---|`,
  ];
  for (const [vocab, corpora] of Object.entries(runs)) {
    const reference = Object.fromEntries(CORPORA.map((corpus) => [corpus, corpora[corpus].wordsplit?.[0].ids]));
    for (const name of Object.keys(corpora[CORPORA[0]])) {
      const cells = CORPORA.map((corpus) => {
        const found = corpora[corpus][name].filter(({ error }) => !error);
        if (!found.length) return corpora[corpus][name][0].error;
        if (reference[corpus] && found[0].ids !== reference[corpus]) return "other ids";
        const speed = (key) => (inputs[corpus].bytes / 1e3 / median(found.map((one) => one[key]))).toFixed(1);
        return `${speed("first")} / ${speed("warm")}`;
      });
      const all = CORPORA.flatMap((corpus) => corpora[corpus][name]).filter(({ error }) => !error);
      const of = (key) => (all.some((one) => key in one) ? median(all.map((one) => one[key])).toFixed(0) : "");
      lines.push(`| ${vocab} | ${name} | ${cells.join(" | ")} | ${of("load")} | ${of("memory")} |`);
    }
  }
  const stem = join(root, "benches/results", `javascript-${new Date().toISOString().slice(0, 10)}-${positionals.length ? "files" : values.browser ? "chromium" : "node"}`);
  writeFileSync(`${stem}.md`, `${lines.join("\n")}\n`);
  writeFileSync(`${stem}.json`, `${JSON.stringify({ about: lines.slice(0, 3), runs }, null, 1)}\n`);
  console.log(lines.join("\n"));
}

