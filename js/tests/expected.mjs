/** The results of the Python package: the files of expected.py, in the folder that WORDSPLIT_EXPECTED names. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const folder = process.env.WORDSPLIT_EXPECTED ?? "";
/** Why the tests cannot run, or false. */
export const skip = existsSync(join(folder, "texts.json")) ? false : "run `make js-test`, which writes what to expect";

export function pathOf(name) {
  return join(folder, name);
}

export function readJson(name) {
  return JSON.parse(readFileSync(pathOf(name), "utf8"));
}

/** The ids of each text. */
export function idsOf(name, texts) {
  const data = readFileSync(pathOf(name));
  const words = new Uint32Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
  const found = [];
  for (let i = 0, at = texts; i < texts; ++i) found.push(words.subarray(at, (at += words[i])));
  assert.equal(found.reduce((count, ids) => count + ids.length, texts), words.length);
  return found;
}

/** Compares what is left of a text cut to a number of ids on either side. */
export function assertSameCuts(tok, text, cuts) {
  for (const [side, expected] of Object.entries(cuts)) {
    const found = tok.truncate(text, 5, { side }); // MOST of expected_cuts.py
    assert.deepEqual([found.text, [...found.ids], found.wasTruncated], expected, JSON.stringify([tok.name, text, side]));
  }
}

/** Fails with the first text whose ids differ. */
export function assertSameIds(texts, found, expected) {
  const first = texts.findIndex((_, i) => Buffer.compare(Buffer.from(found[i].slice().buffer), Buffer.from(expected[i].slice().buffer)));
  if (first < 0) return;
  const shown = JSON.stringify(texts[first]).slice(0, 300);
  assert.deepEqual([...found[first]], [...expected[first]], `text ${first}: ${shown}`);
}
