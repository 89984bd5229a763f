/**
 * SentencePiece's model files. The ids are those of the package `sentencepiece` with its default options: no bos or eos, no
 * sampling.
 */

import { UnsupportedVocabError, VocabFormatError } from "../../errors.js";
import type { AddedToken, VocabData } from "../../vocabData.js";
import { BYTE_TOKENS } from "../byteTokens.js";
import { CharacterMap } from "../characterMap.js";
import { characterVocab, type TextRules } from "../characterVocab.js";
import { shown } from "../jsonNode.js";
import type { Merges } from "../baseTokens.js";
import { characterBpe } from "../models/characterBpe.js";
import type { EngineModel } from "../models/engineModel.js";
import { unigram } from "../models/unigram.js";
import { wordLevel } from "../models/wordLevel.js";
import { listed, type Tokens } from "../namedTokens.js";
import type { Source } from "../source.js";
import { COMPILE_IT } from "../unsupported.js";
import { SPACE, stepsOfDecoding } from "./decoder.js";
import { mergesOfScores, Parts } from "./merges.js";
import { type ModelProto, PieceType, readModelProto } from "./modelProto.js";
import { hasSpaces, spacedWords } from "./textRules.js";

const enum ModelType {
  Unigram = 1,
  Bpe,
  Word,
  Char,
}

const HEAD = 512;
const TEXT_KEY = 0x0a;
const SCORE_KEY = 0x15;
const BONUS = 0.1; // of a user-defined token, for each byte after the first
const NO_MERGES: Merges = { pairs: new Uint32Array(), made: new Uint32Array() };
const utf8 = new TextEncoder();

/** Whether a file begins with a piece: its text, and its score. */
export function isSentencePiece(bytes: Uint8Array): boolean {
  const [key, size, textKey, textSize] = bytes.subarray(0, 4) as unknown as [number, number, number, number];
  if (bytes.length < 4 || key !== TEXT_KEY || textKey !== TEXT_KEY || Math.max(size, textSize) >= 0x80) return false;
  const end = 4 + textSize;
  return 2 + size >= end + 5 && bytes.subarray(0, HEAD)[end] === SCORE_KEY;
}

/** Reads a model file. */
export function parseSentencePiece(source: Source): VocabData {
  return new Reader(readModelProto(source), source).vocab();
}

/** The parts of the vocab of a file. */
class Reader {
  readonly #proto: ModelProto;
  readonly #source: Source;
  readonly #idsOf = new Map<number, number[]>(); // by type
  readonly #tokens: Tokens;
  readonly #unkId: number;
  /** The ids of pieces that no text produces. */
  readonly #never: ReadonlySet<number>;

  constructor(proto: ModelProto, source: Source) {
    this.#proto = proto;
    this.#source = source;
    if (proto.denormalizer.precompiled_charsmap.length > 0) {
      throw this.#unsupported("a character map for decoding", "denormalizer_spec.precompiled_charsmap");
    }
    proto.types.forEach((type, id) => {
      const ids = this.#idsOf.get(type);
      if (ids) ids.push(id);
      else this.#idsOf.set(type, [id]);
    });
    this.#tokens = listed(proto.pieces);
    this.#checkPieces();
    this.#unkId = this.#checkedUnkId();
    this.#never = new Set(this.#of(PieceType.Unknown, PieceType.Control, PieceType.Byte, PieceType.Unused));
  }

  vocab(): VocabData {
    const { pieces, trainer } = this.#proto;
    // A Unigram model has scores for them, and a word model has them as words only.
    const hasOwn = trainer.model_type === ModelType.Unigram || trainer.model_type === ModelType.Word;
    const added = hasOwn ? [] : this.#added();
    const text = this.#textRules(added);
    const control = new Map(this.#of(PieceType.Control).map((id) => [pieces[id] as string, id]));
    return characterVocab(this.#source, this.#tokens, this.#model(text.space?.mark ?? ""), text, {
      decoder: stepsOfDecoding({
        control: [...control.keys()],
        unknown: pieces[this.#unkId] as string,
        surface: trainer.unk_surface,
        byteFallback: trainer.byte_fallback !== 0,
        leading: this.#leading(),
      }),
      added,
      prefix: [],
      suffix: [],
      eosTokenId: control.get(trainer.eos_piece),
      bosTokenId: control.get(trainer.bos_piece),
      padTokenId: control.get(trainer.pad_piece),
      unkTokenId: this.#unkId,
    });
  }

  /** The ids of the pieces of some types. */
  #of(...types: PieceType[]): number[] {
    return types.flatMap((type) => this.#idsOf.get(type) ?? []).sort((a, b) => a - b);
  }

  #checkPieces(): void {
    for (const [id, piece] of this.#proto.pieces.entries()) {
      const last = this.#tokens.idOf.get(piece) as number;
      if (last !== id) throw this.#error(`${shown(piece)} occurs twice, as ${id} and ${last}`, `pieces[${id}]`);
      if (piece === "") throw this.#error("is empty", `pieces[${id}]`);
    }
  }

  #checkedUnkId(): number {
    const unknown = this.#of(PieceType.Unknown);
    const bytes = this.#of(PieceType.Byte);
    if (unknown.length !== 1) throw this.#error(`there are ${unknown.length} pieces for the unknown; there must be one`, "pieces");
    if (this.#proto.trainer.byte_fallback) {
      const found = new Set(bytes.map((id) => this.#proto.pieces[id]));
      if (found.size !== BYTE_TOKENS.length || !BYTE_TOKENS.every((name) => found.has(name))) {
        throw this.#error(`there are ${bytes.length} pieces for bytes; there must be 256`, "pieces");
      }
    } else if (bytes.length > 0) {
      throw this.#error("is for a byte, but trainer_spec.byte_fallback is false", `pieces[${bytes[0]}]`);
    }
    return unknown[0] as number;
  }

  /** The user-defined pieces that normalized text can have: without spaces if these are escaped. */
  #added(): AddedToken[] {
    const escapes = this.#proto.normalizer.escape_whitespaces;
    const flags = { special: false, lstrip: false, rstrip: false, singleWord: false, normalized: true };
    return this.#of(PieceType.UserDefined)
      .map((id) => ({ content: this.#proto.pieces[id] as string, id, ...flags }))
      .filter(({ content }) => !escapes || !content.includes(" "));
  }

  #model(mark: string): EngineModel {
    const { pieces, trainer } = this.#proto;
    const byteFallback = trainer.byte_fallback !== 0;
    const refuse = (_: string, found: string): Error => this.#unsupported(found, "pieces");
    if (trainer.model_type === ModelType.Unigram) return this.#unigram(mark);
    if (trainer.model_type === ModelType.Char || trainer.model_type === ModelType.Bpe) {
      const merges = trainer.model_type === ModelType.Char ? NO_MERGES : this.#merges();
      const bpe = { merges, unkId: this.#unkId, fuseUnk: true, byteFallback, mark, never: this.#never };
      return characterBpe(this.#tokens, bpe, refuse);
    }
    if (trainer.model_type === ModelType.Word) {
      const inside = pieces.flatMap((piece, id) => (piece.includes(SPACE, 1) ? [id] : [])); // where a word would begin
      const never = new Set([...this.#never, ...inside]);
      return wordLevel(this.#tokens, { unkId: this.#unkId, wordStart: SPACE, byteFallback, never }, refuse);
    }
    throw this.#error(
      `is ${trainer.model_type}, which is not one of ${ModelType.Unigram} to ${ModelType.Char}`,
      "trainer_spec.model_type",
    );
  }

  #unigram(mark: string): EngineModel {
    const { pieces, scores: own, trainer } = this.#proto;
    const preferred = new Set(this.#of(PieceType.UserDefined));
    const scores = Float64Array.from(own, (score, id) =>
      preferred.has(id) ? Math.fround(BONUS * (utf8.encode(pieces[id]).length - 1)) : score,
    );
    const normal = scores.filter((_, id) => !this.#never.has(id) && !preferred.has(id));
    const model = {
      scores,
      leastScore: normal.length > 0 ? normal.reduce((least, score) => Math.min(least, score)) : 0,
      unkId: this.#unkId,
      byteFallback: trainer.byte_fallback !== 0,
      mark,
      singlePrecision: true,
      never: this.#never,
    };
    return unigram(this.#tokens, model, (_, found) => this.#unsupported(found, "pieces"));
  }

  #merges(): Merges {
    const { pieces, scores } = this.#proto;
    // A symbol that the user has defined never merges.
    const parts = new Parts(new Map(this.#of(PieceType.Normal, PieceType.Unused).map((id) => [pieces[id] as string, id])));
    const strange = parts.ofUnknownCharacter();
    if (strange !== undefined) {
      throw this.#unsupported("a piece with a character that is not a piece", `pieces[${this.#tokens.idOf.get(strange)}]`);
    }
    const merges = mergesOfScores(parts, scores);
    if (!merges) throw this.#unsupported(`different pieces with a score; ${COMPILE_IT}`, "pieces");
    const notUsed = new Set(this.#of(PieceType.Unused));
    const isUnused = (id: number): boolean => notUsed.has(id);
    const unused = notUsed.size > 0 ? (merges.pairs.find(isUnused) ?? merges.made.find(isUnused)) : undefined;
    if (unused !== undefined) throw this.#unsupported("an unused piece that merges use or make", `pieces[${unused}]`);
    return merges;
  }

  /** What the normalizer does to a text. */
  #textRules(added: readonly AddedToken[]): TextRules {
    const { normalizer, trainer } = this.#proto;
    const isUnigram = trainer.model_type === ModelType.Unigram;
    const isOfWords = trainer.model_type === ModelType.Word;
    const { precompiled_charsmap: charsmap, add_dummy_prefix: prepends } = normalizer;
    const mapError = (found: string): Error => this.#error(found, "normalizer_spec.precompiled_charsmap");
    const map = charsmap.length > 0 ? CharacterMap.read(charsmap, mapError) : CharacterMap.NONE;
    const appends = prepends && trainer.treat_whitespace_as_suffix;
    let found: TextRules | undefined;
    if (!normalizer.escape_whitespaces || appends) {
      found = undefined;
    } else if (normalizer.remove_extra_whitespaces) {
      const alone = charsmap.length > 0 ? this.#of(PieceType.UserDefined).map((id) => this.#proto.pieces[id] as string) : [];
      const text = { map, alone, tokens: this.#tokens, never: this.#never, isUnigram, isOneSpan: isOfWords };
      const maps = prepends && added.length === 0 ? spacedWords(text) : undefined;
      found = maps && { maps };
    } else if (charsmap.length === 0 && !isOfWords && hasSpaces(this.#tokens, this.#never)) {
      const literals = added.map(({ content }, i): [number, string] => [i, content.replaceAll(SPACE, " ")]);
      found = { space: { mark: SPACE, prepend: prepends ? "stretch" : "never", splits: false }, literals };
    }
    if (!found) throw this.#unsupported(`these rules for spaces, or this map of characters; ${COMPILE_IT}`, "normalizer_spec");
    return found;
  }

  /** Which spaces at the beginning of a text are dropped in decoding. */
  #leading(): "all" | "first" | "" {
    const { remove_extra_whitespaces: joins, add_dummy_prefix: prepends } = this.#proto.normalizer;
    return joins ? "all" : prepends ? "first" : "";
  }

  #error(found: string, field: string): VocabFormatError {
    return new VocabFormatError(found, { file: this.#source.path, field });
  }

  #unsupported(found: string, field: string): UnsupportedVocabError {
    return new UnsupportedVocabError(`not supported: ${found}`, { file: this.#source.path, field });
  }
}
