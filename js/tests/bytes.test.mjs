/** Bytes in every kind of memory, and objects of another realm, as in frames and in test runners. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { load, loadVocab } from "wordsplit";
import { wordPieceJson } from "./vocabFiles.mjs";

const tok = await load("qwen3");
const utf8 = (text) => new TextEncoder().encode(text);
const file = (name) => readFileSync(new URL(`../dist/${name}`, import.meta.url));
const other = runInNewContext("({ Uint8Array, Uint32Array, ArrayBuffer, DataView })");
const words = () => wordPieceJson({}, { vocab: { "[UNK]": 0, hello: 3 } });

/** Bytes in memory of some kind, between others. */
const within = (buffer) => (bytes) => {
  const array = new Uint8Array(buffer(bytes.length + 7), 3, bytes.length);
  array.set(bytes);
  return array;
};
const KINDS = {
  "a part of a buffer": within((size) => new ArrayBuffer(size)),
  "shared memory": within((size) => new SharedArrayBuffer(size)),
  "resizable memory": within((size) => new ArrayBuffer(size, { maxByteLength: 2 * size })),
  "another realm": within((size) => new other.ArrayBuffer(size)),
  "an array of another realm": (bytes) => other.Uint8Array.from(bytes),
  "Node's buffers": (bytes) => Buffer.from(bytes),
};

for (const [kind, kept] of Object.entries(KINDS)) {
  test(`texts in ${kind}`, () => {
    const text = kept(utf8("hello <|im_end|>"));
    assert.deepEqual([...tok.encode(text)], [14990, 220, 151645]);
    assert.deepEqual([...tok.encodeBatch(["a", text])[1]], [14990, 220, 151645]);
    assert.equal(tok.count(text), 3);
    assert.deepEqual(tok.spans(text), ["hello", " ", "<|im_end|>"]);
    assert.equal(tok.explain(text).text, "hello <|im_end|>");
    assert.equal(tok.tokenId(kept(utf8("hello"))), 14990);
    assert.equal(tok.tokenId(kept(utf8("<|im_end|>"))), 151645);
    assert.throws(() => tok.encode(text, { special: "error" }), { name: "SpecialTokenError" });
  });

  test(`files in ${kind}`, async () => {
    const json = kept(words());
    const wasm = kept(file("engine/all-models.wasm"));
    const vocab = kept(file("vocabs/qwen3.bin"));
    const wordTables = kept(file("engine/word_tables.bin"));
    const view = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (const of of [(bytes) => bytes, view]) {
      assert.deepEqual([...(await load("qwen3", { wasm: of(wasm), vocab: of(vocab) })).encode("hello")], [14990]);
      assert.deepEqual([...(await loadVocab(of(json), { wasm: of(wasm), wordTables: of(wordTables) })).encode("hello")], [3]);
    }
  });
}

test("buffers", async () => {
  for (const Memory of [ArrayBuffer, SharedArrayBuffer, other.ArrayBuffer]) {
    const buffer = (bytes) => {
      const memory = new Memory(bytes.length);
      new Uint8Array(memory).set(bytes);
      return memory;
    };
    const files = { wasm: buffer(file("engine/all-models.wasm")), wordTables: buffer(file("engine/word_tables.bin")) };
    assert.deepEqual([...(await loadVocab(buffer(words()), files)).encode("hello")], [3]);
    assert.equal((await load("qwen3", { vocab: buffer(file("vocabs/qwen3.bin")) })).count("hello"), 1);
  }
});

test("ids of other arrays", () => {
  const shared = new Uint32Array(new SharedArrayBuffer(8));
  shared.set([14990, 1879]);
  for (const ids of [shared, other.Uint32Array.of(14990, 1879), Float64Array.of(14990, 1879), new Set([14990, 1879])]) {
    assert.equal(tok.decode(ids), "hello world");
    assert.equal(tok.decodeStream().push(ids), "hello world");
  }
});

test("memory that is gone is an error, not an empty text", async () => {
  const gone = (array) => {
    structuredClone(array, { transfer: [array.buffer] });
    return array;
  };
  const shrunk = new ArrayBuffer(8, { maxByteLength: 8 });
  const outside = new Uint8Array(shrunk, 4, 4);
  shrunk.resize(2);
  for (const bytes of [gone(utf8("hello")), gone(new Uint8Array(9)), outside]) {
    const refusal = { name: "InputTypeError", message: /: the memory of the array is gone/ };
    for (const call of ["encode", "count", "spans", "explain", "tokenId"]) assert.throws(() => tok[call](bytes), refusal, call);
    assert.throws(() => tok.encodeBatch(["a", bytes]), { ...refusal, row: 1 });
    await assert.rejects(loadVocab(bytes), refusal);
    for (const name of ["wasm", "vocab"]) await assert.rejects(load("qwen3", { [name]: bytes }), refusal);
    for (const name of ["wordTables", "config"]) await assert.rejects(loadVocab(words(), { [name]: bytes }), refusal);
  }
  const ids = gone(Uint32Array.of(1, 2));
  for (const call of ["decode", "decodeBytes"]) assert.throws(() => tok[call](ids), { name: "InputTypeError" });
  await assert.rejects(loadVocab(gone(new Uint8Array(9)).buffer), { name: "InputTypeError" });
  assert.equal(tok.encode(new Uint8Array()).length, 0);
  assert.equal(tok.decode(new Uint32Array()), "");
});

test("options that should be bytes", async () => {
  for (const value of [5, "x", {}, null]) {
    const refusal = (name) => ({ name: "InputTypeError", message: new RegExp(`^${name}: should be bytes`) });
    await assert.rejects(load("qwen3", { vocab: value }), refusal("vocab"));
    for (const name of ["wordTables", "config"]) await assert.rejects(loadVocab(words(), { [name]: value }), refusal(name));
  }
});

test("failures of the network and of files are errors of the package", async () => {
  const server = createServer((request, response) => {
    if (request.url.endsWith(".html")) return response.setHeader("Content-Type", "text/html").end("<!doctype html>");
    response.writeHead(200, { "Content-Length": 1000 }).write("{");
    setTimeout(() => response.destroy(), 50);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${server.address().port}`;
  try {
    await assert.rejects(loadVocab(`${address}/tokenizer.json`), { name: "WordsplitError", message: /tokenizer\.json cannot be fetched: / });
  } finally {
    server.close();
  }
  class Moved extends Blob {
    name = "model.gguf";
    arrayBuffer() {
      return Promise.reject(new DOMException("The file has changed", "NotReadableError"));
    }
  }
  await assert.rejects(loadVocab(new Moved()), { name: "WordsplitError", message: "model.gguf cannot be read: The file has changed" });
});

test("Vue does not wrap a tokenizer or a stream in a proxy", () => {
  for (const [object, kind] of [[tok, "Tokenizer"], [tok.decodeStream(), "DecodeStream"]]) {
    assert.equal(Object.prototype.toString.call(object), `[object ${kind}]`); // Vue wraps [object Object], Array, Map and Set
  }
});

test("bundlers find each file of the package by a literal address, and tracers of files by its return", () => {
  const dist = new URL("../dist/", import.meta.url);
  const literal = /return new URL\("([^"]+)", import\.meta\.url\)/g;
  const sources = readdirSync(dist).filter((name) => name.endsWith(".js")).map((name) => readFileSync(new URL(name, dist), "utf8"));
  const found = sources.flatMap((source) => [...source.matchAll(literal)].map(([, path]) => path));
  const files = ["engine", "vocabs"].flatMap((folder) => readdirSync(new URL(folder, dist)).map((name) => `./${folder}/${name}`));
  assert.deepEqual(found.sort(), files.sort());
});
