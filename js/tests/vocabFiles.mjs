/** Small vocab files for tests: byte-level BPE with the 256 bytes, "he", "ll", "hell" and "hello". */

export const CHARACTERS = alphabet();
export const WORDS = ["he", "ll", "hell", "hello"];
const MERGES = ["h e", "l l", "he ll", "hell o"];
const encoder = new TextEncoder();

function alphabet() {
  const isPrintable = (byte) => (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  let spare = 0x100;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isPrintable(byte) ? byte : spare++));
}

/** A tokenizer.json, with changes to the document and to its model. */
export function tokenizerJson(changes = {}, model = {}) {
  const names = [...CHARACTERS, ...WORDS];
  const document = {
    version: "1.0",
    added_tokens: [added("<|end|>", 260)],
    normalizer: null,
    pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, use_regex: true },
    post_processor: null,
    decoder: { type: "ByteLevel" },
    ...changes,
    model: {
      type: "BPE",
      vocab: Object.fromEntries(names.map((name, id) => [name, id])),
      merges: MERGES,
      ...model,
    },
  };
  return encoder.encode(JSON.stringify(document));
}

/** A tokenizer.json of a Unigram model, with changes to it and to its model. */
export function unigramJson(changes = {}, model = {}) {
  const vocab = [["<unk>", 0], ["\u2581", -2.5], ["\u2581a", -3.25], ["b", -4.125]];
  return encoder.encode(
    JSON.stringify({
      pre_tokenizer: { type: "Metaspace", replacement: "\u2581", prepend_scheme: "always", split: true },
      decoder: { type: "Metaspace", replacement: "\u2581", prepend_scheme: "always", split: true },
      ...changes,
      model: { type: "Unigram", unk_id: 0, vocab, byte_fallback: false, ...model },
    }),
  );
}

/** One of a WordPiece model with BERT's rules. */
export function wordPieceJson(changes = {}, model = {}) {
  const flags = { clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true };
  const vocab = Object.fromEntries(["[UNK]", "un", "do", "##do", "!"].map((token, id) => [token, id]));
  return encoder.encode(
    JSON.stringify({
      normalizer: { type: "BertNormalizer", ...flags },
      pre_tokenizer: { type: "BertPreTokenizer" },
      decoder: { type: "WordPiece", prefix: "##", cleanup: true },
      ...changes,
      model: { type: "WordPiece", unk_token: "[UNK]", max_input_chars_per_word: 100, vocab, ...model },
    }),
  );
}

/** A vocab.txt of these lines. */
export function vocabTxt(lines = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##do", "", "it", "!"]) {
  return encoder.encode(lines.join("\n"));
}

export function added(content, id, flags = {}) {
  return { content, id, special: true, lstrip: false, rstrip: false, single_word: false, normalized: false, ...flags };
}

/** The ids of the base tokens by their names, with others. */
export function vocabWith(others) {
  return { ...Object.fromEntries([...CHARACTERS, ...WORDS].map((name, id) => [name, id])), ...others };
}

/** A .tiktoken file of these lines, by default those of the vocab. */
export function tiktoken(change = (lines) => lines) {
  const tokens = [
    ...Array.from({ length: 256 }, (_, byte) => Buffer.of(byte)),
    ...WORDS.map((word) => Buffer.from(word)),
  ];
  return encoder.encode(change(tokens.map((token, rank) => `${token.toString("base64")} ${rank}`)).join("\n") + "\n");
}

const TYPES = { uint8: 0, uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9, uint64: 10 };

/** A GGUF file with changes to its keys: name -> [type, value] or ["array", type of the items, items]; or undefined. */
export function gguf(changes = {}, version = 3) {
  const keys = {
    "general.architecture": ["string", "gpt2"],
    "general.numbers": ["array", "uint64", [1, 2]],
    "tokenizer.ggml.model": ["string", "gpt2"],
    "tokenizer.ggml.pre": ["string", "gpt-2"],
    "tokenizer.ggml.tokens": ["array", "string", [...CHARACTERS, ...WORDS, "<|end|>"]],
    "tokenizer.ggml.token_type": ["array", "int32", [...Array(260).fill(1), 3]],
    "tokenizer.ggml.merges": ["array", "string", MERGES],
    "tokenizer.ggml.eos_token_id": ["uint32", 260],
    "tokenizer.ggml.add_bos_token": ["bool", false],
    "tokenizer.chat_template": ["string", "{{ messages }}"],
    ...changes,
  };
  const entries = Object.entries(keys).filter(([, value]) => value !== undefined);
  const parts = [Buffer.from("GGUF"), word(version), long(0), long(entries.length)];
  for (const [key, [type, ...value]] of entries) parts.push(string(key), word(TYPES[type]), packed(type, ...value));
  return new Uint8Array(Buffer.concat(parts));
}

const BYTE_TOKENS = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);

/** Tokens, types and scores of a kind of GGUF file. */
const KINDS = {
  llama: [
    ["<unk>", "<s>", "</s>", ...BYTE_TOKENS, "\u2581", "a", "b", "\u2581a", "ab", "\u2581ab"],
    [2, 3, 3, ...BYTE_TOKENS.map(() => 6), 1, 1, 1, 1, 1, 1],
  ],
  bert: [
    ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "\u2581un", "do", "\u2581it", "\u2581!"],
    [3, 3, 3, 3, 1, 1, 1, 1],
  ],
  t5: [
    ["<pad>", "</s>", "<unk>", "\u2581", "\u2581a", "b"],
    [3, 3, 2, 1, 1, 1],
  ],
};

/** A GGUF file of a kind whose tokens are text, with changes to its keys. */
export function ggufOf(kind, changes = {}) {
  const [tokens, types] = KINDS[kind];
  const roles = { unknown: 1, cls: 2, seperator: 3, padding: 0 };
  const named = Object.entries(kind === "bert" ? roles : {});
  return gguf({
    "tokenizer.ggml.model": ["string", kind],
    "tokenizer.ggml.tokens": ["array", "string", tokens],
    "tokenizer.ggml.token_type": ["array", "int32", types],
    "tokenizer.ggml.scores": ["array", "float32", tokens.map((_, id) => -id)],
    "tokenizer.ggml.merges": undefined,
    "tokenizer.ggml.eos_token_id": undefined,
    "tokenizer.ggml.add_bos_token": undefined,
    ...Object.fromEntries(named.map(([role, id]) => [`tokenizer.ggml.${role}_token_id`, ["uint32", id]])),
    ...changes,
  });
}

/** The pieces of a small model of SentencePiece: text, score and type. */
export const PIECES = [
  ["<unk>", 0, 2],
  ["<s>", 0, 3],
  ["</s>", 0, 3],
  ["\u2581", -1, 1],
  ["a", -2, 1],
  ["b", -3, 1],
  ["\u2581a", -4, 1],
  ["ab", -5, 1],
  ["\u2581ab", -6, 1],
];

/** A SentencePiece file: its pieces, and lists of [number, value] for its settings. */
export function sentencePiece({ pieces = PIECES, type = 2, trainer = [], normalizer = [], denormalizer = [] } = {}) {
  const each = pieces.map(([text, score, kind]) => field(1, message([[1, text], [2, Buffer.from(Float32Array.of(score).buffer)], [3, kind]])));
  const settings = [[2, message([[3, type], ...trainer])], [3, message(normalizer)], [5, message(denormalizer)]];
  return new Uint8Array(Buffer.concat([...each, ...settings.map(([number, body]) => field(number, body))]));
}

function message(fields) {
  return Buffer.concat(fields.map(([number, value]) => (Buffer.isBuffer(value) && value.length === 4 ? fixed(number, value) : field(number, value))));
}

function fixed(number, value) {
  return Buffer.concat([varint(number * 8 + 5), value]);
}

function field(number, value) {
  if (typeof value === "number") return Buffer.concat([varint(number * 8), varint(value)]);
  const body = Buffer.from(value);
  return Buffer.concat([varint(number * 8 + 2), varint(body.length), body]);
}

function varint(value) {
  const out = [];
  for (; value > 0x7f; value = Math.floor(value / 128)) out.push((value & 0x7f) | 0x80);
  return Buffer.of(...out, value);
}

function packed(type, value, items) {
  if (type === "array") {
    return Buffer.concat([word(TYPES[value]), long(items.length), ...items.map((item) => packed(value, item))]);
  }
  if (type === "string") return string(value);
  if (type === "uint64") return long(value);
  const out = Buffer.alloc(type === "bool" || type === "uint8" ? 1 : 4);
  if (type === "float32") out.writeFloatLE(value);
  else if (type === "int32") out.writeInt32LE(value);
  else out.writeUIntLE(Number(value), 0, out.length);
  return out;
}

function string(text) {
  const bytes = Buffer.from(text);
  return Buffer.concat([long(bytes.length), bytes]);
}

function word(value) {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value);
  return out;
}

function long(value) {
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt(value));
  return out;
}
