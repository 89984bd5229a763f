/** The tokens of a vocab that have occurred so far, with what the page shows of them. */

import type { AddedToken } from "wordsplit";
import type { TokenFacts } from "../engine/protocol.js";
import { textOf } from "../../../src/utf8.js";
import { shortened, visible } from "./visible.js";

export interface Token {
  id: number;
  data: Uint8Array;
  /** Its printable form, whole. */
  text: string;
  /** Its printable form, shortened for a chip. */
  label: string;
  isText: boolean;
  /** The rank of the merge that makes it; undefined for single bytes and added tokens. */
  rank: number | undefined;
  /** Set if it is an added token. */
  added: AddedToken | undefined;
}

const LINE_FEED = 10;

export class TokenTable {
  readonly #tokens: (Token | undefined)[];
  readonly #added: ReadonlyMap<number, AddedToken>;
  /** By id, 1 if the token ends with a line feed. */
  readonly endsLine: Uint8Array;

  constructor(nVocab: number, added: readonly AddedToken[]) {
    this.#tokens = new Array(nVocab); // of its full length, since reading is then fast
    this.#added = new Map(added.map((token) => [token.id, token]));
    this.endsLine = new Uint8Array(nVocab);
  }

  /** One more than the largest id. */
  get size(): number {
    return this.endsLine.length;
  }

  add(facts: TokenFacts): void {
    facts.ids.forEach((id, i) => {
      const data = facts.blob.subarray(i ? facts.ends[i - 1] : 0, facts.ends[i]);
      const rank = facts.ranks[i] as number;
      const text = visible(data);
      this.endsLine[id] = data.at(-1) === LINE_FEED ? 1 : 0;
      this.#tokens[id] = {
        id,
        data,
        text,
        label: shortened(text),
        isText: textOf(data) !== undefined,
        rank: rank < 0 ? undefined : rank,
        added: this.#added.get(id),
      };
    });
  }

  /** Returns a token that has occurred. */
  get(id: number): Token {
    const token = this.#tokens[id];
    if (!token) throw new Error(`the token ${id} has not occurred`);
    return token;
  }
}
