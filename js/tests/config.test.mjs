/** The files beside a tokenizer.json, as the Python package reads them: tokenizer_config.json and chat_template.jinja. */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { loadVocab } from "wordsplit";
import { added, tokenizerJson, vocabTxt } from "./vocabFiles.mjs";

const LENGTHS = { strategy: "BatchLongest", direction: "Right", pad_to_multiple_of: null, pad_id: 262, pad_type_id: 0, pad_token: "<pad>" };
const TOKENS = [added("<s>", 260), added("</s>", 261), added("<pad>", 262), added("<x>", 263)];
const json = (changes = {}) => tokenizerJson({ added_tokens: TOKENS, ...changes });
const bytes = (config) => new TextEncoder().encode(typeof config === "string" ? config : JSON.stringify(config));
const factsOf = ({ bosTokenId, eosTokenId, padTokenId, unkTokenId, chatTemplate }) => [bosTokenId, eosTokenId, padTokenId, unkTokenId, chatTemplate];
const factsWith = async (config, changes) => factsOf(await loadVocab(json(changes), { config: bytes(config) }));

test("roles of added tokens", async () => {
  const all = { bos_token: "<s>", eos_token: { content: "</s>" }, pad_token: "<pad>", unk_token: "<x>" };
  assert.deepEqual(await factsWith(all), [260, 261, 262, 263, undefined]);
  const none = [undefined, undefined, undefined, undefined, undefined];
  for (const config of [{}, { bos_token: null, eos_token: 5, pad_token: "absent", unk_token: ["<x>"] }, { bos_token: { content: 1 } }]) {
    assert.deepEqual(await factsWith(config), none);
  }
  assert.deepEqual(factsOf(await loadVocab(json())), none);
});

test("the padding that the file saves names the token if the configuration does not", async () => {
  const changes = { padding: LENGTHS };
  assert.equal((await factsWith({}, changes))[2], 262);
  assert.equal((await factsWith({ pad_token: "<x>" }, changes))[2], 263);
});

test("the chat template, or the default one of several", async () => {
  const named = (name) => ({ name, template: `{{ ${name} }}` });
  assert.equal((await factsWith({ chat_template: "{{ a }}" }))[4], "{{ a }}");
  assert.equal((await factsWith({ chat_template: [named("tool"), named("default")] }))[4], "{{ default }}");
  assert.equal((await factsWith({ chat_template: [named("tool")] }))[4], undefined);
});

test("options may put the tokens around texts", async () => {
  const tok = await loadVocab(json(), { config: bytes({ bos_token: "<s>", eos_token: "</s>" }), addBos: true, addEos: true });
  assert.deepEqual([...tok.encode("")], [260, 261]);
});

test("a damaged configuration is an error that names it", async () => {
  for (const config of ["{", "[]", "\xff"]) {
    await assert.rejects(loadVocab(json(), { config: bytes(config) }), { name: "VocabFormatError", file: "tokenizer_config.json" });
  }
});

test("in Node, the files beside the vocab are read, unless a configuration is given", async () => {
  const folder = mkdtempSync(join(tmpdir(), "beside "));
  const write = (name, content) => writeFileSync(join(folder, name), content);
  try {
    write("tokenizer.json", json());
    write("vocab.txt", vocabTxt());
    write("tokenizer_config.json", JSON.stringify({ eos_token: "</s>", chat_template: "of the configuration" }));
    const path = join(folder, "tokenizer.json");
    assert.deepEqual(factsOf(await loadVocab(path)), [undefined, 261, undefined, undefined, "of the configuration"]);
    write("chat_template.jinja", "\ufeffof the file");
    assert.equal((await loadVocab(path)).chatTemplate, "\ufeffof the file");
    assert.equal((await loadVocab(join(folder, "vocab.txt"))).chatTemplate, "\ufeffof the file");
    assert.deepEqual(factsOf(await loadVocab(path, { config: bytes({}) })), factsOf(await loadVocab(readFileSync(path))));
    rmSync(join(folder, "tokenizer_config.json"));
    assert.deepEqual(factsOf(await loadVocab(path)), [undefined, undefined, undefined, undefined, "\ufeffof the file"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
