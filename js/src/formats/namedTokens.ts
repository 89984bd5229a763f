/** The tokens of a file, by the texts that it has for them. */

import type { TokenTable } from "../vocabData.js";
import { pack } from "./baseTokens.js";
import { writeText } from "./byteLevel.js";

/** Tokens in ascending order of ids, with the names by which merges refer to them. */
export interface Tokens {
  names: string[];
  ids: number[];
  /** Of several tokens with a name, the last. */
  idOf: ReadonlyMap<string, number>;
}

/** Tokens whose ids are their places. */
export function listed(names: string[]): Tokens {
  return { names, ids: names.map((_, id) => id), idOf: new Map(names.map((name, id) => [name, id])) };
}

/** The UTF-8 of the names, as a table. */
export function packed({ names, ids }: Pick<Tokens, "names" | "ids">): TokenTable {
  const longest = names.reduce((size, name) => size + 3 * name.length, 0);
  return pack(ids, longest, (i, out, at) => writeText(names[i] as string, out, at), new Set()).tokens;
}
