/** The treatment of the literals of special tokens in a text. */

import type { Engine } from "./engine.js";
import { OptionsError, SpecialTokenError } from "./errors.js";
import type { AddedToken } from "./vocabData.js";

/**
 * - `"parse"` (the default): encode them to their ids, as the models' own tokenizers do. Not for untrusted text.
 * - `"text"`: treat them as ordinary text. Added tokens that are not special are still found.
 * - `"no_added"`: treat the literals of all added tokens, special or not, as text. For untrusted text.
 * - `"error"`: throw a `SpecialTokenError`.
 * - literals of special tokens: parse these and treat the others as text.
 */
export type Special = "parse" | "text" | "no_added" | "error" | Iterable<string>;

const FORMS = "use 'parse', 'text', 'no_added', 'error' or literals of special tokens";
const MOST_MASKS = 64;

/** The masks of an engine, of which the last MOST_MASKS are kept. */
export class SpecialMasks {
  readonly #engine: Engine;
  readonly #name: string;
  readonly #added: readonly AddedToken[];
  readonly #known = new Map<string, number>();

  constructor(engine: Engine, name: string, added: readonly AddedToken[]) {
    this.#engine = engine;
    this.#name = name;
    this.#added = added;
  }

  /** The address of the mask of the added tokens that remain text; 0 if none does. */
  of(special: Special | undefined): number {
    if (special === undefined || special === "parse" || special === "error") return 0;
    if (special === "text") return this.#mask("text", (token) => token.special);
    if (special === "no_added") return this.#mask("no_added", () => true);
    const allowed = allowedOf(special);
    for (const literal of allowed) {
      if (!this.#added.some((token) => token.special && token.content === literal)) {
        throw new SpecialTokenError(`${JSON.stringify(literal)} is not a special token of ${this.#name}`);
      }
    }
    const key = JSON.stringify([...allowed].sort());
    return this.#mask(key, (token) => token.special && !allowed.has(token.content));
  }

  /** Throws if a text has a special token. */
  refuse(text: string | Uint8Array): void {
    for (const span of this.#engine.spans(text, 0)) {
      const token = span.id !== undefined && this.#added.find(({ id, special }) => special && id === span.id);
      if (token) {
        throw new SpecialTokenError(
          `the text has the special token ${JSON.stringify(token.content)}; to encode it, use special: 'parse' or 'text'`,
        );
      }
    }
  }

  #mask(key: string, remainsText: (token: AddedToken) => boolean): number {
    let mask = this.#known.get(key);
    if (mask === undefined) {
      const bytes = Uint8Array.from(this.#added, (token) => (remainsText(token) ? 1 : 0));
      const [oldest] = this.#known.size < MOST_MASKS ? [] : this.#known; // it gives up its memory
      if (oldest) this.#known.delete(oldest[0]);
      mask = this.#engine.keepMask(bytes, oldest?.[1]);
      this.#known.set(key, mask);
    }
    return mask;
  }
}

function allowedOf(special: Iterable<string>): Set<string> {
  const isCollection = typeof special === "object" && special !== null && Symbol.iterator in special;
  const allowed = isCollection ? [...special] : [];
  if (!isCollection || allowed.some((literal) => typeof literal !== "string")) {
    throw new OptionsError(`special: ${typeof special === "string" ? JSON.stringify(special) : String(special)}: ${FORMS}`);
  }
  return new Set(allowed);
}
