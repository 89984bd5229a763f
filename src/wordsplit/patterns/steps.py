"""The steps of a pre-tokenizer, which split a text one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from wordsplit.byte_level import to_byte_level
from wordsplit.errors import UnsupportedVocabError
from wordsplit.patterns.matches import Match, Matcher
from wordsplit.vocab import Split

__all__ = ["Steps"]

Bounds = tuple[int, int]


class Steps:
    """Compiled steps of a pre-tokenizer.

    Args:
        splits: The steps.
        source: The name of the vocab's source, for errors.
        matcher: Returns the matcher of a step of a source.

    Raises:
        UnsupportedVocabError: A pattern is invalid or uses something unsupported, or a behavior is unknown.
    """

    def __init__(self, splits: Sequence[Split], source: str, matcher: Callable[[Split, str], Matcher]) -> None:
        text = [split for split in splits if not split.byte_level]
        if list(splits[: len(text)]) != text:
            raise UnsupportedVocabError(
                "a step that sees text after one that sees bytes", file=source, field="pre_tokenizer"
            )
        self._splits = list(splits)
        every = [_cutter(split, source, matcher) for split in splits]
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
