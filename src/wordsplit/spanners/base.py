"""The contract of a spanner: it takes text and returns the ends of its spans.

A spanner splits text into spans, which merges never cross. Its spans *tile* the text: they follow one
another without gap or overlap, from the first byte to the last, and none is empty. A tokenizer checks
this on every call, so a spanner cannot lose text.

To write one, subclass `Spanner`, or `TextSpanner` to work on ``str``:

    >>> import re
    >>> from wordsplit.spanners import TextSpanner
    >>> class Lines(TextSpanner):
    ...     '''One span a line.'''
    ...     def pieces(self, text):
    ...         return re.findall(r"[^\\n]*\\n|[^\\n]+", text)
    >>> import wordsplit
    >>> _ = wordsplit.spanners.register("lines", Lines)
    >>> tok = wordsplit.load_tokenizer("qwen3", spanner="lines")
    >>> tok.spans("one line\\nand more")
    ['one line\\n', 'and more']
    >>> wordsplit.spanners.unregister("lines")

or put the class into a separate module and name it in the entry-point group ``wordsplit.spanners``. Then
every program that has your package installed finds it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from wordsplit import hints
from wordsplit.errors import SpannerError
from wordsplit.vocab import Vocab

__all__ = ["Spanner", "TextSpanner", "checked_ends"]


class Spanner(ABC):
    """Split UTF-8 text into spans.

    A spanner is built once for a vocab, is immutable, and is shared between threads.

    Args:
        vocab: The vocab whose pattern defines the spans. A spanner of another design may ignore it.

    Raises:
        UnsupportedVocabError: The spanner does not support the vocab's pattern. Raised when it is built,
            never while spanning.
    """

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab

    @abstractmethod
    def ends(self, data: bytes) -> Sequence[int]:
        """Return the end offset, in bytes, of every span, in order; the last one is ``len(data)``.

        Args:
            data: Text between two added tokens, normalized. UTF-8, except that bytes given by a caller may
                be invalid: such a byte counts as a character that is not a letter, a number or a space.
        """

    def finder(self, simd: str) -> hints.native.SpanFinder | None:  # noqa: ARG002 - for those that have one
        """Return what finds the same spans natively; ``None`` if only `ends` does.

        Args:
            simd: The SIMD instructions to use, a name of ``_native.simd_levels()`` or ``"best"``.
        """
        return None


class TextSpanner(Spanner):
    """A spanner that works on ``str``: subclasses implement `pieces`."""

    @abstractmethod
    def pieces(self, text: str) -> Iterable[str]:
        """Return the spans of ``text``, in order. Joined, they are ``text``.

        A byte that is not valid UTF-8 appears as a lone surrogate (U+DC80 to U+DCFF).
        """

    def ends(self, data: bytes) -> Sequence[int]:
        """Return the byte offsets of the ends of the pieces."""
        out, end = [], 0
        if data.isascii():
            for piece in self.pieces(data.decode("ascii")):
                end += len(piece)
                out.append(end)
        else:
            for piece in self.pieces(data.decode("utf-8", "surrogateescape")):
                end += len(piece.encode("utf-8", "surrogateescape"))
                out.append(end)
        return out


def checked_ends(spanner: Spanner, data: bytes) -> list[int]:
    """Return the ends of the spans of ``data``, after checking that they tile it.

    Raises:
        SpannerError: They do not tile it.
    """
    ends = list(spanner.ends(data)) if data else []
    last = 0
    for end in ends:
        if end <= last:
            raise SpannerError(f"{type(spanner).__name__} gave a span that ends at {end} after one at {last}")
        last = end
    if last != len(data):
        raise SpannerError(f"{type(spanner).__name__} ended its last span at {last} of {len(data)} bytes")
    return ends
