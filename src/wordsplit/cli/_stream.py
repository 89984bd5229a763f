"""Process texts of any size in bounded memory.

A text comes in blocks, and is cut only where ids(a + b) = ids(a) + ids(b) (see `wordsplit.features.cuts`), so the
result for the parts is exactly that for the whole. If a vocab or a text has no such positions, the whole text is held
in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from wordsplit.cli._lists import written_json_strings

if TYPE_CHECKING:
    from wordsplit.features.cuts import Cuts
    from wordsplit.tokenizer import Tokenizer

__all__ = ["BLOCK", "Counter", "Cutter", "cuts_of", "encoded", "parts", "spans_as_json"]

BLOCK = 1 << 20
"""Bytes of text at a time: encoding them takes a fiftieth of a second, so Ctrl-C takes effect at once."""

_WINDOW = 1 << 12
_SEAM = 8
"""Bytes that two windows share: the two characters next to a cut."""


class Cutter:
    """Cut a text that comes in blocks.

    Args:
        cuts: Where the vocab's texts can be cut.
        between_spans: Whether a span has to end at each cut.
    """

    def __init__(self, cuts: Cuts, *, between_spans: bool = False) -> None:
        self._cuts = cuts
        self._can_cut = cuts.known and (not between_spans or cuts.ends_spans)
        self._kept = bytearray()
        self._searched = 0

    def push(self, block: bytes) -> bytes:
        """Add the next block.

        Returns:
            The text up to the last place where it can be cut; empty if there is none.
        """
        self._kept += block
        cut = self._last() if self._can_cut else None
        if cut is None:
            self._searched = max(len(self._kept) - _SEAM, 0)
            return b""
        part = bytes(memoryview(self._kept)[:cut])
        del self._kept[: self._cuts.begin(cut)]
        self._searched = 0
        return part

    def rest(self) -> bytes:
        """Return the rest of the text."""
        return bytes(self._kept)

    def _last(self) -> int | None:
        """Find the last cut, in windows from the end, because there is usually one close to the end."""
        end = len(self._kept)
        while end > self._searched:
            start = max(end - _WINDOW, self._searched)
            cut = self._last_within(start, end)
            if cut is not None or start == self._searched:
                return cut
            end = start + _SEAM
        return None

    def _last_within(self, start: int, end: int) -> int | None:
        """Find the last cut in a window, by characters; only by ASCII if bytes next to it are not UTF-8."""
        window = bytes(memoryview(self._kept)[start:end])
        text = window.decode("utf-8", "surrogateescape")
        at = self._cuts.last(text)
        if at is None:
            return None
        if "\udc80" <= text[at - 1] <= "\udcff":
            at = self._cuts.last(window)
            return None if at is None else start + at
        return start + len(text[:at].encode("utf-8", "surrogateescape"))


def parts(blocks: Iterable[bytes], cuts: Cuts, *, between_spans: bool = False) -> Iterator[bytes]:
    """Yield the parts of a text. None is empty. For the arguments see `Cutter`."""
    cutter = Cutter(cuts, between_spans=between_spans)
    for block in blocks:
        if part := cutter.push(block):
            yield part
    if part := cutter.rest():
        yield part


class Counter:
    """Count the ids of a text that comes in blocks.

    Attributes:
        count: The number of ids so far; after `finish`, the total.
    """

    def __init__(self, tok: Tokenizer, special: str) -> None:
        self._tok = tok
        self._special = special
        self._cutter = Cutter(cuts_of(tok))
        self._around = len(tok.vocab.prefix_ids) + len(tok.vocab.suffix_ids)
        self.count = self._around

    def push(self, block: bytes) -> None:
        """Add the next block."""
        self._add(self._cutter.push(block))

    def finish(self) -> int:
        """Count the rest, and return the total."""
        self._add(self._cutter.rest())
        return self.count

    def _add(self, part: bytes) -> None:
        if part:
            self.count += self._tok.count(part, self._special) - self._around


def encoded(tok: Tokenizer, blocks: Iterable[bytes], special: str) -> Iterator[list[int]]:
    """Yield the ids of a text in lists. None is empty."""
    prefix, suffix = list(tok.vocab.prefix_ids), list(tok.vocab.suffix_ids)
    found = (tok.encode(part, special) for part in parts(blocks, cuts_of(tok)))
    bare = (ids[len(prefix) : len(ids) - len(suffix)] for ids in found) if prefix or suffix else found
    yield from filter(None, chain([prefix], bare, [suffix]))


def spans_as_json(tok: Tokenizer, blocks: Iterable[bytes], special: str, separator: bytes) -> Iterator[bytes]:
    """Yield the spans of a text as JSON strings with a separator, in pieces."""
    engine, as_text = tok._engine, tok._inputs.as_text(special)  # noqa: SLF001 - spans as bytes
    begun = False
    for part in parts(blocks, cuts_of(tok), between_spans=True):
        if special == "error":
            tok.count(part, special)
        for data, ends in engine.pieces_with_ends(part, as_text):
            if ends:
                yield (separator if begun else b"") + written_json_strings(data, ends, separator)
                begun = True


def cuts_of(tok: Tokenizer) -> Cuts:
    """Return the cuts of a tokenizer."""
    return tok._cuts  # noqa: SLF001 - made once for all streams of a tokenizer
