/**
 * A chat template whose own control tokens can be told from the rest of its output, as in the Python package.
 *
 * The literals of added tokens in what the template itself prints are framed with a nonce: characters that no message can
 * know. So a framed literal in the output is the template's, and any other literal is text. A constant that the template
 * only compares or searches with stays as it is, because there it must equal what messages say. The template is also
 * rendered without frames. If the two outputs differ, a frame has changed the template's course, which is an error.
 *
 * Some templates make a token of the role, as in `'<|' + message.role + '|>'`. So the usual roles are framed too, and so
 * is the text around them in the template; the three together are the token.
 */

import { Template } from "@huggingface/jinja";
import type { ChatPiece } from "../engine/protocol.js";
import type { AddedToken } from "wordsplit";
import type { Message } from "./message.js";

/** Roles of which a template may make tokens. */
const ROLES = ["system", "developer", "user", "assistant", "tool", "observation", "ipython"];
const STRIPS = new Set(["strip", "lstrip", "rstrip"]);
/** Filters whose output has the characters of their input, in the same order. */
const KEEPING = new Set(["trim", "string", "safe", "default", "d", "join", "indent", "replace", "first", "last"]);

type Kind = "token" | "role" | "left" | "right";
const KINDS: readonly Kind[] = ["token", "role", "left", "right"];

/** A part of the output. */
interface Segment {
  kind: Kind | undefined;
  text: string;
}

/** A node of the template's syntax tree; see the library's ast.ts. */
type Syntax = { type: string } & Record<string, unknown>;

export interface ChatRequest {
  template: string;
  messages: readonly Message[];
  variables: Readonly<Record<string, unknown>>;
}

/**
 * Renders a chat, and returns control tokens and text in order.
 *
 * @param named - the contents of `bos_token`, `eos_token` and so on.
 * @throws Error - the template is invalid, rejects the messages, or uses its control tokens in ways that frames change.
 */
export function renderChat(request: ChatRequest, added: readonly AddedToken[], named: Record<string, string>): ChatPiece[] {
  const nonce = newNonce();
  const framer = new Framer(nonce, added);
  const framed = framer.rendered(request, named);
  const plain = rendered(strippedTree(new Template(request.template)), request, named, {});
  const segments = segmentsOf(framed, nonce);
  if (segments.map(({ text }) => text).join("") !== plain) {
    throw new Error("the template treats its own control tokens as data, so they cannot be told from text here");
  }
  const tokens = new Map([...added].reverse().map((token) => [token.content, token]));
  return strippedByFlags(joined(resolved(segments, tokens)));
}

function rendered(
  template: Template,
  { messages, variables }: ChatRequest,
  named: Record<string, string>,
  functions: Record<string, unknown>,
): string {
  const values = { documents: null, tools: null, add_generation_prompt: false, ...named, ...variables, ...functions };
  return template.render({ ...values, messages: messages.map((message) => ({ ...message })), ...STRIP_FUNCTIONS });
}

// The library's strip() ignores its argument, so calls with one become calls of these functions.

const STRIP_FUNCTIONS = {
  playground_strip: (text: string, chars: string) => text.replace(ends(chars, "both"), ""),
  playground_lstrip: (text: string, chars: string) => text.replace(ends(chars, "left"), ""),
  playground_rstrip: (text: string, chars: string) => text.replace(ends(chars, "right"), ""),
};

function ends(chars: string, side: "both" | "left" | "right"): RegExp {
  const set = `[${Array.from(chars, (char) => `\\u{${(char.codePointAt(0) as number).toString(16)}}`).join("")}]+`;
  return new RegExp(side === "left" ? `^${set}` : side === "right" ? `${set}$` : `^${set}|${set}$`, "gu");
}

function strippedTree(template: Template): Template {
  visit(template.parsed as unknown as Syntax, replaceStrip);
  return template;
}

function replaceStrip(node: Syntax): void {
  if (node.type !== "CallExpression") return;
  const callee = node.callee as Syntax;
  const args = node.args as Syntax[];
  if (callee.type !== "MemberExpression" || callee.computed || args.length !== 1) return;
  const name = (callee.property as Syntax).value as string;
  if (!STRIPS.has(name)) return;
  node.args = [callee.object, ...args];
  node.callee = { type: "Identifier", value: `playground_${name}` };
}

function visit(node: unknown, change: (node: Syntax) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, change);
  else if (node instanceof Map) for (const pair of node) visit(pair, change);
  else if (typeof node === "object" && node !== null) {
    for (const child of Object.values(node)) visit(child, change);
    if ("type" in node) change(node as Syntax);
  }
}

/** Frames what a template prints. */
class Framer {
  readonly #nonce: string;
  readonly #literals: RegExp | undefined;
  readonly #around: RegExp;
  readonly #roles: Set<string>;
  readonly #roleNames = new Set<string>();
  readonly #macros = new Set<string>();

  constructor(nonce: string, added: readonly AddedToken[]) {
    this.#nonce = nonce;
    const contents = added.map(({ content }) => content).filter(Boolean);
    this.#literals = contents.length ? new RegExp(anyOf(contents), "g") : undefined;
    this.#roles = new Set(ROLES.filter((role) => contents.some((content) => content.includes(role))));
    const around = [...this.#roles].flatMap((role) =>
      contents.filter((one) => one.includes(role)).map((one) => [one.slice(0, one.indexOf(role)), one.slice(one.indexOf(role) + role.length)]),
    );
    // A role follows the end of a constant; behind it comes the beginning of the next one.
    const left = anyOf(around.map(([before]) => before as string));
    const right = anyOf(around.map(([, after]) => after as string));
    this.#around = new RegExp(`(?<left>${left})$|^(?<right>${right})`, "g");
  }

  rendered(request: ChatRequest, named: Record<string, string>): string {
    const template = strippedTree(new Template(request.template));
    visit(template.parsed as unknown as Syntax, (node) => this.#learn(node));
    this.#statements((template.parsed as unknown as Syntax).body as Syntax[]);
    const functions = {
      playground_role: (role: unknown) => (this.#roles.has(role as string) ? this.#frame("role", role as string) : role),
      playground_printed: (text: unknown) => (typeof text === "string" ? this.#framed(text) : text),
    };
    return rendered(template, request, named, functions);
  }

  /** Collects the names of macros, and of variables that hold a role. */
  #learn(node: Syntax): void {
    if (node.type === "Macro") this.#macros.add((node.name as Syntax).value as string);
    if (node.type === "Set" && isRole(node.value as Syntax | null)) this.#roleNames.add((node.assignee as Syntax).value as string);
  }

  #statements(statements: Syntax[]): void {
    statements.forEach((statement, i) => (statements[i] = this.#statement(statement)));
  }

  #statement(node: Syntax): Syntax {
    switch (node.type) {
      case "If":
        this.#statements(node.body as Syntax[]);
        this.#statements(node.alternate as Syntax[]);
        return node;
      case "For":
        this.#statements(node.body as Syntax[]);
        this.#statements(node.defaultBlock as Syntax[]);
        return node;
      case "Set":
        if (node.value && !isRole(node.value as Syntax)) node.value = this.#printed(node.value as Syntax);
        this.#statements(node.body as Syntax[]);
        return node;
      case "Macro":
      case "CallStatement":
      case "FilterStatement":
        this.#statements(node.body as Syntax[]);
        return node;
      default:
        return this.#printed(node);
    }
  }

  /** Frames the constants that an expression prints. */
  #printed(node: Syntax): Syntax {
    switch (node.type) {
      case "StringLiteral":
        node.value = this.#framed(node.value as string);
        return node;
      case "BinaryExpression":
        return this.#printedOperation(node);
      case "Ternary":
        node.trueExpr = this.#printed(node.trueExpr as Syntax);
        node.falseExpr = this.#printed(node.falseExpr as Syntax);
        return node;
      case "SelectExpression":
        node.lhs = this.#printed(node.lhs as Syntax);
        return node;
      case "FilterExpression":
        return this.#printedFilter(node);
      case "CallExpression":
        return this.#printedCall(node);
      case "ArrayLiteral":
      case "TupleLiteral":
        node.value = (node.value as Syntax[]).map((item) => this.#printed(item));
        return node;
      case "ObjectLiteral":
        node.value = new Map([...(node.value as Map<Syntax, Syntax>)].map(([key, value]) => [key, this.#printed(value)]));
        return node;
      case "KeywordArgumentExpression":
        node.value = this.#printed(node.value as Syntax);
        return node;
      case "MemberExpression":
        return isRole(node) ? called("playground_role", node) : node;
      case "Identifier":
        return this.#printedName(node);
      default:
        return node;
    }
  }

  #printedOperation(node: Syntax): Syntax {
    const operator = (node.operator as { value: string }).value;
    if (operator === "or" || operator === "and") {
      if (operator === "or") node.left = this.#printed(node.left as Syntax);
      node.right = this.#printed(node.right as Syntax);
      return node;
    }
    if (operator !== "+" && operator !== "~") return node;
    joinConstants(node);
    node.left = this.#printed(node.left as Syntax);
    node.right = this.#printed(node.right as Syntax);
    return node;
  }

  #printedFilter(node: Syntax): Syntax {
    const filter = node.filter as Syntax;
    const name = (filter.type === "CallExpression" ? (filter.callee as Syntax) : filter).value as string;
    if (!KEEPING.has(name)) return node;
    node.operand = this.#printed(node.operand as Syntax);
    if (filter.type === "CallExpression" && name !== "replace") {
      filter.args = (filter.args as Syntax[]).map((argument) => this.#printed(argument));
    }
    return node;
  }

  #printedCall(node: Syntax): Syntax {
    const callee = node.callee as Syntax;
    const args = node.args as Syntax[];
    const name = callee.value as string;
    if (callee.type === "Identifier" && name.startsWith("playground_")) args[0] = this.#printed(args[0] as Syntax);
    else if (callee.type === "Identifier" && (name === "namespace" || this.#macros.has(name))) {
      node.args = args.map((argument) => this.#printed(argument));
    } else if (callee.type === "MemberExpression" && STRIPS.has((callee.property as Syntax).value as string)) {
      callee.object = this.#printed(callee.object as Syntax);
    }
    return node;
  }

  #printedName(node: Syntax): Syntax {
    const name = node.value as string;
    if (this.#roleNames.has(name)) return called("playground_role", node);
    return /^(?:bos|eos|unk|pad|sep|cls|mask)_token$/.test(name) ? called("playground_printed", node) : node;
  }

  #frame(kind: Kind, text: string): string {
    return `${this.#nonce}${KINDS.indexOf(kind)}${text}${this.#nonce}.`;
  }

  /** Frames the literals in a text that the template prints. */
  #framed(text: string): string {
    let out = "";
    let at = 0;
    const put = (end: number): void => {
      out += text.slice(at, end).replace(this.#around, (...found) => {
        const { left, right } = found.at(-1) as Record<"left" | "right", string | undefined>;
        return left ? this.#frame("left", left) : right ? this.#frame("right", right) : (found[0] as string);
      });
    };
    for (const match of this.#literals ? text.matchAll(this.#literals) : []) {
      put(match.index);
      out += this.#frame("token", match[0]);
      at = match.index + match[0].length;
    }
    put(text.length);
    return out;
  }
}

/** Makes `x + 'a' + 'b'` into `x + 'ab'`, so that literals that are written in two constants are found. */
function joinConstants(node: Syntax): void {
  const { left, right } = node as { left: Syntax; right: Syntax } & Syntax;
  if (left.type === "BinaryExpression" && (left.operator as { value: string }).value === (node.operator as { value: string }).value) {
    joinConstants(left);
    const end = left.right as Syntax;
    if (end.type === "StringLiteral" && right.type === "StringLiteral") {
      node.left = left.left;
      node.right = { ...end, value: `${end.value as string}${right.value as string}` };
    }
  } else if (left.type === "StringLiteral" && right.type === "StringLiteral") {
    node.left = { ...left, value: `${left.value as string}${right.value as string}` };
    node.right = { ...right, value: "" };
  }
}

function isRole(node: Syntax | null): boolean {
  return node?.type === "MemberExpression" && (node.property as Syntax).value === "role";
}

function called(name: string, argument: Syntax): Syntax {
  return { type: "CallExpression", callee: { type: "Identifier", value: name }, args: [argument] };
}

function anyOf(texts: readonly string[]): string {
  const unique = [...new Set(texts)].filter(Boolean).sort((a, b) => b.length - a.length);
  return unique.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|") || "(?!)";
}

/** Eight private-use characters that cannot be guessed. */
function newNonce(): string {
  const words = crypto.getRandomValues(new Uint16Array(8));
  return String.fromCodePoint(...Array.from(words, (word) => 0x100000 | word % 0xfffe));
}

function segmentsOf(text: string, nonce: string): Segment[] {
  const parts = text.split(nonce);
  const isWhole = parts.every((part, i) => (i % 2 ? /^[0-3]/.test(part) : !i || part.startsWith(".")));
  if (parts.length % 2 === 0 || !isWhole) throw new Error("the template cuts one of its own control tokens apart");
  return parts.flatMap((part, i): Segment[] => {
    if (i % 2) return [{ kind: KINDS[Number(part[0])], text: part.slice(1) }];
    const outside = i ? part.slice(1) : part;
    return outside ? [{ kind: undefined, text: outside }] : [];
  });
}

interface Piece {
  text: string;
  token: AddedToken | undefined;
}

const ROLE_GROUPS = new Set(["left role right", "left role", "role right", "role"]);

function resolved(segments: readonly Segment[], tokens: ReadonlyMap<string, AddedToken>): Piece[] {
  const out: Piece[] = [];
  for (let at = 0; at < segments.length; ) {
    const { kind, text } = segments[at] as Segment;
    let piece: Piece = { text, token: kind === "token" ? tokens.get(text) : undefined };
    let size = 1;
    if (kind === "left" || kind === "role") {
      for (const tried of [3, 2, 1]) {
        const group = segments.slice(at, at + tried);
        const whole = group.map((part) => part.text).join("");
        const token = ROLE_GROUPS.has(group.map((part) => part.kind).join(" ")) ? tokens.get(whole) : undefined;
        if (!token) continue;
        piece = { text: whole, token };
        size = tried;
        break;
      }
    }
    out.push(piece);
    at += size;
  }
  return out;
}

/** Joins neighbouring texts, so that spans do not end where messages do. */
function joined(pieces: readonly Piece[]): Piece[] {
  const out: Piece[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (last && !last.token && !piece.token) last.text += piece.text;
    else out.push({ ...piece });
  }
  return out;
}

/** Leaves out the white space that tokens take with them (`lstrip`, `rstrip`), and tokens that must stand alone but do not. */
function strippedByFlags(pieces: readonly Piece[]): ChatPiece[] {
  const word = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]/u;
  const standsAlone = (at: number): boolean =>
    !word.test(Array.from(pieces[at - 1]?.text ?? "").at(-1) ?? "") && !word.test(Array.from(pieces[at + 1]?.text ?? "")[0] ?? "");
  const kept = joined(pieces.map((piece, at) => (piece.token?.singleWord && !standsAlone(at) ? { ...piece, token: undefined } : piece)));
  return kept.flatMap(({ text, token }, at): ChatPiece[] => {
    if (token) return [{ text, id: token.id }];
    let out = text;
    if (kept[at - 1]?.token?.rstrip) out = out.replace(/^\p{White_Space}+/u, "");
    if (kept[at + 1]?.token?.lstrip) out = out.replace(/\p{White_Space}+$/u, "");
    return out ? [{ text: out, id: undefined }] : [];
  });
}
