/** The tokens of a GGUF file. */

import type { AddedToken } from "../../vocabData.js";
import { shown } from "../jsonNode.js";
import { type Fields, type Name, type Role, TOKENS } from "./fields.js";
import { CONTROL, readTypes, typesByText, UNKNOWN, USER_DEFINED } from "./tokenTypes.js";

export interface FileTokens {
  texts: string[];
  /** The ids by the bytes of the texts, a character for each. */
  idOf: ReadonlyMap<string, number>;
  /** The type of each token that the file lists. */
  listed: readonly number[];
  /** The type of each in llama.cpp. */
  types: readonly number[];
  /** The ids of special tokens that the file names. */
  roles: ReadonlyMap<Role, number>;
}

/** Reads the tokens and what the file says of each. */
export function readFileTokens(fields: Fields): FileTokens {
  const names = fields.strings(TOKENS);
  const idOf = idsByName(names, fields);
  const texts = names.map((name, i) => fields.decoded(name, `${TOKENS}[${i}]`));
  const roles = fields.roles(texts.length);
  const listed = readTypes(fields, texts.length);
  return { texts, idOf, listed, types: typesByText(listed, texts, roles), roles };
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

/** The added tokens, which are the tokens of some types. */
export function addedTokens({ texts, types }: FileTokens): AddedToken[] {
  return types.flatMap((type, id) => {
    if (type !== UNKNOWN && type !== CONTROL && type !== USER_DEFINED) return [];
    const flags = { lstrip: false, rstrip: false, singleWord: false, normalized: false };
    return [{ content: texts[id] as string, id, special: type !== USER_DEFINED, ...flags }];
  });
}
