/** The decoders of SentencePiece's models. */

import type { DecodeStep } from "../../vocabData.js";
import { decodeStep } from "../decodeStep.js";

/** The spelling of a space in pieces. */
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

/** Returns the decoding steps. */
export function stepsOfDecoding({ control, unknown, surface, byteFallback, leading }: Decoding): DecodeStep[] {
  const pattern = [unknown, ...control].join("\0");
  const spaces = { prepended: leading !== "", cleanup: leading === "all" };
  return [decodeStep(byteFallback ? "pieces_and_bytes" : "pieces", { pattern, content: surface, ...spaces })];
}
