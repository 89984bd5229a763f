/**
 * The libraries that are compared: each loads a vocab and returns its encode function. In Node and in a browser alike,
 * `read(url)` returns the bytes of a file, and `json(vocab)` a tokenizer.json.
 */

const OPENAI = ["cl100k_base", "o200k_base"];

export const LIBRARIES = {
  wordsplit: {
    vocabs: [...OPENAI, "qwen3"],
    async load(vocab) {
      const { load } = await import("wordsplit");
      const tok = await load(vocab);
      return (text) => tok.encode(text, TEXT);
    },
  },
  hypertok: {
    vocabs: OPENAI,
    async load(vocab, { read }) {
      const { fromBytes } = await import("hypertok");
      const { vocabulary } = vocab === "o200k_base" ? await import("@hypertok/vocab-o200k") : await import("@hypertok/vocab-cl100k");
      const tok = await fromBytes(await read(vocabulary), { tier: "single" });
      return (text) => tok.encodeSync(text);
    },
  },
  "gpt-tokenizer": {
    vocabs: OPENAI,
    async load(vocab) {
      const { encode } = await import(`gpt-tokenizer/encoding/${vocab}`);
      const options = { disallowedSpecial: new Set() };
      return (text) => encode(text, options);
    },
  },
  "ai-tokenizer": {
    vocabs: OPENAI,
    async load(vocab) {
      const { Tokenizer } = await import("ai-tokenizer");
      const encoding = await import(`ai-tokenizer/encoding/${vocab}`);
      const tok = new Tokenizer(encoding);
      return (text) => tok.encode(text, [], []);
    },
  },
  tiktoken: {
    vocabs: OPENAI,
    async load(vocab) {
      const { get_encoding } = await import("tiktoken");
      const tok = get_encoding(vocab);
      return (text) => tok.encode_ordinary(text);
    },
  },
  "js-tiktoken": {
    vocabs: OPENAI,
    async load(vocab) {
      const { Tiktoken } = await import("js-tiktoken/lite");
      const ranks = (await import(`js-tiktoken/ranks/${vocab}`)).default;
      const tok = new Tiktoken(ranks);
      return (text) => tok.encode(text, [], []);
    },
  },
  "@huggingface/tokenizers": {
    vocabs: ["qwen3"],
    async load(vocab, { json }) {
      const { Tokenizer } = await import("@huggingface/tokenizers");
      const tok = new Tokenizer(await json(vocab), {});
      return (text) => tok.encode(text, { add_special_tokens: false }).ids;
    },
  },
  kitoken: {
    vocabs: ["qwen3"],
    async load(vocab, { json }) {
      const { Kitoken } = await import("kitoken");
      const tok = Kitoken.from_tokenizers(new TextEncoder().encode(JSON.stringify(await json(vocab))));
      return (text) => tok.encode(text, false);
    },
  },
};

const TEXT = { special: "text" };
