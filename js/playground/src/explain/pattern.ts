/**
 * The branches of pre-tokenization patterns, and which of them made each span.
 *
 * A pattern is written for Rust's or Oniguruma's regular expressions. It is split at its top-level alternatives, and each
 * is translated to JavaScript: possessive repeats and atomic groups become look-aheads with a back reference, `(?i:…)`
 * becomes classes of both cases, and `\s` becomes the white space of Unicode, since JavaScript's differs.
 */

/** An alternative of the pattern of a step. */
export interface Branch {
  step: number;
  source: string;
}

/** A part of a text, and the branch that matched it; undefined if none did. */
export interface Labelled {
  start: number;
  end: number;
  branch: Branch | undefined;
}

interface Compiled {
  branch: Branch;
  regex: RegExp;
}

/** Splits text as a vocab's patterns do, and says how. */
export class Pattern {
  readonly branches: readonly Branch[];
  readonly #steps: Compiled[][];

  /** Throws a SyntaxError if a pattern cannot be translated. */
  constructor(patterns: readonly string[]) {
    this.#steps = patterns.map((pattern, step) =>
      alternatives(pattern).map((source) => ({ branch: { step, source }, regex: new RegExp(translated(source), "vy") })),
    );
    this.branches = this.#steps.flat().map(({ branch }) => branch);
  }

  /** Returns the parts of a text that has no added tokens. */
  split(text: string): Labelled[] {
    let parts: Labelled[] = text ? [{ start: 0, end: text.length, branch: undefined }] : [];
    for (const step of this.#steps) parts = parts.flatMap((part) => splitPart(text, part, step));
    return parts;
  }
}

/** Each match of a step is a part, and so is the text between two of them. */
function splitPart(text: string, whole: Labelled, step: readonly Compiled[]): Labelled[] {
  const inner = text.slice(whole.start, whole.end);
  const parts: Labelled[] = [];
  let done = 0;
  const put = (start: number, end: number, branch: Branch | undefined): void => {
    if (start < end) parts.push({ start: whole.start + start, end: whole.start + end, branch });
  };
  for (let at = 0; at < inner.length; ) {
    const found = firstMatch(inner, at, step);
    if (!found?.length) {
      at += (inner.codePointAt(at) as number) > 0xffff ? 2 : 1;
      continue;
    }
    put(done, at, whole.branch);
    put(at, at + found.length, found.branch);
    done = at += found.length;
  }
  put(done, inner.length, whole.branch);
  return parts;
}

function firstMatch(text: string, at: number, step: readonly Compiled[]): { length: number; branch: Branch } | undefined {
  for (const { regex, branch } of step) {
    regex.lastIndex = at;
    const match = regex.exec(text);
    if (match) return { length: match[0].length, branch };
  }
  return undefined;
}

/** Splits a pattern at its top-level bars. */
export function alternatives(pattern: string): string[] {
  const out: string[] = [];
  let depth = 0;
  let sets = 0;
  let start = 0;
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i];
    if (char === "\\") i++;
    else if (sets) sets += char === "[" ? 1 : char === "]" ? -1 : 0;
    else if (char === "[") sets++;
    else if (char === "(") depth++;
    else if (char === ")") depth--;
    else if (char === "|" && depth === 0) {
      out.push(pattern.slice(start, i));
      start = i + 1;
    }
  }
  return [...out, pattern.slice(start)];
}

/** Returns a pattern in JavaScript's syntax, for the flag `v`. */
export function translated(source: string): string {
  return new Translator(source).whole();
}

const CLASSES: Readonly<Record<string, string>> = {
  s: "\\p{White_Space}",
  S: "\\P{White_Space}",
  d: "\\p{Nd}",
  D: "\\P{Nd}",
  w: "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}]",
  W: "[^\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}]",
};
const SCRIPTS: Readonly<Record<string, string>> = { Han: "Script=Han" };
const ANCHORS: Readonly<Record<string, string>> = { z: "$", A: "^", b: "\\b", B: "\\B" };
const CONTROLS = new Set("nrtfv");
const RESERVED = new Set("()[]{}/-\\|^$*+?.");
/** The other letters that are the same without case, besides the ASCII letter of the other case. */
const FOLDED: Readonly<Record<string, string>> = { s: "ſ", k: "\u212a" };

class Translator {
  readonly #source: string;
  #at = 0;
  #groups = 0;

  constructor(source: string) {
    this.#source = source;
  }

  whole(): string {
    const out = this.#sequence(false);
    if (this.#at < this.#source.length) throw new SyntaxError(`a ")" too many in ${this.#source}`);
    return out;
  }

  get #next(): string | undefined {
    return this.#source[this.#at];
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Everything up to the end of the group. */
  #sequence(ignoreCase: boolean): string {
    let out = "";
    while (this.#next !== undefined && this.#next !== ")") {
      out += this.#take("|") ? "|" : this.#repeated(this.#atom(ignoreCase));
    }
    return out;
  }

  #repeated(atom: string): string {
    const repeat = /^(?:[*+?]|\{\d+(?:,\d*)?\})/.exec(this.#source.slice(this.#at))?.[0];
    if (!repeat) return atom;
    this.#at += repeat.length;
    if (this.#take("+")) return this.#atomic(`${atom}${repeat}`);
    return `${atom}${repeat}${this.#take("?") ? "?" : ""}`;
  }

  /** What has matched is not given back. */
  #atomic(inner: string): string {
    const name = `atomic${this.#groups++}`;
    return `(?=(?<${name}>${inner}))\\k<${name}>`;
  }

  #atom(ignoreCase: boolean): string {
    const char = this.#next as string;
    if (char === "(") return this.#group(ignoreCase);
    if (char === "[") return this.#set(ignoreCase);
    if (char === "\\") return this.#escape(false);
    this.#at++;
    return char === "." || char === "^" || char === "$" ? char : literal(this.#completed(char), ignoreCase);
  }

  #group(ignoreCase: boolean): string {
    this.#at++;
    const kind = /^\?(?:[:=!>]|<[=!]|i:)/.exec(this.#source.slice(this.#at))?.[0] ?? "";
    this.#at += kind.length;
    const inner = this.#sequence(ignoreCase || kind === "?i:");
    if (!this.#take(")")) throw new SyntaxError(`a ")" is missing in ${this.#source}`);
    if (kind === "?>") return `(?:${this.#atomic(inner)})`;
    return `(${kind === "" || kind === "?i:" ? "?:" : kind}${inner})`;
  }

  #set(ignoreCase: boolean): string {
    this.#at++;
    const begin = this.#take("^") ? "[^" : "[";
    const operands = [""]; // of &&, which in JavaScript takes sets alone
    for (let isFirst = true; isFirst || this.#next !== "]"; isFirst = false) {
      if (this.#take("&&")) operands.push("");
      else operands.push(`${operands.pop()}${this.#member(ignoreCase, isFirst)}`);
    }
    this.#at++;
    return operands.length === 1 ? `${begin}${operands[0]}]` : `${begin}${operands.map((each) => `[${each}]`).join("&&")}]`;
  }

  /** What stands in a set: a character, a class, another set, or the hyphen of a range. */
  #member(ignoreCase: boolean, isFirst: boolean): string {
    const char = this.#next;
    if (char === undefined) throw new SyntaxError(`a "]" is missing in ${this.#source}`);
    if (char === "[") return this.#set(ignoreCase);
    if (char === "\\") return this.#escape(true);
    this.#at++;
    if (char === "-") return isFirst || this.#next === "]" ? "\\-" : "-"; // at an end of the set, it is itself
    const whole = this.#completed(char);
    return ignoreCase ? cases(whole).map(inSet).join("") : inSet(whole);
  }

  #escape(isInSet: boolean): string {
    const property = /^\\([pP])(?:\{(\^?)([^}]*)\}|(\w))/.exec(this.#source.slice(this.#at));
    if (property) {
      this.#at += property[0].length;
      const name = property[3] ?? (property[4] as string);
      const isNegated = (property[1] === "P") !== (property[2] === "^");
      return `\\${isNegated ? "P" : "p"}{${SCRIPTS[name] ?? name}}`;
    }
    const code = /^\\(?:x([0-9A-Fa-f]{2})|[xu]\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4}))/.exec(this.#source.slice(this.#at));
    if (code) {
      this.#at += code[0].length;
      return `\\u{${code[1] ?? code[2] ?? code[3]}}`;
    }
    const char = this.#source[this.#at + 1];
    if (char === undefined) throw new SyntaxError(`nothing behind "\\" in ${this.#source}`);
    this.#at += 2;
    const known = CLASSES[char] ?? (isInSet ? undefined : ANCHORS[char]);
    if (known !== undefined) return known;
    if (CONTROLS.has(char)) return `\\${char}`;
    if (/[A-Za-z0-9]/.test(char)) throw new SyntaxError(`what \\${char} means in ${this.#source} is not known here`);
    return isInSet ? inSet(char) : literal(char, false);
  }

  /** A character outside of the basic plane is two code units. */
  #completed(char: string): string {
    const low = this.#source[this.#at];
    const isPair = /[\ud800-\udbff]/.test(char) && low !== undefined && /[\udc00-\udfff]/.test(low);
    if (isPair) this.#at++;
    return isPair ? char + low : char;
  }
}

function literal(char: string, ignoreCase: boolean): string {
  const all = ignoreCase ? cases(char) : [char];
  return all.length > 1 ? `[${all.map(inSet).join("")}]` : RESERVED.has(char) ? `\\${char}` : char;
}

function cases(char: string): string[] {
  const lower = char.toLowerCase();
  return [...new Set([char, lower, char.toUpperCase(), ...(FOLDED[lower] ?? "")])];
}

/** Characters with a meaning in sets under the flag `v`, and those that have one if doubled, are escaped by number. */
function inSet(char: string): string {
  return /[A-Za-z0-9]/.test(char) || char > "\x7f" ? char : `\\u{${(char.codePointAt(0) as number).toString(16)}}`;
}
