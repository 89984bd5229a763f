"""Pre-tokenization steps, compiled for the `regex` package."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from wordsplit.byte_level import to_byte_level
from wordsplit.errors import UnsupportedVocabError
from wordsplit.patterns.matches import Match, Matcher
from wordsplit.patterns.syntax import parse
from wordsplit.patterns.syntax.characters import flags
from wordsplit.patterns.syntax.tree import Characters
from wordsplit.vocab import Split

if TYPE_CHECKING:
    import regex

__all__ = ["Match", "Steps", "finder", "package_matcher", "quick_matcher"]

Bounds = tuple[int, int]


class Steps:
    """Compiled steps of a pre-tokenizer.

    Args:
        splits: The steps.
        source: The name of the vocab's source, for errors.
        matcher: Returns the matcher of a step of a source. If ``None``: `package_matcher`.

    Raises:
        UnsupportedVocabError: A pattern is invalid or uses something unsupported, or a behavior is unknown.
    """

    def __init__(
        self, splits: Sequence[Split], source: str, matcher: Callable[[Split, str], Matcher] | None = None
    ) -> None:
        text = [split for split in splits if not split.byte_level]
        if list(splits[: len(text)]) != text:
            raise UnsupportedVocabError(
                "a step that sees text after one that sees bytes", file=source, field="pre_tokenizer"
            )
        self._splits = list(splits)
        every = [_cutter(split, source, matcher or package_matcher) for split in splits]
        self._text, self._bytes = every[: len(text)], every[len(text) :]

    @property
    def on_bytes(self) -> bool:
        """Whether some of the steps work on bytes."""
        return bool(self._bytes)

    def bounds(self, text: str) -> list[Bounds]:
        """Return the pieces into which the steps that work on text split it."""
        bounds = [(0, len(text))] if text else []
        for cutter in self._text:
            seen = cutter.seen(text)
            bounds = [(start + a, start + b) for start, end in bounds for a, b in cutter.cut(seen[start:end])]
        return bounds

    def bounds_of_bytes(self, data: bytes, bounds: list[Bounds]) -> list[Bounds]:
        """Return the pieces into which the steps that work on bytes split these pieces of ``data``."""
        spelled = to_byte_level(data)
        for cutter in self._bytes:
            bounds = [(start + a, start + b) for start, end in bounds for a, b in cutter.cut(spelled[start:end])]
        return bounds

    def rewrite(self, data: bytes) -> list[bytes]:
        """Return the pieces of ``data`` after steps that may remove text and add spaces."""
        pieces = [data.decode("utf-8", "surrogateescape")]
        for split, cutter in zip(self._splits, self._text, strict=False):
            if split.prefix_space:
                pieces = [piece if piece.startswith(" ") else " " + piece for piece in pieces]
            pieces = [piece[a:b] for piece in pieces for a, b in cutter.cut(cutter.seen(piece))]
        encoded = [piece.encode("utf-8", "surrogateescape") for piece in pieces]
        return [each[a:b] for each in encoded for a, b in self.bounds_of_bytes(each, [(0, len(each))])]


class _Cutter(NamedTuple):
    seen: Callable[[str], str]
    cut: Callable[[str], list[Bounds]]


def _cutter(split: Split, source: str, matcher: Callable[[Split, str], Matcher]) -> _Cutter:
    join = _BEHAVIORS.get(split.behavior)
    if join is None:
        raise UnsupportedVocabError(
            f"split behavior {split.behavior!r} (known: {', '.join(_BEHAVIORS)})", file=source, field="pre_tokenizer"
        )
    seen, find = matcher(split, source)

    def cut(text: str) -> list[Bounds]:
        found = find(text)
        if split.invert:
            found = [(start, end, not is_match) for start, end, is_match in found]
        return [(start, end) for start, end in join(found) if start < end]

    return _Cutter(seen, cut)


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


def _tiled(spans: Iterable[Bounds], size: int) -> list[Match]:
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


def _with_empty_matches(compiled: regex.Pattern[str], text: str) -> Iterable[Bounds]:
    """Yield matches as Oniguruma does: without empty matches where the last match ended."""
    at, last = 0, -1
    while at <= len(text) and (match := compiled.search(text, at)):
        start, end = match.span()
        if start == end == last:
            at += 1
            continue
        yield start, end
        at = last = end


def _isolated(pieces: list[Match]) -> list[Bounds]:
    return [(start, end) for start, end, _ in pieces]


def _removed(pieces: list[Match]) -> list[Bounds]:
    return [(start, end) for start, end, is_match in pieces if not is_match]


def _merged_with_previous(pieces: list[Match]) -> list[Bounds]:
    out: list[Bounds] = []
    before = False
    for start, end, is_match in pieces:
        if is_match and not before and out:
            out[-1] = out[-1][0], end
        else:
            out.append((start, end))
        before = is_match
    return out


def _merged_with_next(pieces: list[Match]) -> list[Bounds]:
    mirrored = [(-end, -start, is_match) for start, end, is_match in reversed(pieces)]
    return [(-end, -start) for start, end in reversed(_merged_with_previous(mirrored))]


def _contiguous(pieces: list[Match]) -> list[Bounds]:
    out: list[Bounds] = []
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
    "removed": _removed,
    "merged_with_previous": _merged_with_previous,
    "merged_with_next": _merged_with_next,
    "contiguous": _contiguous,
}
