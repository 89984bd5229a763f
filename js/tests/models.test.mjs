/** Models of characters: the ids, places and decoded texts of the Python package, from compiled and other files. */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import {
  InvalidTokenIdError,
  loadVocab,
  OptionsError,
  SpecialTokenError,
  UnsupportedTextError,
  UnsupportedVocabError,
  VocabFormatError,
  WordsplitError,
} from "wordsplit";
import { assertSameCuts, folder, pathOf, readJson, skip } from "./expected.mjs";

const engine = (name) => readFileSync(new URL(`../dist/engine/${name}.wasm`, import.meta.url));
const stems = skip ? [] : readdirSync(folder).flatMap((name) => /^(model-.*)\.rows\.json$/.exec(name)?.[1] ?? []);

/** The tokenizer.json files that are read; of others, Python makes compiled files. */
const FROM_JSON = [
  ...["bert", "cased", "pieces", "words", "signs"],
  ...["llama", "gemma", "metaspace", "unigram", "t5"],
].map((name) => `model-${name}.json`);
/** The arguments for files that are not tokenizer.json. */
const OPTIONS = { ws: {}, model: {}, gguf: {}, txt: { format: "vocab_txt" } };
const isRefusal = (error) => error instanceof UnsupportedVocabError && error.message.includes("`wordsplit compile`");

/** The result of a call, or null for a text that is refused. */
function unlessRefused(call) {
  try {
    return call();
  } catch (error) {
    if (error instanceof UnsupportedTextError) return null;
    throw error;
  }
}

/** Fails if numbers are not the expected ones, or not null as these. */
function assertSame(found, expected, shown) {
  const isSame =
    found === null || expected === null
      ? found === expected
      : found.length === expected.length && expected.every((number, i) => found[i] === number);
  if (!isSame) assert.deepEqual(found && [...found], expected, shown);
}

/** A span as Python's `Explanation.to_dict` gives it, without its text. */
function inHex({ data, kind, ids, passes, choices }) {
  const hexOf = (bytes) => Buffer.from(bytes).toString("hex");
  return { hex: hexOf(data), kind, ids, passes, choices: choices.map(({ data, ...more }) => ({ hex: hexOf(data), ...more })) };
}

/** The same of Python. */
function withoutText({ text, passes = [], choices = [], ...more }) {
  return { ...more, passes, choices: choices.map(({ text, ...choice }) => choice) };
}

/** The beginning of each character, in code units, and the end of the last one. */
function unitsOf(text) {
  const units = [0];
  for (const char of text) units.push(units.at(-1) + char.length);
  return units;
}

/** Compares what a random vocab gives for a text, and counts it. */
function compareRow(tok, { text, ids, places, decoded, cuts }, counts, shown) {
  const found = unlessRefused(() => tok.encode(text));
  ++counts.texts;
  if (found === null) ++counts.refusedTexts;
  else assertSame(found, ids, shown);
  assert.equal(tok.decode(ids), decoded, shown);
  const located = unlessRefused(() => tok.encodeWithOffsets(text));
  if (located === null) return;
  ++counts.located;
  const units = unitsOf(text);
  assertSame(located.offsets, places.map((at) => units[at]), shown);
  assertSameCuts(tok, text, cuts);
}

describe("models of characters", { skip }, () => {
  const texts = skip ? [] : readJson("model-texts.json");

  for (const stem of stems) {
    // Read again by each test: all of them together are a gigabyte, which the garbage collector would go through over and over.
    const readRows = () => readJson(`${stem}.rows.json`);

    /** Compares everything. A compiled file refuses what Python's core does, another one may refuse a few texts more. */
    async function check(file, options = {}) {
      const isCompiled = file.endsWith(".ws");
      const rows = readRows();
      const tok = await loadVocab(readFileSync(pathOf(file)), options);
      let refused = 0;
      const compare = (found, expected, inCore, shown) => {
        if (found !== null) assertSame(found, expected, shown);
        if (isCompiled) assert.equal(found !== null, inCore, shown);
      };
      for (const [i, text] of texts.entries()) {
        const [ids, asText, places, decoded, inCore] = rows[i];
        const [encodes, encodesText, locates] = inCore ?? [];
        const shown = JSON.stringify(text).slice(0, 200);
        const found = unlessRefused(() => tok.encode(text));
        compare(found, ids, encodes, shown);
        if (found === null) {
          ++refused;
          assert.throws(() => tok.count(text), UnsupportedTextError);
        } else {
          assert.equal(tok.count(text), ids.length, shown);
        }
        compare(unlessRefused(() => tok.encode(text, { special: "no_added" })), asText, encodesText, shown);
        assert.equal(tok.decode(ids), decoded[0], shown);
        assert.equal(tok.decode(ids, { skipSpecial: true }), decoded[1], shown);
        const stream = tok.decodeStream();
        assert.equal(ids.map((id) => stream.push(id)).join("") + stream.finish(), decoded[0], shown);
        if (text.length > 2000) continue; // places take time
        const units = unitsOf(text);
        const located = unlessRefused(() => tok.encodeWithOffsets(text));
        compare(located && located.offsets, places.flat().map((at) => units[at]), locates, shown);
        if (located) assertSame(located.ids, ids, shown);
      }
      assert.ok(refused < texts.length / 5, `${refused} texts were refused`);
      const kept = [...texts.keys()].filter((i) => unlessRefused(() => tok.encode(texts[i])));
      const batch = tok.encodeBatch(kept.map((i) => texts[i]));
      kept.forEach((i, at) => assertSame(batch[at], rows[i][0], texts[i]));
    }

    /** Compares the spans and the explanations of short texts. Those are refused whose ids are not located. */
    async function checkExplained(file, options) {
      const explained = readJson(`${stem}.explained.json`);
      const tok = await loadVocab(readFileSync(pathOf(file)), options);
      let count = 0;
      for (const [text, spans, spelled] of explained) {
        const found = unlessRefused(() => tok.explain(text, { maxSpan: 60 }));
        if (found === null) {
          for (const method of ["spans", "encodeWithOffsets"]) assert.throws(() => tok[method](text), UnsupportedTextError);
          continue;
        }
        ++count;
        assert.deepEqual(found.spans.map(inHex), spans.map(withoutText), JSON.stringify(text));
        assert.deepEqual(tok.spans(text), spelled);
      }
      // A text that steps change is rarely located: most texts of this vocab are changed.
      const least = stem === "model-folded" ? 1 / 4 : 3 / 4;
      const nowhere = readRows().every(([, , , , inCore]) => inCore?.[2] === false);
      assert.ok(nowhere || count > explained.length * least, `${count} texts were explained`);
    }

    for (const [ending, options] of Object.entries({ ...OPTIONS, json: {} })) {
      const file = `${stem}.${ending}`;
      if (!existsSync(pathOf(file))) continue;
      if (ending === "json" && !FROM_JSON.includes(file)) {
        test(file, () => assert.rejects(() => loadVocab(readFileSync(pathOf(file))), isRefusal));
      } else {
        test(file, () => check(file, options));
        test(`${file}: explained as in Python`, () => checkExplained(file, options));
      }
    }

    const compiled = `${stem}.ws`;
    if (!existsSync(pathOf(compiled))) continue;

    test(`${compiled}, without SIMD`, async () => {
      const rows = readRows();
      const tok = await loadVocab(readFileSync(pathOf(compiled)), { wasm: engine("all-models-scalar") });
      for (const [i, text] of texts.entries()) {
        const found = unlessRefused(() => tok.encode(text));
        if (rows[i][4][0]) assertSame(found, rows[i][0], text);
        else assert.equal(found, null, text);
      }
    });
  }

  /** Compares what tokenizer.json files, and the same compiled, give for texts. Those with other rules are refused. */
  async function compareModels(models) {
    const counts = { json: 0, compiled: 0, texts: 0, refusedTexts: 0, located: 0 };
    for (const { name, json, compiled, rows } of models) {
      for (const [form, data] of Object.entries({ json: Buffer.from(json), compiled: Buffer.from(compiled, "base64") })) {
        if (data.length === 0) continue;
        let tok;
        try {
          tok = await loadVocab(data, { addBos: false, addEos: false });
        } catch (error) {
          assert.ok(error instanceof UnsupportedVocabError, `${name} ${form}: ${error}`);
          continue;
        }
        ++counts[form];
        for (const [text, ids, places, decoded, cuts] of rows) {
          const shown = `${name} ${form}: ${JSON.stringify(text)}`;
          compareRow(tok, { text, ids, places, decoded, cuts }, counts, shown);
        }
      }
    }
    return counts;
  }

  test("random models: the ids, places and texts of tokenizers, or a refusal", async () => {
    const counts = await compareModels(readJson("random-models.json"));
    assert.ok(counts.json >= 10 && counts.compiled >= 10, JSON.stringify(counts));
    assert.ok(counts.refusedTexts < counts.texts / 5 && counts.located > counts.texts / 2, JSON.stringify(counts));
    console.log(`# random models: ${JSON.stringify(counts)}`);
  });

  test("normalizers that strip and join spaces, in every order", async () => {
    const counts = await compareModels(readJson("spaces.json"));
    assert.ok(counts.json >= 20 && counts.located > 100, JSON.stringify(counts));
  });

  test("random files of other formats: the ids, places and texts of the Python package, or a refusal", async () => {
    const counts = { files: 0, refusedFiles: 0, texts: 0, refusedTexts: 0, located: 0 };
    for (const { name, format, data, rows } of readJson("random-files.json")) {
      let tok;
      try {
        tok = await loadVocab(Buffer.from(data, "base64"), { format });
      } catch (error) {
        assert.ok(error instanceof UnsupportedVocabError, `${name}: ${error}`);
        ++counts.refusedFiles;
        continue;
      }
      ++counts.files;
      for (const [text, ids, asText, places, decoded, cuts] of rows) {
        const shown = `${name}: ${JSON.stringify(text)}`;
        compareRow(tok, { text, ids, places, decoded, cuts }, counts, shown);
        const plain = unlessRefused(() => tok.encode(text, { special: "no_added" }));
        if (plain !== null) assertSame(plain, asText, shown);
      }
    }
    assert.ok(counts.files >= 80 && counts.refusedFiles < counts.files, JSON.stringify(counts));
    assert.ok(counts.refusedTexts < counts.texts / 5 && counts.located > counts.texts / 2, JSON.stringify(counts));
    console.log(`# random files: ${JSON.stringify(counts)}`);
  });

  test("random rules: the ids of tokenizers, and the places, spans and texts of the Python package, or a refusal", async () => {
    const counts = { files: 0, refusedFiles: 0, texts: 0, refusedTexts: 0, located: 0 };
    for (const { name, compiled, rows } of readJson("random-rules.json")) {
      let tok;
      try {
        tok = await loadVocab(gunzipSync(Buffer.from(compiled, "base64")));
      } catch (error) {
        assert.ok(error instanceof UnsupportedVocabError, `${name}: ${error}`);
        ++counts.refusedFiles;
        continue;
      }
      ++counts.files;
      for (const [text, ids, places, decoded, cuts, spans] of rows) {
        const shown = `${name}: ${JSON.stringify(text)}`;
        compareRow(tok, { text, ids, places, decoded, cuts }, counts, shown);
        const found = unlessRefused(() => tok.spans(text));
        if (found !== null) assert.deepEqual(found, spans, shown);
        const count = unlessRefused(() => tok.count(text, { limit: 5 }));
        if (count !== null) assert.equal(count, Math.min(ids.length, 6), shown);
      }
    }
    assert.ok(counts.files > 40 && counts.refusedFiles < 2 * counts.files, JSON.stringify(counts));
    assert.ok(counts.refusedTexts < counts.texts / 5 && counts.located > 0, JSON.stringify(counts));
    console.log(`# random rules: ${JSON.stringify(counts)}`);
  });

  test("special tokens in texts of vocabs with rules in steps", async () => {
    for (const name of ["replaced", "spelled", "scripts", "first", "across", "blanks"]) {
      const tok = await loadVocab(readFileSync(pathOf(`model-${name}.ws`)));
      assert.throws(() => tok.encode("a [CLS] b", { special: "error" }), SpecialTokenError);
      assert.deepEqual(tok.encode("a b", { special: "error" }), tok.encode("a b"));
      assert.deepEqual(tok.encodeWithOffsets("a b").ids, tok.encode("a b"));
      assert.equal(tok.count("a b, c d. ".repeat(50), { limit: 7 }), 8);
    }
  });

  test("what a tokenizer knows of its tokens", async () => {
    const tok = await loadVocab(readFileSync(pathOf("model-llama.ws")));
    assert.deepEqual([tok.model, tok.scheme], ["CharacterBPE", undefined]);
    assert.deepEqual(tok.patterns, []);
    const [id] = tok.encode("hello");
    const spelled = new TextDecoder().decode(tok.tokenBytes(id));
    assert.equal(spelled[0], "\u2581");
    assert.equal(tok.tokenId(spelled), id);
    assert.equal(tok.tokenId("<0x0A>") + 1, tok.tokenId("<0x0B>"));
    assert.equal(tok.tokenId("Zzyzx"), tok.nVocab - 2);
    assert.equal(tok.isValid(tok.nVocab - 1), true);
    assert.equal(tok.isValid(tok.nVocab), false);
    assert.equal(tok.rank(id), undefined);
    assert.throws(() => tok.decode([tok.nVocab]), InvalidTokenIdError);
    assert.throws(() => tok.tokenBytes(tok.nVocab), InvalidTokenIdError);
    assert.throws(() => tok.decode(tok.encode("\ud7fb").slice(0, -1), { errors: "strict" }), /UTF-8/);
    const { text, ids } = tok.truncate("hello world, hello all", 3);
    assert.deepEqual([ids.length, "hello world, hello all".startsWith(text)], [3, true]);
    assert.equal(tok.isWithinLimit("hello world, hello all", 3), false);
  });

  test("a truncated text keeps the marks of its letters", async () => {
    const tok = await loadVocab(readFileSync(pathOf("model-compatible.ws")));
    const text = "the cafe\u0301s, a\u030a, \u1100\u1161\u11a8 end";
    const all = tok.encode(text).length;
    const places = new Set();
    for (let most = 0; most < all; ++most) {
      const right = tok.truncate(text, most).text;
      const left = tok.truncate(text, most, { side: "left" }).text;
      for (const place of [right.length, text.length - left.length]) {
        assert.doesNotMatch(text.slice(place), /^[\p{M}\u1161-\u11c2]/u, `${most}`);
        places.add(place);
      }
    }
    assert.ok(places.has(text.indexOf("s, a")) || places.has(text.indexOf(", \u1100")), "the text is cut behind a mark");
  });

  test("what is left to the Python package is refused", async () => {
    const tok = await loadVocab(readFileSync(pathOf("model-bert.ws")));
    for (const method of ["encode", "spans", "explain"]) {
      assert.throws(() => tok[method](Uint8Array.of(0x61, 0xff)), UnsupportedTextError);
    }
    const batch = ["a", Uint8Array.of(0x61, 0xff)];
    assert.throws(() => tok.encodeBatch(batch), { name: "UnsupportedTextError", row: 1, message: /^text 1 of the batch: / });
    assert.deepEqual([...tok.encode("a")], [tok.tokenId("a")]); // it goes on working
  });

  test("without the table of characters", async () => {
    const data = readFileSync(pathOf("model-bert.json"));
    const wordTables = readFileSync(new URL("../dist/engine/word_tables.bin", import.meta.url));
    const tok = await loadVocab(data, { wordTables });
    assert.deepEqual([...tok.encode("H\u00e9 llo")], [...(await loadVocab(data)).encode("he LLO")]);
    await assert.rejects(() => loadVocab(data, { wordTables: Uint8Array.of(1, 2, 3) }), VocabFormatError);
  });

  test("an engine for byte-level BPE alone is refused", async () => {
    const data = readFileSync(pathOf("model-bert.ws"));
    await assert.rejects(() => loadVocab(data, { wasm: engine("wordsplit") }), OptionsError);
    await assert.rejects(() => loadVocab(data, { encoder: "priority_merge" }), VocabFormatError);
  });

  /** A list without its spaces: nines before its first number take their place. */
  const enlarged = (list) => list.replaceAll(" ", "").replace("[", `[${"9".repeat(list.split(" ").length - 1)}`);

  test("damaged maps and settings", async () => {
    const changes = [
      ["unigram", '"prepend": "never"', '"prepend": "maybe"', "$.core.prepend"],
      ["unigram", '"encoder": "viterbi"', '"encoder": "viterbo"', "is damaged"],
      ["unigram", '"cuts": false', '"cuts":"nope"', "$.core.cuts"],
      ["unigram", '"maps": [[', '"maps":[[9', "$.core.maps[0]"],
      ["unigram", /"sizes": \[[^\]]*/, enlarged, "$.model.sizes[0]"],
      ["scripts", '"rules": [[', '"rules":[[9', "$.core_with_rules.rules[0]"],
      ["replaced", '"scheme": "gpt2"', '"scheme": 123456', "$.core_with_rules.scheme"],
      ["replaced", '"scheme": "gpt2"', '"scheme": "gpt1"', "is damaged"],
    ];
    for (const [name, from, to, place] of changes) {
      const data = readFileSync(pathOf(`model-${name}.ws`));
      const text = data.toString("latin1");
      const changed = Buffer.from(text.replace(from, to), "latin1");
      assert.notDeepEqual(changed, data, String(from));
      assert.equal(changed.length, data.length);
      await assert.rejects(() => loadVocab(changed), (error) => error instanceof WordsplitError && error.message.includes(place));
    }
  });
});
