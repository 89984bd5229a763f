/** The messages between the page and its workers. */

import type { AddedToken, ExplainedSpan, Pass } from "wordsplit";

export type SpecialMode = "parse" | "text" | "no_added" | "error";

/** The module of the engine, and the tables of BERT's rules. */
export interface EngineFiles {
  wasm: Uint8Array;
  wordTables: Uint8Array;
}

/** The source of a vocab. */
export type VocabSource =
  | { kind: "bundled"; name: string; bytes: Uint8Array }
  /** The pattern is the name of a scheme, in place of the file's own; empty for its own. */
  | { kind: "file"; name: string; bytes: Uint8Array; pattern: string };

export interface VocabInfo {
  name: string;
  nVocab: number;
  model: string;
  scheme: string | undefined;
  encoder: string;
  encoders: string[];
  patterns: readonly string[];
  chatTemplate: string | undefined;
  added: readonly AddedToken[];
  /** The contents of the tokens that chat templates know by name, such as `eos_token`. */
  named: Record<string, string>;
}

/** Tokens that the page has not seen yet. */
export interface TokenFacts {
  ids: Uint32Array;
  /** Their bytes, one after another, and where each ends. */
  blob: Uint8Array;
  ends: Uint32Array;
  /** The rank of the merge that makes each; -1 if there is none. */
  ranks: Int32Array;
}

export interface Encoded {
  ids: Uint32Array;
  /** First and last UTF-16 code unit of each id, the latter exclusive. */
  offsets: Uint32Array;
  spanStarts: Uint32Array;
  /** The time of the encoding alone. */
  milliseconds: number;
  fresh: TokenFacts;
}

export type SpanSummary = Omit<ExplainedSpan, "passes">;

export interface ExplainedText {
  spans: SpanSummary[];
  /** As in `Encoded`, of the ids of all spans. */
  offsets: Uint32Array;
  fresh: TokenFacts;
}

export interface ExplainedPasses {
  passes: Pass[];
  fresh: TokenFacts;
}

/** A part of a rendered chat: a control token, or text. */
export interface ChatPiece {
  text: string;
  /** The id of the control token; undefined for text. */
  id: number | undefined;
}

export interface Timing {
  bytes: number;
  tokens: number;
  firstSeconds: number;
  warmSeconds: number;
  sameIds: boolean;
}

/** The calls that a worker answers. */
export interface Calls {
  open(source: VocabSource, encoder: string, engine: EngineFiles): Promise<VocabInfo>;
  encode(text: string, special: SpecialMode): Encoded;
  explain(text: string, special: SpecialMode): ExplainedText;
  /** The passes of a span of the last explained text. */
  passes(span: number): ExplainedPasses;
  encodeChat(pieces: ChatPiece[]): Encoded;
  time(encoder: string, text: string, special: SpecialMode, seconds: number): Promise<Timing>;
}

export interface Request {
  call: keyof Calls;
  args: unknown[];
}

export type Reply = { value: unknown } | { error: string };
