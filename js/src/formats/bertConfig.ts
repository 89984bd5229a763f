/** The tokenizer_config.json beside a vocab.txt: what of BERT's rules it changes, and its special tokens. */

import type { WordRules } from "../vocabData.js";
import { BERT_WORDS } from "./bertRules.js";
import { JsonNode, parseJson, shown } from "./jsonNode.js";
import type { Source } from "./source.js";
import { chatTemplateOf, configLabel } from "./tokenizerConfig.js";

/** Whose rules are those of BERT. Others have a vocab.txt as well, for other rules. */
const CLASSES = [
  ...["Bert", "ConvBert", "DPRContextEncoder", "DPRQuestionEncoder", "DPRReader", "DistilBert", "Electra"],
  ...["LayoutLM", "Lxmert", "MobileBert", "RetriBert", "SqueezeBert"],
];

/** The settings of a tokenizer_config.json. */
export interface BertConfig {
  words: WordRules;
  chatTemplate: string | undefined;
  /** The content of the token of a role, such as `"unk"`; undefined if it has none. */
  token(role: string): string | undefined;
}

/** Reads it; a source without one has BERT's rules for lowercase. */
export function readBertConfig(source: Source): BertConfig {
  const label = configLabel(source);
  const root = source.config ? parseJson(source.config, label) : new JsonNode({}, label, "$");
  root.object();
  refuseOthers(root);
  return {
    words: wordsOf(root),
    chatTemplate: chatTemplateOf(source, root.get("chat_template")).chatTemplate,
    token: (role) => contentOf(root.get(`${role}_token`)),
  };
}

function refuseOthers(root: JsonNode): void {
  const name = root.get("tokenizer_class");
  if (!name.isMissing() && !CLASSES.includes(name.string().replace(/Fast$/, "").replace(/Tokenizer$/, ""))) {
    throw name.unsupported(`a vocab.txt for ${shown(name.value)}; wordsplit supports ${CLASSES.join(", ")}`);
  }
  const never = root.get("never_split");
  const isSet = Array.isArray(never.value) ? never.value.length > 0 : Boolean(never.value);
  if (isSet) throw never.unsupported("words that are never split");
  if (!root.get("do_basic_tokenize").boolean(true)) {
    throw root.get("do_basic_tokenize").unsupported("text that is split elsewhere");
  }
}

function wordsOf(root: JsonNode): WordRules {
  const lowercase = root.get("do_lower_case").boolean(true);
  const isOn: Readonly<Record<string, boolean>> = {
    bert_chinese_chars: root.get("tokenize_chinese_chars").boolean(true),
    bert_strip_accents: root.get("strip_accents").boolean(lowercase),
    lowercase,
  };
  return { ...BERT_WORDS, steps: BERT_WORDS.steps.filter((step) => isOn[step] ?? true) };
}

/** The text of a token, which may be an object. */
function contentOf(node: JsonNode): string | undefined {
  if (Array.isArray(node.value)) throw node.wrong("a token");
  const content = typeof node.value === "object" ? node.get("content") : node;
  return content.isMissing() ? undefined : content.string();
}
