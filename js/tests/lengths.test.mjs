/** Saved truncation and padding, as the Python package reads them. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadVocab, VocabFormatError } from "wordsplit";
import { readJson, skip } from "./expected.mjs";

/** Fields as Python names them; null for those that are undefined. */
function inPython(fields) {
  if (fields === undefined) return null;
  const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [snake(name), value ?? null]));
}

describe("saved truncation and padding", { skip }, () => {
  const rows = skip ? [] : readJson("lengths.json");

  for (const form of ["json", "compiled"]) {
    test(`are read from ${form} files, and change no ids`, async () => {
      const read = rows.filter((row) => row.refused === undefined);
      for (const row of read) {
        const tok = await loadVocab(Buffer.from(row[form], form === "json" ? "utf8" : "base64"));
        assert.deepEqual([inPython(tok.truncation), inPython(tok.padding)], [row.truncation, row.padding]);
        assert.equal(tok.padTokenId ?? null, row.pad_token_id);
        assert.deepEqual([...tok.encode(row.text)], row.ids);
        assert.deepEqual([...tok.encodeBatch([row.text])[0]], row.ids);
        assert.equal(tok.count(row.text), row.ids.length);
      }
      assert.ok(read.length >= 9);
    });
  }

  test("are refused if they are damaged", async () => {
    for (const { json, refused } of rows.filter((row) => row.refused !== undefined)) {
      const isExpected = (error) => error instanceof VocabFormatError && error.field === refused;
      await assert.rejects(() => loadVocab(Buffer.from(json)), (error) => isExpected(error) || assert.fail(`${refused}: ${error.stack}`));
    }
  });
});
