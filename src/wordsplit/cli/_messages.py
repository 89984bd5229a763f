"""Rewrite error messages of the library for the command line.

The library's messages name Python arguments: ``pattern=``, ``encoder='heap_merge'``. Here they are replaced by options.
"""

from __future__ import annotations

import re
import shlex

__all__ = ["one_line"]

_OPTIONS = {
    "pattern": "--pattern",
    "pre": "--pre",
    "format": "--format",
    "encoder": "--encoder",
    "spanner": "--spanner",
    "engine": "--engine",
    "special": "--special",
    "column": "--column",
    "kind": "--as",
    "template": "--template",
    "tools": "--tools",
    "add_generation_prompt": "--generate",
    "skip_special": "--skip-special",
    "max_span": "--max-span",
    "sha256": "--sha256",
    "revision": "--revision",
    "vocab_size": "--vocab-size",
    "min_frequency": "--min-frequency",
    "max_token_bytes": "--max-token-bytes",
    "memory_limit": "--memory-limit",
    "tie_break": "--tie-break",
    "count": "--count",
    "compat": "--compat",
    "normalizer": "--normalizer",
    "threads": "--threads",
    "bos": "--bos",
    "eos": "--eos",
    "id_field": "--id-field",
    "memory": "--memory",
    "separator": "--separator",
    "text_field": "--text-field",
    "unit_bytes": "--unit-bytes",
    "workers": "--workers",
}

_ARGUMENT = re.compile(rf"(?<![\w.&?/-])({'|'.join(_OPTIONS)})=(?:'([^']*)'|(-?[0-9]+)|(?=$|[\s;:,.)…]))")
_BROKEN = re.compile(r"\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]\s*")


def one_line(error: object) -> str:
    """Format a message on one line, with options instead of Python arguments and visible control characters.

    Example:
        >>> one_line("it holds no pattern: give pattern=, or encoder='heap_merge'")
        'it holds no pattern: give --pattern, or --encoder heap_merge'
        >>> one_line("https://example.org/?pattern=1")
        'https://example.org/?pattern=1'
    """
    from wordsplit.cli._output import visible_controls  # noqa: PLC0415 - only for errors

    return visible_controls(_BROKEN.sub(" ", _ARGUMENT.sub(_option, str(error))))


def _option(found: re.Match[str]) -> str:
    option, value = _OPTIONS[found[1]], found[2] if found[3] is None else found[3]
    return option if value is None else f"{option} {shlex.quote(value)}"
