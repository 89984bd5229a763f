/**
 * Links that hold the page's state in their fragment, which browsers do not send. It is JSON, compressed and in base64url.
 * The address of the page itself is left alone, since a browser keeps it in its history and may copy that elsewhere.
 */

import { BUNDLED } from "./engine/bundled.js";
import { type ChatState, FIRST_PAGE, type Page, VIEWS } from "./page.js";
import { ROLES, type Message } from "./chat/message.js";

const PREFIX = "#s=";

/** Returns a link to the page in its present state, without vocabs from files. */
export async function linkTo(state: Page, address: string): Promise<string> {
  const held = { ...state, vocabs: state.vocabs.filter((name) => BUNDLED.includes(name)) };
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(held)));
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  const base64 = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${address.split("#")[0]}${PREFIX}${base64}`;
}

/** Whether a fragment is that of a link which holds a state. */
export function isLink(fragment: string): boolean {
  return fragment.startsWith(PREFIX);
}

/** Returns the state that a fragment holds; undefined if it holds none. */
export async function stateIn(fragment: string): Promise<Page | undefined> {
  if (!isLink(fragment)) return undefined;
  try {
    const base64 = fragment.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/");
    const packed = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const json = await through(new DecompressionStream("deflate-raw"), packed);
    return checked(JSON.parse(new TextDecoder("utf-8", { ignoreBOM: true }).decode(json)));
  } catch {
    return undefined; // cut short on its way
  }
}

async function through(stream: CompressionStream | DecompressionStream, data: Uint8Array): Promise<Uint8Array> {
  const readable = new Blob([data as BlobPart]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(readable).arrayBuffer());
}

/** A link may come from anyone: takes what is as expected, and the defaults for the rest. */
function checked(given: unknown): Page {
  const { view, text, vocabs, special, encoder, chip, chat } = given as Record<keyof Page, unknown>;
  const known = Array.isArray(vocabs) ? [...new Set(vocabs)].filter((name) => BUNDLED.includes(name)) : [];
  return {
    view: oneOf(view, VIEWS, FIRST_PAGE.view),
    text: stringOr(text, FIRST_PAGE.text),
    vocabs: known.length ? known : FIRST_PAGE.vocabs,
    special: oneOf(special, ["parse", "text", "no_added", "error"] as const, FIRST_PAGE.special),
    encoder: stringOr(encoder, FIRST_PAGE.encoder),
    chip: oneOf(chip, ["text", "both", "ids"] as const, FIRST_PAGE.chip),
    chat: checkedChat(chat),
  };
}

function checkedChat(given: unknown): ChatState {
  const chat = (typeof given === "object" && given !== null ? given : {}) as Record<keyof ChatState, unknown>;
  const first = FIRST_PAGE.chat;
  return {
    messages: Array.isArray(chat.messages) ? chat.messages.flatMap(checkedMessage) : first.messages,
    vocab: stringOr(chat.vocab, first.vocab),
    addGenerationPrompt: chat.addGenerationPrompt === true,
    tools: stringOr(chat.tools, first.tools),
    variables: stringOr(chat.variables, first.variables),
    template: typeof chat.template === "string" ? chat.template : undefined,
  };
}

function checkedMessage(given: unknown): Message[] {
  const { role, content } = (given ?? {}) as Record<keyof Message, unknown>;
  return [{ role: oneOf(role, ROLES, "user"), content: stringOr(content, "") }];
}

function oneOf<T>(given: unknown, values: readonly T[], fallback: T): T {
  return values.includes(given as T) ? (given as T) : fallback;
}

function stringOr(given: unknown, fallback: string): string {
  return typeof given === "string" ? given : fallback;
}
