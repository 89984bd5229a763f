/** Small vocab files: every byte, the merge of "a" and "b", and the special token <|end|>. */

const END = "<|end|>";
const TEMPLATE = "{{ messages[0].content + '<|end|>' }}";

/** The printable characters that stand for the bytes in the byte-level alphabet. */
const ALPHABET = (() => {
  const printable = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(printable(byte) ? byte : next++));
})();
const TOKENS = [...ALPHABET, "ab"];

export function tokenizerJson() {
  const flags = { special: true, lstrip: false, rstrip: false, single_word: false, normalized: false };
  return JSON.stringify({
    added_tokens: [{ id: TOKENS.length, content: END, ...flags }],
    pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true },
    decoder: { type: "ByteLevel", add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: { type: "BPE", vocab: Object.fromEntries(TOKENS.map((token, id) => [token, id])), merges: [["a", "b"]] },
  });
}

const [UINT32, STRING, ARRAY] = [4, 8, 9];

export function gguf() {
  const parts = [];
  const u32 = (value) => parts.push(new Uint8Array(Uint32Array.of(value).buffer));
  const u64 = (value) => parts.push(new Uint8Array(BigUint64Array.of(BigInt(value)).buffer));
  const string = (text) => {
    const data = Buffer.from(text);
    u64(data.length);
    parts.push(data);
  };
  const write = { [UINT32]: u32, [STRING]: string, int32: u32 };
  const entry = (key, type, value) => {
    string(key);
    u32(type);
    write[type](value);
  };
  const list = (key, type, values) => {
    string(key);
    u32(ARRAY);
    u32(type === "int32" ? 5 : type);
    u64(values.length);
    values.forEach(write[type]);
  };
  parts.push(Buffer.from("GGUF"));
  u32(3);
  u64(0); // tensors
  u64(7);
  entry("general.architecture", STRING, "gpt2");
  entry("tokenizer.ggml.model", STRING, "gpt2");
  entry("tokenizer.ggml.pre", STRING, "gpt-2");
  list("tokenizer.ggml.tokens", STRING, [...TOKENS, END]);
  list("tokenizer.ggml.token_type", "int32", [...TOKENS.map(() => 1), 3]);
  list("tokenizer.ggml.merges", STRING, ["a b"]);
  entry("tokenizer.chat_template", STRING, TEMPLATE);
  return Buffer.concat(parts);
}

/** A tokenizer.json with BERT's rules. */
export function wordPieceJson() {
  const tokens = ["[UNK]", "un", "do", "e", "!", "##do"];
  return JSON.stringify({
    normalizer: { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
    pre_tokenizer: { type: "BertPreTokenizer" },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
    },
  });
}
