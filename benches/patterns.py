"""Patterns that no library has a scanner for, each on Qwen3's tokens: ``benches/run.py --vocab digit_pairs words ...``.

Three are near the known one: a count, a class or an alternative is another. Four are of no known shape. A pattern means
the same in both regex dialects.
"""

from __future__ import annotations

import json
from pathlib import Path

_CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_SIGNS = r" ?[^\s\p{L}\p{N}]+[\r\n]*"
_WORD = r"\p{L}\p{M}\p{N}_"
_BLANKS = r"\s*[\r\n]+|\s+(?!\S)|\s+"

PATTERNS = {
    # Qwen3's, with digits by twos; with what joins words counted as a letter; with addresses kept whole.
    "digit_pairs": rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,2}}|{_SIGNS}|{_BLANKS}",
    "joined_words": (
        rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}\p{{Pc}}]?[\p{{L}}\p{{Pc}}]+|\p{{N}}"
        rf"| ?[^\s\p{{L}}\p{{N}}\p{{Pc}}]+[\r\n]*|{_BLANKS}"
    ),
    "addresses": rf"https?://[^\s)>]+|{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}|{_SIGNS}|{_BLANKS}",
    # Words alone; the parts of names in code; digits by threes from the right; lines, and what is quoted.
    "words": rf"[{_WORD}]+|[^{_WORD}\s]+|\s+",
    "camel_case": r"\p{Lu}+(?!\p{Ll})| ?\p{Lu}?[\p{Ll}\p{M}]+|[\p{L}\p{M}]+|\p{N}+|[^\S\n]+|\n+|[^\p{L}\p{M}\p{N}\s]+",
    "digits_from_the_right": (
        rf"[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}(?=(?:\p{{N}}{{3}})*(?!\p{{N}}))|{_SIGNS}|{_BLANKS}"
    ),
    "quoted": (
        rf"\"[^\"\n]{{0,40}}\"|'[^'\n]{{0,40}}'|[{_WORD}](?:[.-]?[{_WORD}])*"
        rf"|(?:\r?\n)+[ \t]*|[ \t]+(?=[^ \t\r\n])|\s+|[^{_WORD}\s]"
    ),
}


def write(folder: Path) -> None:
    """Write ``NAME.json`` and ``NAME.pattern`` of each, from the file of Qwen3."""
    rules = json.loads((folder / "qwen3.json").read_text(encoding="utf-8"))
    for name, pattern in PATTERNS.items():
        rules["pre_tokenizer"]["pretokenizers"][0]["pattern"] = {"Regex": pattern}
        if not (folder / f"{name}.json").exists():
            (folder / f"{name}.json").write_text(json.dumps(rules), encoding="utf-8")
            (folder / f"{name}.pattern").write_text(pattern, encoding="utf-8")
