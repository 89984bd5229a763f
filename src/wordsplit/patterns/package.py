"""Matchers of the `regex` package."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING

from wordsplit.errors import UnsupportedVocabError
from wordsplit.patterns.matches import Match, Matcher
from wordsplit.patterns.syntax import parse
from wordsplit.patterns.syntax.characters import flags
from wordsplit.patterns.syntax.tree import Characters
from wordsplit.rules import Split

if TYPE_CHECKING:
    import regex

__all__ = ["finder", "package_matcher", "quick_matcher"]


def package_matcher(split: Split, source: str) -> Matcher:
    """Return the matcher of a step with the `regex` package.

    Raises:
        UnsupportedVocabError: The pattern is invalid or uses something unsupported.
    """
    from wordsplit.patterns.substitutes import (  # noqa: PLC0415 - it needs the package, which takes 20 ms
        classes_in,
        literals_in,
        with_substitutes,
    )

    find = finder(split, source, "pre_tokenizer")
    seen = partial(with_substitutes, classes=classes_in(split), literals=literals_in(split))
    return Matcher(seen, find)


def quick_matcher(split: Split, source: str) -> Matcher:
    """Return the matcher of a step: by a table if its pattern is one class of characters, else `package_matcher`.

    Raises:
        UnsupportedVocabError: The pattern is invalid or uses something unsupported.
    """
    if split.literal or not isinstance(
        node := parse(split.pattern, split.dialect, source=source, field="pre_tokenizer"), Characters
    ):
        return package_matcher(split, source)
    inside = flags(node.members)

    def find(text: str) -> list[Match]:
        places = compress(range(len(text)), map(inside.__getitem__, map(ord, text)))
        return _tiled(((at, at + 1) for at in places), len(text))

    return Matcher(str, find)


def finder(split: Split, source: str, field: str) -> Callable[[str], list[Match]]:
    """Return a function that finds the matches of a pattern and the text between them.

    It expects text with the substitutes for the pattern's classes.

    Raises:
        UnsupportedVocabError: The pattern is invalid or uses something unsupported.
    """
    import regex  # noqa: PLC0415 - as above

    from wordsplit.patterns.writer import NoEqualError, written  # noqa: PLC0415 - as above

    try:
        if split.literal:
            pattern = regex.escape(split.pattern)
        else:
            pattern = written(parse(split.pattern, split.dialect, source=source, field=field))
        compiled = regex.compile(pattern, regex.V1)
    except (NoEqualError, regex.error) as error:
        raise UnsupportedVocabError(f"pattern {split.pattern!r}: {error}", file=source, field=field) from None

    def find(text: str) -> list[Match]:
        spans = [match.span() for match in compiled.finditer(text)]
        if any(start == end for start, end in spans):
            spans = list(_with_empty_matches(compiled, text))
        return _tiled(spans, len(text))

    return find


def _tiled(spans: Iterable[tuple[int, int]], size: int) -> list[Match]:
    """Return matches and the text between them."""
    out: list[Match] = []
    done = 0
    for start, end in spans:
        if done < start:
            out.append((done, start, False))
        out.append((start, end, True))
        done = end
    if done < size:
        out.append((done, size, False))
    return out


def _with_empty_matches(compiled: regex.Pattern[str], text: str) -> Iterable[tuple[int, int]]:
    """Yield matches as Oniguruma does: without empty matches where the last match ended."""
    at, last = 0, -1
    while at <= len(text) and (match := compiled.search(text, at)):
        start, end = match.span()
        if start == end == last:
            at += 1
            continue
        yield start, end
        at = last = end
