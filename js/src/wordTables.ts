/**
 * What becomes of each character by usual rules: the file `word_tables.bin` of the Python package
 * (`wordsplit.engine.word_tables`), and maps for the engine made of it (word_map_file.hpp).
 */

import { inflate, readFile } from "./files.js";
import type { WordRules } from "./vocabData.js";

const PAGES = 0x1100;
const HAS_SIGNS = 1; // a flag of a map
/** The first and last characters of ranges of which BERT puts each apart. */
const CHINESE = [
  ...[0x3400, 0x4dbf, 0x4e00, 0x9fff, 0xf900, 0xfaff, 0x20000, 0x2a6df, 0x2a700, 0x2b81f, 0x2b920, 0x2ceaf],
  ...[0x2f800, 0x2fa1f],
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

/**
 * Returns the map of characters to words of some rules; undefined if the file has none.
 *
 * @param given - the file. By default it is fetched.
 */
export async function wordMapOf(rules: WordRules, given?: Uint8Array): Promise<Uint8Array | undefined> {
  const packed = given ?? (await readFile(new URL("./engine/word_tables.bin", import.meta.url)));
  const file = await inflate(packed, "word_tables.bin");
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const headerSize = view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(file.subarray(4, 4 + headerSize))) as {
    rules: [string[], Step[]][];
    needs: [number, number][];
  };
  const isWanted = WORDS[rules.words];
  const wanted = header.rules.findIndex(
    ([steps, words]) => steps.join() === rules.steps.join() && isWanted?.(words),
  );
  if (wanted < 0) return undefined;
  // Each table has what none before it needs of the entries and texts, which all share.
  let at = 4 + headerSize;
  const take = (size: number): Uint8Array => file.subarray(at, (at += size));
  let pages = new Uint8Array();
  const entries: Uint8Array[] = [];
  const texts: Uint8Array[] = [];
  let [entryCount, textSize] = [0, 0];
  for (const [entriesEnd, textsEnd] of header.needs.slice(0, wanted + 1)) {
    pages = take(2 * PAGES) as Uint8Array<ArrayBuffer>;
    entries.push(take(4 * (entriesEnd - entryCount)));
    texts.push(take(textsEnd - textSize));
    [entryCount, textSize] = [entriesEnd, textsEnd];
  }
  const apart = rules.steps.includes("bert_chinese_chars") ? CHINESE : [];
  return joined([
    numbers(rules.words === "Whitespace" ? HAS_SIGNS : 0, PAGES),
    pages,
    numbers(entryCount),
    ...entries,
    numbers(textSize),
    ...texts,
    numbers(0, 0, 0), // no keys, and no marks
    numbers(apart.length / 2, ...apart),
    numbers(0, 0), // no steps before it
  ]);
}

function numbers(...values: number[]): Uint8Array {
  const out = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => out.setUint32(4 * i, value, true));
  return new Uint8Array(out.buffer);
}

function joined(parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
