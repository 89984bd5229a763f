/**
 * The GGUF format of llama.cpp, for byte-level BPE (`tokenizer.ggml.model` = `gpt2`).
 *
 * Only the metadata are read. The ids are those of llama.cpp, which does no normalization: a vocab whose tokenizer.json
 * has NFC gives other ids than its GGUF file.
 */

import { UnsupportedVocabError, VocabFormatError } from "../errors.js";
import type { AddedToken, VocabData } from "../vocabData.js";
import { doubled, type Merges, pack } from "./baseTokens.js";
import { writeToken } from "./byteLevel.js";
import { readMetadata, type Strings, utf8, type Value } from "./ggufMetadata.js";
import { shown } from "./jsonNode.js";
import { findScheme, patternSteps, SCHEME_NAMES } from "./patterns.js";
import {
  FILL_IN_ROLES,
  KNOWN_UNSUPPORTED,
  PRE_TOKENIZERS,
  type PreTokenizer,
  type Scheme,
  TYPES_BY_TEXT,
} from "./schemes.js";
import { type Source, vocabName } from "./source.js";
import { checked } from "./vocabChecks.js";

const KEY = "tokenizer.ggml.";
const MODEL = `${KEY}model`;
const PRE = `${KEY}pre`;
const TOKENS = `${KEY}tokens`;
const TYPES = `${KEY}token_type`;
const SCORES = `${KEY}scores`;
const MERGES = `${KEY}merges`;
const TEMPLATE = "tokenizer.chat_template";
const OLD_ROLES: Readonly<Record<string, string>> = { fim_pre: "prefix", fim_suf: "suffix", fim_mid: "middle" };
const ROLES = { bos: "bos", eos: "eos", pad: "padding", unk: "unknown" } as const;

const NORMAL = 1;
const UNKNOWN = 2;
const CONTROL = 3;
const USER_DEFINED = 4;
const BYTE = 6;
const LAST_TYPE = 6;

/** Reads a GGUF file. */
export function parseGguf(source: Source): VocabData {
  const fields = new Fields(source);
  const model = fields.text(MODEL);
  if (model !== "gpt2") {
    throw fields.unsupported(MODEL, `model ${shown(model)}; wordsplit supports byte-level BPE, which is "gpt2"`);
  }
  const [steps, pre] = preTokenizer(fields, source);
  const names = fields.strings(TOKENS);
  const idOf = idsByName(names, fields);
  const merges = readMerges(fields, idOf);
  const texts = names.map((name, i) => fields.decoded(name, `${TOKENS}[${i}]`));
  const added = readAdded(texts, fields, pre);
  const roles = new Map(
    Object.entries(ROLES).map(([role, name]) => [role, fields.tokenId(`${KEY}${name}_token_id`, names.length)]),
  );
  const ids = names.map((_, i) => i);
  const longest = texts.reduce((size, text) => size + 3 * text.length, 0);
  const write = (i: number, out: Uint8Array, at: number) => writeToken(texts[i] as string, out, at);
  return checked({
    name: vocabName(source),
    file: source.path,
    ...pack(
      ids,
      longest,
      write,
      doubled(
        added.map((token) => token.id),
        merges,
      ),
    ),
    merges: merges.pairs,
    ignoreMerges: pre.ignoreMerges ?? false,
    ...steps,
    nfc: false,
    addPrefixSpace: false,
    added,
    prefix: put(fields, "bos", roles),
    suffix: put(fields, "eos", roles),
    eosTokenId: roles.get("eos"),
    bosTokenId: roles.get("bos"),
    padTokenId: roles.get("pad"),
    unkTokenId: roles.get("unk"),
    chatTemplate: fields.text(TEMPLATE),
  });
}

/** The steps and the settings of the pre-tokenizer's name. An unknown name is never guessed. */
function preTokenizer(fields: Fields, source: Source): [Scheme, Partial<PreTokenizer>] {
  const own = fields.text(PRE);
  const wanted = source.pre ?? own;
  const known = ownEntry(PRE_TOKENIZERS, wanted) ?? {
    scheme: wanted ?? "",
    // The file's own name still decides whether whole spans are looked up, even if the caller names a scheme.
    ignoreMerges: ownEntry(PRE_TOKENIZERS, own)?.ignoreMerges ?? ownEntry(KNOWN_UNSUPPORTED, own) ?? false,
  };
  const isNamed = ownEntry(PRE_TOKENIZERS, wanted) !== undefined;
  const scheme = isNamed || source.pre !== undefined ? findScheme(known.scheme) : undefined;
  if (source.pattern !== undefined && (scheme || source.pre === undefined)) {
    return [patternSteps(source.pattern, "tokenizers"), known];
  }
  if (scheme) return [scheme, known];
  const advice = `Give the option pre, llama.cpp's name of the right one or a scheme's name (${SCHEME_NAMES})`;
  throw new UnsupportedVocabError(`${problemOf(wanted)}. ${advice}`, { file: source.path, field: PRE });
}

/** Why the name of a pre-tokenizer stands for no scheme with a scanner. */
function problemOf(name: string | undefined): string {
  if (name === undefined) return "the file does not name its pre-tokenizer, which decides the ids";
  const refused = `not supported: pre-tokenizer ${shown(name)}`;
  if (ownEntry(PRE_TOKENIZERS, name)) return `${refused}, for which the JavaScript package has no scanner`;
  return ownEntry(KNOWN_UNSUPPORTED, name) === undefined
    ? `${refused}, which is unknown`
    : `${refused}, which no scheme matches`;
}

function ownEntry<T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

function idsByName(names: readonly Name[], fields: Fields): Map<string, number> {
  const ids = new Map<string, number>();
  for (const [i, { key }] of names.entries()) {
    const other = ids.get(key);
    if (other !== undefined) throw fields.error(`${TOKENS}[${i}]`, `${shown(key)} occurs twice, as ${other} and ${i}`);
    if (key === "") throw fields.error(`${TOKENS}[${i}]`, "is empty");
    ids.set(key, i);
  }
  return ids;
}

/** Reads merges, `"a b"`, split at the first space after the first byte as in llama.cpp. */
function readMerges(fields: Fields, idOf: ReadonlyMap<string, number>): Merges {
  const items = fields.strings(MERGES);
  const pairs = new Uint32Array(2 * items.length);
  const made = new Uint32Array(items.length);
  const first = new Map<string, number>();
  for (const [rank, { key }] of items.entries()) {
    const field = `${MERGES}[${rank}]`;
    const cut = key.indexOf(" ", 1);
    if (cut < 0) throw fields.error(field, `a merge has two parts with a space between, found ${shown(key)}`);
    const [left, right] = [key.slice(0, cut), key.slice(cut + 1)];
    const ids = [left, right, left + right].map((name) => idOf.get(name));
    const lacking = ids.indexOf(undefined);
    if (lacking >= 0) {
      const name = [left, right, left + right][lacking];
      throw fields.error(field, `merge ${shown(key)} names ${shown(name)}, which is not a token of the vocab`);
    }
    const other = first.get(key);
    if (other !== undefined) throw fields.error(field, `${shown(key)} is also at ${other}`);
    first.set(key, rank);
    [pairs[2 * rank], pairs[2 * rank + 1], made[rank]] = ids as [number, number, number];
  }
  return { pairs, made };
}

/** Reads the added tokens, which are the tokens of some types. */
function readAdded(texts: readonly string[], fields: Fields, pre: Partial<PreTokenizer>): AddedToken[] {
  const types = fields.numbers(TYPES, ["int32"]);
  const scores = fields.numbers(SCORES, ["float32", "int32"]); // not used, but a damaged file is refused
  for (const [key, values] of [
    [TYPES, types],
    [SCORES, scores],
  ] as const) {
    if (values && values.length !== texts.length) {
      throw fields.error(key, `has ${values.length} items for ${texts.length} tokens`);
    }
  }
  for (const [id, type] of (types ?? []).entries()) {
    if (type < 0 || type > LAST_TYPE) {
      throw fields.error(`${TYPES}[${id}]`, `is ${type}, which is not one of 0 to ${LAST_TYPE}`);
    }
  }
  const added: AddedToken[] = [];
  for (const [id, type] of typesByText(types, texts, fields).entries()) {
    if (type === NORMAL) continue;
    const content = texts[id] as string;
    if (type === UNKNOWN || type === CONTROL || type === USER_DEFINED) {
      const lstrip = pre.maskLstrip === true && content === "<mask>";
      const special = type !== USER_DEFINED;
      added.push({ content, id, special, lstrip, rstrip: false, singleWord: false, normalized: false });
    } else if (type === BYTE) {
      if (!/^<0x[0-9A-Fa-f]{2}>$/.test(content)) {
        throw fields.error(`${TOKENS}[${id}]`, `a byte token is spelled <0x00> to <0xFF>, found ${shown(content)}`);
      }
      throw fields.unsupported(`${TYPES}[${id}]`, `byte token ${shown(content)}; byte-level BPE has none`);
    }
  }
  return added;
}

/** The types of tokens in llama.cpp, which gives some by their text. Python's `types_by_text` says more. */
function typesByText(listed: ArrayLike<number> | undefined, texts: readonly string[], fields: Fields): number[] {
  const types = texts.map((_, id) => listed?.[id] ?? NORMAL);
  const change = (id: number, type: number) => {
    if (types[id] !== UNKNOWN && types[id] !== CONTROL) types[id] = type;
  };
  const isNamed = (name: string) => fields.tokenId(`${KEY}${name}_token_id`, texts.length) !== undefined;
  const roles = Object.values(FILL_IN_ROLES);
  const taken = new Set(roles.filter((role) => isNamed(role) || isNamed(OLD_ROLES[role] ?? role)));
  for (const [id, text] of texts.entries()) {
    const type = ownEntry(TYPES_BY_TEXT, text);
    if (type !== undefined) change(id, type);
    const role = ownEntry(FILL_IN_ROLES, text);
    if (role === undefined || taken.has(role)) continue;
    taken.add(role); // of several texts, the first token is meant
    change(id, CONTROL);
  }
  if (texts.includes("<|tool_response>") && texts.includes("</s>")) types[texts.indexOf("</s>")] = NORMAL;
  return types;
}

/** The ids to put before (`bos`) or after (`eos`) a text. */
function put(fields: Fields, role: "bos" | "eos", roles: ReadonlyMap<string, number | undefined>): number[] {
  const key = `${KEY}add_${role}_token`;
  if (!fields.flag(key)) return [];
  const id = roles.get(role);
  if (id === undefined) throw fields.error(key, `is true, but ${KEY}${ROLES[role]}_token_id is missing`);
  return [id];
}

/** A string of an array: where it is, and its bytes as characters, by which it is looked up. */
interface Name {
  start: number;
  end: number;
  key: string;
}

/** The values of the file's keys, type-checked on access. */
class Fields {
  readonly #source: Source;
  readonly #values: ReadonlyMap<string, Value>;

  constructor(source: Source) {
    this.#source = source;
    this.#values = readMetadata(
      source.bytes,
      source.path,
      (key) => key === TEMPLATE || (key.startsWith(KEY) && key.length < 64),
    );
  }

  error(field: string, found: string): VocabFormatError {
    return new VocabFormatError(found, { file: this.#source.path, field });
  }

  unsupported(field: string, found: string): UnsupportedVocabError {
    return new UnsupportedVocabError(`not supported: ${found}`, { file: this.#source.path, field });
  }

  text(key: string): string | undefined {
    const value = this.#values.get(key);
    if (!value) return undefined;
    if (value.kind !== "string") throw this.#wrong(key, value, "string");
    return this.decoded(value, key);
  }

  /** Decodes a string. */
  decoded({ start, end }: { start: number; end: number }, field: string): string {
    const text = utf8(this.#source.bytes.subarray(start, end));
    if (text === undefined) throw this.error(field, "is not UTF-8");
    return text;
  }

  /** The strings of an array, which must be there. */
  strings(key: string): Name[] {
    const value = this.#values.get(key);
    if (!value) throw this.error(key, "is missing, but byte-level BPE needs it");
    if (value.kind !== "strings") throw this.#wrong(key, value, "array of string");
    return namesOf(this.#source.bytes, value.strings);
  }

  numbers(key: string, types: readonly string[]): readonly number[] | undefined {
    const value = this.#values.get(key);
    if (!value) return undefined;
    if (value.kind !== "numbers" || !types.includes(value.type)) {
      throw this.#wrong(key, value, types.map((type) => `array of ${type}`).join(" or "));
    }
    return value.numbers;
  }

  /** A boolean; false if the key is missing. */
  flag(key: string): boolean {
    const value = this.#values.get(key);
    if (!value) return false;
    if (value.kind !== "number" || value.type !== "bool") throw this.#wrong(key, value, "bool");
    return value.value === 1;
  }

  tokenId(key: string, count: number): number | undefined {
    const value = this.#values.get(key);
    if (!value) return undefined;
    if (value.kind !== "number" || !/int/.test(value.type)) throw this.#wrong(key, value, "an integer");
    if (value.value < 0 || value.value >= count)
      throw this.error(key, `token id ${value.value} is outside 0..${count - 1}`);
    return value.value;
  }

  #wrong(key: string, value: Value, wanted: string): VocabFormatError {
    const found =
      value.kind === "strings"
        ? "array of string"
        : value.kind === "numbers"
          ? `array of ${value.type}`
          : value.kind === "string"
            ? "string"
            : value.type;
    return this.error(`${key}, offset ${value.offset}`, `should be ${wanted}, found ${found}`);
  }
}

/** The strings of an array. All are decoded at once, one character for each byte, and then cut. */
function namesOf(bytes: Uint8Array, { starts, ends }: Strings): Name[] {
  const first = starts[0] ?? 0;
  const all = new TextDecoder("latin1").decode(bytes.subarray(first, ends.at(-1) ?? first));
  return Array.from(starts, (start, i) => {
    const end = ends[i] as number;
    return { start, end, key: all.slice(start - first, end - first) };
  });
}
