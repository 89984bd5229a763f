r"""Where a text can be cut so that its ids can be: ids(a + b) = ids(a) + ids(b).

Streams and budgets encode a text by parts. They need places at which a cut changes nothing, whatever stands further
left and right. Such a place is told by the two characters next to it, if the vocab's pattern is a known scheme: in
all of them

* no match goes from a character that is no white space to a space, whatever follows;
* none goes from a letter or digit to punctuation other than an apostrophe, to a line end or a tab;
* none goes from an ASCII letter to a digit, or back.

and what is left of these places looks no further than one character ahead. (``\s+(?!\S)`` does at the end of white
space, contractions do behind an apostrophe, `\s*[\r\n]+` does throughout white space: so there are no cuts there.)
The tests hold this against every scheme, for all short strings over one character of each kind.

Besides, at a cut

* no added token's literal may have these two characters next to each other, so that none lies across it; nor may one
  that looks at its neighbours (``single_word``, ``rstrip``) end or begin there;
* NFC must have nothing to do with both sides: the second character is one that never composes with what is before it;
* a vocab that puts a space before texts is cut before a space only.

Where less is known (another pattern, a spanner by a plug-in, another normalization, no native module to tell schemes)
there are no cuts: everything is right as well then, and encoded as a whole.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wordsplit.rules import rewriting_steps
from wordsplit.spanners import scanner_of
from wordsplit.unicode.nfc import nfc, nfd

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wordsplit.vocab import AddedToken, Vocab

__all__ = ["Cuts"]

# Letters that have been letters, and digits that have been digits, in every version of Unicode at issue.
_LETTERS = "A-Za-zÀ-ÖØ-öø-ʯΑ-ΡΣ-Ωα-ωЀ-ҁҊ-ԯ㐀-䶵一-龥ぁ-ゖァ-ヺ가-힣"
_PUNCTUATION = r'!"#$%&()*+,\-./:;<=>?@\[\\\]^_`{|}~'
_SPACE = r"\S(?= )"
_WIDE = "、。，！？；："  # noqa: RUF001 - punctuation of Chinese and Japanese
_TEXT = rf"{_SPACE}|[{_LETTERS}0-9](?=[\r\n\t{_PUNCTUATION}{_WIDE}])|[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])"
_BYTES_SPACE = r"[!-~](?= )"
_BYTES = rf"{_BYTES_SPACE}|[A-Za-z0-9](?=[\r\n\t{_PUNCTUATION}])|[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])"


class Cuts:
    """The places where texts of a vocab can be cut.

    Args:
        vocab: The vocab.
        spanner: The name of the spanner in use.

    Attributes:
        known: Whether any are known.

    Example:
        >>> import wordsplit
        >>> cuts = Cuts(wordsplit.load_vocab("qwen3"), "qwen2")
        >>> text = "It's 1984, again"
        >>> cuts.last(text), text[:10]
        (10, "It's 1984,")
        >>> cuts.last("nowhere") is None
        True
    """

    def __init__(self, vocab: Vocab, spanner: str) -> None:
        tokens, nfc_too = vocab.added_tokens, vocab.normalizer == "nfc"
        self.known: bool = (
            spanner in ("regex", scanner_of(vocab))
            and scanner_of(vocab) is not None
            and vocab.normalizer in (None, "nfc")
            and not rewriting_steps(vocab.pre_tokenizer)
            and not any(nfc_too and t.normalized and (t.rstrip or t.single_word) for t in tokens)
        )
        spaced = vocab.add_prefix_space
        self._text = re.compile(f"(?s:.*)(?:{_SPACE if spaced else _TEXT})")
        self._bytes = re.compile(f"(?s:.*)(?:{_BYTES_SPACE if spaced else _BYTES})".encode())
        self._pairs: set[str] = set()
        self._before: set[str] = set()  # not these before a cut
        self._after: set[str] = set()  # nor these after it
        for token in tokens if self.known else ():
            self._mind(token, nfc_too=nfc_too)

    def _mind(self, token: AddedToken, *, nfc_too: bool) -> None:
        literal = token.content
        if token.normalized and nfc_too:
            # What composes around a cut is not known yet, but it begins with the character after it.
            self._after.update(nfd(nfc(literal))[1:])
            return
        self._pairs.update(literal[at : at + 2] for at in range(len(literal) - 1))
        if token.rstrip:
            self._pairs.update(literal[-1] + space for space in " \r\n\t")
        if token.single_word:
            self._before.add(literal[-1])
            self._after.add(literal[0])

    def last(self, text: str | bytes, start: int = 0, end: int | None = None) -> int | None:
        """The last cut after ``start`` and before ``end``, both next to it known; ``None`` if there is none."""
        if not self.known:
            return None
        end = len(text) if end is None else end
        pattern = self._text if isinstance(text, str) else self._bytes
        while found := pattern.match(text, start, end):  # type: ignore[arg-type]
            end = found.end()
            two = text[end - 1 : end + 1]
            pair = two if isinstance(two, str) else two.decode("ascii")
            if pair not in self._pairs and pair[0] not in self._before and pair[1] not in self._after:
                return end
        return None

    def forward(self, text: str | bytes, size: int) -> Iterator[tuple[int, int]]:
        """Parts of ``text`` between cuts, from the left: of about ``size`` characters, then of ever more."""
        start = 0
        while start < len(text):
            end = start + size
            cut = self.last(text, start, end + 1) if self.known and end < len(text) else len(text)
            size *= 2
            if cut is not None:
                yield start, cut
                start = cut

    def backward(self, text: str | bytes, size: int) -> Iterator[tuple[int, int]]:
        """The same from the right."""
        end = len(text)
        while end > 0:
            cut = self.last(text, 0, end - size + 1) if end > size else None
            yield cut or 0, end
            end = cut or 0
            size *= 2
