/** The package in a bundle, in runtimes that lack what most have. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { build } from "esbuild";
import { ENGINE_BUILD } from "../dist/engineBuild.js";

const file = (name) => readFileSync(new URL(`../dist/${name}`, import.meta.url));
const files = { wasm: file("engine/wordsplit.wasm"), vocab: file("vocabs/qwen3.bin") };

/** Runs the package in a runtime with these globals, and returns what it exports. */
async function bundled(globals, options = {}) {
  const entryPoints = [fileURLToPath(new URL("../dist/index.js", import.meta.url))];
  const common = { entryPoints, bundle: true, write: false, format: "cjs", logLevel: "error" };
  const { outputFiles } = await build({ ...common, ...options });
  const module = { exports: {} };
  runInNewContext(outputFiles[0].text, { module, WebAssembly, TextDecoder, TextEncoder, URL, ...globals });
  return module.exports;
}

test("where modules have no address, files are options, and the error names them", async () => {
  const { load, loadVocab, WordsplitError } = await bundled({ process });
  const { wasm, vocab } = files;
  assert.deepEqual([...(await load("qwen3", { wasm, vocab })).encode("hello world")], [14990, 1879]);
  const wordLevel = { model: { type: "WordLevel", vocab: { a: 0, u: 1 }, unk_token: "u" }, pre_tokenizer: { type: "Whitespace" } };
  const json = Buffer.from(JSON.stringify(wordLevel));
  for (const [call, name, option] of [
    [() => load("qwen3"), "engine/wordsplit.wasm", "wasm"],
    [() => load("qwen3", { wasm }), "vocabs/qwen3.bin", "vocab"],
    [() => loadVocab(json, { wasm }), "engine/word_tables.bin", "wordTables"],
  ]) {
    const error = await call().catch((error) => error);
    assert.ok(error instanceof WordsplitError, error);
    assert.match(error.message, new RegExp(`^${name} cannot be found: .* the option ${option}$`));
  }
});

test("an engine of another version is refused", async () => {
  const { load } = await import("wordsplit");
  const old = Buffer.from(files.wasm).toString("latin1").replace("engine_build", "engine_bulid");
  const other = Buffer.from(files.wasm).toString("latin1").replace(constant(ENGINE_BUILD), constant(ENGINE_BUILD ^ 1));
  for (const changed of [old, other]) {
    const wasm = Buffer.from(changed, "latin1");
    assert.notDeepEqual(wasm, Buffer.from(files.wasm));
    await assert.rejects(load("qwen3", { wasm }), { name: "WordsplitError", message: /^the engine is of another version .* the option wasm$/ });
  }
});

/** The instruction of WebAssembly for a constant of 31 bits, in signed LEB128. */
function constant(value) {
  const bytes = [0x41];
  for (; value > 0x3f; value >>= 7) bytes.push((value & 0x7f) | 0x80);
  return String.fromCharCode(...bytes, value);
}

test("nothing is written in syntax that Safari 15.4 does not know", async () => {
  // A browser refuses a whole module for one unknown expression. esbuild writes what the target lacks in another way.
  const entryPoints = [fileURLToPath(new URL("../dist/index.js", import.meta.url))];
  const supported = { "regexp-unicode-property-escapes": true }; // esbuild rewrites all of them, since some are newer
  const options = { entryPoints, supported, bundle: true, write: false, format: "esm", logLevel: "error" };
  const linesFor = async (target) => (await build({ ...options, target })).outputFiles[0].text.split("\n");
  const [asItIs, rewritten] = await Promise.all(["esnext", "safari15.4"].map(linesFor));
  assert.deepEqual(rewritten.filter((line, i) => line !== asItIs[i]), []);
});

test("without a function that decompresses", async () => {
  const { load } = await bundled({});
  assert.deepEqual([...(await load("qwen3", files)).encode("hello world")], [14990, 1879]);
  await assert.rejects(load("qwen3", { ...files, vocab: files.vocab.subarray(0, 1000) }), {
    name: "VocabFormatError",
    message: "qwen3.bin: is not zlib data: unexpected EOF",
  });
});

test("the runtime decompresses where blobs cannot be read, as in WebKit's workers of pages from files", async () => {
  let used = 0;
  const DecompressionStream = class extends globalThis.DecompressionStream {
    constructor(format) {
      super(format);
      ++used;
    }
  };
  const Blob = class extends globalThis.Blob {
    stream() {
      throw new Error("the blob cannot be read");
    }
  };
  const { load } = await bundled({ Blob, DecompressionStream, Response });
  assert.deepEqual([...(await load("qwen3", files)).encode("hello world")], [14990, 1879]);
  assert.equal(used, 1);
});

test("a policy that forbids WebAssembly only when it is started, as in WebKit, is an error of the package", async () => {
  const refuse = function Instance() {
    throw new WebAssembly.CompileError("Refused to create a WebAssembly object");
  };
  const refusing = Object.create(WebAssembly, { Instance: { value: refuse } });
  const { load, WordsplitError } = await bundled({ WebAssembly: refusing });
  const error = await load("qwen3", files).catch((error) => error);
  assert.ok(error instanceof WordsplitError, error);
  assert.match(error.message, /^the engine cannot be started: Refused .* README says what to set/);
});

for (const cache of [".vite/deps/wordsplit.js", ".cache/vite/client/deps/chunk-ABCDEFGH.js"]) {
  test(`in Vite's cache, ${cache}, the files are taken from the package`, async () => {
    const asked = [];
    const fetch = async ({ href }) => {
      asked.push(href);
      return new Response(file(href.split("/dist/")[1]));
    };
    const address = JSON.stringify(`http://localhost/app/node_modules/${cache}?v=1`);
    const { load } = await bundled({ fetch }, { define: { "import.meta.url": address } });
    assert.deepEqual([...(await load("qwen3")).encode("hello world")], [14990, 1879]);
    const installed = "http://localhost/app/node_modules/wordsplit/dist";
    assert.deepEqual(asked.sort(), [`${installed}/engine/wordsplit.wasm`, `${installed}/vocabs/qwen3.bin`]);
  });
}
