/** The tokenizer_config.json and the chat_template.jinja beside a vocab: the roles of its tokens, and its chat template. */

import type { AddedToken, VocabData } from "../vocabData.js";
import { type JsonNode, parseJson } from "./jsonNode.js";
import type { Source } from "./source.js";

const NAME = "tokenizer_config.json";
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The file, as messages name it. */
export function configLabel({ path }: Source): string {
  return path?.replace(/[^\\/]*$/, NAME) ?? NAME;
}

/** The roles of added tokens and the chat template, for what the vocab's own file lacks; those that are not given are absent. */
export function rolesOf(
  source: Source,
  added: readonly AddedToken[],
): Partial<Pick<VocabData, "eosTokenId" | "bosTokenId" | "padTokenId" | "unkTokenId" | "chatTemplate">> {
  if (!source.config) return { ...chatTemplateOf(source, undefined) };
  const root = parseJson(source.config, configLabel(source));
  root.object();
  const idOf = (role: string): number | undefined => {
    const { value } = root.get(`${role}_token`);
    const content = typeof value === "object" ? root.get(`${role}_token`).get("content").value : value;
    return added.find((token) => token.content === content)?.id;
  };
  const ids = { eosTokenId: idOf("eos"), bosTokenId: idOf("bos"), padTokenId: idOf("pad"), unkTokenId: idOf("unk") };
  const known = Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== undefined));
  return { ...known, ...chatTemplateOf(source, root.get("chat_template")) };
}

/** The template of chat_template.jinja, or else that of the tokenizer_config.json: the default one, if it has several. */
export function chatTemplateOf(source: Source, node: JsonNode | undefined): { chatTemplate?: string } {
  if (source.template) return { chatTemplate: decoder.decode(source.template) };
  const isDefault = (item: JsonNode): boolean => item.get("name").value === "default";
  const own = Array.isArray(node?.value) ? node.items().reverse().find(isDefault)?.get("template") : node;
  return typeof own?.value === "string" ? { chatTemplate: own.string() } : {};
}
