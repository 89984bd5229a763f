/** A vocab of a model other than byte-level BPE, of the parts that its file has. */

import { type CoreSettings, PREPENDS, type VocabData } from "../vocabData.js";
import { UnsupportedVocabError } from "../errors.js";
import type { EngineModel } from "./models/engineModel.js";
import { packed, type Tokens } from "./namedTokens.js";
import { type Source, vocabName } from "./source.js";
import { COMPILE_IT } from "./unsupported.js";
import { checked } from "./vocabChecks.js";

/** The spelling of a space in a vocab, if its rules do nothing else to a text. */
export interface SpelledSpace {
  /** The character that stands for a space. */
  mark: string;
  prepend: (typeof PREPENDS)[number];
  /** Whether a span begins at each of them. */
  splits: boolean;
}

/** The effect of a vocab's rules on texts: they spell spaces, or make words by a character map. */
export type TextRules = { space?: SpelledSpace | undefined } & Partial<
  Pick<CoreSettings, "literals" | "maps" | "words"> & Pick<VocabData, "spellings">
>;

type Rest = Pick<VocabData, "added" | "prefix" | "suffix" | "decoder"> &
  Partial<Pick<VocabData, "pair" | "eosTokenId" | "bosTokenId" | "padTokenId" | "unkTokenId" | "chatTemplate">>;

/** Returns the vocab. */
export function characterVocab(
  source: Source,
  tokens: Tokens,
  model: EngineModel,
  { space, literals = [], spellings, maps = [], words }: TextRules,
  rest: Rest,
): VocabData {
  if (source.pattern !== undefined) {
    throw new UnsupportedVocabError(`not supported: another pattern for a ${model.model} model; ${COMPILE_IT}`, {
      file: source.path,
      field: "pattern",
    });
  }
  return checked({
    name: vocabName(source),
    file: source.path,
    tokens: model.tokens,
    merges: model.merges,
    unreachable: model.unreachable,
    ignoreMerges: model.hasWholeWords,
    patterns: [],
    dialect: "tokenizers",
    nfc: false,
    addPrefixSpace: false,
    model: model.model,
    modelRules: model.rules,
    scores: model.scores,
    spelled: packed(tokens),
    spellings,
    continuingPrefix: model.model === "WordPiece" ? model.rules.prefix : undefined,
    core: {
      encoder: model.encoder,
      longEncoder: model.longEncoder,
      cuts: space !== undefined,
      cutsAtSpaces: space?.splits ?? false,
      spaceMark: space?.mark ?? "",
      prepend: PREPENDS.indexOf(space?.prepend ?? "never"),
      literals,
      maps,
      words,
      findsSpans: true,
    },
    ...rest,
  });
}
