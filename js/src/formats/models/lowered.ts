/**
 * BPE of characters as BPE of bytes, which the engine runs: merges that rank before all others make each character of its
 * bytes. What is left of bytes in the end has ids above all others, virtual ones. `wordsplit.model.lowered` in Python says
 * why the ids are the same.
 */

import type { ModelRules, TokenTable } from "../../vocabData.js";
import { utf8Of } from "../../binaryStrings.js";
import type { Merges } from "../baseTokens.js";
import type { Tokens } from "../namedTokens.js";

/** The parts of a vocab in the engine. */
export interface Lowered {
  tokens: TokenTable;
  merges: Uint32Array;
  unreachable: Uint32Array;
  rules: Pick<ModelRules, "firstVirtual" | "madeCharacters">;
}

/**
 * Returns the tables of a model.
 *
 * @param special - the ids of what no text produces as such, and no merge has: those of bytes, the unknown one, and others.
 * @param byteIds - the ids of the tokens that spell bytes, by these.
 * @param mark - the character that stands for a space in tokens, none of which has a space; or the empty string. The tables
 * have a space.
 */
export function lowered(
  names: Tokens,
  merges: Merges,
  special: ReadonlySet<number>,
  byteIds: readonly (number | undefined)[],
  mark: string,
): Lowered {
  // Bytes are strings of characters below U+0100, so that they can be keys.
  const tokens = new Map<number, string>();
  const ids = new Map<string, number>();
  const singles: string[] = [];
  names.names.forEach((name, i) => {
    const id = names.ids[i] as number;
    const data = utf8Of(mark ? name.replaceAll(mark, " ") : name);
    tokens.set(id, data);
    if (special.has(id)) return;
    ids.set(data, id);
    if (isOne(name)) singles.push(data);
  });
  const firstVirtual = (names.ids.at(-1) ?? -1) + 1;
  let virtual = firstVirtual;
  byteIds.forEach((id, byte) => {
    if (id === undefined) return;
    const data = String.fromCharCode(byte);
    tokens.set(id, data);
    if (!ids.has(data)) ids.set(data, id);
  });
  const all: number[] = [];
  for (let byte = 0; byte < 256; ++byte) {
    const data = String.fromCharCode(byte);
    if (!ids.has(data)) ids.set(data, virtual++);
  }
  for (const single of singles) {
    for (let end = 2; end <= single.length; ++end) {
      const beginning = single.slice(0, end);
      if (!ids.has(beginning)) ids.set(beginning, virtual++);
      else if (end < single.length) continue; // made for another character
      all.push(ids.get(beginning.slice(0, -1)) as number, ids.get(beginning.slice(-1)) as number);
    }
  }
  for (const [data, id] of ids) if (id >= firstVirtual) tokens.set(id, data);
  const madeCharacters = all.length / 2;
  const reachable = new Set(ids.values());
  const isLost = (id: number): boolean => !reachable.has(id) && !special.has(id);
  for (let rank = 0; rank < merges.made.length; ++rank) {
    const [left, right] = [merges.pairs[2 * rank] as number, merges.pairs[2 * rank + 1] as number];
    if (!isLost(left) && !isLost(right)) all.push(left, right);
  }
  return {
    tokens: packed(tokens),
    merges: Uint32Array.from(all),
    unreachable: Uint32Array.from([...tokens.keys()].filter((id) => !reachable.has(id)).sort((a, b) => a - b)),
    rules: { firstVirtual, madeCharacters },
  };
}

/** Whether a text is one character. */
function isOne(text: string): boolean {
  return text.length > 0 && text.length === ((text.codePointAt(0) as number) > 0xffff ? 2 : 1);
}

function packed(tokens: ReadonlyMap<number, string>): TokenTable {
  const ids = Uint32Array.from(tokens.keys()).sort();
  const blob = new Uint8Array([...tokens.values()].reduce((size, data) => size + data.length, 0));
  let end = 0;
  const ends = Uint32Array.from(ids, (id) => {
    const data = tokens.get(id) as string;
    for (let i = 0; i < data.length; ++i) blob[end++] = data.charCodeAt(i);
    return end;
  });
  return { blob, ends, ids };
}
