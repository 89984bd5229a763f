"""Where in the original text each id comes from.

The bytes of a text's tokens, put together, are the normalized text. So the boundaries between tokens are known exactly
there, and have to be found in the original:

* **Byte spans** tile the original: each begins where the one before ends, the first at 0, the last at the end. A
  boundary within something that NFC has changed, such as a letter and its accents that have become one character
  (`wordsplit.unicode.nfc.nfc_clusters`), moves to its end: the token with its first byte has all of it, and tokens of
  its other bytes are empty.
* **Character spans** cover: they are the characters that a token has any byte of. Tokens that share a character, or
  something NFC has changed, both have all of it; else they tile as well.

An added token has what it was found as, the white space that it strips included (but for what the next one begins with:
both may be found in the same white space). What is in no text, as a template's
ids or the space that ``add_prefix_space`` puts in, is of no length.

The native engine does this in one pass (``offsets.hpp``); `wordsplit.engine.tracer` is the specification.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from itertools import pairwise

__all__ = ["EncodedText"]

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class EncodedText:
    """The ids of a text, and where they come from.

    Spans are made from packed arrays at each access: keep what is needed more than once.

    Attributes:
        ids: The ids.

    Example:
        >>> import wordsplit
        >>> found = wordsplit.load_tokenizer("qwen3").encode_with_offsets("Hi 🦜")
        >>> found.ids
        [13048, 11162, 99, 250]
        >>> found.byte_spans
        [(0, 2), (2, 5), (5, 6), (6, 7)]
        >>> found.char_spans
        [(0, 2), (2, 4), (3, 4), (3, 4)]
        >>> found.span_starts
        [0, 1]
    """

    __slots__ = ("_bounds", "_char_ends", "_char_starts", "_span_starts", "ids")

    def __init__(self, ids: list[int], bounds: bytes, char_starts: bytes, char_ends: bytes, span_starts: bytes) -> None:
        self.ids: list[int] = ids
        self._bounds, self._char_starts, self._char_ends, self._span_starts = (
            bounds,
            char_starts,
            char_ends,
            span_starts,
        )

    def in_code_units_of(self, text: str) -> EncodedText:
        """The same with characters counted as ``text`` does, which may spell one as two surrogates."""
        pairs = [found.start() - before for before, found in enumerate(_PAIR.finditer(text))]
        if not pairs or not self._char_starts:
            return self
        starts, ends = (
            array("q", [char + bisect_left(pairs, char) for char in _unpacked(packed)]).tobytes()
            for packed in (self._char_starts, self._char_ends)
        )
        return EncodedText(self.ids, self._bounds, starts, ends, self._span_starts)

    @property
    def byte_spans(self) -> list[tuple[int, int]]:
        """(start, end) of each id, in bytes of the UTF-8 of the original. They tile it."""
        return list(pairwise(_unpacked(self._bounds)))

    @property
    def char_spans(self) -> list[tuple[int, int]]:
        """(start, end) of each id, in characters of the original: those that it has any byte of."""
        if not self._char_starts:
            return self.byte_spans
        return list(zip(_unpacked(self._char_starts), _unpacked(self._char_ends), strict=True))

    @property
    def span_starts(self) -> list[int]:
        """The indexes of the ids with which a span begins; added tokens and a template's ids are spans of their own."""
        return _unpacked(self._span_starts)

    def __len__(self) -> int:
        """How many ids there are."""
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<EncodedText of {len(self.ids)} ids>"


def _unpacked(packed: bytes) -> list[int]:
    return memoryview(packed).cast("q").tolist()
