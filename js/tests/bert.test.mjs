/** The tokenizer_config.json beside a vocab.txt, as the Python package reads it. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { loadVocab, UnsupportedTextError, UnsupportedVocabError } from "wordsplit";
import { pathOf, readJson, skip } from "./expected.mjs";

describe("vocab.txt with a tokenizer_config.json", { skip }, () => {
  const rows = skip ? [] : readJson("bert.json");

  function check(tok, row) {
    assert.deepEqual([tok.name, tok.chatTemplate ?? null, Object.fromEntries(tok.specialTokens)], row.facts);
    assert.deepEqual([tok.eosTokenId, tok.bosTokenId, tok.padTokenId, tok.unkTokenId].map((id) => id ?? null), row.roles);
    let refused = 0;
    for (const [text, ids, decoded] of row.texts) {
      assert.equal(tok.decode(ids), decoded);
      try {
        assert.deepEqual([...tok.encode(text)], ids, JSON.stringify(text));
      } catch (error) {
        if (!(error instanceof UnsupportedTextError)) throw error;
        ++refused;
      }
    }
    assert.ok(refused < row.texts.length / 10, `${refused} texts were refused`);
  }

  for (const row of rows) {
    const path = pathOf(`${row.folder}/vocab.txt`);
    const beside = pathOf(`${row.folder}/tokenizer_config.json`);
    const config = existsSync(beside) ? readFileSync(beside) : undefined;
    const given = config ? { config, name: row.folder.split("/")[1] } : { name: row.folder.split("/")[1] };

    test(config ? config.toString() : "none", async () => {
      const loads = [
        () => loadVocab(path),
        () => loadVocab(pathToFileURL(path)),
        () => loadVocab(readFileSync(path), { ...given, format: "vocab_txt" }),
      ];
      for (const load of loads) {
        if (row.refused) {
          const [kind, field] = row.refused;
          await assert.rejects(load, (error) => (error.name === kind && error.field === field) || assert.fail(error.stack));
        } else {
          check(await load(), row);
        }
      }
    });
  }

  test("the option has precedence over the file", async () => {
    const at = rows.findIndex(({ refused }) => refused?.[1] === "$.tokenizer_class");
    const path = pathOf(`${rows[at].folder}/vocab.txt`);
    await assert.rejects(() => loadVocab(path), UnsupportedVocabError);
    const tok = await loadVocab(path, { config: Buffer.from("{}") });
    assert.deepEqual([...tok.encode("The")], [...tok.encode("the")]);
  });
});
