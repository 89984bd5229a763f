/** The effect of SentencePiece's rules on texts. */

import { LongestKeys } from "../../longestKeys.js";
import type { CharacterMap } from "../characterMap.js";
import type { Tokens } from "../namedTokens.js";
import { SPACE } from "./decoder.js";

/** Whether spaces can stay spaces in the engine, since no token has one, and one stands for it. */
export function hasSpaces({ names, idOf }: Tokens, never: ReadonlySet<number> = new Set()): boolean {
  const mark = idOf.get(SPACE);
  return mark !== undefined && !never.has(mark) && !names.some((name) => name.includes(" "));
}

export interface SpacedText {
  map: CharacterMap;
  /** Texts that it leaves alone. */
  alone: readonly string[];
  tokens: Tokens;
  /** Ids of tokens that no text produces. */
  never: ReadonlySet<number>;
  isUnigram: boolean;
  /** Whether the text is one span whatever the tokens are, as for a run of unknown words that gives one id. */
  isOneSpan?: boolean;
  /** Whether marks of spaces that no key replaces are not spaces, also at the end of a text. The maps lack them then. */
  keepsMark?: boolean;
}

/**
 * Returns the character maps for a vocab whose spaces are joined, with one before the text; undefined if they cannot
 * express its rules.
 *
 * The text is one span, or each word is one: if no token has the mark but at its beginning, since then no merge and no token
 * of a path goes beyond words, and if the mark is a token, since then no run of unknown characters does.
 */
export function spacedWords(text: SpacedText): Uint8Array[] | undefined {
  const { map, alone, tokens, never, isUnigram, isOneSpan = false, keepsMark = false } = text;
  const names = isUnigram ? tokens.names.filter((_, i) => !never.has(tokens.ids[i] as number)) : tokens.names;
  const areWords = !isOneSpan && names.includes(SPACE) && !names.some((name) => name.lastIndexOf(SPACE) > 0);
  const found = LongestKeys.of(map, alone);
  if (!found) return undefined;
  const lacksMark = keepsMark && !found.replacesMark;
  const first = found.map({ joined: !areWords, summed: areWords && isUnigram, lacksMark: areWords || lacksMark });
  return areWords && !lacksMark ? [first, found.map({ joined: true, summed: false, lacksMark })] : [first];
}
