"""Offsets: where in the original text each id comes from.

The bytes of a text's tokens, joined, are the normalized text. So the boundaries between tokens are known exactly in
the normalized text, and must be mapped to the original:

* **Byte spans** tile the original: each begins where the one before ends, the first at 0, the last ends at the end of
  the text. If a boundary is within a cluster that NFC has changed, such as a letter and its accent that have become one
  character (`wordsplit.unicode.nfc.nfc_clusters`), it moves to the end of the cluster: the token with the first byte
  has all of it, and tokens of its other bytes are empty.
* **Character spans** hold all characters of which a token has any byte. Tokens that share a character, or a cluster
  that NFC has changed, each have all of it; otherwise character spans also tile the text.

The span of an added token is its match, including the white space that it strips, except for white space at which the
next token begins. Ids that come from no text, such as bos or the space that ``add_prefix_space`` adds, have empty
spans.

This applies to vocabs without normalization or with NFC, whose pre-tokenizer removes and rewrites no text. For all
other vocabs:

* **Character spans** are those of `tokenizers` (`wordsplit.engine.aligned`): they omit removed text, and a
  prepended space has the range of the character after it.
* **Byte spans** still tile the original. A token begins where its characters begin, or, if it shares them with a token
  before, where those of that token end; so removed text belongs to the token before it.

The native engine does the first kind in one pass (``offsets.hpp``); `wordsplit.engine.tracer` is the specification.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from itertools import chain, pairwise, repeat

__all__ = ["EncodedText", "words_of"]

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class EncodedText:
    """The ids of a text, and their positions in it.

    Each access builds the list of spans again from packed arrays; keep the list to use it more than once.

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
        """Return a copy with characters counted as in ``text``, which may spell one as two surrogates."""
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
        """(start, end) of each id, in characters of the original: those of which it has any byte."""
        if not self._char_starts:
            return self.byte_spans
        return list(zip(_unpacked(self._char_starts), _unpacked(self._char_ends), strict=True))

    @property
    def span_starts(self) -> list[int]:
        """The indices of the ids that begin a span. Added tokens, bos and eos are separate spans.

        A span without ids, of characters that the vocab lacks and leaves out, has the index of the next id.
        """
        return _unpacked(self._span_starts)

    def _repr_html_(self) -> str:
        """Return the ids with their character spans, in one colour for each span of the text."""
        from wordsplit.palette import (  # noqa: PLC0415 - most programs display nothing
            NOTEBOOK_TOKENS,
            chip,
            colour_of,
            tokens_fragment,
        )

        spans, starts = self.char_spans[:NOTEBOOK_TOKENS], set(self.span_starts)
        out, number = [], -1
        for at, (token_id, (start, end)) in enumerate(zip(self.ids, spans, strict=False)):
            number += at in starts
            out.append(chip(str(token_id), f"{start}:{end}", colour_of(number)))
        return tokens_fragment(out, len(self))

    def __len__(self) -> int:
        """Return the number of ids."""
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<EncodedText of {len(self.ids)} ids>"


def words_of(found: EncodedText) -> list[int | None]:
    """Return the number of the span that each id belongs to."""
    bounds = pairwise([*found.span_starts, len(found)])
    return list(chain.from_iterable(repeat(number, end - start) for number, (start, end) in enumerate(bounds)))


def _unpacked(packed: bytes) -> list[int]:
    return memoryview(packed).cast("q").tolist()
