"""Write the tables of patterns of the kernels and of the JavaScript package, from those of the Python package.

They are ``native/include/wordsplit/scanners/patterns.hpp`` and ``js/src/formats/schemes.ts``.

python tools/generate_patterns.py            # write it
python tools/generate_patterns.py --check    # fail if it is not up to date
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

from wordsplit.patterns.dialects import to_tokenizers  # noqa: E402 - of this source tree, built or not
from wordsplit.patterns.schemes import TABLE  # noqa: E402
from wordsplit.vocab import Split  # noqa: E402
from wordsplit.vocabs.formats.gguf.pre_tokenizers import KNOWN_UNSUPPORTED, PRE_TOKENIZERS  # noqa: E402
from wordsplit.vocabs.formats.gguf.token_types import FILL_IN_ROLES, TYPES_BY_TEXT  # noqa: E402

OUT = ROOT / "native/include/wordsplit/scanners/patterns.hpp"
SCRIPT = ROOT / "js/src/formats/schemes.ts"
HEAD = """\
// Generated from src/wordsplit/patterns/schemes.py by tools/generate_patterns.py. Do not edit.
//
// The spellings of the patterns that each scanner splits.
#pragma once

#include "wordsplit/scanners/spelling.hpp"

namespace wordsplit::scanners::patterns {

// clang-format off
"""
TAIL = """\
// clang-format on

}  // namespace wordsplit::scanners::patterns
"""
WIDTH = 100
SCRIPT_HEAD = """\
/**
 * Generated from src/wordsplit/patterns/schemes.py and src/wordsplit/vocabs/formats/gguf/pre_tokenizers.py by
 * tools/generate_patterns.py. Do not edit.
 *
 * The names of pre-tokenization patterns, in this package and in GGUF files.
 */

/** The patterns of a scheme, one for each step. */
export interface Scheme {
  patterns: readonly string[];
  dialect: "tokenizers" | "tiktoken";
}

/** The scheme that llama.cpp's name of a pre-tokenizer stands for. */
export interface PreTokenizer {
  scheme: string;
  /** Whether a span that is a token as a whole gets its id without any merging. */
  ignoreMerges?: boolean;
  /** Whether the token `<mask>` includes the white space before it. */
  maskLstrip?: boolean;
}
"""


def spellings() -> dict[str, list[tuple[Split, ...]]]:
    """The spellings by scanner: those of its own scheme first."""
    found: dict[str, list[tuple[Split, ...]]] = {name: [] for name, scheme in TABLE.items() if scheme.scanner == name}
    for scheme in TABLE.values():
        if scheme.scanner is not None:
            found[scheme.scanner] += [scheme.steps, *scheme.also]
    return found


def literal(pattern: str, indent: str) -> str:
    """A pattern as string literals, one a line, divided at alternatives."""
    lines = [""]
    for part in re.findall(r"\|?[^|]+|\|", pattern):
        if lines[-1] and len(indent + quoted(lines[-1] + part)) > WIDTH:
            lines.append("")
        lines[-1] += part
    return ("\n" + indent).join(map(quoted, lines))


def quoted(text: str) -> str:
    """A string literal: a raw one where all characters are printable ASCII."""
    if text.isascii() and text.isprintable():
        return f'R"({text})"'
    escapes = {"\\": "\\\\", '"': '\\"', "\r": "\\r", "\n": "\\n"}
    return '"' + "".join(escapes.get(char, char if char.isascii() else f"\\u{ord(char):04x}") for char in text) + '"'


def header() -> str:
    """The content of the file."""
    out = HEAD
    for name, rows in spellings().items():
        constant = "".join(part.capitalize() for part in name.split("_"))
        out += f"\ninline constexpr Spelling k{constant}[] = {{\n"
        for steps in rows:
            dialect = "Tiktoken" if any(step.dialect == "tiktoken" for step in steps) else "Any"
            patterns = ",\n      ".join(literal(step.pattern, " " * 6) for step in steps)
            out += f"    {{{{{patterns}}},\n     Dialect::{dialect}}},\n"
        out += "};\n"
    return out + "\n" + TAIL


def script() -> str:
    """The content of the TypeScript file."""
    scanned = {name: row.steps for name, row in TABLE.items() if row.scanner is not None}
    tiktoken = [step for steps in scanned.values() for step in steps if step.dialect == "tiktoken"]
    tables: dict[str, tuple[str, str, dict[str, object]]] = {
        "SCHEMES": (
            "The schemes that have a scanner.",
            "Scheme",
            {
                name: {
                    "patterns": [step.pattern for step in steps],
                    "dialect": "tiktoken" if set(steps) & set(tiktoken) else "tokenizers",
                }
                for name, steps in scanned.items()
            },
        ),
        "FROM_TOKENIZERS": (
            "Patterns of tiktoken by their spelling in a tokenizer.json.",
            "string",
            {to_tokenizers(step): step.pattern for step in tiktoken},
        ),
        "PRE_TOKENIZERS": (
            "The names in GGUF files that are supported.",
            "PreTokenizer",
            {
                name: {"scheme": row.scheme}
                | {
                    key: True
                    for key, value in (("ignoreMerges", row.ignore_merges), ("maskLstrip", row.mask_lstrip))
                    if value
                }
                for name, row in PRE_TOKENIZERS.items()
            },
        ),
        "KNOWN_UNSUPPORTED": (
            "Names in GGUF files that are refused, and whether they look up whole spans first.",
            "boolean",
            dict(KNOWN_UNSUPPORTED),
        ),
        "TYPES_BY_TEXT": ("The types that llama.cpp gives to tokens by their text.", "number", dict(TYPES_BY_TEXT)),
        "FILL_IN_ROLES": (
            "The roles that it gives to tokens of GGUF files by their text.",
            "string",
            dict(FILL_IN_ROLES),
        ),
    }
    out = SCRIPT_HEAD
    for table, (doc, kind, rows) in tables.items():
        out += f"\n/** {doc} */\nexport const {table}: Readonly<Record<string, {kind}>> = {{\n"
        out += "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in rows.items())
        out += "};\n"
    return out


def main() -> None:
    """Write the files or check them."""
    for path, text in ((OUT, header()), (SCRIPT, script())):
        if "--check" not in sys.argv:
            path.write_text(text)
        elif path.read_text() != text:
            sys.exit(f"{path.relative_to(ROOT)} is not up to date: run tools/generate_patterns.py")


if __name__ == "__main__":
    main()
