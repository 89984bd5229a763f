/** How ids of SentencePiece's models become text. */

import type { DecodeStep } from "../../vocabData.js";
import { decodeStep } from "../decodeStep.js";

/** How pieces spell a space. */
export const SPACE = "\u2581";

export interface Decoding {
  /** The pieces that have no text. */
  control: readonly string[];
  /** The piece for the unknown, or the empty string. */
  unknown: string;
  /** Its text. */
  surface: string;
  /** Whether pieces spell bytes. */
  byteFallback: boolean;
  /** Which spaces at the beginning of a text are dropped. */
  leading: "first" | "all" | "";
}

/** Returns the steps of decoding. */
export function stepsOfDecoding({ control, unknown, surface, byteFallback, leading }: Decoding): DecodeStep[] {
  const steps: DecodeStep[] = [];
  if (control.length > 0) steps.push(decodeStep("whole", { pattern: control.join("\0") }));
  if (leading) steps.push(decodeStep("leading_space", { content: SPACE, prepended: leading === "all" }));
  steps.push(decodeStep("replace", { pattern: SPACE, content: " ", literal: true }));
  if (unknown) steps.push(decodeStep("whole", { pattern: unknown, content: surface }));
  if (byteFallback) steps.push(decodeStep("bytes"));
  return steps;
}
