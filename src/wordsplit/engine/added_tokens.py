"""Find added tokens in text: leftmost, then longest, with their flags.

Follows `tokenizers`: tokens that are not ``normalized`` are looked for in the text as given, the others
in each piece of normalized text that is left. ``single_word`` drops a match that touches a word
character, and a match that is dropped is used up: the search goes on behind it. ``lstrip`` and ``rstrip``
widen a match over white space.

Cost: one look at each position where some token's first character stands, and there a dict look-up for
each length that a token with the same first two has: 400,000 tokens cost no more than ten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from wordsplit.unicode import members
from wordsplit.vocab import AddedToken

__all__ = ["AddedTokenMatcher"]


class AddedTokenMatcher:
    """Cuts text into added tokens and the text between.

    Args:
        tokens: The literal to look for -> its token. (The literal is the normalized content for a
            ``normalized`` token.)
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
        """(piece, its token or ``None``) in order; see `places`."""
        return ((text[start:end], token) for start, end, token in self.places(text, as_text))

    def places(self, text: str, as_text: Iterable[str]) -> Iterator[tuple[int, int, AddedToken | None]]:
        """(start, end, token or ``None``) of the pieces in order; those of text are not empty.

        A token may begin within the white space that one before it has swallowed.

        Args:
            text: What to search.
            as_text: Contents of tokens that are to stay text. They are still matched, and their match is dropped.
        """
        done = 0
        for start, end, token in self._matches(text):
            if token.content in as_text or (token.single_word and not _stands_alone(text, start, end)):
                continue
            left, right = start, end
            if token.lstrip:
                while left > done and _is(text[left - 1], "s"):
                    left -= 1
                left = max(left, done)  # the one before may have swallowed some of this one
            if token.rstrip:
                while right < len(text) and _is(text[right], "s"):
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


def _is(char: str, cls: str) -> bool:
    return bool(members(cls)[ord(char)])


def _stands_alone(text: str, start: int, end: int) -> bool:
    before = start > 0 and _is(text[start - 1], "w")
    after = end < len(text) and _is(text[end], "w")
    return not before and not after
