"""Write ``native/include/wordsplit/scanners/patterns.hpp`` from the table of schemes.

python tools/generate_patterns.py            # write it
python tools/generate_patterns.py --check    # fail if it is not up to date
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

from wordsplit.patterns.schemes import TABLE  # noqa: E402
from wordsplit.vocab import Split  # noqa: E402 - of this source tree, built or not

OUT = ROOT / "native/include/wordsplit/scanners/patterns.hpp"
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


def main() -> None:
    """Write the file or check it."""
    if "--check" not in sys.argv:
        OUT.write_text(header())
    elif OUT.read_text() != header():
        sys.exit(f"{OUT.relative_to(ROOT)} is not up to date: run tools/generate_patterns.py")


if __name__ == "__main__":
    main()
