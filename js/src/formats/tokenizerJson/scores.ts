/** The scores of a Unigram model, as `tokenizers` reads them. */

import type { JsonNode } from "../jsonNode.js";

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const MOST = (1n << 64n) - 1n;
const LARGEST_POWER = 308;

/**
 * Reads the scores of a `vocab` that lists tokens and scores.
 *
 * The parser of `tokenizers`, serde_json, multiplies or divides the digits by a power of ten, which rounds twice, and the
 * last bit decides between paths whose sums would be equal. So the digits are needed, which `JSON.parse` does not keep.
 *
 * @param document - the whole file.
 */
export function readScores(vocab: JsonNode, document: Uint8Array): Float64Array {
  const pairs = vocab.list() as [string, number][];
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(document);
  const found = new Float64Array(pairs.length);
  for (const start of text.matchAll(/"vocab"\s*:\s*\[/g)) {
    const entry = /\s*\[\s*("(?:[^"\\]|\\.)*")\s*,\s*(-?[\d.eE+-]+)\s*\]\s*,?/y;
    entry.lastIndex = start.index + start[0].length;
    const fits = pairs.every(([name, score], i) => {
      const [, spelled, digits] = entry.exec(text) ?? [];
      if (spelled === undefined || digits === undefined || Number(digits) !== score || JSON.parse(spelled) !== name) return false;
      found[i] = asBySerde(digits);
      return true;
    });
    if (fits) return found;
  }
  throw vocab.error("the digits of its scores were not found in the file");
}

/** A number as serde_json reads it. */
function asBySerde(spelled: string): number {
  const [, sign, whole, fraction, power] = NUMBER.exec(spelled) ?? [];
  if (whole === undefined || (fraction === undefined && power === undefined)) return Number(spelled);
  let significand = 0n;
  let exponent = Number(power ?? 0);
  let isFull = false;
  for (const [digits, step] of [[whole, 0] as const, [fraction ?? "", -1] as const]) {
    for (const digit of digits) {
      const larger = significand * 10n + BigInt(digit);
      isFull ||= larger > MOST;
      if (!isFull) {
        significand = larger;
        exponent += step;
      } else if (step === 0) {
        exponent += 1; // digits that do not fit are dropped
      }
    }
  }
  const value = scaled(Number(significand), exponent);
  return sign ? -value : value;
}

function scaled(value: number, exponent: number): number {
  for (; Math.abs(exponent) > LARGEST_POWER; exponent += LARGEST_POWER) {
    if (value === 0) return 0;
    if (exponent > 0) return Infinity;
    value /= 1e308;
  }
  return exponent >= 0 ? value * Number(`1e${exponent}`) : value / Number(`1e${-exponent}`);
}
