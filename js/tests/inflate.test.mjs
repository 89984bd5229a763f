/** The decompression for runtimes that have none: what zlib compresses, and damaged data. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { constants, deflateSync, inflateSync } from "node:zlib";
import { inflateZlib } from "../dist/inflate.js";

const vocabs = new URL("../dist/vocabs/", import.meta.url);

for (const file of readdirSync(vocabs)) {
  test(file, () => {
    const data = readFileSync(new URL(file, vocabs));
    assert.ok(inflateSync(data).equals(inflateZlib(data)));
  });
}

const TEXTS = {
  nothing: "",
  "one byte": "a",
  "a run": "a".repeat(100_000),
  words: Array.from({ length: 5_000 }, (_, i) => `word ${(i * i) % 997}`).join(" "),
  "bytes without order": Uint8Array.from({ length: 70_000 }, (_, i) => (Math.imul(i + 1, 2654435761) >>> 13) & 255),
};
const { Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED } = constants;

for (const [name, text] of Object.entries(TEXTS)) {
  test(`${name}, at every level and with every strategy`, () => {
    const expected = Buffer.from(text);
    for (const strategy of [Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED]) {
      for (const level of [0, 1, 6, 9]) {
        assert.ok(expected.equals(inflateZlib(deflateSync(expected, { level, strategy }))), `${level}, ${strategy}`);
      }
    }
  });
}

test("data that is cut or changed anywhere is refused, or gives the same bytes", () => {
  for (const options of [{ level: 0 }, { strategy: Z_FIXED }, {}]) {
    const expected = Buffer.from(TEXTS.words.slice(0, 400));
    const data = deflateSync(expected, options);
    let refused = 0;
    for (let i = 0; i < data.length; ++i) {
      assert.throws(() => inflateZlib(data.subarray(0, i)), Error);
      for (let bit = 0; bit < 8; ++bit) {
        const changed = Uint8Array.from(data);
        changed[i] ^= 1 << bit;
        try {
          assert.ok(expected.equals(inflateZlib(changed)), `byte ${i}, bit ${bit}`);
        } catch (error) {
          if (error.code === "ERR_ASSERTION") throw error;
          ++refused;
        }
      }
    }
    assert.ok(refused > 7.5 * data.length); // few bits have no meaning
  }
});
