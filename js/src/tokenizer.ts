/** Text to token ids and back, for one vocab. */

import { checkHeld, isByteArray, unshared } from "./bytes.js";
import { BytesDecoding, DecodeStream } from "./decodeStream.js";
import { StepDecoder } from "./decodeSteps.js";
import type { Engine } from "./engine.js";
import {
  InputTypeError,
  InvalidTokenIdError,
  OptionsError,
  WordsplitError,
} from "./errors.js";
import { type ExplainedSpan, type Explanation, explainSpan, plainSpan } from "./explain.js";
import { ModelExplainer } from "./explainModel.js";
import { toByteLevel } from "./formats/byteLevel.js";
import { isText } from "./formats/jsonNode.js";
import { kindOf } from "./kindOf.js";
import type { Padding, Truncation } from "./lengths.js";
import type { ModelTokens } from "./modelTokens.js";
import { checkOptions } from "./options.js";
import { type Special, SpecialMasks } from "./special.js";
import { type EncodedPair, filled, type TemplatePart } from "./template.js";
import { textOf } from "./utf8.js";
import type { AddedToken, DecodeStep } from "./vocabData.js";

/** A text: a string, or UTF-8. A lone surrogate in a string becomes U+FFFD; bytes that are not UTF-8 are kept. */
export type Text = string | Uint8Array;

/** The treatment of special tokens in a text. */
export interface TextOptions {
  special?: Special;
}

/** Ids with their places in the text. */
export interface EncodedText {
  ids: Uint32Array;
  /**
   * The first UTF-16 code unit of each id and the one after its last: `text.slice(offsets[2 * i], offsets[2 * i + 1])`.
   * They overlap where tokens share a character: each of these has all of it.
   */
  offsets: Uint32Array;
  /** The indexes of the ids that begin a span. */
  spanStarts: Uint32Array;
}

/** A text cut to a number of ids. */
export interface Truncated {
  text: string;
  /** Its ids, which are the first or the last of the whole text's ids. */
  ids: Uint32Array;
  wasTruncated: boolean;
}

/** What to do with the ids of special tokens. */
export interface DecodeOptions {
  /** Whether to leave them out. */
  skipSpecial?: boolean;
}

/** Facts about a vocab, besides its tokens. */
export interface VocabFacts {
  name: string;
  scheme: string | undefined;
  patterns: readonly string[];
  ignoreMerges: boolean;
  added: readonly AddedToken[];
  prefix: readonly number[];
  suffix: readonly number[];
  /** The template of pairs; undefined if the options put other ids around a text than the vocab does. */
  pair: readonly TemplatePart[] | undefined;
  encoder: string;
  eosTokenId: number | undefined;
  bosTokenId: number | undefined;
  padTokenId: number | undefined;
  unkTokenId: number | undefined;
  chatTemplate: string | undefined;
  truncation?: Truncation | undefined;
  padding?: Padding | undefined;
  model: string;
  /** Of a model other than byte-level BPE. */
  tokens?: ModelTokens | undefined;
  /** The character that stands for a space in its tokens, or the empty string. */
  spaceMark: string;
  /** Of WordPiece: what tokens within a word begin with. */
  continuingPrefix: string;
  decoder?: readonly DecodeStep[] | undefined;
  spellings?: ReadonlyMap<number, string> | undefined;
}

const utf8 = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const NO_LIMIT = 0xffffffff;
const TEXT_OPTIONS = new Set(["special"]);
const COUNT_OPTIONS = new Set(["special", "limit"]);
const TRUNCATE_OPTIONS = new Set(["special", "side"]);
const EXPLAIN_OPTIONS = new Set(["special", "maxSpan"]);
const DECODE_OPTIONS = new Set(["skipSpecial", "errors"]);
const BYTES_OPTIONS = new Set(["skipSpecial"]);
/** Marks, and the parts of Korean syllables after the first one: they stay with the character they were composed with. */
const JOINING = /^[\p{M}\u1161-\u11c2]+/u;

/**
 * Encodes text to ids and decodes ids to text, exactly as the vocab's own tokenizer does. Made by `load` and
 * `loadVocab`.
 *
 * @example
 * const tok = await load("qwen3");
 * tok.encode("Hello, world!"); // Uint32Array [9707, 11, 1879, 0]
 */
export class Tokenizer {
  readonly #engine: Engine;
  readonly #facts: VocabFacts;
  readonly #masks: SpecialMasks;
  readonly #addedByContent: ReadonlyMap<string, AddedToken>;
  readonly #specialIds: ReadonlySet<number>;
  /** Undefined if the bytes of tokens are joined. */
  readonly #decoder: StepDecoder | undefined;
  /** Undefined for byte-level BPE. */
  readonly #explainer: ModelExplainer | undefined;
  /** The contents of the special tokens, and their ids. */
  readonly specialTokens: ReadonlyMap<string, number>;

  /** @internal */
  constructor(engine: Engine, facts: VocabFacts) {
    this.#engine = engine;
    this.#facts = facts;
    this.#masks = new SpecialMasks(engine, facts.name, facts.added);
    this.#addedByContent = new Map(facts.added.map((token) => [token.content, token]));
    this.#specialIds = new Set(facts.added.filter((token) => token.special).map(({ id }) => id));
    this.#decoder = facts.decoder && new StepDecoder(facts.decoder, (id) => this.#spelled(id));
    this.#explainer = facts.tokens && new ModelExplainer(engine, facts, facts.tokens);
    this.specialTokens = new Map(facts.added.filter((token) => token.special).map(({ content, id }) => [content, id]));
  }

  /** @internal What keeps Vue from wrapping a tokenizer in a proxy, which could not read its private fields. */
  get [Symbol.toStringTag](): string {
    return "Tokenizer";
  }

  /** The name of the vocab. */
  get name(): string {
    return this.#facts.name;
  }

  /** The kind of the model: `"ByteLevelBPE"`, `"CharacterBPE"`, `"Unigram"`, `"WordPiece"` or `"WordLevel"`. */
  get model(): string {
    return this.#facts.model;
  }

  /** The name of the scanner that splits text into spans; undefined for models without a pattern. */
  get scheme(): string | undefined {
    return this.#facts.scheme;
  }

  /** The pre-tokenization patterns, one for each step. */
  get patterns(): readonly string[] {
    return this.#facts.patterns;
  }

  /** The name of the span encoder. */
  get encoder(): string {
    return this.#facts.encoder;
  }

  /** The chat template, in Jinja. */
  get chatTemplate(): string | undefined {
    return this.#facts.chatTemplate;
  }

  /** How the vocab's file saves that encodings are truncated. No method does it by itself. */
  get truncation(): Truncation | undefined {
    return this.#facts.truncation;
  }

  /** How the vocab's file saves that encodings are padded. No method does it by itself. */
  get padding(): Padding | undefined {
    return this.#facts.padding;
  }

  get eosTokenId(): number | undefined {
    return this.#facts.eosTokenId;
  }

  get bosTokenId(): number | undefined {
    return this.#facts.bosTokenId;
  }

  get padTokenId(): number | undefined {
    return this.#facts.padTokenId;
  }

  get unkTokenId(): number | undefined {
    return this.#facts.unkTokenId;
  }

  /** All added tokens, in ascending order of ids. */
  get addedTokens(): readonly AddedToken[] {
    return this.#facts.added;
  }

  /** One more than the largest id. */
  get nVocab(): number {
    return this.#facts.tokens?.end ?? this.#engine.idCount();
  }

  /** The memory that the tokenizer uses, in bytes. */
  get memoryBytes(): number {
    return this.#engine.memoryBytes;
  }

  /**
   * Encodes a text.
   *
   * @throws SpecialTokenError - the text has a special token and `special` is `"error"`.
   * @throws UnknownTokenError - the vocab has no token for a byte of the text.
   * @throws UnsupportedTextError - only the Python package can encode the text; never for byte-level BPE with NFC or no normalizer.
   */
  encode(text: Text, options?: TextOptions): Uint32Array {
    return this.#engine.encode(checked(text), this.#asText(text, options));
  }

  /** Encodes texts, faster than one by one. The arrays share one buffer. An error says which text it is about, in `row`. */
  encodeBatch(texts: readonly Text[], options?: TextOptions): Uint32Array[] {
    if (!Array.isArray(texts)) throw new InputTypeError(`texts must be an array, not ${kindOf(texts)}`);
    const special = specialOf(options, TEXT_OPTIONS);
    const asText = this.#masks.of(special);
    ofEach(texts, checked);
    if (special === "error") ofEach(texts, (text) => this.#masks.refuse(text));
    try {
      return this.#engine.encodeBatch(texts, asText);
    } catch (error) {
      ofEach(texts, (text) => this.#engine.encode(text, asText)); // finds the text
      throw error;
    }
  }

  /**
   * Encodes two texts to one row of ids, for a model that compares them, such as a reranker. What stands around the texts
   * is the vocab's template.
   *
   * @throws OptionsError - the options put other ids around a text than the vocab does, so that its template does not apply.
   */
  encodePair(first: Text, second: Text, options?: TextOptions): EncodedPair {
    const { pair, prefix, suffix } = this.#facts;
    if (!pair) {
      throw new OptionsError("addBos, addEos: a pair has all ids of its template or none of them; leave both out, or set both to false");
    }
    const special = specialOf(options, TEXT_OPTIONS);
    const asText = this.#masks.of(special); // once, since literals may be those of an iterator
    const bare = (text: Text): Uint32Array => {
      checked(text);
      if (special === "error") this.#masks.refuse(text);
      const ids = this.#engine.encode(text, asText);
      return ids.subarray(prefix.length, ids.length - suffix.length);
    };
    return filled(pair, { first: bare(first), second: bare(second) });
  }

  /**
   * Counts the ids that `encode` returns. With a `limit`, the result is `limit + 1` if there are more, and little more
   * than that was encoded.
   */
  count(text: Text, options?: TextOptions & { limit?: number }): number {
    const limit = options?.limit;
    if (limit !== undefined) checkSize("limit", limit);
    const most = Math.min(limit ?? NO_LIMIT, NO_LIMIT);
    return this.#engine.count(checked(text), this.#asText(text, options, COUNT_OPTIONS), most);
  }

  /** Returns the number of ids if it is not above the limit, else false. */
  isWithinLimit(text: Text, limit: number, options?: TextOptions): number | false {
    checkSize("limit", limit);
    const count = this.#engine.count(checked(text), this.#asText(text, options), Math.min(limit, NO_LIMIT));
    return count <= limit && count;
  }

  /**
   * Returns the spans of a text after normalization. Each added token is a separate span.
   *
   * @throws UnsupportedTextError - only the Python package can find them; never for byte-level BPE with NFC or no normalizer.
   */
  spans(text: Text, options?: TextOptions): string[] {
    checked(text);
    const asText = this.#asText(text, options);
    const spans = this.#explainer?.spans(text, asText) ?? this.#engine.spans(text, asText);
    return spans.map((span) => decoder.decode(span.data));
  }

  /**
   * Encodes a text and returns, for each id, the part of the original text that it covers.
   *
   * @throws UnsupportedTextError - only the Python package can locate the ids; never for byte-level BPE with NFC or no normalizer.
   */
  encodeWithOffsets(text: string, options?: TextOptions): EncodedText {
    return this.#withOffsets(text, options, TEXT_OPTIONS);
  }

  /**
   * Decodes ids to text. Bytes that are not UTF-8 become U+FFFD.
   *
   * @throws InvalidTokenIdError - no token has one of the ids.
   * @throws InvalidTextError - the bytes are not UTF-8, and `errors` is `"strict"`.
   */
  decode(ids: Iterable<number>, options?: DecodeOptions & { errors?: "replace" | "strict" }): string {
    checkOptions(options, DECODE_OPTIONS);
    const errors = options?.errors ?? "replace";
    if (errors !== "replace" && errors !== "strict") throw new OptionsError(`errors: "${String(errors)}": use 'replace' or 'strict'`);
    const listed = this.#ids(ids);
    if (this.#decoder) return this.#decoder.decode(this.#kept(listed, options?.skipSpecial), errors);
    return this.#engine.decodeText(listed, options?.skipSpecial ?? false, errors === "strict") ?? this.#refuse(listed);
  }

  /** Decodes ids to bytes. */
  decodeBytes(ids: Iterable<number>, options?: DecodeOptions): Uint8Array {
    checkOptions(options, BYTES_OPTIONS);
    if (this.#decoder) return utf8.encode(this.decode(ids, options));
    const listed = this.#ids(ids);
    return this.#engine.decode(listed, options?.skipSpecial ?? false) ?? this.#refuse(listed);
  }

  /** Returns a stream that decodes ids as they arrive. */
  decodeStream(options?: DecodeOptions): DecodeStream {
    checkOptions(options, BYTES_OPTIONS);
    const steps = this.#decoder?.stream("replace");
    if (!steps) return new DecodeStream(new BytesDecoding((ids) => this.decodeBytes(ids, options)));
    return new DecodeStream({
      add: (ids) => steps.add(this.#kept(this.#ids(ids), options?.skipSpecial)),
      finish: () => steps.finish(),
    });
  }

  /**
   * Returns the longest part of a text that has whole characters and at most `maxTokens` ids.
   *
   * @param options.side - the side that is cut off: `"right"` (the default) or `"left"`.
   */
  truncate(text: string, maxTokens: number, options?: TextOptions & { side?: "right" | "left" }): Truncated {
    checkSize("maxTokens", maxTokens);
    const side = options?.side ?? "right";
    if (side !== "right" && side !== "left") throw new OptionsError(`side: "${String(side)}": use 'right' or 'left'`);
    const { ids, offsets } = this.#withOffsets(text, options, TRUNCATE_OPTIONS);
    if (ids.length <= maxTokens) return { text, ids, wasTruncated: false };
    const first = this.#facts.prefix.length;
    const last = ids.length - this.#facts.suffix.length;
    if ((side === "right" ? first : ids.length - last) > maxTokens) {
      return { text: "", ids: side === "right" ? ids.slice(0, maxTokens) : ids.slice(ids.length - maxTokens), wasTruncated: true };
    }
    const start = (i: number): number => offsets[2 * i] as number;
    const end = (i: number): number => (i === 0 ? 0 : (offsets[2 * i - 1] as number));
    const splits = (i: number): boolean => first < i && i < last && start(i) < end(i); // a character
    let at = side === "right" ? maxTokens : ids.length - maxTokens;
    while (splits(at)) at += side === "right" ? -1 : 1;
    const bounded = Math.min(Math.max(at, first), last);
    let place = side === "right" && bounded === last ? text.length : end(bounded); // with the white space at the end that gives no ids
    const next = bounded < last ? start(bounded) : text.length;
    if (bounded > first && place < next) place += JOINING.exec(text.slice(place, next))?.[0].length ?? 0;
    return side === "right"
      ? { text: text.slice(0, place), ids: ids.slice(0, at), wasTruncated: true }
      : { text: text.slice(place), ids: ids.slice(at), wasTruncated: true };
  }

  /**
   * Explains how a text is encoded: its spans, and how the model divides each. For byte-pair encoding these are all
   * merges, for Unigram the tokens of the best path with their scores, for WordPiece the longest matches.
   *
   * @param options.maxSpan - spans of more bytes are only encoded (256).
   * @throws UnsupportedTextError - only the Python package can explain them; never for byte-level BPE with NFC or no normalizer.
   */
  explain(text: Text, options?: TextOptions & { maxSpan?: number }): Explanation {
    const maxSpan = options?.maxSpan ?? 256;
    checkSize("maxSpan", maxSpan);
    const { prefix, suffix, ignoreMerges, name } = this.#facts;
    checked(text);
    const asText = this.#asText(text, options, EXPLAIN_OPTIONS);
    const around = (id: number): ExplainedSpan => plainSpan("template", this.tokenBytes(id), [id]);
    const spans =
      this.#explainer?.explain(text, asText, maxSpan) ??
      this.#engine
        .spans(text, asText)
        .map(({ data, id }) =>
          id === undefined ? explainSpan(this.#engine, data, ignoreMerges, maxSpan) : plainSpan("added", data, [id]),
        );
    const shown = typeof text === "string" ? text : decoder.decode(unshared(text));
    return { vocab: name, text: shown, spans: [...prefix.map(around), ...spans, ...suffix.map(around)] };
  }

  /** Returns the bytes of a token. Throws an `InvalidTokenIdError` if there is none. */
  tokenBytes(id: number): Uint8Array {
    const { tokens } = this.#facts;
    if (tokens) return tokens.bytesOf(id) ?? this.#refuse([id]);
    return this.#engine.decode(this.#ids([id]), false) ?? this.#refuse([id]);
  }

  /** Returns the id of a token, or undefined. Added tokens take precedence over base tokens. */
  tokenId(token: Text): number | undefined {
    checked(token);
    const content = typeof token === "string" ? (isText(token) ? token : undefined) : textOf(unshared(token));
    const added = content === undefined ? undefined : this.#addedByContent.get(content);
    if (added) return added.id;
    const { tokens } = this.#facts;
    if (tokens) return content === undefined ? undefined : tokens.find(content);
    return typeof token === "string" && content === undefined ? undefined : this.#engine.findToken(token);
  }

  /** Returns whether a token has this id. */
  isValid(id: number): boolean {
    const { tokens } = this.#facts;
    if (!Number.isInteger(id) || id < 0 || id >= 2 ** 32) return false;
    return tokens ? tokens.bytesOf(id) !== undefined : this.#engine.hasId(id);
  }

  /**
   * Returns the rank of the merge that makes a token; undefined for single bytes and added tokens, and for models other
   * than byte-level BPE.
   */
  rank(id: number): number | undefined {
    return this.#facts.tokens || !this.isValid(id) ? undefined : this.#engine.rank(id);
  }

  /** The ids without those of special tokens, if these are to be skipped. */
  #kept(ids: Uint32Array, skipSpecial = false): Uint32Array {
    return skipSpecial ? ids.filter((id) => !this.#specialIds.has(id)) : ids;
  }

  /** How the vocab's file spells a token. */
  #spelled(id: number): string {
    return this.#facts.spellings?.get(id) ?? this.#textOf(id) ?? this.#refuse([id]);
  }

  #textOf(id: number): string | undefined {
    const { tokens } = this.#facts;
    if (tokens) return tokens.textOf(id);
    const added = this.#facts.added.find((token) => token.id === id);
    return added ? added.content : toByteLevel(this.tokenBytes(id));
  }

  #withOffsets(text: string, options: TextOptions | undefined, known: ReadonlySet<string>): EncodedText {
    if (typeof text !== "string") throw new InputTypeError(`text must be a string, not ${kindOf(text)}`);
    return this.#engine.encodeWithOffsets(text, this.#asText(text, options, known));
  }

  /** The mask of the added tokens that remain text, as the options say. `known` are the options that there are. */
  #asText(text: Text, options: TextOptions | undefined, known: ReadonlySet<string> = TEXT_OPTIONS): number {
    if (options === undefined) return 0;
    const special = specialOf(options, known);
    if (special === undefined || special === "parse") return 0;
    if (special === "error") this.#masks.refuse(text);
    return this.#masks.of(special);
  }

  #ids(ids: Iterable<number>): Uint32Array {
    if (ids instanceof Uint32Array) {
      if (ids.length === 0) checkHeld("ids", ids);
      return ids;
    }
    if (typeof ids === "string" || ids == null || typeof ids[Symbol.iterator] !== "function") {
      throw new InputTypeError(`ids must be an array or another iterable of numbers, not ${kindOf(ids)}`);
    }
    const listed = Array.isArray(ids) ? ids : Array.from(ids);
    for (const id of listed) if (!Number.isInteger(id) || id < 0 || id >= 2 ** 32) this.#refuse([id]);
    return Uint32Array.from(listed);
  }

  #refuse(ids: Iterable<number>): never {
    for (const id of ids) {
      if (this.isValid(id)) continue;
      throw new InvalidTokenIdError(`no token of ${this.name} has the id ${String(id)}; ids are below ${this.nVocab}`);
    }
    throw new Error("unreachable");
  }
}

/** Calls a function with each text. An error says which text it is about. */
function ofEach(texts: readonly Text[], use: (text: Text) => void): void {
  for (let row = 0; row < texts.length; ++row) {
    try {
      use(texts[row] as Text);
    } catch (error) {
      throw error instanceof WordsplitError ? error.inRow(row) : error;
    }
  }
}

/** How the options treat special tokens. Python's second argument in their place is refused, since it would have no effect. */
function specialOf(options: TextOptions | undefined, known: ReadonlySet<string>): Special | undefined {
  if (typeof options === "string" || Array.isArray(options)) {
    throw new OptionsError(`options: give an object, { special: ${JSON.stringify(options)} }`);
  }
  checkOptions(options, known);
  return options?.special;
}

function checked(text: Text): Text {
  if (typeof text === "string") return text;
  if (isByteArray(text)) {
    if (text.length === 0) checkHeld("text", text);
    return text;
  }
  throw new InputTypeError(`text must be a string or a Uint8Array, not ${kindOf(text)}`);
}

function checkSize(name: string, value: number): void {
  if (!Number.isInteger(value) || value < 0) throw new OptionsError(`${name}: ${String(value)}: give a whole number, 0 or more`);
}
