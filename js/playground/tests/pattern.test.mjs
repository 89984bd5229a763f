/** Branches of patterns: the translated pattern gives the spans of the vocab, each with a branch. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { listVocabs, load } from "wordsplit";
import { pageModule } from "./support/modules.mjs";
import { TEXTS } from "./support/texts.mjs";

const { alternatives, Pattern, translated } = await pageModule("explain/pattern.ts");
const { branchesOfSpans } = await pageModule("explain/branchesOfSpans.ts");
const { noteOn } = await pageModule("explain/branchNotes.ts");

for (const name of listVocabs()) {
  test(`every span of ${name} has its branch`, async () => {
    const tok = await load(name);
    const pattern = new Pattern(tok.patterns);
    for (const text of TEXTS) {
      const { spans } = tok.explain(text);
      const branches = branchesOfSpans(spans, pattern);
      spans.forEach(({ data, kind }, i) => {
        const shown = `${JSON.stringify(Buffer.from(data).toString())} of ${JSON.stringify(text)}`;
        assert.equal(branches[i] === undefined, kind === "added", shown);
      });
    }
  });

  test(`every branch of ${name} has a note`, async () => {
    const { branches } = new Pattern((await load(name)).patterns);
    for (const { source } of branches) assert.ok(noteOn(source), source);
  });
}

test("patterns are split at top-level bars", () => {
  assert.deepEqual(alternatives("a|b"), ["a", "b"]);
  assert.deepEqual(alternatives(String.raw`(a|b)[|]\||c`), [String.raw`(a|b)[|]\|`, "c"]);
  assert.deepEqual(alternatives("[a-z&&[^|]]|x"), ["[a-z&&[^|]]", "x"]);
});

for (const [source, text, expected] of [
  ["a++a", "aaa", null],
  ["a+a", "aaa", "aaa"],
  ["(?>a|ab)c", "abc", null],
  ["[^a]?+b", "b", null],
  ["a{1,2}+a", "aa", null],
  ["(?i:'s)", "'ſ", "'ſ"],
  ["(?i:k)", "\u212a", "\u212a"],
  [String.raw`\s`, "\u0085", "\u0085"],
  [String.raw`\s`, "\ufeff", null],
  [String.raw`[^\s\p{L}]`, "\ufeff", "\ufeff"],
  [String.raw`[\p{Han}]+`, "中文a", "中文"],
  [String.raw`[\p{Lu}\p{L}&&[^\p{Han}]]`, "中", null],
  [String.raw`[\p{Lu}\p{L}&&[^\p{Han}]]`, "é", "é"],
  [String.raw`[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_` + "`{|}~][A-Za-z]+", "-ab", "-ab"],
  ["[一-龥\u0800-\u4e00]+", "中", "中"],
  ["a(?!b)(?=c)", "ac", "a"],
  ["\\x41\\u{1F99C}", "A🦜", "A🦜"],
]) {
  test(`${source} on ${JSON.stringify(text)}`, () => {
    assert.equal(new RegExp(translated(source), "vy").exec(text)?.[0] ?? null, expected);
  });
}

test("what cannot be translated is refused", () => {
  for (const source of ["(a", "a)", "[a", "\\", "\\Ga"]) assert.throws(() => new Pattern([source]), SyntaxError, source);
});

test("several steps", () => {
  const pattern = new Pattern(["[0-9]{1,3}", "[a-z]+| "]);
  assert.deepEqual(
    pattern.split("ab1234 c").map(({ start, end, branch }) => [start, end, branch?.source]),
    [[0, 2, "[a-z]+"], [2, 5, "[0-9]{1,3}"], [5, 6, "[0-9]{1,3}"], [6, 7, " "], [7, 8, "[a-z]+"]],
  );
});

