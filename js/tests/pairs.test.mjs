/** Pairs of texts, in rows as the Python package makes them. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadVocab, OptionsError, WordsplitError } from "wordsplit";
import { readJson, skip } from "./expected.mjs";

describe("pairs of texts", { skip }, () => {
  const rows = skip ? [] : readJson("pairs.json");
  const fileOf = (row, form) => Buffer.from(row[form], form === "json" ? "utf8" : "base64");

  for (const form of ["json", "compiled"]) {
    test(`have the ids and types that Python gives them, from ${form} files`, async () => {
      const read = rows.filter((row) => row.refused === undefined);
      for (const row of read) {
        for (const [name, options] of [["around", {}], ["bare", { addBos: false, addEos: false }]]) {
          const { ids, typeIds } = (await loadVocab(fileOf(row, form), options)).encodePair(...row.texts);
          assert.deepEqual([[...ids], [...typeIds]], row[name], row.json);
        }
      }
      assert.ok(read.length > 100);
    });
  }

  test("are refused where Python refuses the file", async () => {
    const refused = rows.filter((row) => row.refused !== undefined);
    for (const row of refused) {
      const isExpected = (error) => error instanceof WordsplitError && error.field === row.refused;
      await assert.rejects(() => loadVocab(fileOf(row, "json")), (error) => isExpected(error) || assert.fail(`${row.refused}: ${error.stack}`));
    }
    assert.ok(refused.length > 4);
  });

  test("need the ids around them that the vocab has", async () => {
    const row = rows.find((each) => each.around?.[0].length > each.bare[0].length);
    const tok = await loadVocab(fileOf(row, "json"), { addBos: false });
    assert.throws(() => tok.encodePair(...row.texts), OptionsError);
  });
});
