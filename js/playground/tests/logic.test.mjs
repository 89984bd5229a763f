/** What the page computes: rows, alignment, printable forms, merge trees, special tokens, links, programs. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load, loadVocab } from "wordsplit";
import { added, wordPieceJson } from "../../tests/vocabFiles.mjs";
import { pageModule } from "./support/modules.mjs";
import { TEXTS } from "./support/texts.mjs";

const { rowsOf, rowOf } = await pageModule("flow/rows.ts");
const { align, differences, idsOfBlock } = await pageModule("tokens/alignment.ts");
const { visible, shortened } = await pageModule("tokens/visible.ts");
const { textStats } = await pageModule("tokens/textStats.ts");
const { mergeTree } = await pageModule("explain/mergeTree.ts");
const { findLiterals, recognizedIn } = await pageModule("explain/literals.ts");
const { CHATML } = await pageModule("chat/chatml.ts");
const { pythonOf, pythonSnippet, javaScriptSnippet } = await pageModule("copy/snippets.ts");

const utf8 = new TextEncoder();

describe("rows", () => {
  const rows = (widths, breaks, available) => [
    ...rowsOf({ widths: Float32Array.from(widths), breaks: Uint8Array.from(breaks) }, 1, available),
  ];
  test("break where the next item does not fit", () => assert.deepEqual(rows([4, 4, 4], [0, 0, 0], 9), [0, 2, 3]));
  test("break behind line ends", () => assert.deepEqual(rows([1, 1, 1], [1, 0, 0], 9), [0, 1, 3]));
  test("an item that is too wide has a row of its own", () => assert.deepEqual(rows([1, 50, 1], [0, 0, 0], 9), [0, 1, 2, 3]));
  test("none", () => assert.deepEqual(rows([], [], 9), [0]));
  test("many, each found again", () => {
    const count = 100_000;
    const starts = rowsOf({ widths: new Float32Array(count).fill(3), breaks: new Uint8Array(count) }, 1, 11);
    for (const item of [0, 2, 3, 5000, count - 1]) {
      const row = rowOf(starts, item);
      assert.ok(starts[row] <= item && item < starts[row + 1]);
    }
  });
});

describe("alignment", () => {
  test("blocks cover both texts, and end where both vocabs have the end of a token", async () => {
    const toks = [await load("qwen3"), await load("o200k_base"), await load("r50k_base")];
    for (const text of TEXTS.slice(0, 400)) {
      const encoded = toks.map((tok) => tok.encodeWithOffsets(text));
      const blocks = align(encoded, text.length);
      assert.equal(blocks.ends.at(-1) ?? 0, text.length);
      encoded.forEach(({ ids, offsets }, v) => {
        assert.equal(blocks.idEnds[v].at(-1) ?? 0, ids.length);
        blocks.ends.forEach((end, block) => {
          const [from, to] = idsOfBlock(blocks.idEnds[v], block);
          assert.ok(to > from, JSON.stringify(text));
          const start = block ? blocks.ends[block - 1] : 0;
          for (let i = from; i < to; i++) assert.ok(offsets[2 * i] >= start && offsets[2 * i + 1] <= end, JSON.stringify(text));
        });
      });
    }
  });
  test("differences", async () => {
    const toks = [await load("qwen3"), await load("cl100k_base")];
    const text = "in 2024 🦜 too";
    const encoded = toks.map((tok) => tok.encodeWithOffsets(text));
    const blocks = align(encoded, text.length);
    const bytes = (tok, id) => Buffer.from(tok.tokenBytes(id)).toString("hex");
    const found = differences(blocks, encoded, (v, id, first) => bytes(toks[v], id) === bytes(toks[0], first));
    const parts = [...blocks.ends].map((end, i) => text.slice(i ? blocks.ends[i - 1] : 0, end));
    assert.deepEqual(parts.filter((_, i) => found[i]), ["202"]);
  });
});

test("printable forms are those of Python", () => {
  assert.equal(visible(utf8.encode(" né\n")), "␣né↵");
  assert.equal(visible(utf8.encode("🦜").subarray(0, 2)), "<F0 9F>");
  assert.equal(visible(utf8.encode("\u0000\u200b\u00a0e\u0301")), "<U+0000><U+200B><U+00A0>e\u0301");
  assert.equal(shortened("a".repeat(100), 11), "aaaaa…aaaaa");
});

test("sizes of texts", () => {
  for (const text of TEXTS) {
    const { characters, bytes, words } = textStats(text);
    assert.deepEqual([characters, bytes, words], [[...text].length, utf8.encode(text).length, text.match(/\S+/g)?.length ?? 0]);
  }
});

test("the tree of merges has the ids of the span", async () => {
  const tok = await load("qwen3");
  const [{ passes, ids }] = tok.explain("hello").spans;
  const nodes = mergeTree(passes);
  assert.deepEqual(nodes.at(-1), { ...nodes.at(-1), id: ids[0], from: 0, to: 5, height: 3, pass: 3, rank: 14734 });
  assert.equal(nodes.length, 9);
});

describe("special tokens", async () => {
  const qwen3 = await load("qwen3");
  const find = (text, special = "parse", elsewhere = () => [], tok = qwen3) => {
    const recognized = recognizedIn(tok.explain(text, { special }).spans, tok.encodeWithOffsets(text, { special }).offsets);
    return findLiterals(text, tok.addedTokens, special, recognized, elsewhere);
  };
  test("recognized", () => {
    const [found] = find("a<|im_end|>");
    assert.deepEqual([found.isRecognized, found.token.id, /a special token/.test(found.why)], [true, 151645, true]);
  });
  test("text by choice", () => {
    const [end, think] = find("<|im_end|><think>", "text");
    assert.match(end.why, /treated as text/);
    assert.equal(think.isRecognized, true); // added, not special
    assert.match(find("<think>", "no_added")[0].why, /all added tokens/);
  });
  test("almost", () => assert.match(find("<|IM_END|>")[0].why, /which has "<\|im_end\|>"/));
  test("of another vocab", () => assert.match(find("<|endofprompt|>", "parse", () => ["cl100k_base"])[0].why, /cl100k_base/));
  test("of none", () => assert.equal(find("<|nosuch|>")[0].why, "not a token of this vocab"));
  test("in normalized text", async () => {
    const flags = { special: false, normalized: true, rstrip: true };
    const vocab = { "[UNK]": 0, un: 1, do: 2, "##do": 3, "!": 4 };
    const added_tokens = [added("Zzyzx", 5, { ...flags, rstrip: false }), added("<M>", 6, { ...flags, normalized: false })];
    const tok = await loadVocab(wordPieceJson({ added_tokens }, { vocab }));
    const text = "un ZZYZX, Zzyzx <M>  do <m>";
    const found = find(text, "parse", () => [], tok).map((one) => [one.literal, one.isRecognized, one.token.id]);
    assert.deepEqual(found, [["ZZYZX", true, 5], ["Zzyzx", true, 5], ["<M>", true, 6]]);
    const ids = [...tok.encode(text)].filter((id) => id >= 5);
    assert.deepEqual(found.map(([, , id]) => id), ids);
    assert.deepEqual(find(text, "no_added", () => [], tok).map((one) => [one.literal, one.isRecognized]), [
      ["Zzyzx", false],
      ["<M>", false],
    ]);
  });
  test("nothing to say of other brackets", () => assert.deepEqual(find("<body> [x]"), []));
});

describe("programs", () => {
  const state = {
    text: 'a "b"\n',
    special: "text",
    encoder: "auto",
    view: "tokens",
    chat: { messages: [{ role: "user", content: "Hi" }], addGenerationPrompt: true, tools: "[]", variables: '{"x": null}' },
  };
  const vocab = (more) => ({ name: "qwen3", isFile: false, pattern: "", encoder: "auto", chatTemplate: "{{ x }}", ...more });
  const file = { name: "my #1.tiktoken", isFile: true, pattern: "gpt2" };
  test("Python", () => {
    assert.match(pythonSnippet(state, vocab()), /load_tokenizer\("qwen3"\)\ntext = "a \\"b\\"\\n"\nids = tok.encode\(text, special="text"\)/);
  });
  test("Python, of a file", () => {
    const program = pythonSnippet(state, vocab({ ...file, encoder: "heap_merge" }));
    assert.ok(program.includes('load_tokenizer(wordsplit.load_vocab("my #1.tiktoken", pattern="gpt2"), encoder="heap_merge")'), program);
  });
  test("Python, of a chat", () => {
    const chat = { ...state, view: "chat" };
    assert.match(pythonSnippet(chat, vocab()), /apply_chat_template\(messages, tools=\[\], add_generation_prompt=True, x=None\)/);
    const ChatML = pythonSnippet(chat, vocab({ chatTemplate: undefined }));
    assert.ok(ChatML.includes(`template=${JSON.stringify(CHATML)}`), ChatML);
    const variables = '{"a-b": 1, "add_generation_prompt": false, "tools": null}';
    assert.match(pythonSnippet({ ...chat, chat: { ...chat.chat, variables } }, vocab()), /apply_chat_template\(messages, \*\*{"a-b": 1}\)/);
  });
  test("JavaScript", () => {
    assert.match(javaScriptSnippet(state, vocab()), /await load\("qwen3"\);[^]*special: "text"/);
    const program = javaScriptSnippet(state, vocab({ ...file, encoder: "heap_merge" }));
    assert.ok(program.includes('loadVocab(new URL("my%20%231.tiktoken", import.meta.url), { pattern: "gpt2", encoder: "heap_merge" })'), program);
  });
  test("values of JSON", () => assert.equal(pythonOf({ a: [true, false, null, 1.5] }), '{"a": [True, False, None, 1.5]}'));
});
