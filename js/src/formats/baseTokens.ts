/** The base tokens of a file that names its tokens, and its merges. */

import type { TokenTable } from "../vocabData.js";

/** Left and right id of each merge, by rank, and the ids that they make. */
export interface Merges {
  pairs: Uint32Array;
  made: Uint32Array;
}

/** Tokens, and the ids of those that no text produces, since their names are not in the byte-level alphabet. */
export interface SpelledTokens {
  tokens: TokenTable;
  unreachable: Uint32Array;
}

/**
 * Packs tokens.
 *
 * @param ids - their ids, ascending.
 * @param longest - the most bytes that all together may have.
 * @param write - writes the bytes of a token, by its index, and returns their number, or its complement if no text produces
 * the token.
 * @param without - ids to leave out.
 */
export function pack(
  ids: ArrayLike<number>,
  longest: number,
  write: (index: number, out: Uint8Array, at: number) => number,
  without: ReadonlySet<number>,
): SpelledTokens {
  const blob = new Uint8Array(longest);
  const ends = new Uint32Array(ids.length);
  const kept = new Uint32Array(ids.length);
  const unreachable: number[] = [];
  let count = 0;
  let end = 0;
  for (let i = 0; i < ids.length; ++i) {
    const id = ids[i] as number;
    if (without.has(id)) continue;
    const size = write(i, blob, end);
    if (size < 0) unreachable.push(id);
    end += size < 0 ? ~size : size;
    kept[count] = id;
    ends[count++] = end;
  }
  return {
    tokens: { blob: blob.slice(0, end), ends: ends.slice(0, count), ids: kept.slice(0, count) },
    unreachable: Uint32Array.from(unreachable),
  };
}

/**
 * Returns those of the ids of added tokens whose base tokens are to be left out: all that no merge needs or makes.
 *
 * Some files list added tokens among the base tokens. If a merge makes such a token, text can still produce it.
 */
export function doubled(addedIds: Iterable<number>, merges: Merges): Set<number> {
  const found = new Set(addedIds);
  if (found.size > 0) {
    for (const id of merges.pairs) found.delete(id);
    for (const id of merges.made) found.delete(id);
  }
  return found;
}
