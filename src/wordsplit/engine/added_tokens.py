"""Find added tokens in text: leftmost, then longest, with their flags.

Follows `tokenizers`: tokens that are not ``normalized`` are searched for in the original text, the others
in each remaining piece after normalization. ``single_word`` drops a match that touches a word
character, and the search continues after the dropped match. ``lstrip`` and ``rstrip`` extend a match over white space.

Cost: one check at each position of a character that begins some token, and there one dict look-up for
each length of a token with the same first two characters. 400,000 tokens cost no more than ten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from wordsplit.unicode import belongs, members
from wordsplit.vocab import AddedToken

__all__ = ["AddedTokenMatcher"]


class AddedTokenMatcher:
    """Split text into added tokens and the text between them.

    Args:
        tokens: Literal -> its token. (For a ``normalized`` token, the literal is the
            normalized content.)
    """

    def __init__(self, tokens: Mapping[str, AddedToken]) -> None:
        self._tokens = dict(tokens)
        lengths: dict[str, set[int]] = {}
        for literal in self._tokens:
            lengths.setdefault(literal[:2], set()).add(len(literal))
        for head, found in lengths.items():
            if head[0] in self._tokens:
                found.add(1)
        self._lengths = {head: sorted(found, reverse=True) for head, found in lengths.items()}
        first = "".join(re.escape(char) for char in sorted({literal[0] for literal in self._tokens}))
        self._first = re.compile(f"[{first}]") if first else None

    def split(self, text: str, as_text: Iterable[str]) -> Iterator[tuple[str, AddedToken | None]]:
        """Yield (piece, its token or ``None``) in order; see `places`."""
        return ((text[start:end], token) for start, end, token in self.places(text, as_text))

    def places(self, text: str, as_text: Iterable[str]) -> Iterator[tuple[int, int, AddedToken | None]]:
        """Yield (start, end, token or ``None``) of the pieces in order. Pieces of text are not empty.

        A token may begin within the white space that the token before it includes.

        Args:
            text: What to search.
            as_text: Contents of tokens that remain text. They are matched, and the match is dropped.
        """
        done = 0
        for start, end, token in self._matches(text):
            if token.content in as_text or (token.single_word and not _stands_alone(text, start, end)):
                continue
            left, right = start, end
            if token.lstrip:
                while left > done and members("s")[ord(text[left - 1])]:
                    left -= 1
                left = max(left, done)  # the token before may include white space of this one
            if token.rstrip:
                while right < len(text) and members("s")[ord(text[right])]:
                    right += 1
            if left >= right:
                continue
            if done < left:
                yield done, left, None
            yield left, right, token
            done = right
        if done < len(text):
            yield done, len(text), None

    def _matches(self, text: str) -> Iterator[tuple[int, int, AddedToken]]:
        at = 0
        while self._first is not None and (found := self._first.search(text, at)):
            start = found.start()
            at = start + 1
            for length in self._lengths.get(text[start : start + 2]) or self._lengths.get(found[0]) or ():
                token = self._tokens.get(text[start : start + length])
                if token is not None:
                    at = start + length
                    yield start, at, token
                    break


def _stands_alone(text: str, start: int, end: int) -> bool:
    before = start > 0 and belongs("w", ord(text[start - 1]))
    after = end < len(text) and belongs("w", ord(text[end]))
    return not before and not after
