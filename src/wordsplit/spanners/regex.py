r"""Any pattern, by the `regex` package, with its Unicode classes made to agree with the oracles'.

The package follows the newest Unicode; `tokenizers` and `tiktoken` follow 16.0. Letters added since would
fall into other spans. So the spanner asks the installed package which code points it classes otherwise,
for the classes that the pattern names, and puts in the place of each a stand-in of the same length that
the package classes as the oracles do. Spans are offsets, so the stand-ins are never seen.

What is left to the package: classes other than general categories, ``\s``, ``\w`` and ``\p{Han}``, such
as other scripts; and case folding in ``(?i…)``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import regex

from wordsplit.errors import UnsupportedVocabError
from wordsplit.spanners._stand_ins import classes_in, with_stand_ins
from wordsplit.spanners.base import TextSpanner
from wordsplit.vocab import Split, Vocab

__all__ = ["RegexSpanner", "flags_of"]

_ATOM = r"\\[pP]\{\^?\w+\}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]"
_ANCHOR = re.compile(rf"({_ATOM})|([$^])", re.DOTALL)
_SET_IN_SET = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\\[&]|&(?!&))*(\[|&&)?", re.DOTALL)
_REPEATED_COUNT = re.compile(rf"((?:{_ATOM}|[^\\()|*+?{{}}\[\]])\{{\d*,?\d*\}})\+", re.DOTALL)

Piece = tuple[int, int, bool]


class RegexSpanner(TextSpanner):
    """Spans of any pattern.

    Raises:
        UnsupportedVocabError: The pattern does not compile, or drops text.

    Example:
        >>> import wordsplit
        >>> wordsplit.load_tokenizer("cl100k_base", spanner="regex").spans("It's 2024 already")
        ['It', "'s", ' ', '202', '4', ' already']
    """

    def __init__(self, vocab: Vocab) -> None:
        super().__init__(vocab)
        self._steps = [_step(split, vocab) for split in vocab.pre_tokenizer]
        self._classes = frozenset(name for split in vocab.pre_tokenizer for name in classes_in(split))

    def pieces(self, text: str) -> Iterable[str]:
        """The spans of ``text``."""
        seen = text if text.isascii() else with_stand_ins(text, self._classes)
        bounds = [(0, len(text))] if text else []
        for step in self._steps:
            bounds = [(start + a, start + b) for start, end in bounds for a, b in step(seen[start:end])]
        return [text[a:b] for a, b in bounds]


def _step(split: Split, vocab: Vocab) -> Callable[[str], list[tuple[int, int]]]:
    join = _BEHAVIORS.get(split.behavior)
    if join is None:
        raise UnsupportedVocabError(
            f"split behavior {split.behavior!r} (known: {', '.join(_BEHAVIORS)}; 'removed' would drop text)",
            file=vocab.source,
            field="pre_tokenizer",
        )
    try:
        find = regex.compile(_translate(split), flags_of(split)).finditer
    except regex.error as error:
        raise UnsupportedVocabError(
            f"pattern {split.pattern!r} does not compile: {error}", file=vocab.source, field="pre_tokenizer"
        ) from None

    def cut(text: str) -> list[tuple[int, int]]:
        pieces: list[Piece] = []
        done = 0
        for match in find(text):
            start, end = match.span()
            if done < start:
                pieces.append((done, start, split.invert))
            if start < end:
                pieces.append((start, end, not split.invert))
            done = end
        if done < len(text):
            pieces.append((done, len(text), split.invert))
        return join(pieces)

    return cut


def flags_of(split: Split) -> int:
    """The package's flags for a pattern: sets within sets, and ``&&``, it knows only if it is told so."""
    nested = not split.literal and any(match[1] for match in _SET_IN_SET.finditer(split.pattern))
    return int(regex.V1) if nested else 0


def _translate(split: Split) -> str:
    """The pattern as the package is to read it."""
    if split.literal:
        return regex.escape(split.pattern)
    tiktoken = split.dialect == "tiktoken"
    anchors = {"^": r"\A", "$": r"\Z"} if tiktoken else {"^": "(?m:^)", "$": "(?m:$)"}
    pattern = _ANCHOR.sub(lambda match: match[1] or anchors[match[2]], split.pattern)
    if not tiktoken:  # there {1,3}+ is a count that is repeated, and not a possessive one
        pattern = _REPEATED_COUNT.sub(r"(?:\1)+", pattern)
    return pattern


def _isolated(pieces: list[Piece]) -> list[tuple[int, int]]:
    return [(start, end) for start, end, _ in pieces]


def _merged_with_previous(pieces: list[Piece]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    before = False
    for start, end, is_match in pieces:
        if is_match and not before and out:
            out[-1] = out[-1][0], end
        else:
            out.append((start, end))
        before = is_match
    return out


def _merged_with_next(pieces: list[Piece]) -> list[tuple[int, int]]:
    mirrored = [(-end, -start, is_match) for start, end, is_match in reversed(pieces)]
    return [(-end, -start) for start, end in reversed(_merged_with_previous(mirrored))]


def _contiguous(pieces: list[Piece]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    before = False
    for start, end, is_match in pieces:
        if is_match == before and out:
            out[-1] = out[-1][0], end
        else:
            out.append((start, end))
        before = is_match
    return out


_BEHAVIORS = {
    "isolated": _isolated,
    "merged_with_previous": _merged_with_previous,
    "merged_with_next": _merged_with_next,
    "contiguous": _contiguous,
}


plugin = RegexSpanner
