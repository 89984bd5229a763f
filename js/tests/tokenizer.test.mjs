/** The promises of the methods, and the errors that they throw. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { test } from "node:test";
import * as wordsplit from "wordsplit";
import { load, listEncoders, listVocabs, loadVocab, WordsplitError } from "wordsplit";
import { added, tokenizerJson, wordPieceJson } from "./vocabFiles.mjs";

const tok = await load("qwen3");

test("the example of the README", () => {
  assert.deepEqual([...tok.encode("hello world")], [14990, 1879]);
  assert.equal(tok.count("hello world"), 2);
  assert.equal(tok.decode([14990, 1879]), "hello world");
});

test("facts of a vocab", async () => {
  assert.deepEqual([tok.name, tok.nVocab, tok.eosTokenId, tok.padTokenId, tok.bosTokenId], ["qwen3", 151669, 151645, 151643, undefined]);
  assert.equal(tok.specialTokens.get("<|im_end|>"), 151645);
  assert.equal(tok.addedTokens.length, 26);
  assert.deepEqual(tok.patterns.length, 1);
  assert.equal(tok.scheme, "qwen2");
  assert.ok(tok.chatTemplate.includes("im_start"));
  assert.deepEqual(listVocabs().sort(), ["cl100k_base", "o200k_base", "o200k_harmony", "p50k_base", "p50k_edit", "qwen3", "r50k_base"]);
  assert.ok((await listEncoders()).includes("backtracking"));
  assert.equal((await load("o200k_harmony")).nVocab, 201088);
});

test("names of models", async () => {
  for (const [name, known] of [["gpt-4o", "o200k_base"], ["GPT-4o-2024-08-06", "o200k_base"], ["Qwen/Qwen3-8B", "qwen3"], ["gpt2", "r50k_base"]]) {
    assert.equal((await load(name)).name, known);
  }
  await assert.rejects(load("gpt-99x"), { name: "UnknownNameError", message: /qwen3/ });
});

test("special tokens", () => {
  const text = "<|im_start|>a<think>";
  assert.deepEqual([...tok.encode(text)], [151644, 64, 151667]);
  assert.equal(tok.encode(text, { special: "text" }).at(-1), 151667); // an added token that is not special
  assert.ok(!tok.encode(text, { special: "no_added" }).includes(151667));
  assert.deepEqual([...tok.encode("<|im_end|>", { special: ["<|im_end|>"] })], [151645]);
  assert.ok(tok.encode(text, { special: new Set(["<|im_end|>"]) }).length > 3);
  assert.throws(() => tok.encode(text, { special: "error" }), { name: "SpecialTokenError", message: /im_start/ });
  assert.throws(() => tok.encodeBatch(["a", text], { special: "error" }), { name: "SpecialTokenError", row: 1, message: /^text 1 of the batch: / });
  assert.deepEqual([...tok.encode("a<think>", { special: "error" })], [64, 151667]);
  assert.throws(() => tok.encode(text, { special: "none" }), { name: "OptionsError" });
  for (const options of ["no_added", ["<|im_end|>"]]) {
    const refusal = { name: "OptionsError", message: /^options: give an object, \{ special: / }; // in Python, special is an argument
    for (const call of ["encode", "encodeWithOffsets", "count", "spans", "explain"]) assert.throws(() => tok[call](text, options), refusal);
    assert.throws(() => tok.encodeBatch([text], options), refusal);
    for (const call of ["isWithinLimit", "truncate"]) assert.throws(() => tok[call](text, 9, options), refusal);
  }
  assert.throws(() => tok.encode(text, { special: ["<|nope|>"] }), { name: "SpecialTokenError" });
});

test("any number of sets of special tokens", () => {
  const literals = [...tok.specialTokens.keys()];
  for (let round = 0; round < 2; ++round) {
    for (let i = 0; i < 200; ++i) {
      const allowed = literals.filter((_, bit) => (i >> bit) & 1);
      const found = tok.encode(literals.join(" "), { special: allowed });
      for (const literal of literals) assert.equal(found.includes(tok.tokenId(literal)), allowed.includes(literal));
    }
  }
});

test("lone surrogates become U+FFFD, and bytes are kept", () => {
  assert.deepEqual(tok.encode("a\ud83d"), tok.encode("a\ufffd"));
  const bytes = Uint8Array.of(0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x61, 0xf0, 0x9f);
  assert.deepEqual(tok.decodeBytes(tok.encode(bytes)), bytes);
  assert.throws(() => tok.decode(tok.encode(bytes), { errors: "strict" }), { name: "InvalidTextError" });
  assert.match(tok.decode(tok.encode(bytes)), /^\ufffd+a\ufffd$/);
});

test("counts up to a limit", () => {
  const text = "word ".repeat(100_000);
  assert.equal(tok.count(text), 100_001);
  assert.equal(tok.count(text, { limit: 100 }), 101);
  assert.equal(tok.count("word", { limit: 100 }), 1);
  assert.equal(tok.isWithinLimit("word word", 2), 2);
  assert.equal(tok.isWithinLimit("word word", 1), false);
  assert.throws(() => tok.count("a", { limit: -1 }), { name: "OptionsError" });
});

test("streams hold back parts of characters", () => {
  const ids = tok.encode('A 🦜: "Hello?"');
  for (const stream of [tok.decodeStream(), tok.decodeStream({ skipSpecial: true })]) {
    const pieces = [...ids].map((id) => stream.push(id));
    assert.equal(pieces.join("") + stream.finish(), 'A 🦜: "Hello?"');
    assert.ok(pieces.every((piece) => !piece.includes("\ufffd")));
    assert.throws(() => stream.push(1), { name: "StreamFinishedError" });
  }
  const half = tok.decodeStream();
  half.push(tok.encode("🦜").subarray(0, 1));
  assert.equal(half.finish(), "\ufffd");
});

test("ids that are not in the vocab", () => {
  for (const id of [-1, 2 ** 32, 151_669, 1.5, NaN, "1"]) {
    assert.throws(() => tok.decode([id]), { name: "InvalidTokenIdError" }, String(id));
    assert.equal(tok.isValid(id), false);
  }
  assert.throws(() => tok.decode("123"), { name: "InputTypeError" });
  assert.throws(() => tok.decode(7), { name: "InputTypeError" });
  assert.equal(tok.isValid(0), true);
  assert.equal(tok.decode([]), "");
});

test("texts of other types", () => {
  for (const text of [null, undefined, 7, ["a"]]) assert.throws(() => tok.encode(text), { name: "InputTypeError" });
  assert.throws(() => tok.encodeBatch("abc"), { name: "InputTypeError" });
  assert.throws(() => tok.encodeBatch(["a", 7]), { name: "InputTypeError", row: 1 });
});

test("tokens", () => {
  assert.equal(tok.tokenId("hello"), 14990);
  assert.equal(tok.tokenId("<|im_end|>"), 151645);
  assert.equal(tok.tokenId("no such token"), undefined);
  assert.deepEqual(tok.tokenBytes(14990), new TextEncoder().encode("hello"));
  assert.equal(tok.rank(14990), 14734);
  assert.equal(tok.rank(0), undefined);
  assert.equal(tok.rank(151645), undefined);
});

test("explains merges", () => {
  const [span] = tok.explain("hello").spans;
  assert.deepEqual(span.passes.map((pass) => pass.winner), [1, 2, 1, 0, null]);
  assert.deepEqual(span.passes[1].candidates[0], { rank: 48866, merged: span.passes[1].candidates[0].merged });
  const kinds = tok.explain(`${"x".repeat(300)} <|im_end|>`).spans.map(({ kind }) => kind);
  assert.deepEqual(kinds, ["long", "merges", "added"]);
});

test("large and growing texts", () => {
  const parts = ["", "a", "é".repeat(5000), "🦜".repeat(100_000), "x".repeat(3_000_000), "b"];
  const alone = parts.map((part) => tok.encode(part));
  assert.deepEqual(tok.encodeBatch(parts), alone);
  alone.forEach((ids, i) => assert.equal(tok.decode(ids), parts[i]));
});

test("a tokenizer goes on working after an error", async () => {
  assert.throws(() => tok.decode([4e9]));
  assert.deepEqual([...tok.encode("hello")], [14990]);
  await assert.rejects(load("qwen3", { vocab: Uint8Array.of(1, 2, 3) }), { name: "VocabFormatError" });
  await assert.rejects(load("qwen3", { encoder: "none" }), { name: "OptionsError", message: /backtracking/ });
  await assert.rejects(load("r50k_base", { addBos: true }), { name: "OptionsError" });
  assert.deepEqual([...(await load("r50k_base", { addEos: true })).encode("hi")], [5303, 50256]);
});

test("works in a worker", async () => {
  const source = `
    import { parentPort } from "node:worker_threads";
    import { load } from ${JSON.stringify(import.meta.resolve("wordsplit"))};
    parentPort.postMessage([...(await load("r50k_base")).encode("hello world")]);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`));
  assert.deepEqual(await new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject)), [31373, 995]);
});

test("errors are of one family", () => {
  assert.throws(() => tok.encode(7), wordsplit.WordsplitError);
});

test("the packed files are those that are needed", () => {
  const { files } = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: new URL("..", import.meta.url) }))[0];
  const names = files.map(({ path }) => path);
  for (const needed of ["dist/index.js", "dist/index.d.ts", "dist/engine/wordsplit.wasm", "dist/vocabs/qwen3.bin", "LICENSE", "README.md"]) {
    assert.ok(names.includes(needed), needed);
  }
  assert.ok(names.every((name) => !/test|native|scripts|\.ts$/.test(name) || name.endsWith(".d.ts")), names.join(" "));
  assert.equal(readFileSync(new URL("../package.json", import.meta.url), "utf8").includes('"dependencies"'), false);
});

test("arguments of other types are errors of the package", async () => {
  for (const special of [5, true, {}, null, () => 1, Symbol("x"), [5], [null], "some"]) {
    assert.throws(() => tok.encode("a", { special }), { name: "OptionsError" }, String(special));
  }
  assert.deepEqual([...tok.encode("hello<|im_end|>", { special: new Set(["<|im_end|>"]) })], [14990, 151645]);
  for (const value of [null, 5, {}]) assert.throws(() => tok.tokenId(value), { name: "InputTypeError" });
  for (const value of [null, 5, Uint8Array.of(128)]) {
    assert.throws(() => tok.truncate(value, 1), { name: "InputTypeError" });
    assert.throws(() => tok.encodeWithOffsets(value), { name: "InputTypeError" });
  }
  assert.throws(() => tok.truncate("a", 1, { side: Symbol("x") }), { name: "OptionsError" });
  assert.throws(() => tok.decode([1], { errors: Symbol("x") }), { name: "OptionsError" });
  assert.throws(() => tok.isWithinLimit("a"), { name: "OptionsError" });
  for (const limit of [-1, 1.5, NaN, Infinity, "1", Symbol("x")]) assert.throws(() => tok.count("a", { limit }), { name: "OptionsError" });
  assert.equal(tok.count("hello", { limit: Number.MAX_SAFE_INTEGER }), 1);
  assert.equal(tok.truncate("hello", Number.MAX_SAFE_INTEGER).wasTruncated, false);
  assert.throws(() => tok.encodeBatch([, "a"]), { name: "InputTypeError" });
  for (const name of [null, 5]) await assert.rejects(load(name), { name: "InputTypeError" });
  for (const wasm of [Uint8Array.of(1), "x", Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)]) {
    await assert.rejects(load("r50k_base", { wasm }), { name: "OptionsError", message: /wasm/ });
  }
  await assert.rejects(load("r50k_base", { baseUrl: 5 }), { name: "InputTypeError" });
  await assert.rejects(loadVocab(new Uint8Array()), { name: "UnsupportedVocabError", message: /^<bytes>: is of no known format/, file: undefined });
  await assert.rejects(loadVocab(5), { name: "InputTypeError", message: /bytes, a file or blob, an address or a path/ });
  const folder = new URL("../dist/vocabs", import.meta.url); // without a slash at its end
  for (const baseUrl of [folder, folder.href]) assert.equal((await load("r50k_base", { baseUrl })).nVocab, 50257);
  await assert.rejects(load("r50k_base", { addEos: 1 }), { name: "OptionsError" });
  assert.deepEqual([...(await load("r50k_base", { addEos: null })).encode("hi")], [5303]);
});

test("byte order marks and bytes that are not UTF-8", async () => {
  const utf8 = (text) => new TextEncoder().encode(text);
  assert.equal(tok.explain(utf8("\ufeffa")).text, "\ufeffa");
  assert.deepEqual(tok.tokenId(utf8("\ufeff")), tok.tokenId("\ufeff"));
  assert.equal(tok.tokenId("\ud800"), undefined);
  const words = await loadVocab(wordPieceJson({}, { vocab: { "[UNK]": 0, a: 1, "\ufeffa": 2, "\ufffd": 3 } }));
  assert.deepEqual(["a", "\ufeffa", "\ufffd"].map((text) => words.tokenId(utf8(text))), [1, 2, 3]);
  assert.equal(words.tokenId(Uint8Array.of(255)), undefined);
  const twice = await loadVocab(tokenizerJson({ added_tokens: [added("he", 256)] }));
  assert.equal(twice.tokenId("he"), twice.encode("he")[0]);
});

test("nothing is left of a text where the ids around it are too many", async () => {
  const ends = await load("r50k_base", { addEos: true });
  assert.deepEqual(ends.truncate("of ", 0, { side: "left" }), { text: "", ids: Uint32Array.of(), wasTruncated: true });
  assert.deepEqual([...ends.truncate("of ", 1, { side: "left" }).ids], [50256]);
});

test("paths with characters that addresses give a meaning", { skip: process.platform === "win32" }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "words "));
  const before = process.cwd();
  try {
    for (const name of ["a#b", "a?b", "a%41b", "a b", "é"]) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "tokenizer.json"), tokenizerJson());
      process.chdir(join(folder, name));
      for (const path of ["tokenizer.json", "./tokenizer.json", join(folder, name, "tokenizer.json"), `//${join(folder, name, "tokenizer.json")}`]) {
        assert.equal((await loadVocab(path)).name, name === "a%41b" ? "a%41b" : name, path);
      }
    }
    writeFileSync("a:b.json", tokenizerJson());
    assert.equal((await loadVocab("a:b.json")).encode("hello").length, 1);
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
  for (const address of ["no such file", "/tmp/\ud800", "data:application/octet-stream,%ff%fe", "http://[", "x\0y"]) {
    await assert.rejects(loadVocab(address), (error) => error instanceof WordsplitError, address);
  }
});
