/** The ids, spans, offsets and cut texts of the Python package, for every bundled vocab and file, with and without SIMD. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { load, listEncoders, listVocabs, loadVocab } from "wordsplit";
import { assertSameCuts, assertSameIds, folder, idsOf, pathOf, readJson, skip } from "./expected.mjs";

const scalar = () => readFileSync(new URL("../dist/engine/wordsplit-scalar.wasm", import.meta.url));

describe("the ids of the Python package", { skip }, () => {
  const texts = skip ? [] : readJson("texts.json");

  for (const name of listVocabs()) {
    for (const special of ["parse", "text", "no_added"]) {
      test(`${name}, special: ${special}`, async () => {
        const tok = await load(name);
        const expected = idsOf(`${name}-${special}.ids`, texts.length);
        assertSameIds(texts, texts.map((text) => tok.encode(text, { special })), expected);
        assertSameIds(texts, tok.encodeBatch(texts, { special }), expected);
        texts.forEach((text, i) => assert.equal(tok.count(text, { special }), expected[i].length));
        texts.forEach((text, i) => {
          if (name !== "qwen3") assert.equal(tok.decode(expected[i]), text); // the others have no normalizer
        });
      });
    }
    test(`${name}, without SIMD`, async () => {
      const tok = await load(name, { wasm: scalar() });
      assertSameIds(texts, tok.encodeBatch(texts), idsOf(`${name}-parse.ids`, texts.length));
    });
  }

  test("every encoder", async () => {
    const expected = idsOf("cl100k_base-parse.ids", texts.length);
    for (const encoder of await listEncoders()) {
      const tok = await load("cl100k_base", { encoder });
      assert.equal(tok.encoder, encoder);
      assertSameIds(texts, tok.encodeBatch(texts), expected);
    }
  });

  for (const name of skip ? [] : readdirSync(folder).filter((file) => /\.(json|tiktoken|gguf|ws)\.ids$/.test(file))) {
    const file = name.replace(".ids", "");
    test(`the file ${file}`, async () => {
      const isTiktoken = file.endsWith(".tiktoken"); // such a file holds neither a pattern nor special tokens
      const options = isTiktoken ? { pattern: "cl100k", format: "tiktoken" } : {};
      const special = isTiktoken ? "text" : "parse";
      const tok = await loadVocab(readFileSync(pathOf(file)), options);
      assertSameIds(texts, tok.encodeBatch(texts, { special }), idsOf(name, texts.length));
    });
  }

  for (const name of ["qwen3", "o200k_base"]) {
    test(`spans, offsets and cut texts of ${name}`, async () => {
      const tok = await load(name);
      for (const row of readJson(`${name}-offsets.json`)) {
        const units = [0]; // before each character
        for (const char of row.text) units.push(units.at(-1) + char.length);
        const { ids, offsets } = tok.encodeWithOffsets(row.text);
        assert.deepEqual([...ids], row.ids);
        assert.deepEqual([...offsets], row.chars.flat().map((at) => units[at]), JSON.stringify(row.text));
        assert.deepEqual(tok.spans(row.text), row.spans);
        assertSameCuts(tok, row.text, row.cut);
        assert.deepEqual(tok.explain(row.text).spans.flatMap((span) => span.ids), row.ids);
      }
    });
  }
});
