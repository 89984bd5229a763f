/**
 * The kinds of vocabs in GGUF files whose tokens are text, and the rules of each as llama.cpp has them: `llama` (SPM),
 * `bert` (WPM) and `t5` (UGM). Python's `wordsplit.vocabs.formats.gguf.kinds` says more.
 */

import { bertPair, type TemplatePart } from "../../template.js";
import type { DecodeStep, VocabData } from "../../vocabData.js";
import { BERT_DECODER, BERT_WORDS, CONTINUES } from "../bertRules.js";
import { BYTE_TOKENS } from "../byteTokens.js";
import { CharacterMap } from "../characterMap.js";
import { characterVocab, type TextRules } from "../characterVocab.js";
import { shown } from "../jsonNode.js";
import { characterBpe } from "../models/characterBpe.js";
import type { EngineModel, Refuse } from "../models/engineModel.js";
import { unigram } from "../models/unigram.js";
import { wordPiece } from "../models/wordPiece.js";
import { listed as listedTokens, type Tokens } from "../namedTokens.js";
import { SPACE, stepsOfDecoding } from "../sentencePiece/decoder.js";
import { mergesOfScores, Parts } from "../sentencePiece/merges.js";
import { hasSpaces, spacedWords } from "../sentencePiece/textRules.js";
import type { Source } from "../source.js";
import { COMPILE_IT } from "../unsupported.js";
import { ADD, ADD_SPACE, CHARSMAP, type Fields, MODEL, REMOVE_SPACES, type Role, SCORES, TEMPLATE, TOKENS } from "./fields.js";
import { addedTokens, type FileTokens, readFileTokens } from "./tokens.js";
import { BYTE, CONTROL, UNKNOWN, USER_DEFINED } from "./tokenTypes.js";

type Roles = ReadonlyMap<Role, number>;

/** The tokens, the model and the rules of a file. */
interface Rules {
  tokens: Tokens;
  model: EngineModel;
  text: TextRules;
  decoder: DecodeStep[];
}

interface Kind {
  /** The ids of special tokens for which a file names no others. */
  roles: Readonly<Partial<Record<Role, number>>>;
  rules: (file: FileTokens, roles: Roles, fields: Fields) => Rules;
  /** The ids before and after each text. */
  around: (roles: Roles, fields: Fields) => [number[], number[]];
  /** What stands around the two texts of a pair, if the kind has a template for them. */
  pair?: (prefix: readonly number[], suffix: readonly number[]) => TemplatePart[] | undefined;
}

/** The kinds by their name in the file. */
export const KINDS: Readonly<Record<string, Kind>> = {
  llama: {
    roles: { bos: 1, eos: 2, unk: 0 },
    rules: llama,
    around: (roles, fields) => [put("bos", true, roles, fields), put("eos", false, roles, fields)],
  },
  bert: {
    roles: { cls: 101, unk: 100, sep: 102, pad: 0, mask: 103 },
    rules: bert,
    around: (roles) => [idsOf(roles.get("bos") ?? roles.get("cls")), idsOf(roles.get("sep"))],
    pair: ([cls], [sep]) => (cls === undefined || sep === undefined ? undefined : bertPair(cls, sep)),
  },
  t5: {
    roles: { eos: 1, unk: 2, pad: 0 },
    rules: t5,
    around: (roles, fields) => [put("bos", false, roles, fields), put("eos", true, roles, fields)],
  },
};

/** Reads a file of a kind. */
export function parseKind(kind: Kind, fields: Fields, source: Source): VocabData {
  const file = readFileTokens(fields);
  const usual = (Object.entries(kind.roles) as [Role, number][]).filter(([, id]) => id < file.texts.length);
  const roles = new Map([...usual, ...file.roles]);
  const { tokens, model, text, decoder } = kind.rules(file, roles, fields);
  const [prefix, suffix] = kind.around(roles, fields);
  return characterVocab(source, tokens, model, text, {
    decoder,
    added: addedTokens(file),
    prefix,
    suffix,
    pair: kind.pair?.(prefix, suffix),
    eosTokenId: roles.get("eos"),
    bosTokenId: roles.get("bos"),
    padTokenId: roles.get("pad"),
    unkTokenId: roles.get("unk"),
    chatTemplate: fields.text(TEMPLATE),
  });
}

/** The BPE of SentencePiece. Any two neighbours merge whose text is a token, of whatever type. */
function llama(file: FileTokens, roles: Roles, fields: Fields): Rules {
  const tokens = listedTokens(file.texts);
  const byte = BYTE_TOKENS.find((name) => !tokens.idOf.has(name));
  if (byte !== undefined) throw fields.unsupported(TOKENS, `a vocab without byte token ${shown(byte)}`);
  const parts = new Parts(tokens.idOf);
  const strange = parts.ofUnknownCharacter();
  if (strange !== undefined) {
    throw fields.unsupported(`${TOKENS}[${tokens.idOf.get(strange)}]`, "a token with a character that is not a token");
  }
  if (!hasSpaces(tokens)) throw fields.unsupported(TOKENS, `spaces that are not spelled ${SPACE}; ${COMPILE_IT}`);
  const merges = mergesOfScores(parts, readScores(fields));
  if (!merges) throw fields.unsupported(SCORES, `different tokens with a score; ${COMPILE_IT}`);
  const bpe = { merges, unkId: roles.get("unk"), fuseUnk: false, byteFallback: true, mark: SPACE };
  const isSpaced = fields.flag(ADD_SPACE, true);
  return {
    tokens,
    model: characterBpe(tokens, bpe, refusing(fields)),
    text: { space: { mark: SPACE, prepend: isSpaced ? "stretch" : "never", splits: false } },
    decoder: decoderOf(file, true, isSpaced),
  };
}

/** WordPiece. The file spells the beginning of a word with U+2581, and not the rest of it with `##`. */
function bert(file: FileTokens, roles: Roles, fields: Fields): Rules {
  const tokens = listedTokens(file.texts.map(asInVocabTxt));
  const rules = { unkId: roles.get("unk"), mostCharacters: 1 << 30, prefix: CONTINUES };
  return {
    tokens,
    model: wordPiece(tokens, rules, refusing(fields)),
    text: { words: BERT_WORDS },
    decoder: BERT_DECODER,
  };
}

/** The spelling of a token in BERT's own file. */
function asInVocabTxt(text: string): string {
  if (text.startsWith(SPACE)) return text.slice(SPACE.length);
  return text.startsWith("[") && text.endsWith("]") ? text : `${CONTINUES}${text}`;
}

/** The Unigram of SentencePiece. llama.cpp makes its tables before it looks at the texts of tokens. */
function t5(file: FileTokens, roles: Roles, fields: Fields): Rules {
  const { texts, listed } = file;
  const tokens = listedTokens(texts);
  const own = readScores(fields);
  const never = new Set(listed.flatMap((type, id) => ([UNKNOWN, CONTROL, BYTE].includes(type) ? [id] : [])));
  const scores = Float64Array.from(own, (score, id) => (listed[id] === USER_DEFINED ? 0 : score));
  const reachable = scores.filter((_, id) => !never.has(id));
  const [text, isSpaced] = t5Text(file, tokens, never, fields);
  const model = {
    scores,
    leastScore: reachable.length > 0 ? reachable.reduce((least, score) => Math.min(least, score)) : 0,
    unkId: roles.get("unk"),
    byteFallback: false,
    mark: text.space?.mark ?? "",
    singlePrecision: true,
    never,
  };
  return {
    tokens,
    model: unigram(tokens, model, refusing(fields)),
    text,
    decoder: decoderOf(file, false, isSpaced),
  };
}

/** The effect of the rules of a file of the kind t5 on a text, and whether they put a space before it. */
function t5Text({ texts, listed }: FileTokens, tokens: Tokens, never: ReadonlySet<number>, fields: Fields): [TextRules, boolean] {
  const charsmap = fields.bytes(CHARSMAP);
  const map = charsmap.length > 0 ? CharacterMap.read(charsmap, (found) => fields.error(CHARSMAP, found)) : CharacterMap.NONE;
  const isSpaced = fields.flag(ADD_SPACE, true);
  if (!fields.flag(REMOVE_SPACES)) {
    if (charsmap.length > 0 || !hasSpaces(tokens, never)) {
      throw fields.unsupported(REMOVE_SPACES, `these rules for spaces; ${COMPILE_IT}`);
    }
    return [{ space: { mark: SPACE, prepend: isSpaced ? "stretch" : "never", splits: false } }, isSpaced];
  }
  const alone = charsmap.length > 0 ? texts.filter((_, id) => listed[id] === USER_DEFINED) : [];
  // Unlike SentencePiece, llama.cpp keeps the marks of spaces that end a text.
  const maps = spacedWords({ map, alone, tokens, never, isUnigram: true, keepsMark: true });
  if (!maps) throw fields.unsupported(CHARSMAP, `this map of characters; ${COMPILE_IT}`);
  return [{ maps }, true];
}

function put(role: "bos" | "eos", isUsual: boolean, roles: Roles, fields: Fields): number[] {
  const id = roles.get(role);
  return id !== undefined && fields.flag(ADD[role], isUsual) ? [id] : [];
}

function idsOf(id: number | undefined): number[] {
  return id === undefined ? [] : [id];
}

function readScores(fields: Fields): readonly number[] {
  const found = fields.numbers(SCORES, ["float32", "int32"]);
  if (!found) throw fields.error(SCORES, "is missing, but the model needs it");
  const at = found.findIndex((score) => !Number.isFinite(score));
  if (at >= 0) throw fields.error(`${SCORES}[${at}]`, `is not finite: ${found[at]}`);
  return found;
}

/** The decoding steps, with the text of all tokens but control tokens. */
function decoderOf({ texts, types }: FileTokens, byteFallback: boolean, dropsSpace: boolean): DecodeStep[] {
  const control = texts.filter((_, id) => types[id] === CONTROL);
  const unknown = texts[types.indexOf(UNKNOWN)] ?? "";
  return stepsOfDecoding({ control, unknown, surface: " \u2047 ", byteFallback, leading: dropsSpace ? "first" : "" });
}

function refusing(fields: Fields): Refuse {
  return (_, found) => fields.unsupported(MODEL, found);
}
