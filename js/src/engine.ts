/**
 * The WebAssembly engine: one instance, with a memory of its own, for each tokenizer.
 *
 * Texts and ids are written to the instance's memory, and results are copied out of it. When a tokenizer is no longer
 * used, its memory is freed with it.
 */

import { ENGINE_BUILD } from "./engineBuild.js";
import {
  OptionsError,
  UnknownTokenError,
  UnsupportedTextError,
  UnsupportedVocabError,
  VocabFormatError,
  WordsplitError,
} from "./errors.js";
import { notLoaded } from "./files.js";
import { COMPILE_IT } from "./formats/unsupported.js";
import { decodedBy } from "./utf8.js";
import type { AddedToken, CoreSettings, ModelRules, TokenTable, VocabData } from "./vocabData.js";
import type { WasmModule } from "./wasm.js";

/** The exports of module.cpp. Pointers and sizes are numbers; a negative result is an error. */
interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  engine_build?(): number;
  allocate(size: number): number;
  release(memory: number): void;
  input(size: number): number;
  output(): number;
  output_size(): number;
  bytes(): number;
  bytes_size(): number;
  error_kind(): number;
  error_message(): number;
  set_tokens(
    blob: number,
    size: number,
    ends: number,
    ids: number,
    count: number,
    merges: number,
    mergeCount: number,
    unreachable: number,
    unreachableCount: number,
  ): number;
  set_bundled(data: number, size: number, holes: number, holeCount: number): number;
  set_compiled(data: number, size: number): number;
  set_added(blob: number, size: number, ends: number, ids: number, flags: number, count: number): number;
  find_scheme_of(blob: number, ends: number, count: number, isTiktoken: number): number;
  scheme_count(): number;
  scheme_name(scheme: number): number;
  scheme_pattern(scheme: number, step: number): number;
  encoder_count(): number;
  encoder_name(encoder: number): number;
  build(
    scheme: number,
    encoder: number,
    longEncoder: number,
    flags: number,
    cacheBytes: number,
    around: number,
    before: number,
    after: number,
  ): number;
  // Only of the engine for all models.
  set_space?(mark: number, size: number, prepend: number, cuts: number, cutsAtSpaces: number): number;
  set_literal?(number: number, literal: number, size: number): number;
  set_rules?(
    kind: number,
    unkId: number,
    missing: number,
    fuseUnk: number,
    firstVirtual: number,
    madeCharacters: number,
    fallback: number,
    mostCharacters: number,
    prefix: number,
    prefixSize: number,
    unknownScore: number,
    singlePrecision: number,
    scores: number,
    scoreCount: number,
  ): number;
  add_map?(data: number, size: number): number;
  set_text_rules?(data: number, size: number): number;
  trace?(size: number, asText: number): number;
  has_letters?(): number;
  symbols?(size: number): number;
  score?(id: number): number;
  unknown_score?(): number;
  encode(size: number, asText: number): number;
  encode_span(size: number): number;
  count(size: number, asText: number, limit: number): number;
  encode_batch(ends: number, count: number, asText: number): number;
  encode_with_offsets(size: number, asText: number): number;
  spans(size: number, asText: number): number;
  decode(count: number, skipSpecial: number): number;
  has_id(id: number): number;
  find_token(size: number): number;
  byte_id(byte: number): number;
  find_merge(left: number, right: number): number;
  rank_plus_1(id: number): number;
  id_count(): number;
}

/** The kinds of errors in module.cpp. */
const enum Kind {
  InvalidVocab = 1,
  UnknownToken = 2,
  UnsupportedText = 5,
}

const NO_TOKEN = 0xffffffff;
const FLAGS = { special: 1, lstrip: 2, rstrip: 4, singleWord: 8, normalized: 16 } as const;
const NFC = 1;
const IGNORE_MERGES = 2;
const PREFIX_SPACE = 4;
const MISSING_GIVES_NOTHING = 1;

/** The memory that the cache of spans may use. */
const CACHE_BYTES = 32 << 20;

/** Node's encodeInto() writes nothing into an array of 2 GB. */
const MOST_ENCODED = 2 ** 31 - 1;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictDecoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

/** The settings of an engine, besides the vocab. */
export interface EngineOptions {
  encoder: string;
  prefix: readonly number[];
  suffix: readonly number[];
}

/** The result of `Engine.encodeWithOffsets`. */
export interface Offsets {
  ids: Uint32Array;
  offsets: Uint32Array;
  spanStarts: Uint32Array;
}

/** A span of a text, as bytes of the normalized text, and the id of its added token. */
export interface EngineSpan {
  data: Uint8Array;
  id: number | undefined;
}

/** The result of `Engine.trace`. */
export interface Traced {
  ids: Uint32Array;
  /** What the ids stand for. */
  bytes: Uint8Array;
  /** For each id, the end of what it stands for; ids that share a text have the same one. */
  ends: Uint32Array;
  /** For each span, the index of its first id and its `TracedKind`. */
  spans: Uint32Array;
}

/** The kinds of traced spans, in the order of the engine's numbers. */
export const enum TracedKind {
  Template,
  Added,
  Text,
}

export class Engine {
  readonly #wasm: Exports;
  readonly #name: string;
  #heap8: Uint8Array;
  #heap32: Uint32Array;
  #input: Uint8Array;
  #inputAt = 0;
  #inputSize = 0;

  /** Makes an instance without a vocab. */
  constructor(module: WasmModule, name: string) {
    const { exports } = instanceOf(module, importsOf(module, () => this.#wasm.memory));
    this.#wasm = exports as unknown as Exports;
    if (typeof this.#wasm.encode_batch !== "function") throw new OptionsError("wasm: is not an engine of wordsplit");
    if (this.#wasm.engine_build?.() !== ENGINE_BUILD) {
      // With functions of another meaning, ids could be wrong.
      throw notLoaded("the engine is of another version of wordsplit than the module, perhaps an old copy or in a cache", "wasm");
    }
    this.#name = name;
    this.#heap8 = new Uint8Array(this.#wasm.memory.buffer);
    this.#heap32 = new Uint32Array(this.#wasm.memory.buffer);
    this.#input = this.#heap8.subarray(0, 0);
    this.#wasm._initialize();
  }

  // Vocabs.

  /** The names of all encoders. */
  encoders(): string[] {
    return Array.from({ length: this.#wasm.encoder_count() }, (_, i) => this.#string(this.#wasm.encoder_name(i)));
  }

  /** The names of all schemes that have a scanner. */
  schemes(): string[] {
    return Array.from({ length: this.#wasm.scheme_count() }, (_, i) => this.#string(this.#wasm.scheme_name(i)));
  }

  /** The patterns of a scheme, one for each step. */
  patternsOf(scheme: string): string[] {
    const number = this.schemes().indexOf(scheme);
    const found: string[] = [];
    for (let at; (at = this.#wasm.scheme_pattern(number, found.length)) !== 0; ) found.push(this.#string(at));
    return found;
  }

  /** The name of the scheme that these patterns are; undefined if no scanner splits them. */
  schemeOf(patterns: readonly string[], dialect: VocabData["dialect"]): string | undefined {
    const [blob, ends] = packed(patterns.map((pattern) => encoder.encode(pattern)));
    const found = this.#with([blob, ends], (blobAt, endsAt) =>
      this.#wasm.find_scheme_of(blobAt, endsAt, patterns.length, dialect === "tiktoken" ? 1 : 0),
    );
    return this.schemes()[found];
  }

  /** Takes the tokens of a vocab file, and its merges unless its ids are its ranks; see `VocabData`. */
  setTokens({ blob, ends, ids }: TokenTable, merges: Uint32Array | undefined, unreachable: Uint32Array): void {
    this.#with([blob, ends, ids, unreachable, merges ?? new Uint32Array()], (at, endsAt, idsAt, without, mergesAt) =>
      this.#checked(
        this.#wasm.set_tokens(
          at,
          blob.length,
          endsAt,
          idsAt,
          ids.length,
          merges ? mergesAt : 0,
          merges ? merges.length / 2 : 0,
          without,
          unreachable.length,
        ),
      ),
    );
  }

  /** Takes the unpacked content of a bundled vocab. */
  setBundled(data: Uint8Array, holes: readonly number[]): void {
    this.#with([data, Uint32Array.from(holes)], (at, holesAt) =>
      this.#checked(this.#wasm.set_bundled(at, data.length, holesAt, holes.length)),
    );
  }

  /** Takes a compiled file. */
  setCompiled(data: Uint8Array): void {
    this.#with([data], (at) => this.#checked(this.#wasm.set_compiled(at, data.length)));
  }

  /** Takes the added tokens, in ascending order of ids. */
  setAdded(tokens: readonly AddedToken[]): void {
    const [blob, ends] = packed(tokens.map((token) => encoder.encode(token.content)));
    const flags = Uint8Array.from(tokens, (token) =>
      Object.entries(FLAGS).reduce((all, [name, bit]) => all | (token[name as keyof typeof FLAGS] ? bit : 0), 0),
    );
    this.#with([blob, ends, Uint32Array.from(tokens, (token) => token.id), flags], (blobAt, endsAt, idsAt, flagsAt) =>
      this.#checked(this.#wasm.set_added(blobAt, blob.length, endsAt, idsAt, flagsAt, tokens.length)),
    );
  }

  /** Takes what only the engine for all models needs. */
  setCore({ spaceMark, prepend, cuts, cutsAtSpaces, literals, maps, rules }: CoreSettings): void {
    const { set_space, set_literal, add_map, set_text_rules } = this.#wasm;
    if (!set_space || !set_literal || !add_map || !set_text_rules) throw this.#anotherEngine();
    const mark = encoder.encode(spaceMark);
    this.#with([mark], (at) => this.#checked(set_space(at, mark.length, prepend, cuts ? 1 : 0, cutsAtSpaces ? 1 : 0)));
    for (const [number, text] of literals) {
      const literal = encoder.encode(text);
      this.#with([literal], (at) => this.#checked(set_literal(number, at, literal.length)));
    }
    for (const map of maps) this.#with([map], (at) => this.#checked(add_map(at, map.length)));
    if (rules) this.#with([rules], (at) => this.#checked(set_text_rules(at, rules.length)));
  }

  /** Takes what decides ids besides tokens and merges, before these. */
  setRules(rules: ModelRules, scores: Float64Array = new Float64Array()): void {
    const { set_rules } = this.#wasm;
    if (!set_rules) throw this.#anotherEngine();
    const prefix = encoder.encode(rules.prefix ?? "");
    this.#with([rules.fallback ?? new Uint32Array(), prefix, scores], (fallback, prefixAt, scoresAt) =>
      this.#checked(
        set_rules(
          rules.kind,
          rules.unkId ?? NO_TOKEN,
          rules.drops ? MISSING_GIVES_NOTHING : 0,
          rules.fuseUnk ? 1 : 0,
          rules.firstVirtual ?? NO_TOKEN,
          rules.madeCharacters ?? 0,
          rules.fallback ? fallback : 0,
          rules.mostCharacters ?? 0,
          prefixAt,
          prefix.length,
          rules.unknownScore ?? 0,
          rules.singlePrecision ? 1 : 0,
          scoresAt,
          scores.length,
        ),
      ),
    );
  }

  #anotherEngine(): OptionsError {
    return new OptionsError(`wasm: ${this.#name} needs another engine: give that of engine/all-models.wasm`);
  }

  /** Makes the engine ready for texts. `scheme` is undefined where spans are not those of a pattern. */
  build(
    scheme: string | undefined,
    vocab: Pick<VocabData, "nfc" | "ignoreMerges" | "addPrefixSpace" | "core">,
    options: EngineOptions,
  ): void {
    const encoders = this.encoders();
    const wanted = options.encoder === "auto" ? (vocab.core?.encoder ?? "priority_merge") : options.encoder;
    const long = vocab.core?.longEncoder ?? "heap_merge";
    if (!encoders.includes(wanted)) {
      throw new OptionsError(`encoder: "${options.encoder}" is not one of auto, ${encoders.join(", ")}`);
    }
    if (!encoders.includes(long)) throw new VocabFormatError(`no encoder "${long}"`, { file: this.#name, field: "core" });
    const flags =
      (vocab.nfc ? NFC : 0) |
      (vocab.ignoreMerges ? IGNORE_MERGES : 0) |
      (vocab.addPrefixSpace ? PREFIX_SPACE : 0);
    const schemes = this.schemes();
    if (scheme !== undefined && !schemes.includes(scheme)) throw new VocabFormatError(`no scheme "${scheme}"`, { file: this.#name, field: "core" });
    const { prefix, suffix } = options;
    this.#with([Uint32Array.of(...prefix, ...suffix)], (around) =>
      this.#checked(
        this.#wasm.build(
          scheme === undefined ? schemes.length : schemes.indexOf(scheme),
          encoders.indexOf(wanted),
          encoders.indexOf(long),
          flags,
          CACHE_BYTES,
          around,
          prefix.length,
          suffix.length,
        ),
      ),
    );
  }

  /** Stores a mask, a byte for each added token, at the address of an earlier one or a new one, and returns it. */
  keepMask(mask: Uint8Array, at: number = this.#wasm.allocate(Math.max(mask.length, 1)) >>> 0): number {
    this.#refresh();
    this.#heap8.set(mask, at);
    return at;
  }

  // Texts. `asText` is the address of a mask, or 0.

  encode(text: string | Uint8Array, asText: number): Uint32Array {
    return this.#ids(this.#wasm.encode(this.#put(text), asText));
  }

  /** Encodes the bytes of one span, normalized already. */
  encodeSpan(span: Uint8Array): Uint32Array {
    return this.#ids(this.#wasm.encode_span(this.#put(span)));
  }

  /** Counts ids, up to one more than the limit. */
  count(text: string | Uint8Array, asText: number, limit: number): number {
    return this.#checked(this.#wasm.count(this.#put(text), asText, limit));
  }

  encodeBatch(texts: readonly (string | Uint8Array)[], asText: number): Uint32Array[] {
    const ends = new Uint32Array(texts.length);
    let size = 0;
    for (let i = 0; i < texts.length; ++i) ends[i] = size = this.#putAt(texts[i] as string | Uint8Array, size);
    return this.#with([ends], (endsAt) => {
      const count = this.#checked(this.#wasm.encode_batch(endsAt, texts.length, asText));
      this.#refresh();
      const at = this.#wasm.output() >>> 2;
      const all = this.#heap32.slice(at, at + count);
      const found: Uint32Array[] = new Array(texts.length);
      for (let i = 0, from = 0; i < texts.length; ++i) {
        const to = this.#heap32[(endsAt >>> 2) + i] as number;
        found[i] = all.subarray(from, to);
        from = to;
      }
      return found;
    });
  }

  encodeWithOffsets(text: string | Uint8Array, asText: number): Offsets {
    const count = this.#checked(this.#wasm.encode_with_offsets(this.#put(text), asText));
    this.#refresh();
    const at = this.#wasm.output() >>> 2;
    const end = at + this.#wasm.output_size();
    return {
      ids: this.#heap32.slice(at, at + count),
      offsets: this.#heap32.slice(at + count, at + 3 * count),
      spanStarts: this.#heap32.slice(at + 3 * count, end),
    };
  }

  spans(text: string | Uint8Array, asText: number): EngineSpan[] {
    const count = this.#checked(this.#wasm.spans(this.#put(text), asText));
    const data = this.#bytes().slice();
    const at = this.#wasm.output() >>> 2;
    let from = 0;
    return Array.from({ length: count }, (_, i) => {
      const to = this.#heap32[at + 2 * i] as number;
      const id = this.#heap32[at + 2 * i + 1] as number;
      const found = { data: data.subarray(from, to), id: id === NO_TOKEN ? undefined : id };
      from = to;
      return found;
    });
  }

  /** Encodes a text by a model other than byte-level BPE, and returns what each id stands for. */
  trace(text: string | Uint8Array, asText: number): Traced {
    const { trace } = this.#wasm;
    if (!trace) throw this.#anotherEngine();
    const count = this.#checked(trace(this.#put(text), asText));
    const bytes = this.#bytes().slice();
    const at = this.#wasm.output() >>> 2;
    return {
      ids: this.#heap32.slice(at, at + count),
      ends: this.#heap32.slice(at + count, at + 2 * count),
      spans: this.#heap32.slice(at + 2 * count, at + this.#wasm.output_size()),
      bytes,
    };
  }

  /** Whether the characters of the model are letters that stand for bytes, as CLIP's. */
  hasLetters(): boolean {
    return this.#wasm.has_letters?.() === 1;
  }

  /** The ids that a span, as `spans` or `trace` gives it, is before any merge. */
  symbols(span: Uint8Array): number[] {
    const { symbols } = this.#wasm; // of byte-level BPE, the engine for that alone knows vocabs with tokens for all bytes
    return symbols ? [...this.#ids(symbols(this.#put(span)))] : Array.from(span, (byte) => this.#wasm.byte_id(byte));
  }

  /** The score of a token of Unigram. */
  score(id: number): number {
    return this.#wasm.score?.(id) ?? 0;
  }

  /** The score of an unknown character of Unigram. */
  unknownScore(): number {
    return this.#wasm.unknown_score?.() ?? 0;
  }

  // Ids.

  /** The bytes of ids; undefined if one is unknown. */
  decode(ids: Iterable<number>, skipSpecial: boolean): Uint8Array | undefined {
    return this.#decode(ids, skipSpecial)?.slice();
  }

  /** The text of ids; undefined if one is unknown. */
  decodeText(ids: Iterable<number>, skipSpecial: boolean, isStrict: boolean): string | undefined {
    const found = this.#decode(ids, skipSpecial);
    return found && decodedBy(isStrict ? strictDecoder : decoder, found);
  }

  hasId(id: number): boolean {
    return this.#wasm.has_id(id) !== 0;
  }

  /** The id of a token's bytes, if it is not an added token. */
  findToken(token: string | Uint8Array): number | undefined {
    const id = this.#wasm.find_token(this.#put(token)) >>> 0;
    return id === NO_TOKEN ? undefined : id;
  }

  /** The merge of two ids. */
  findMerge(left: number, right: number): { rank: number; merged: number } | undefined {
    if (this.#wasm.find_merge(left, right) === 0) return undefined;
    this.#refresh();
    const at = this.#wasm.output() >>> 2;
    return { rank: this.#heap32[at] as number, merged: this.#heap32[at + 1] as number };
  }

  /** The rank of the merge that makes a token. */
  rank(id: number): number | undefined {
    const found = this.#wasm.rank_plus_1(id) >>> 0;
    return found === 0 ? undefined : found - 1;
  }

  idCount(): number {
    return this.#wasm.id_count() >>> 0;
  }

  /** The memory of the instance in bytes. */
  get memoryBytes(): number {
    return this.#wasm.memory.buffer.byteLength;
  }

  // Memory. It moves when it grows, which any call may cause.

  #refresh(): void {
    if (this.#heap8.byteLength > 0) return;
    const { buffer } = this.#wasm.memory;
    this.#heap8 = new Uint8Array(buffer);
    this.#heap32 = new Uint32Array(buffer);
    this.#input = this.#heap8.subarray(this.#inputAt, this.#inputAt + this.#inputSize);
  }

  /** Makes room for an input of this many bytes; what is in it stays. */
  #reserve(size: number): void {
    if (size <= this.#inputSize) return this.#refresh();
    const wanted = Math.max(size, Math.ceil(1.5 * this.#inputSize), 1 << 12);
    const at = this.#wasm.input(wanted) >>> 0;
    if (at === 0) throw new WordsplitError(`no memory for a text of ${size} bytes; encode it in parts`);
    this.#inputAt = at;
    this.#inputSize = wanted;
    this.#refresh();
    this.#input = this.#heap8.subarray(at, at + wanted);
  }

  #put(text: string | Uint8Array): number {
    return this.#putAt(text, 0);
  }

  /** A copy of the ids that a call has put at output(); its result is their number. */
  #ids(result: number): Uint32Array {
    const count = this.#checked(result);
    this.#refresh();
    const at = this.#wasm.output() >>> 2;
    return this.#heap32.slice(at, at + count);
  }

  /** Writes a text to the input and returns where it ends. */
  #putAt(text: string | Uint8Array, at: number): number {
    if (typeof text !== "string") {
      this.#reserve(at + text.length);
      this.#input.set(text, at);
      return at + text.length;
    }
    let rest = text;
    let end = at;
    // Most texts have little more than a byte for each code unit; three are the most.
    for (let room = rest.length < 1 << 16 ? 3 * rest.length : rest.length + (rest.length >>> 3); ; room = 3 * rest.length) {
      this.#reserve(end + room);
      const isWhole = end === 0 && this.#inputSize < MOST_ENCODED; // the common case, without an object more
      const { read, written } = encoder.encodeInto(rest, isWhole ? this.#input : this.#input.subarray(end, end + MOST_ENCODED));
      if (read === 0 && rest.length > 0) throw new WordsplitError(`no memory for a text of ${text.length} characters; encode it in parts`);
      end += written;
      if (read === rest.length) return end;
      rest = rest.slice(read);
    }
  }

  #decode(ids: Iterable<number>, skipSpecial: boolean): Uint8Array | undefined {
    const listed = ids instanceof Uint32Array ? ids : Uint32Array.from(ids);
    this.#reserve(4 * listed.length);
    this.#heap32.set(listed, this.#inputAt >>> 2);
    const result = this.#wasm.decode(listed.length, skipSpecial ? 1 : 0);
    if (result < 0 && this.#wasm.error_kind() === Kind.UnknownToken) return undefined;
    this.#checked(result);
    return this.#bytes();
  }

  #bytes(): Uint8Array {
    this.#refresh();
    const at = this.#wasm.bytes() >>> 0;
    return this.#heap8.subarray(at, at + (this.#wasm.bytes_size() >>> 0));
  }

  #string(address: number): string {
    this.#refresh();
    const at = address >>> 0;
    return decoder.decode(this.#heap8.subarray(at, this.#heap8.indexOf(0, at)));
  }

  /** Calls a function with the addresses of copies of arrays. */
  #with<T>(arrays: readonly (Uint8Array | Uint32Array | Float64Array)[], use: (...addresses: number[]) => T): T {
    const addresses = arrays.map((array) => {
      const at = this.#wasm.allocate(Math.max(array.byteLength, 1)) >>> 0;
      if (at === 0) throw new WordsplitError(`no memory for ${array.byteLength} bytes`);
      this.#refresh();
      this.#heap8.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
      return at;
    });
    try {
      return use(...addresses);
    } finally {
      for (const at of addresses) this.#wasm.release(at);
    }
  }

  #checked(result: number): number {
    if (result >= 0) return result;
    const message = this.#string(this.#wasm.error_message());
    switch (this.#wasm.error_kind()) {
      case Kind.InvalidVocab:
        throw new VocabFormatError(message, { file: this.#name });
      case Kind.UnknownToken: {
        const byte = Number(message).toString(16).toUpperCase().padStart(2, "0");
        throw new UnknownTokenError(`${this.#name} has no token for byte 0x${byte}`);
      }
      case Kind.UnsupportedText:
        throw new UnsupportedTextError(
          `${this.#name} treats characters of the text by those around them, or their places cannot be told; ` +
            "the Python package encodes it",
        );
      default:
        throw new WordsplitError(message);
    }
  }
}

/** Throws for patterns that no scanner splits. */
export function unsupportedPatterns(patterns: readonly string[], file: string): UnsupportedVocabError {
  const shown = patterns.map((pattern) => JSON.stringify(pattern)).join(", ");
  const found = patterns.length > 0 ? `with the pattern ${shown}` : "without a pattern";
  return new UnsupportedVocabError(`no scanner splits text ${found}; ${COMPILE_IT}`, { file, field: "pre_tokenizer" });
}

/** Byte strings one after the other, and the end of each. */
function packed(parts: readonly Uint8Array[]): [Uint8Array, Uint32Array] {
  const ends = new Uint32Array(parts.length);
  let size = 0;
  for (let i = 0; i < parts.length; ++i) ends[i] = size += (parts[i] as Uint8Array).length;
  const blob = new Uint8Array(size);
  parts.forEach((part, i) => blob.set(part, (ends[i] as number) - part.length));
  return [blob, ends];
}

/** Starts the module. Where a policy forbids WebAssembly, WebKit compiles modules all the same, and refuses only here. */
function instanceOf(module: WebAssembly.Module, imports: WebAssembly.Imports): WebAssembly.Instance {
  try {
    return new WebAssembly.Instance(module, imports);
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    throw notLoaded(`the engine cannot be started: ${error.message}`, "wasm", error);
  }
}

/** The functions that the module imports from its C library. None of them is called in normal operation. */
function importsOf(module: WebAssembly.Module, memory: () => WebAssembly.Memory): WebAssembly.Imports {
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = known[name]?.(memory) ?? (() => unexpected(name));
  }
  return imports;
}

const known: Record<string, (memory: () => WebAssembly.Memory) => WebAssembly.ImportValue> = {
  emscripten_notify_memory_growth: () => () => undefined,
  clock_time_get: (memory) => (_clock: number, _precision: bigint, at: number) => {
    new DataView(memory().buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
    return 0;
  },
};

function unexpected(name: string): never {
  throw new WordsplitError(`the engine called ${name}, which is a bug: please report it`);
}
