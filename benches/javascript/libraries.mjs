/**
 * The libraries that are compared: each loads a vocab and returns its encode function. In Node and in a browser alike,
 * `read(url)` returns the bytes of a file, and `json()` the bytes of the vocab's tokenizer.json. A library without `vocabs`
 * loads any; a vocab that is not known by name comes as a tokenizer.json.
 */

const OPENAI = ["cl100k_base", "o200k_base"];
const BUNDLED = [...OPENAI, "qwen3"];

export const LIBRARIES = {
  wordsplit: {
    async load(vocab, { json }) {
      const { load, loadVocab } = await import("wordsplit");
      if (BUNDLED.includes(vocab)) {
        const tok = await load(vocab);
        return (text) => tok.encode(text, TEXT);
      }
      const tok = await loadVocab(await json(), { addBos: false, addEos: false });
      return (text) => tok.encode(text);
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
    except: OPENAI,
    async load(vocab, { json }) {
      const { Tokenizer } = await import("@huggingface/tokenizers");
      const tok = new Tokenizer(JSON.parse(new TextDecoder().decode(await json())), {});
      return (text) => tok.encode(text, { add_special_tokens: false }).ids;
    },
  },
  kitoken: {
    except: OPENAI,
    async load(vocab, { json }) {
      const { Kitoken } = await import("kitoken");
      const tok = Kitoken.from_tokenizers(await json());
      return (text) => tok.encode(text, false);
    },
  },
};

/** Whether a library is measured with a vocab. */
export function has(library, vocab) {
  const { vocabs, except = [] } = LIBRARIES[library];
  return (vocabs?.includes(vocab) ?? true) && !except.includes(vocab);
}

const TEXT = { special: "text" };
