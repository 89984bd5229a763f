/** Decoders that are not the usual ones of their kind, and added tokens in normalized text, as in Python. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadVocab } from "wordsplit";
import { readJson, skip } from "./expected.mjs";

describe("decoders", { skip }, () => {
  test("give the text that Python gives", async () => {
    let [compared, refused] = [0, 0];
    for (const { json, rows } of readJson("decoders.json")) {
      const tok = await loadVocab(Buffer.from(json));
      for (const { text, ids, spans, decoded, strict } of rows) {
        try {
          assert.deepEqual([...tok.encode(text)], ids, json + text);
          assert.deepEqual(tok.spans(text), spans, json + text);
          ++compared;
        } catch (error) {
          if (error.name !== "UnsupportedTextError") throw error; // as documented
          ++refused;
        }
        assert.equal(tok.decode(ids), decoded, json + text);
        const stream = tok.decodeStream();
        assert.equal(ids.map((id) => stream.push(id)).join("") + stream.finish(), decoded, json + text);
        if (strict === null) assert.throws(() => tok.decode(ids, { errors: "strict" }), { name: "InvalidTextError" });
        else assert.equal(tok.decode(ids, { errors: "strict" }), strict, json + text);
      }
    }
    assert.ok(refused < compared / 10, `${refused} texts refused, ${compared} compared`);
  });
});
