/** Makes decoding steps. */

import type { DecodeStep } from "../vocabData.js";

/** A step of a kind, with the fields that its kind has. */
export function decodeStep(kind: string, fields: Partial<Omit<DecodeStep, "kind">> = {}): DecodeStep {
  const none = { pattern: "", content: "", literal: false, left: 0, right: 0, prepended: false, cleanup: false, delimiter: "" };
  return { kind, ...none, ...fields };
}
