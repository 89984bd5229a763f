/** Vocab files: what is read, what is refused and how, and that no file does worse than that. */

import assert from "node:assert/strict";
import { File } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import {
  loadVocab,
  UnknownNameError,
  OptionsError,
  UnsupportedVocabError,
  VocabFormatError,
  WordsplitError,
} from "wordsplit";
import { parseVocab } from "../dist/formats/index.js";
import { pathOf, readJson, skip } from "./expected.mjs";
import {
  added,
  CHARACTERS,
  gguf,
  ggufOf,
  PIECES,
  sentencePiece,
  tiktoken,
  tokenizerJson,
  unigramJson,
  vocabTxt,
  vocabWith,
  WORDS,
  wordPieceJson,
} from "./vocabFiles.mjs";

const TEXT = "hello hell <|end|> \u00e9";
const text = (bytes) => new TextDecoder().decode(bytes);
const bytes = (string) => new TextEncoder().encode(string);

describe("what is read", () => {
  test("a compiled vocab of a pattern takes another one", { skip }, async () => {
    const file = readFileSync(pathOf("qwen3.ws"));
    const other = await loadVocab(file, { pattern: "cl100k" });
    assert.deepEqual(other.spans("12345"), ["123", "45"]);
    assert.equal((await loadVocab(file)).spans("12345").length, 5);
    assert.equal(other.scheme, "cl100k");
    await assert.rejects(loadVocab(file, { pattern: "x" }), UnknownNameError);
    await assert.rejects(loadVocab(file, { pattern: "x+" }), UnsupportedVocabError);
    const { compiled } = readJson("pairs.json").find((row) => row.compiled && row.json.includes("WordLevel")) ?? {};
    if (compiled) await assert.rejects(loadVocab(Buffer.from(compiled, "base64"), { pattern: "cl100k" }), UnsupportedVocabError);
  });

  test("the three formats give the same ids", async () => {
    const files = { "a/b/tokenizer.json": tokenizerJson(), "a/b/x.tiktoken": tiktoken(), "a/b/x.gguf": gguf() };
    for (const [path, data] of Object.entries(files)) {
      const vocab = parseVocab({ bytes: data, path, ...(path.endsWith("tiktoken") ? { pattern: "gpt2" } : {}) });
      assert.equal(vocab.name, path.endsWith("json") ? "b" : "x");
      assert.equal(vocab.tokens.ids.length, 260);
      const options = path.endsWith("tiktoken") ? { pattern: "gpt2" } : {};
      const tok = await loadVocab(data, options);
      assert.deepEqual(
        [...tok.encode("hello hell")],
        [259, 220, 258].map((id) => (id === 220 ? 32 : id)),
        path,
      );
      assert.equal(tok.scheme, "gpt2");
    }
  });

  test("a compiled vocab is refused if it is cut short or of another version", () => {
    const header = Buffer.alloc(200);
    header.write("wsvocab\n");
    header.writeUInt32LE(2, 8);
    header.writeBigUInt64LE(7n, 16);
    assert.throws(() => parseVocab({ bytes: new Uint8Array(header) }), UnsupportedVocabError);
    assert.throws(() => parseVocab({ bytes: new Uint8Array(header.subarray(0, 20)) }), VocabFormatError);
  });

  test("rules of a tokenizer.json", () => {
    const vocab = parseVocab({
      bytes: tokenizerJson({
        normalizer: { type: "Sequence", normalizers: [{ type: "NFC" }] },
        pre_tokenizer: {
          type: "Sequence",
          pretokenizers: [
            { type: "Split", pattern: { Regex: "\\p{N}" }, behavior: "Isolated", invert: false },
            { type: "ByteLevel", add_prefix_space: false, use_regex: true },
          ],
        },
        post_processor: {
          type: "TemplateProcessing",
          single: [{ SpecialToken: { id: "<|end|>" } }, { Sequence: { id: "A" } }, { SpecialToken: { id: "<|end|>" } }],
          special_tokens: { "<|end|>": { ids: [260] } },
        },
        added_tokens: [added("<|end|>", 260), added("b9", 262, { special: false, lstrip: true })],
      }),
    });
    assert.equal(vocab.nfc, true);
    assert.deepEqual(vocab.patterns.length, 2);
    assert.deepEqual([vocab.prefix, vocab.suffix], [[260], [260]]);
    assert.deepEqual(
      vocab.added.map((token) => token.id),
      [260, 261], // `tokenizers` leaves no gap
    );
    assert.deepEqual([vocab.added[1].lstrip, vocab.added[1].special], [true, false]);
  });

  test("added tokens are numbered from the size of the vocab on, in the order of the file", () => {
    const { added: found } = parseVocab({
      bytes: tokenizerJson({ added_tokens: [added("<x>", 270), added("", 265), added("hell", 258), added("<y>", 262)] }),
    });
    assert.deepEqual(
      found.map(({ content, id }) => [content, id]),
      [
        ["hell", 258],
        ["<x>", 260],
        ["<y>", 261],
      ],
    );
  });

  test("a base token that is also an added token stays if a merge makes it", () => {
    const model = { vocab: vocabWith({ "<|end|>": 260 }) };
    assert.equal(parseVocab({ bytes: tokenizerJson({}, model) }).tokens.ids.length, 260);
    const kept = tokenizerJson({ added_tokens: [added("hell", 258)] });
    assert.equal(parseVocab({ bytes: kept }).tokens.ids.length, 260);
  });

  test("tokens outside the byte-level alphabet are unreachable", () => {
    const { tokens, unreachable } = parseVocab({ bytes: tokenizerJson({}, { vocab: vocabWith({ 你: 270 }) }) });
    assert.deepEqual([...unreachable], [270]);
    assert.equal(text(tokens.blob.subarray(tokens.ends.at(-2))), "你");
  });

  test("the patterns of cl100k in its spelling for tokenizers", () => {
    const spelled =
      "'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++|(?>\\p{N}{1,3})| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*+" +
      "|\\s++$|\\s*[\\r\\n]|\\s+(?!\\S)|\\s";
    const parts = [
      { type: "Split", pattern: { Regex: spelled }, behavior: "Isolated", invert: false },
      { type: "ByteLevel", add_prefix_space: false, use_regex: false },
    ];
    const { dialect } = parseVocab({
      bytes: tokenizerJson({ pre_tokenizer: { type: "Sequence", pretokenizers: parts } }),
    });
    assert.equal(dialect, "tiktoken");
  });

  test("ranks in any order, with holes and either line end", () => {
    const shuffled = tiktoken((lines) => [...lines.reverse(), "aGVsbG9oZQ== 999\r"]);
    const { tokens, merges } = parseVocab({ bytes: shuffled, pattern: "gpt2" });
    assert.equal(merges, undefined);
    assert.deepEqual([...tokens.ids.slice(-2)], [259, 999]);
    assert.equal(text(tokens.blob.subarray(tokens.ends.at(-2))), "hellohe");
  });

  test("a .tiktoken file of a known name has its pattern and special tokens", () => {
    const data = tiktoken();
    const vocab = parseVocab({ bytes: data, path: "https://example.org/cl100k_base.tiktoken" });
    assert.equal(vocab.dialect, "tiktoken");
    assert.equal(vocab.eosTokenId, 100257);
    assert.equal(parseVocab({ bytes: data, name: "cl100k_base" }).added.length, vocab.added.length);
  });

  test("ids and templates of a GGUF file", () => {
    const vocab = parseVocab({ bytes: gguf({ "tokenizer.ggml.add_eos_token": ["bool", true] }) });
    assert.deepEqual([vocab.suffix, vocab.eosTokenId, vocab.chatTemplate], [[260], 260, "{{ messages }}"]);
    assert.deepEqual(
      vocab.added.map((token) => token.content),
      ["<|end|>"],
    );
    const other = parseVocab({ bytes: gguf({ "tokenizer.ggml.pre": ["string", "own"] }), pre: "llama-bpe" });
    assert.equal(other.ignoreMerges, true);
  });

  test("tokens of a GGUF file that are known by their text", () => {
    const special = (texts, more = {}) => {
      const tokens = ["array", "string", [...CHARACTERS, ...WORDS, "<|end|>", ...texts]];
      const changes = { "tokenizer.ggml.tokens": tokens, "tokenizer.ggml.token_type": undefined, ...more };
      const { added } = parseVocab({ bytes: gguf(changes) });
      return added.map((token) => [token.content, token.special]);
    };
    assert.deepEqual(special(["<|im_end|>", "<|start|>", "plain"]), [
      ["<|end|>", true],
      ["<|im_end|>", true],
      ["<|start|>", false],
    ]);
    assert.deepEqual(special(["<PRE>", "<fim_prefix>", "<SUF>"], { "tokenizer.ggml.suffix_token_id": ["uint32", 0] }), [
      ["<|end|>", true],
      ["<PRE>", true],
    ]);
    assert.deepEqual(special(["</s>", "<|tool_response>"]), [
      ["<|end|>", true],
      ["<|tool_response>", true],
    ]);
  });
});

/** Files of models of characters: their model, a text and its ids, with those around it. */
const OF_CHARACTERS = [
  ["vocab.txt", vocabTxt(), "WordPiece", "Undo IT! x", [2, 4, 5, 7, 8, 1, 3]],
  ["bert.gguf", ggufOf("bert"), "WordPiece", "Undo IT! x", [2, 4, 5, 6, 7, 1, 3]],
  ["llama.gguf", ggufOf("llama"), "CharacterBPE", "ab</s>a\u00e9", [1, 264, 2, 262, 3 + 0xc3, 3 + 0xa9]],
  ["t5.gguf", ggufOf("t5"), "Unigram", "a b\u00e9", [4, 3, 5, 2, 1]],
  ["bpe.model", sentencePiece(), "CharacterBPE", " ab  a<s>\u00e9b", [8, 6, 0, 5]],
  ["unigram.model", sentencePiece({ type: 1 }), "Unigram", "ab  a ", [8, 3, 4]],
  ["char.model", sentencePiece({ type: 4 }), "CharacterBPE", "ab", [3, 4, 5]],
];

describe("models of characters", () => {
  for (const [name, data, model, text, ids] of OF_CHARACTERS) {
    test(name, async () => {
      const tok = await loadVocab(new File([data], name));
      assert.deepEqual([tok.model, [...tok.encode(text)], tok.scheme], [model, ids, undefined]);
      assert.equal(tok.name, name === "vocab.txt" ? "vocab" : name.split(".")[0]);
      const asBuffer = await loadVocab(Buffer.from(data), name === "vocab.txt" ? { format: "vocab_txt" } : {});
      assert.deepEqual([...asBuffer.encode(text)], ids);
    });

    test(`${name} with another pattern`, () => {
      const isRefusal = (error) => error instanceof UnsupportedVocabError && error.field === "pattern";
      assert.throws(() => parseVocab({ bytes: data, path: name, pattern: "gpt2" }), isRefusal);
    });
  }

  test("lines of a vocab.txt", () => {
    const lines = ["[UNK]", "[CLS]", "[SEP]", "a \t\x1c\x85", "b\ufeff ", "", "a", "c\r"];
    const vocab = parseVocab({ bytes: vocabTxt([...lines, "", ""]), path: "models/bert/vocab.txt" });
    assert.equal(vocab.name, "bert");
    assert.deepEqual([...vocab.tokens.ids], [0, 1, 2, 4, 6, 7]);
    assert.equal(text(vocab.tokens.blob), "[UNK][CLS][SEP]b\ufeffac");
    assert.deepEqual([vocab.prefix, vocab.suffix, vocab.padTokenId, vocab.unkTokenId], [[1], [2], undefined, 0]);
  });

  test("a map of characters", async () => {
    const tok = await loadVocab(withMap(mapOf(0, "b\0")));
    assert.deepEqual([...tok.encode("a")], [3, 5]);
  });

  test("roles of GGUF files", () => {
    const { prefix, suffix, eosTokenId, bosTokenId } = parseVocab({
      bytes: ggufOf("llama", {
        "tokenizer.ggml.add_bos_token": ["bool", false],
        "tokenizer.ggml.add_eos_token": ["bool", true],
        "tokenizer.ggml.eos_token_id": ["uint32", 1],
      }),
    });
    assert.deepEqual([prefix, suffix, eosTokenId, bosTokenId], [[], [1], 1, 1]);
    const other = ggufOf("llama", { "tokenizer.ggml.add_space_prefix": ["bool", false] });
    assert.equal(parseVocab({ bytes: other }).core.prepend, 0);
  });

  test("settings of SentencePiece files", async () => {
    const pieces = [...PIECES, ["<sep>", 0, 4], ["<pad>", 0, 3]];
    const asIs = [[4, 0], [3, 0]]; // spaces are neither joined nor put before a text
    const tok = await loadVocab(sentencePiece({ pieces, normalizer: asIs, trainer: [[44, "?"], [47, "<s>"]] }));
    assert.deepEqual([...tok.encode("ab  a<sep>b")], [7, 3, 6, 9, 5]);
    assert.deepEqual([tok.eosTokenId, tok.bosTokenId, tok.padTokenId], [1, 1, 10]);
    assert.equal(tok.decode([0, 1, 6]), "? a");
    assert.deepEqual([...tok.specialTokens], []);
  });

  test("pieces that look like the unknown one or a byte", async () => {
    const bytes = Array.from({ length: 256 }, (_, byte) => [`<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`, 0, 6]);
    const odd = ["\u2581<unk>", "\u2581<0x41>", "<0xab>"].map((piece) => [piece, -7, 1]);
    const tok = await loadVocab(sentencePiece({ type: 1, pieces: [...PIECES, ...odd, ...bytes], trainer: [[35, 1], [44, ""]] }));
    const texts = [[9, 0], [10], [11, 10], [0, 3, 10], [12 + 0x41, 10], [1, 3, 3, 6, 12 + 0xe2, 12 + 0x41]];
    const wanted = ["<unk>", "<0x41>", "<0xab> <0x41>", "<0x41>", "A <0x41>", "a\ufffdA"]; // those of `sentencepiece` 0.2.3
    assert.deepEqual(texts.map((ids) => tok.decode(ids)), wanted);
  });
});

const charsmap = (precompiled_charsmap) => ({ normalizer: { type: "Precompiled", precompiled_charsmap } });
/** A trie of 257 units of which one leads to itself by two bytes. */
const ENDLESS = (() => {
  const units = new Uint32Array(512);
  units[0] = 256 << 10;
  for (const byte of [0x61, 0x62]) units[256 ^ byte] = byte | (byte << 10);
  const data = Buffer.concat([Buffer.from(Uint32Array.of(4 * units.length).buffer), Buffer.from(units.buffer), Buffer.of(0)]);
  return data.toString("base64");
})();

/** A map of characters with one key, whose replacement begins somewhere. */
function mapOf(start, replacements) {
  const units = new Uint32Array(512);
  units[0] = 256 << 10;
  units[256 ^ 0x61] = 0x161 | ((0x61 ^ 0xff) << 10); // "a", whose value is at 256 ^ 0xff
  units[256 ^ 0xff] = 0x80000000 | start;
  return Buffer.concat([Buffer.from(Uint32Array.of(4 * units.length).buffer), Buffer.from(units.buffer), Buffer.from(replacements)]);
}

const withMap = (map) => sentencePiece({ normalizer: [[2, map]] });

/** A map of characters without keys. */
const MAP = [...Buffer.from(Uint32Array.of(4 * 512, ...Array(512).fill(0)).buffer), 0];

/** The defect, the error, and the place that it names. */
const REFUSED = [
  ["no JSON", bytes("{"), VocabFormatError, "$"],
  ["no UTF-8", Uint8Array.of(0x7b, 0xff), VocabFormatError, "$"],
  ["a list", bytes("[]"), UnsupportedVocabError, ""],
  ["no model", bytes("{}"), VocabFormatError, "$.model"],
  ["another model", tokenizerJson({}, { type: "Other" }), UnsupportedVocabError, "$.model.type"],
  ["a Unigram vocab of another form", tokenizerJson({}, { type: "Unigram" }), VocabFormatError, "$.model.vocab"],
  ["a score of text", unigramJson({}, { vocab: [["<unk>", "0"]] }), VocabFormatError, "$.model.vocab[0]"],
  ["an unknown unk_id", unigramJson({}, { unk_id: 9 }), VocabFormatError, "$.model.unk_id"],
  ["no unk_id", unigramJson({}, { unk_id: null }), UnsupportedVocabError, "$.model.unk_token"],
  ["no base64", unigramJson(charsmap("A")), VocabFormatError, "$.normalizer.precompiled_charsmap"],
  ["no trie", unigramJson(charsmap("/////w==")), VocabFormatError, "$.normalizer.precompiled_charsmap"],
  ["a trie without an end", unigramJson(charsmap(ENDLESS)), VocabFormatError, "$.normalizer.precompiled_charsmap"],
  ["a normalizer of words", unigramJson({ normalizer: { type: "NFKC" } }), UnsupportedVocabError, "$.pre_tokenizer"],
  ["dropout", tokenizerJson({}, { dropout: 0.1 }), UnsupportedVocabError, "$.model.dropout"],
  ["byte_fallback", tokenizerJson({}, { byte_fallback: true }), UnsupportedVocabError, "$.model.byte_fallback"],
  ["an id twice", tokenizerJson({}, { vocab: vocabWith({ x9: 5 }) }), VocabFormatError, "$.model.vocab.x9"],
  ["an id of text", tokenizerJson({}, { vocab: vocabWith({ x9: "5" }) }), VocabFormatError, "$.model.vocab.x9"],
  ["an id too large", tokenizerJson({}, { vocab: vocabWith({ x9: 1 << 24 }) }), VocabFormatError, "$.model.vocab.x9"],
  ["a merge of three", tokenizerJson({}, { merges: ["h e l"] }), VocabFormatError, "$.model.merges[0]"],
  ["an unknown merge", tokenizerJson({}, { merges: ["h e", "o o"] }), VocabFormatError, "$.model.merges[1]"],
  ["merges as text", tokenizerJson({}, { merges: "h e" }), VocabFormatError, "$.model.merges"],
  [
    "an unk_token",
    tokenizerJson({}, { unk_token: "?", vocab: { a: 0 }, merges: [] }),
    UnsupportedVocabError,
    "$.model.unk_token",
  ],
  ["a normalizer", tokenizerJson({ normalizer: { type: "Lowercase" } }), UnsupportedVocabError, "$.normalizer"],
  ["no pre-tokenizer", tokenizerJson({ pre_tokenizer: null }), UnsupportedVocabError, "$.pre_tokenizer"],
  ["Digits", tokenizerJson({ pre_tokenizer: { type: "Digits" } }), UnsupportedVocabError, "$.pre_tokenizer"],
  ["another decoder", tokenizerJson({ decoder: { type: "Nonsense" } }), UnsupportedVocabError, "$.decoder"],
  [
    "a content twice",
    tokenizerJson({ added_tokens: [added("a9", 270), added("a9", 271)] }),
    VocabFormatError,
    'added_tokens["a9"]',
  ],
  [
    "an added id twice",
    tokenizerJson({ added_tokens: [added("a9", 270), added("b9", 270)] }),
    VocabFormatError,
    "$.added_tokens",
  ],
  ["a contradiction", tokenizerJson({ added_tokens: [added("hell", 9)] }), VocabFormatError, "$.added_tokens[0].id"],
  ["another's id", tokenizerJson({ added_tokens: [added("hull", 258)] }), VocabFormatError, "$.added_tokens[0].id"],
  [
    "a lone surrogate",
    tokenizerJson({ added_tokens: [added("\ud800", 270)] }),
    VocabFormatError,
    "$.added_tokens[0].content",
  ],
  ["no pattern", tiktoken(), UnsupportedVocabError, "pattern"],
  ["a missing byte", tiktoken((lines) => lines.slice(1)), VocabFormatError, "line 260", "gpt2"],
  ["a rank twice", tiktoken((lines) => [...lines, "eHl6 3"]), VocabFormatError, "line 261", "gpt2"],
  ["a token twice", tiktoken((lines) => [...lines, "aGU= 300"]), VocabFormatError, "tokens", "gpt2"],
  ["no base64", tiktoken((lines) => [...lines, "a_U= 300"]), VocabFormatError, "line 261", "gpt2"],
  ["bits left over", tiktoken((lines) => [...lines, "aGV= 300"]), VocabFormatError, "line 261", "gpt2"],
  ["no rank", tiktoken((lines) => [...lines, "aGU="]), VocabFormatError, "line 261", "gpt2"],
  ["a rank too large", tiktoken((lines) => [...lines, "aGU= 16777216"]), VocabFormatError, "line 261", "gpt2"],
  ["version 1", gguf({}, 1), UnsupportedVocabError, "header, offset 8"],
  [
    "another model of GGUF",
    gguf({ "tokenizer.ggml.model": ["string", "rwkv"] }),
    UnsupportedVocabError,
    "tokenizer.ggml.model",
  ],
  ["an unknown name", gguf({ "tokenizer.ggml.pre": ["string", "own"] }), UnsupportedVocabError, "tokenizer.ggml.pre"],
  [
    "a name without a scanner",
    gguf({ "tokenizer.ggml.pre": ["string", "falcon"] }),
    UnsupportedVocabError,
    "tokenizer.ggml.pre",
  ],
  ["no tokens", gguf({ "tokenizer.ggml.tokens": undefined }), VocabFormatError, "tokenizer.ggml.tokens"],
  [
    "a token of GGUF twice",
    gguf({ "tokenizer.ggml.tokens": ["array", "string", ["a", "a"]] }),
    VocabFormatError,
    "tokenizer.ggml.tokens[1]",
  ],
  [
    "too few types",
    gguf({ "tokenizer.ggml.token_type": ["array", "int32", [1]] }),
    VocabFormatError,
    "tokenizer.ggml.token_type",
  ],
  [
    "a wrong type",
    gguf({ "tokenizer.ggml.merges": ["string", "h e"] }),
    VocabFormatError,
    /^tokenizer.ggml.merges, offset/,
  ],
  ["no types", ggufOf("bert", { "tokenizer.ggml.token_type": ["string", "1"] }), VocabFormatError, /^tokenizer.ggml.token_type, offset/],
  ["no scores", ggufOf("llama", { "tokenizer.ggml.scores": undefined }), VocabFormatError, "tokenizer.ggml.scores"],
  [
    "a score without an end",
    ggufOf("t5", { "tokenizer.ggml.scores": ["array", "float32", [0, 1, 2, Infinity, 4, 5]] }),
    VocabFormatError,
    "tokenizer.ggml.scores[3]",
  ],
  [
    "equal scores",
    ggufOf("llama", { "tokenizer.ggml.scores": ["array", "float32", Array(265).fill(0)] }),
    UnsupportedVocabError,
    "tokenizer.ggml.scores",
  ],
  [
    "no byte tokens",
    ggufOf("llama", {
      "tokenizer.ggml.tokens": ["array", "string", ["a"]],
      "tokenizer.ggml.token_type": undefined,
      "tokenizer.ggml.scores": undefined,
    }),
    UnsupportedVocabError,
    "tokenizer.ggml.tokens",
  ],
  [
    "a map that is none",
    ggufOf("t5", { "tokenizer.ggml.precompiled_charsmap": ["array", "uint8", [1, 2]] }),
    VocabFormatError,
    "tokenizer.ggml.precompiled_charsmap",
  ],
  ["spaces of a map", ggufOf("t5", { "tokenizer.ggml.precompiled_charsmap": ["array", "uint8", MAP] }), UnsupportedVocabError, "tokenizer.ggml.remove_extra_whitespaces"],
  ["a role outside", ggufOf("bert", { "tokenizer.ggml.cls_token_id": ["uint32", 99] }), VocabFormatError, "tokenizer.ggml.cls_token_id"],
  [
    "a merge twice",
    gguf({ "tokenizer.ggml.merges": ["array", "string", ["h e", "h e"]] }),
    VocabFormatError,
    "tokenizer.ggml.merges[1]",
  ],
  [
    "an id outside",
    gguf({ "tokenizer.ggml.eos_token_id": ["uint32", 261] }),
    VocabFormatError,
    "tokenizer.ggml.eos_token_id",
  ],
  [
    "no bos",
    gguf({ "tokenizer.ggml.add_bos_token": ["bool", true] }),
    VocabFormatError,
    "tokenizer.ggml.add_bos_token",
  ],
];

/** The same for formats that are named. */
const REFUSED_OF_FORMAT = [
  ["vocab_txt", "no UTF-8", Uint8Array.of(0xff), VocabFormatError, "file"],
  ["vocab_txt", "no [CLS]", vocabTxt(["[UNK]", "a"]), VocabFormatError, "tokens"],
  ["vocab_txt", "nothing", new Uint8Array(), VocabFormatError, "tokens"],
  ["sentencepiece", "nothing", new Uint8Array(), VocabFormatError, "pieces"],
  ["sentencepiece", "a cut", sentencePiece().slice(0, 20), VocabFormatError, ""],
  ["sentencepiece", "a field of another type", Uint8Array.of(0x08, 1), VocabFormatError, "pieces[0]"],
  ["sentencepiece", "an unknown type", Uint8Array.of(0x0b), VocabFormatError, ""],
  ["sentencepiece", "a number without an end", Uint8Array.of(...Array(11).fill(0xff)), VocabFormatError, ""],
  ["sentencepiece", "a score that is none", sentencePiece({ pieces: [["a", NaN, 1]] }), VocabFormatError, "pieces[0].score"],
  ["sentencepiece", "a type that is none", sentencePiece({ pieces: [["a", 0, 7]] }), VocabFormatError, "pieces[0].type"],
  ["sentencepiece", "no UTF-8", sentencePiece({ pieces: [[Buffer.of(0xff), 0, 1]] }), VocabFormatError, "pieces[0].piece"],
  ["sentencepiece", "a piece twice", sentencePiece({ pieces: [...PIECES, ["a", -9, 1]] }), VocabFormatError, "pieces[4]"],
  ["sentencepiece", "an empty piece", sentencePiece({ pieces: [...PIECES, ["", -9, 1]] }), VocabFormatError, "pieces[9]"],
  ["sentencepiece", "a byte", sentencePiece({ pieces: [...PIECES, ["<0x00>", 0, 6]] }), VocabFormatError, "pieces[9]"],
  ["sentencepiece", "few bytes", sentencePiece({ trainer: [[35, 1]] }), VocabFormatError, "pieces"],
  ["sentencepiece", "words, and spaces as they are", sentencePiece({ type: 3, normalizer: [[4, 0]] }), UnsupportedVocabError, "normalizer_spec"],
  ["sentencepiece", "another model", sentencePiece({ type: 5 }), VocabFormatError, "trainer_spec.model_type"],
  ["sentencepiece", "equal scores", sentencePiece({ pieces: PIECES.map(([piece, , type]) => [piece, 0, type]) }), UnsupportedVocabError, "pieces"],
  ["sentencepiece", "a strange character", sentencePiece({ pieces: [...PIECES, ["ax", -9, 1]] }), UnsupportedVocabError, "pieces[9]"],
  ["sentencepiece", "an unused piece", sentencePiece({ pieces: [...PIECES, ["ba", -9, 5]] }), UnsupportedVocabError, "pieces[9]"],
  ["sentencepiece", "a map that is none", sentencePiece({ normalizer: [[2, "abc"]] }), VocabFormatError, "normalizer_spec.precompiled_charsmap"],
  ["sentencepiece", "a replacement outside", withMap(mapOf(9, "b\0")), VocabFormatError, "normalizer_spec.precompiled_charsmap"],
  ["sentencepiece", "a replacement without an end", withMap(mapOf(0, "b".repeat(1 << 20))), VocabFormatError, "normalizer_spec.precompiled_charsmap"],
  ["sentencepiece", "a map for decoding", sentencePiece({ denormalizer: [[2, "abc"]] }), UnsupportedVocabError, "denormalizer_spec.precompiled_charsmap"],
  ["sentencepiece", "spaces after words", sentencePiece({ trainer: [[24, 1]] }), UnsupportedVocabError, "normalizer_spec"],
  ["sentencepiece", "spaces that stay", sentencePiece({ normalizer: [[5, 0]] }), UnsupportedVocabError, "normalizer_spec"],
];

describe("what is refused", () => {
  for (const [what, data, kind, field, pattern] of REFUSED) {
    test(what, () => {
      const path = "here/file";
      assert.throws(
        () => parseVocab({ bytes: data, path, pattern }),
        (error) => {
          assert.equal(error.constructor, kind, error.stack);
          assert.equal(error.file, path);
          if (field instanceof RegExp) assert.match(error.field, field);
          else assert.equal(error.field, field, error.message);
          assert.ok(error.message.startsWith(path) && error.message.length < 500, error.message);
          return true;
        },
      );
    });
  }

  for (const [format, what, data, kind, field] of REFUSED_OF_FORMAT) {
    test(`${format}: ${what}`, () => {
      const isExpected = (error) => error.constructor === kind && error.field === field && error.message.length < 500;
      assert.throws(() => parseVocab({ bytes: data }, format), (error) => isExpected(error) || assert.fail(error.stack));
    });
  }

  test("long pieces take no time", () => {
    const pieces = [...PIECES, ["a".repeat(1 << 20), -9, 1], ["b".repeat(1 << 20), -10, 1]];
    assert.equal(parseVocab({ bytes: sentencePiece({ pieces }) }).merges.length > 0, true);
  });

  test("rules for which there is no map", async () => {
    const data = wordPieceJson({ normalizer: { type: "NFD" } });
    await assert.rejects(() => loadVocab(data), (error) => error instanceof UnsupportedVocabError && error.field === "$.normalizer");
  });

  test("names", () => {
    assert.throws(() => parseVocab({ bytes: tiktoken(), pattern: "nothing" }), UnknownNameError);
    assert.throws(() => parseVocab({ bytes: tiktoken() }, "text"), OptionsError);
  });
});

/** Random changes of a file: bits, bytes, pieces that are cut out or doubled. */
function* mutations(data, count, seed) {
  let state = seed;
  const below = (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  for (let i = 0; i < count; ++i) {
    const at = below(4) === 0 ? below(Math.min(200, data.length)) : below(data.length);
    const end = Math.min(data.length, at + 1 + below(40));
    const kind = below(4);
    if (kind === 0) yield data.slice(0, at);
    else if (kind === 1) yield Uint8Array.of(...data.subarray(0, at), ...data.subarray(end));
    else if (kind === 2) yield Uint8Array.of(...data.subarray(0, end), ...data.subarray(at));
    else {
      const changed = data.slice();
      for (let n = 1 + below(3); n--;) changed[below(2) ? below(data.length) : at] = below(256);
      yield changed;
    }
  }
}

describe("damaged files give typed errors, and the module survives them", () => {
  const files = { tokenizer_json: [tokenizerJson()], tiktoken: [tiktoken(), "gpt2"], gguf: [gguf()] };
  for (const [format, [sound, pattern]] of Object.entries(files)) {
    test(format, async () => {
      let refused = 0;
      for (const data of mutations(sound, 400, 7)) {
        try {
          await loadVocab(data, { format, ...(pattern ? { pattern } : {}) });
        } catch (error) {
          assert.ok(error instanceof WordsplitError, error.stack);
          ++refused;
        }
      }
      assert.ok(refused > 100, `${refused} were refused`);
      const tok = await loadVocab(sound, { format, ...(pattern ? { pattern } : {}) });
      assert.equal(tok.encode(TEXT)[0], 259);
    });
  }

  for (const [name, sound, , text, ids] of OF_CHARACTERS) {
    test(name, async () => {
      const format = name.endsWith(".gguf") ? "gguf" : name.endsWith(".model") ? "sentencepiece" : "vocab_txt";
      let refused = 0;
      for (const data of mutations(sound, 150, 13)) {
        try {
          (await loadVocab(data, { format })).encode(TEXT);
        } catch (error) {
          assert.ok(error instanceof WordsplitError, error.stack);
          ++refused;
        }
      }
      assert.ok(refused > 30, `${refused} were refused`);
      assert.deepEqual([...(await loadVocab(sound, { format })).encode(text)], ids);
    });
  }

  for (const [model, sound, text, ids] of [
    ["Unigram", unigramJson(), "ab x", [2, 3, 1, 0]],
    ["WordPiece", wordPieceJson(), "Undo it!", [1, 3, 0, 4]],
  ]) {
    test(`tokenizer_json of a ${model} model`, async () => {
      let refused = 0;
      for (const data of mutations(sound, 150, 11)) {
        try {
          (await loadVocab(data, { format: "tokenizer_json" })).encode(TEXT);
        } catch (error) {
          assert.ok(error instanceof WordsplitError, error.stack);
          ++refused;
        }
      }
      assert.ok(refused > 50, `${refused} were refused`);
      const tok = await loadVocab(sound);
      assert.deepEqual([tok.model, [...tok.encode(text)]], [model, ids]);
    });
  }
});

test(
  "a damaged compiled vocab gives typed errors",
  { skip: existsSync(pathOf("qwen3.ws")) ? false : skip },
  async () => {
    const sound = new Uint8Array(readFileSync(pathOf("qwen3.ws")));
    for (const size of [0, 7, 8, 30, 40, 41, 300, 5000, sound.length - 1]) {
      await assert.rejects(loadVocab(sound.slice(0, size), { format: "ws" }), VocabFormatError);
    }
    for (let at = 0; at < sound.length; at += at < 400 ? 7 : 1_000_000) {
      const damaged = sound.slice();
      damaged[at] ^= 0x10;
      await assert.rejects(loadVocab(damaged, { format: "ws" }), (error) => error instanceof WordsplitError);
    }
    assert.deepEqual([...(await loadVocab(sound)).encode("hello world")], [14990, 1879]);
  },
);

describe(
  "published files",
  { skip: existsSync(new URL("../../../shared/vocabs", import.meta.url)) ? false : "../shared is not there" },
  () => {
    const shared = (path) => readFileSync(new URL(`../../../shared/vocabs/${path}`, import.meta.url));
    for (const [path, ids] of [
      ["qwen3/tokenizer.json", [14990, 1879]],
      ["openai/gpt2.tokenizer.json", [31373, 995]],
      ["openai/cl100k_base.tiktoken", [15339, 1917]],
      ["openai/o200k_base.tiktoken", [24912, 2375]],
      ["gguf/ggml-vocab-qwen2.gguf", [14990, 1879]],
      ["gguf/ggml-vocab-llama-bpe.gguf", [15339, 1917]],
    ]) {
      test(path, async () => {
        const name = path
          .split("/")
          .at(-1)
          .replace(/\.[a-z]+$/, "");
        const tok = await loadVocab(shared(path), { name });
        assert.deepEqual([...tok.encode("hello world")], ids);
      });
    }

    test("llama.cpp's own ids of a vocab of SentencePiece", async () => {
      const path = "gguf/ggml-vocab-llama-spm.gguf";
      const tok = await loadVocab(shared(path), { addBos: false });
      const texts = shared(`${path}.inp`).toString().split("\n__ggml_vocab_test__\n");
      const wanted = shared(`${path}.out`).toString().split("\n");
      texts.forEach((text, i) => {
        const ids = (wanted[i] ?? "").split(" ").filter(Boolean).map(Number);
        assert.deepEqual([...tok.encode(text)], ids, text);
        assert.equal(tok.decode(ids), text);
      });
      assert.ok(texts.length > 40);
    });
  },
);
