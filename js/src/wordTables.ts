/**
 * The file `word_tables.bin` of the Python package (`wordsplit.engine.word_tables`): what becomes of each character by usual
 * rules, and which characters are marks.
 */

import { inflate, readOwn } from "./files.js";
import type { WordRules } from "./vocabData.js";
import { type Range, writeWordMap } from "./wordMap.js";

const PAGES = 0x1100;
/** Ranges of which BERT puts each character apart. */
const CHINESE: readonly Range[] = [
  ...([[0x3400, 0x4dbf], [0x4e00, 0x9fff], [0xf900, 0xfaff], [0x20000, 0x2a6df]] as const),
  ...([[0x2a700, 0x2b81f], [0x2b920, 0x2ceaf], [0x2f800, 0x2fa1f]] as const),
];

/** A pre-tokenizer in the file: its steps, of which each has a pattern. */
interface Step {
  pattern: string;
}

const WORDS: Readonly<Record<string, (steps: Step[]) => boolean>> = {
  BertPreTokenizer: (steps) => steps.length === 2,
  Whitespace: ([step, ...others]) => others.length === 0 && step?.pattern.startsWith("[\\w") === true,
  WhitespaceSplit: ([step, ...others]) => others.length === 0 && step?.pattern === "\\s",
};

interface Header {
  rules: [string[], Step[]][];
  needs: [number, number][];
  /** Ranges of the characters that join the one before, that join none, and that join the one after. */
  marks: Record<"joins" | "alone" | "before", Range[]>;
}

function address(): URL {
  return new URL("./engine/word_tables.bin", import.meta.url);
}

/** The file, unpacked. */
export class WordTables {
  readonly #file: Uint8Array;
  readonly #header: Header;
  readonly #tables: number;

  private constructor(file: Uint8Array) {
    this.#file = file;
    this.#tables = 4 + new DataView(file.buffer, file.byteOffset, file.byteLength).getUint32(0, true);
    this.#header = JSON.parse(new TextDecoder().decode(file.subarray(4, this.#tables))) as Header;
  }

  /** Reads the file. By default it is fetched. */
  static async read(given?: Uint8Array): Promise<WordTables> {
    const packed = given ?? (await readOwn("engine/word_tables.bin", address, "wordTables"));
    return new WordTables(await inflate(packed, "word_tables.bin"));
  }

  get marks(): Header["marks"] {
    return this.#header.marks;
  }

  /** Returns the map from characters to words of some rules; undefined if the file has none. */
  mapOf(rules: WordRules): Uint8Array | undefined {
    const { rules: known, needs } = this.#header;
    const isWanted = WORDS[rules.words];
    const wanted = known.findIndex(([steps, words]) => steps.join() === rules.steps.join() && isWanted?.(words));
    if (wanted < 0) return undefined;
    // Each table has what none before it needs of the entries and texts, which all share.
    let at = this.#tables;
    const take = (size: number): Uint8Array => this.#file.subarray(at, (at += size));
    let pages = new Uint8Array() as Uint8Array;
    const entries: Uint8Array[] = [];
    const texts: Uint8Array[] = [];
    let [entryCount, textSize] = [0, 0];
    for (const [entriesEnd, textsEnd] of needs.slice(0, wanted + 1)) {
      pages = take(2 * PAGES);
      entries.push(take(4 * (entriesEnd - entryCount)));
      texts.push(take(textsEnd - textSize));
      [entryCount, textSize] = [entriesEnd, textsEnd];
    }
    return writeWordMap({
      flags: rules.words === "Whitespace" ? ["hasSigns"] : [],
      pages,
      entries,
      texts,
      apart: rules.steps.includes("bert_chinese_chars") ? CHINESE : [],
    });
  }
}
