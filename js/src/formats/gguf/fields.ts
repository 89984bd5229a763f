/** The tokenizer keys of a GGUF file, whose values are type-checked on access. */

import { UnsupportedVocabError, VocabFormatError } from "../../errors.js";
import { textOf } from "../../utf8.js";
import type { Source } from "../source.js";
import { readMetadata, type Strings, type Value } from "./metadata.js";

const KEY = "tokenizer.ggml.";
export const MODEL = `${KEY}model`;
export const PRE = `${KEY}pre`;
export const TOKENS = `${KEY}tokens`;
export const TYPES = `${KEY}token_type`;
export const SCORES = `${KEY}scores`;
export const MERGES = `${KEY}merges`;
export const ADD_SPACE = `${KEY}add_space_prefix`;
export const REMOVE_SPACES = `${KEY}remove_extra_whitespaces`;
export const CHARSMAP = `${KEY}precompiled_charsmap`;
export const ADD = { bos: `${KEY}add_bos_token`, eos: `${KEY}add_eos_token` } as const;
export const TEMPLATE = "tokenizer.chat_template";

/** Roles whose keys are named otherwise; the spelling of sep is the format's own. */
const LONG_NAMES: Readonly<Record<string, string>> = { unk: "unknown", pad: "padding", sep: "seperator" };
/** The names of roles in older files, which take precedence. */
const OLD_NAMES: Readonly<Record<string, string>> = { fim_pre: "prefix", fim_suf: "suffix", fim_mid: "middle" };
const ROLES = [
  ...(["bos", "eos", "pad", "unk", "sep", "cls", "mask", "eot", "eom"] as const),
  ...(["fim_pre", "fim_suf", "fim_mid", "fim_pad", "fim_rep", "fim_sep"] as const),
];
export type Role = (typeof ROLES)[number];

/** The key of a role. */
export function roleKey(role: Role): string {
  return `${KEY}${LONG_NAMES[role] ?? role}_token_id`;
}

/** A string of an array: where it is, and its bytes as characters, by which it is looked up. */
export interface Name {
  start: number;
  end: number;
  key: string;
}

/** The values of the file's keys, type-checked on access. */
export class Fields {
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
    const text = textOf(this.#source.bytes.subarray(start, end));
    if (text === undefined) throw this.error(field, "is not UTF-8");
    return text;
  }

  /** The strings of an array, which must be there. */
  strings(key: string): Name[] {
    const value = this.#values.get(key);
    if (!value) throw this.error(key, "is missing, but the model needs it");
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

  /** An array of bytes; empty if the key is missing. */
  bytes(key: string): Uint8Array {
    return Uint8Array.from(this.numbers(key, ["uint8", "int8"]) ?? []);
  }

  /** A boolean; `missing` if the key is missing. */
  flag(key: string, missing = false): boolean {
    const value = this.#values.get(key);
    if (!value) return missing;
    if (value.kind !== "number" || value.type !== "bool") throw this.#wrong(key, value, "bool");
    return value.value === 1;
  }

  /** The ids of the roles that the file names. */
  roles(count: number): Map<Role, number> {
    const found = new Map<Role, number>();
    for (const role of ROLES) {
      const old = OLD_NAMES[role];
      const id = this.#tokenId(roleKey(role), count);
      const oldId = old === undefined ? undefined : this.#tokenId(`${KEY}${old}_token_id`, count);
      const named = oldId ?? id;
      if (named !== undefined) found.set(role, named);
    }
    return found;
  }

  #tokenId(key: string, count: number): number | undefined {
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
