/** Strict JSON parsing, with values that know their path so that errors name the place. */

import { UnsupportedVocabError, VocabFormatError } from "../errors.js";
import { MAX_ID } from "../vocabData.js";

const LONGEST_KEY = 80;
const LONGEST_SHOWN = 60;

/**
 * Parses a JSON document.
 *
 * @throws VocabFormatError - it is not UTF-8, or not JSON.
 */
export function parseJson(bytes: Uint8Array, file: string | undefined): JsonNode {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new VocabFormatError("is not UTF-8, or too large for a string", { file, field: "$" });
  }
  try {
    return new JsonNode(JSON.parse(text), file, "$");
  } catch (error) {
    throw new VocabFormatError(`is not JSON: ${(error as Error).message}`, { file, field: "$" });
  }
}

/** Formats a value for a message; the result is always short. */
export function shown(value: unknown): string {
  if (Array.isArray(value))
    return value.length > 2 ? `a list of ${value.length} items` : `[${value.map(shown).join(", ")}]`;
  if (typeof value === "object" && value !== null) return "an object";
  const text = typeof value === "string" ? JSON.stringify(value.slice(0, LONGEST_SHOWN + 1)) : String(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** Whether a string is valid Unicode. */
export function isText(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** A JSON value and its path. */
export class JsonNode {
  constructor(
    readonly value: unknown,
    readonly file: string | undefined,
    readonly path: string,
  ) {}

  /** The node of a key, whose value is undefined if the object lacks it, or if this is no object. */
  get(key: string): JsonNode {
    const { value } = this;
    const has = typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, key);
    const found = has ? (value as Record<string, unknown>)[key] : undefined;
    return new JsonNode(
      found,
      this.file,
      `${this.path}.${key.length <= LONGEST_KEY ? key : `${key.slice(0, LONGEST_KEY)}…`}`,
    );
  }

  isMissing(): boolean {
    return this.value === undefined || this.value === null;
  }

  /** The value as an object. */
  object(): Record<string, unknown> {
    const { value } = this;
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw this.wrong("an object");
    return value as Record<string, unknown>;
  }

  /** The items of a list. */
  items(): JsonNode[] {
    return this.list().map((item, at) => this.item(item, at));
  }

  /** The items of a list; none for `null`. */
  itemsOrEmpty(): JsonNode[] {
    return this.isMissing() ? [] : this.items();
  }

  /** The value as a list. */
  list(wanted = "a list"): unknown[] {
    if (!Array.isArray(this.value)) throw this.wrong(wanted);
    return this.value as unknown[];
  }

  /** The node of an item of the list. */
  item(value: unknown, at: number): JsonNode {
    return new JsonNode(value, this.file, `${this.path}[${at}]`);
  }

  /** The value as a string without lone surrogates. */
  string(): string {
    if (typeof this.value !== "string") throw this.wrong("a string");
    if (!isText(this.value)) throw this.error(`holds a lone surrogate: ${shown(this.value)}`);
    return this.value;
  }

  /** The value as a boolean, or another if it is missing. */
  boolean(otherwise = false): boolean {
    if (this.isMissing()) return otherwise;
    if (typeof this.value !== "boolean") throw this.wrong("true or false");
    return this.value;
  }

  /** The value as a token id. */
  tokenId(): number {
    const { value } = this;
    if (typeof value !== "number" || !Number.isInteger(value)) throw this.wrong("a token id");
    if (value < 0 || value > MAX_ID) throw this.error(`token id ${value} is outside 0..${MAX_ID}`);
    return value;
  }

  /** The value as a whole number, 0 or more. */
  count(): number {
    const { value } = this;
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw this.wrong("a whole number, 0 or more");
    return value;
  }

  /** The error for a value of the wrong type. */
  wrong(wanted: string): VocabFormatError {
    return this.error(`should be ${wanted}, found ${this.isMissing() ? "nothing" : shown(this.value)}`);
  }

  /** An error about this place. */
  error(found: string): VocabFormatError {
    return new VocabFormatError(found, { file: this.file, field: this.path });
  }

  /** An error about something valid but unsupported. */
  unsupported(found: string): UnsupportedVocabError {
    return new UnsupportedVocabError(`not supported: ${found}`, { file: this.file, field: this.path });
  }
}
