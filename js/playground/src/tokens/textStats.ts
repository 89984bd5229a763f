/** Sizes of a text. */

export interface TextStats {
  /** Code points. */
  characters: number;
  /** Bytes in UTF-8. */
  bytes: number;
  /** Runs of characters that are not blanks. */
  words: number;
}

const OTHER_BLANK = /\s/;

let newest = { text: "", stats: measured("") };

/** Returns the sizes of a text; those of the newest text are known. */
export function textStats(text: string): TextStats {
  if (newest.text !== text) newest = { text, stats: measured(text) };
  return newest.stats;
}

function measured(text: string): TextStats {
  let characters = 0;
  let bytes = 0;
  let words = 0;
  let isInWord = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    characters++;
    if (unit < 0x80) bytes++;
    else if (unit < 0x800) bytes += 2;
    else if (isLead(unit) && isTrail(text.charCodeAt(i + 1))) {
      bytes += 4;
      i++;
    } else bytes += 3;
    const wasInWord = isInWord;
    isInWord = !isBlank(unit);
    if (isInWord && !wasInWord) words++;
  }
  return { characters, bytes, words };
}

function isBlank(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) || (unit > 127 && OTHER_BLANK.test(String.fromCharCode(unit)));
}

function isLead(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isTrail(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
