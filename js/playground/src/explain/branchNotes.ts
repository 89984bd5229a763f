/** Descriptions of the branches of well-known patterns. */

const NOTES: readonly [RegExp, string][] = [
  [/^('?\(\?[i:]?:?.*'?s.*|'\(\?i?:\[sdmt\].*|'s|'t|'re|'ve|'m|'ll|'d)$/, "contraction"],
  [/^\[\\p\{Han\}\]\+$/, "ideographs"],
  [/^\[(?:[^\x00-\x7f]-[^\x00-\x7f])+\]\+$/, "characters of some scripts"],
  [/\\p\{Lu\}.*\*\[.*\\p\{Ll\}.*\]\+/, "a word that ends in small letters"],
  [/\\p\{Lu\}.*\+\[.*\\p\{Ll\}.*\]\*/, "a word that begins with capitals"],
  [/\\p\{L\}\+{1,2}$|\\p\{L\}\\p\{M\}\]\+$/, "letters, and one character before them"],
  [/^ \?\\p\{N\}\+{1,2}$/, "digits, and a space before them"],
  [/^\\p\{N\}\{1,3\}\+?$/, "up to three digits"],
  [/^\\p\{N\}(\{1\})?$/, "one digit"],
  [/^ \?\[(?:\^\\s\\p\{L\}.*\\p\{N\}.*|\\p\{P\}\\p\{S\})\]/, "signs, and a space before them"],
  [/^\\s[*+]?.*\[\\r\\n\]/, "line ends, and blanks before them"],
  [/^\\s\+\+?\$$/, "blanks at the end"],
  [/^\\s\+\(\?!\\S\)$/, "blanks, except the last before a word"],
  [/^\\s\+?$/, "other blanks"],
];

/** Returns what a branch matches, if it is a known one. */
export function noteOn(source: string): string | undefined {
  const escaped = source.replaceAll("\r", "\\r").replaceAll("\n", "\\n");
  return NOTES.find(([known]) => known.test(escaped))?.[1];
}
