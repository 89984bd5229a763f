// The content of a vocab file, as plain data: the result of each parser in formats/.

import type { CharacterMap } from "./formats/characterMap.js";
import type { Padding, Truncation } from "./lengths.js";
import type { TemplatePart } from "./template.js";
import type { WordFlag } from "./wordMap.js";

/** A token found in text as a literal, before any merging. */
export interface AddedToken {
  content: string;
  id: number;
  /** Whether it is a control token: `special: "text"` leaves its literal as text. */
  special: boolean;
  /** Whether the match includes the white space before it. */
  lstrip: boolean;
  /** Whether the match includes the white space after it. */
  rstrip: boolean;
  /** Whether it is found only if no word character is adjacent. */
  singleWord: boolean;
  /** Whether it is searched for in the normalized text instead of the original. */
  normalized: boolean;
}

/** The base tokens, in ascending order of ids. */
export interface TokenTable {
  /** The bytes of all tokens, one after another. */
  blob: Uint8Array;
  /** The end of each token in `blob`. */
  ends: Uint32Array;
  ids: Uint32Array;
}

/** A decoding step, as in the Python package's `wordsplit.rules.Decode`. */
export interface DecodeStep {
  kind: string;
  pattern: string;
  content: string;
  literal: boolean;
  left: number;
  right: number;
  prepended: boolean;
  cleanup: boolean;
  delimiter: string;
}

/** The settings of the engine for all models besides the tables of a vocab (`wordsplit.engine.portable` in Python). */
export interface CoreSettings {
  encoder: string;
  longEncoder: string;
  cuts: boolean;
  cutsAtSpaces: boolean;
  /** The character that stands for a space, or the empty string. */
  spaceMark: string;
  /** Where a space is put before text: an index of `PREPENDS`. */
  prepend: number;
  /** What added tokens are in normalized text, by their numbers. */
  literals: [number, string][];
  /** Maps of characters to words. The second one is for texts with characters that the first one lacks. */
  maps: Uint8Array[];
  /** The automata that find spans, and the rules in steps. */
  rules?: Uint8Array | undefined;
  /** The scheme whose scanner finds spans for these, if one does. */
  scheme?: string | undefined;
  /** Whether spans are found with what is here, not with `VocabData.patterns` alone. */
  findsSpans: boolean;
  /** Rules that maps are made of, with `word_tables.bin`. */
  words?: WordRules | SpacedWords | undefined;
}

/** Rules that treat characters one by one: steps of a normalizer, and the type of a pre-tokenizer. */
export interface WordRules {
  steps: string[];
  words: string;
}

/** Words that begin with a space, after a map of SentencePiece. */
export interface SpacedWords {
  flags: WordFlag[];
  map: CharacterMap;
}

/** The kinds of models, in the order of the engine's numbers. */
export const enum ModelKind {
  Bytes,
  Characters,
  Unigram,
  WordPiece,
  WordLevel,
}

/** The rules that determine ids, other than tokens and merges (model_rules.hpp). */
export interface ModelRules {
  kind: ModelKind;
  unkId: number | undefined;
  /** Whether a run of unknown characters gives one id. */
  fuseUnk?: boolean;
  /** Whether what is unknown is left out. */
  drops?: boolean;
  firstVirtual?: number;
  madeCharacters?: number;
  /** The ids that spell the bytes of unknown characters. */
  fallback?: Uint32Array | undefined;
  /** The most characters of a word. */
  mostCharacters?: number;
  /** Of WordPiece: what tokens within a word begin with. Of WordLevel: what each word of a span begins with. */
  prefix?: string;
  /** Of Unigram: the score of an unknown character on a path. */
  unknownScore?: number;
  /** Of Unigram: whether scores are added with 32 bits. */
  singlePrecision?: boolean;
}

/** The ways in which a space is put before text, in the order of the engine's numbers. */
export const PREPENDS = ["never", "stretch", "piece", "first"] as const;

/** Everything that decides which ids a text gets, except for tables that a compiled file holds. */
export interface VocabData {
  name: string;
  /** The file, for messages. */
  file?: string | undefined;
  /** A compiled file, which holds the tokens, the merges and the added tokens. */
  compiled?: Uint8Array;
  tokens?: TokenTable;
  /** Left and right id of each merge, by rank. Without it, a pair merges if it makes a token, lowest id first. */
  merges?: Uint32Array;
  /** Ids of base tokens that no text produces, ascending. */
  unreachable: Uint32Array;
  /** Whether a span that is a token as a whole gets its id without any merging. */
  ignoreMerges: boolean;
  /** The pattern of each pre-tokenization step; each match and the text between two of them are pieces. */
  patterns: readonly string[];
  /** The dialect of the patterns. */
  dialect: "tokenizers" | "tiktoken";
  nfc: boolean;
  /** For vocabs that need the engine for all models. */
  core?: CoreSettings | undefined;
  /** The kind of the model, as the Python package names it; undefined for byte-level BPE. */
  model?: string | undefined;
  /** Of Unigram: the score of each token, in order of ids. */
  scores?: Float64Array | undefined;
  /** What the engine has to know of a model other than byte-level BPE; a compiled file has it in its tables. */
  modelRules?: ModelRules | undefined;
  /** The tokens of a model other than byte-level BPE, as its file has them: those of the engine differ. */
  spelled?: TokenTable | undefined;
  /** Of WordPiece: what tokens within a word begin with. */
  continuingPrefix?: string | undefined;
  /** How ids become text; undefined if the bytes of tokens are joined. */
  decoder?: DecodeStep[] | undefined;
  /** How the steps of the decoder see tokens, by their ids, where it is not their content or their bytes as letters. */
  spellings?: ReadonlyMap<number, string> | undefined;
  /** Whether a space is put before text that does not begin with one. */
  addPrefixSpace: boolean;
  /** In ascending order of ids. */
  added: AddedToken[];
  /** Ids before every encoded text, unless the options turn them off. */
  prefix: number[];
  /** Ids after every encoded text, unless the options turn them off. */
  suffix: number[];
  /** What stands around the two texts of a pair; undefined for the prefix and the suffix around each. */
  pair?: readonly TemplatePart[] | undefined;
  eosTokenId?: number | undefined;
  bosTokenId?: number | undefined;
  padTokenId?: number | undefined;
  unkTokenId?: number | undefined;
  /** A Jinja template. */
  chatTemplate?: string | undefined;
  /** How the source truncates encodings. */
  truncation?: Truncation | undefined;
  /** How the source pads encodings. */
  padding?: Padding | undefined;
}

/** The largest id allowed, so that a damaged file cannot ask for tables of billions of entries. */
export const MAX_ID = (1 << 24) - 1;
