/** The rules of BERT's own files, which formats without rules stand for. */

import type { DecodeStep, WordRules } from "../vocabData.js";
import { decodeStep } from "./decodeStep.js";

/** The prefix of tokens that do not begin a word. */
export const CONTINUES = "##";

/** Lowercase, without accents; each Chinese character and each punctuation mark is a word. */
export const BERT_WORDS: WordRules = {
  steps: ["bert_clean_text", "bert_chinese_chars", "bert_strip_accents", "lowercase"],
  words: "BertPreTokenizer",
};

export const BERT_DECODER: DecodeStep[] = [decodeStep("word_piece", { content: CONTINUES, cleanup: true })];
