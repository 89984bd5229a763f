/** The types of tokens in a GGUF file, and the tokens to which llama.cpp gives another type by their text. */

import { ownEntry } from "../ownEntry.js";
import { FILL_IN_ROLES, TYPES_BY_TEXT } from "../schemes.js";
import { type Fields, type Role, SCORES, TYPES } from "./fields.js";

export const NORMAL = 1;
export const UNKNOWN = 2;
export const CONTROL = 3;
export const USER_DEFINED = 4;
export const BYTE = 6;
const LAST_TYPE = BYTE;

/** Returns the types that the file lists, after checking them and the scores. */
export function readTypes(fields: Fields, count: number): number[] {
  const types = fields.numbers(TYPES, ["int32"]);
  const scores = fields.numbers(SCORES, ["float32", "int32"]);
  for (const [key, values] of [
    [TYPES, types],
    [SCORES, scores],
  ] as const) {
    if (values && values.length !== count) throw fields.error(key, `has ${values.length} items for ${count} tokens`);
  }
  for (const [id, type] of (types ?? []).entries()) {
    if (type < 0 || type > LAST_TYPE) {
      throw fields.error(`${TYPES}[${id}]`, `is ${type}, which is not one of 0 to ${LAST_TYPE}`);
    }
  }
  return Array.from({ length: count }, (_, id) => types?.[id] ?? NORMAL);
}

/**
 * Returns the types that tokens have in llama.cpp, which gives some by their text. Python's `types_by_text` says more.
 *
 * @param named - the roles of which the file names the token.
 */
export function typesByText(
  listed: readonly number[],
  texts: readonly string[],
  named: ReadonlyMap<Role, number>,
): number[] {
  const types = [...listed];
  const change = (id: number, type: number) => {
    if (types[id] !== UNKNOWN && types[id] !== CONTROL) types[id] = type;
  };
  const taken = new Set<string>(named.keys());
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
