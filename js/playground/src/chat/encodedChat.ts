/** The ids of a chat by the template of a vocab, or by one that the page was given. */

import type { OpenVocab, Result } from "../engine/vocabs.js";
import type { ChatState, Range } from "../page.js";
import type { TokenTable } from "../tokens/tokenTable.js";
import { CHATML } from "./chatml.js";
import { inertRanges } from "./inert.js";
import { type ChatRequest, renderChat } from "./template.js";

export interface EncodedChat {
  result: Result;
  /** The tokens of the vocab that gave the result. */
  tokens: TokenTable;
  /** The number of control tokens. */
  control: number;
  /** Where messages hold literals of added tokens. */
  inert: Range[];
}

/** Returns the vocab that a chat is encoded with: the chosen one, or the first that has a template. */
export function chatVocab(open: readonly OpenVocab[], { vocab }: ChatState): OpenVocab | undefined {
  return open.find(({ key }) => key === vocab) ?? open.find(({ state }) => state.get().info?.chatTemplate) ?? open[0];
}

/** Returns the template of a chat, given the vocab's own. */
export function templateOf(chat: ChatState, own: string | undefined): string {
  return chat.template ?? own ?? CHATML;
}

/** Returns the variables of the template. Throws an error if they, or the tools, are not what they should be. */
export function variablesOf(chat: ChatState): Record<string, unknown> {
  const variables = json(chat.variables, "variables") ?? {};
  const tools = json(chat.tools, "tools") ?? null;
  if (typeof variables !== "object" || Array.isArray(variables)) throw new Error("variables: an object is needed");
  return { tools, add_generation_prompt: chat.addGenerationPrompt, ...variables };
}

/** Encodes a chat. Throws an error if it, its template or the vocab is invalid. */
export async function encodedChat(vocab: OpenVocab, chat: ChatState): Promise<EncodedChat> {
  const { info, error } = vocab.state.get();
  if (!info) throw new Error(error ?? `${vocab.title} is not loaded yet`);
  const request: ChatRequest = {
    template: templateOf(chat, info.chatTemplate),
    messages: chat.messages,
    variables: variablesOf(chat),
  };
  const pieces = renderChat(request, info.added, info.named);
  return {
    result: await vocab.encodeChat(pieces),
    tokens: vocab.tokens,
    control: pieces.filter(({ id }) => id !== undefined).length,
    inert: inertRanges(pieces, info.added),
  };
}

function json(text: string, name: string): unknown {
  if (!text.trim()) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${name}: not JSON: ${(error as Error).message}`);
  }
}
