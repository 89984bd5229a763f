/** Options that a function does not have. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { listEncoders, load, loadVocab } from "wordsplit";
import { tokenizerJson } from "./vocabFiles.mjs";

const tok = await load("qwen3");
const CALLS = {
  encode: (options) => tok.encode("a", options),
  encodeBatch: (options) => tok.encodeBatch([], options),
  encodePair: (options) => tok.encodePair("a", "b", options),
  encodeWithOffsets: (options) => tok.encodeWithOffsets("a", options),
  count: (options) => tok.count("a", options),
  isWithinLimit: (options) => tok.isWithinLimit("a", 1, options),
  spans: (options) => tok.spans("a", options),
  explain: (options) => tok.explain("a", options),
  truncate: (options) => tok.truncate("a", 1, options),
  decode: (options) => tok.decode([], options),
  decodeBytes: (options) => tok.decodeBytes([], options),
  decodeStream: (options) => tok.decodeStream(options),
};

for (const [name, call] of Object.entries(CALLS)) {
  test(`${name} refuses options that it does not have`, () => {
    for (const wrong of ["specials", "skip_special", "Special", "toString", "__proto__x", ""]) {
      const refusal = { name: "OptionsError", message: new RegExp(`^options: no option "${wrong}"; there are (special|skipSpecial)`) };
      assert.throws(() => call({ [wrong]: "no_added" }), refusal);
      assert.throws(() => call({ [wrong]: undefined }), refusal);
    }
    for (const options of [7, true, Symbol("x"), () => 1]) assert.throws(() => call(options), { name: "OptionsError", message: /^options: give an object/ });
    for (const options of [undefined, {}, null, Object.create({ inherited: 1 })]) assert.doesNotThrow(() => call(options));
  });
}

test("loading refuses options that it does not have", async () => {
  const refusal = { name: "OptionsError", message: /^options: no option "add_bos"; there are / };
  await assert.rejects(load("qwen3", { add_bos: true }), refusal);
  await assert.rejects(loadVocab(tokenizerJson(), { add_bos: true }), refusal);
  await assert.rejects(listEncoders({ add_bos: true }), refusal);
  await assert.rejects(load("qwen3", { wordTables: new Uint8Array() }), { name: "OptionsError" });
  await assert.rejects(loadVocab(tokenizerJson(), { baseUrl: "/" }), { name: "OptionsError" });
  await assert.rejects(load("qwen3", "tail_sweep"), { name: "OptionsError", message: "options: give an object, found string" });
});

test("names are strings", async () => {
  for (const name of ["name", "format", "pattern", "pre"]) {
    for (const value of [5, null, /x/, {}]) {
      await assert.rejects(loadVocab(tokenizerJson(), { [name]: value }), { name: "OptionsError", message: new RegExp(`^${name}: should be a string`) });
    }
  }
});

test("an iterator of literals is for both texts of a pair", () => {
  const literals = function* () {
    yield "<|im_end|>";
  };
  const { ids } = tok.encodePair("<|im_end|>", "<|im_end|>", { special: literals() });
  assert.deepEqual([...ids], [151645, 151645]);
});

test("ids that no token can have have no rank", () => {
  for (const id of [14990.5, -1, 2 ** 32 + 14990, NaN, "14990", undefined]) assert.equal(tok.rank(id), undefined, String(id));
});
