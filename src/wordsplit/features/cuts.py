r"""Positions where a text can be cut so that its ids can be cut: ids(a + b) = ids(a) + ids(b).

Streams and budgets encode a text in parts. They need positions at which a cut changes no ids, whatever else the text
contains on either side. The two characters at a position decide this. For compiled patterns, the pairs are
derived from the automata (see ``native/include/wordsplit/automata/span_automaton.hpp``). In all schemes with a scanner

* no match continues from a character that is not white space to a space, whatever follows;
* no match continues from a letter or digit to punctuation other than an apostrophe, a line end or a tab;
* no match continues from an ASCII letter to a digit, or the reverse;

and a match that ends at one of these positions looks no further than one character ahead. (``\s+(?!\S)`` looks further
at the end of white space, contractions after an apostrophe, ``\s*[\r\n]+`` anywhere in white space: so there are no
cuts in these places.) The tests check this for every scheme, on all short strings over one character of each kind.

In addition, at a cut

* no added token's literal may contain these two characters next to each other, so that no literal crosses the cut; a
  literal that depends on its neighbours (``single_word``) may not end or begin there, and one that includes adjacent
  white space (``rstrip``, ``lstrip``) may not be separated from any of it;
* the normal form must not act across the cut: the second character never composes with the one before it, and both are
  ASCII if the form is not NFC, because others may become several characters of other kinds;
* if the vocab prepends a space to texts, the second character is a space.

Vocabs that split texts at spaces, such as BERT's, have cuts there (`wordsplit.features.word_cuts`). With Llama 2's,
which prepends a space to every text, the part after such a cut begins after the space: see `Cuts.begin`.

Where too little is known (a pattern that does not compile, a plug-in spanner, normalizers other than a single normal
form, or no native module), there are no cuts, and texts are encoded as a whole, with the same result.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from wordsplit import spanners
from wordsplit.errors import UnsupportedVocabError
from wordsplit.features.word_cuts import WORD_ENDS, WordCuts, word_cuts_of
from wordsplit.rules import rewriting_steps
from wordsplit.spanners import OF_PATTERN, scanner_of
from wordsplit.unicode.nfc import FORMS, composes_with_next, nfd

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from wordsplit import _native
    from wordsplit.vocab import AddedToken, Vocab

__all__ = ["Cuts"]

# Characters that are letters, or digits, in every version of Unicode that matters here.
_LETTERS = "A-Za-zÀ-ÖØ-öø-ʯΑ-ΡΣ-Ωα-ωЀ-ҁҊ-ԯ㐀-䶵一-龥ぁ-ゖァ-ヺ가-힣"
_PUNCTUATION = r'!"#$%&()*+,\-./:;<=>?@\[\\\]^_`{|}~'
_SPACE = r"\S(?= )"
_WHITE = " \t\n\r\v\f"  # in which a cut is possible
_WIDE = "、。，！？；："  # noqa: RUF001 - punctuation of Chinese and Japanese
_TEXT = rf"{_SPACE}|[{_LETTERS}0-9](?=[\r\n\t{_PUNCTUATION}{_WIDE}])|[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])"
_BYTES_SPACE = r"[!-~](?= )"
_BYTES = rf"{_BYTES_SPACE}|[A-Za-z0-9](?=[\r\n\t{_PUNCTUATION}])|[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])"


# Characters that never compose with the one before them.
_CANDIDATES = re.compile(rf"[\x00-\x7f{_LETTERS}{_WIDE}]")


@lru_cache(maxsize=16)
def _of_automata(vocab: Vocab, *, spaced: bool, composes: bool) -> tuple[str, str]:
    """Return the cuts of a vocab's compiled patterns, in texts and in bytes; ``""`` if there are none.

    Where normalization composes, the second character of a cut could change its kind.
    """
    try:
        finder = spanners.get("compiled")(vocab).finder("best")
    except UnsupportedVocabError:
        return "", ""
    if finder is None:
        return "", ""
    codes = [code for code in range(0x10000) if _CANDIDATES.match(chr(code))]
    behind = [ord(" ")] if spaced else [code for code in codes if not (composes and composes_with_next(chr(code)))]
    behind_by_kind = _by_kind(finder, behind)
    text, data = [], []
    for before in _by_kind(finder, codes):
        after = [code for each in behind_by_kind if finder.can_cut(before[0], each[0]) for code in each]
        ascii_before, ascii_after = ([code for code in some if code < 0x80] for some in (before, after))
        if after:
            text.append(f"[{_spelled(before)}](?=[{_spelled(after)}])")
        if ascii_before and ascii_after:
            data.append(f"[{_spelled(ascii_before)}](?=[{_spelled(ascii_after)}])")
    return "|".join(text), "|".join(data)


def _by_kind(finder: _native.SpanFinder, codes: list[int]) -> Collection[list[int]]:
    """Group characters that the automata treat alike."""
    kinds: dict[int, list[int]] = {}
    for code, kind in zip(codes, finder.kinds(codes), strict=True):
        kinds.setdefault(kind, []).append(code)
    return kinds.values()


def _spelled(codes: list[int]) -> str:
    """Return the inside of a set of characters."""
    from wordsplit.patterns.syntax.characters import ranges  # noqa: PLC0415 - only for patterns without a scanner

    bounds = ranges((code, code) for code in codes).bounds
    return "".join("-".join(f"\\x{end:02x}" if end < 0x100 else f"\\u{end:04x}" for end in each) for each in bounds)


def _normal_form(vocab: Vocab) -> str | None:
    """Return the only normal form of a vocab's normalizer; ``""`` without a normalizer, ``None`` for any other one."""
    if isinstance(vocab.normalizer, str):
        return vocab.normalizer
    kinds = [step.kind for step in vocab.normalizer or ()]
    if len(kinds) > 1 or not FORMS.keys() >= set(kinds):
        return None
    return kinds[0] if kinds else ""


class _Rules:
    """The places where texts of a vocab can be cut.

    Args:
        text: A regular expression for the text before a cut, with a look-ahead for the text after it.
        data: The same for texts in UTF-8.
        tokens: The vocab's added tokens.
        form: The vocab's normal form.
        at_words: Facts about cuts at the ends of words, if the cuts are these.
    """

    def __init__(self, text: str, data: str, tokens: Iterable[AddedToken], form: str, at_words: WordCuts) -> None:
        self.at_words = at_words
        self.text = re.compile(f"(?s:.*)(?:{text})")
        self.data = re.compile(f"(?s:.*)(?:{data})".encode())
        self._pairs: set[str] = set()
        self._before: set[str] = set()  # characters not allowed before a cut
        self._after: set[str] = set()  # characters not allowed after a cut
        for token in tokens:
            self._exclude(token, form)

    def allow(self, pair: str) -> bool:
        """Return whether no added token forbids a cut between two characters."""
        return pair not in self._pairs and pair[0] not in self._before and pair[1] not in self._after

    def _exclude(self, token: AddedToken, form: str) -> None:
        literal = token.content
        if token.lstrip:
            self._before.update(_WHITE)
        if token.normalized and form:
            # The text after a cut is not known here, except its first character, which must not compose.
            self._after.update(nfd(FORMS[form](literal))[1:])
            return
        self._pairs.update(literal[at : at + 2] for at in range(len(literal) - 1))
        if token.rstrip:
            self._pairs.update(before + space for before in (literal[-1], *_WHITE) for space in _WHITE)
        if token.single_word:
            self._before.add(literal[-1])
            self._after.add(literal[0])


def _rules_of(vocab: Vocab, spanner: str) -> _Rules | None:
    """Return the rules for cutting texts of a vocab; ``None`` if they are not known."""
    tokens, form = vocab.added_tokens, _normal_form(vocab)
    scheme = scanner_of(vocab)
    text, data = _TEXT, _BYTES
    spaced, at_words = vocab.add_prefix_space, WordCuts()
    if form is None or rewriting_steps(vocab.pre_tokenizer):
        found = word_cuts_of(vocab)
        text = data = WORD_ENDS if found else ""
        at_words = found or at_words
    elif scheme is None and spanner in OF_PATTERN:
        text, data = _of_automata(vocab, spaced=spaced, composes=form in ("nfc", "nfkc"))
    elif spaced:
        text, data = _SPACE, _BYTES_SPACE
    if spanner not in (*OF_PATTERN, scheme) or not data:
        return None
    if any(form and token.normalized and (token.rstrip or token.single_word) for token in tokens):
        return None
    return _Rules(text if form in ("", "nfc") else data, data, tokens, form or "", at_words)


class Cuts:
    """Find the positions where texts of a vocab can be cut.

    Args:
        vocab: The vocab.
        spanner: The name of the spanner in use.

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
        self._vocab, self._spanner = vocab, spanner

    @property
    def known(self) -> bool:
        """Whether any cuts are known."""
        return self._rules is not None

    @property
    def ends_spans(self) -> bool:
        """Whether a span ends at each cut. The spans of the parts are then those of the whole."""
        return self._rules is None or self._rules.at_words.ends_spans

    @property
    def dropped(self) -> int:
        """The number of spaces after a cut, in neither part because the vocab puts them before each text."""
        return int(self._rules is not None and self._rules.at_words.drops_space)

    def begin(self, start: int) -> int:
        """Return where to begin encoding the part of a text after a cut, or the beginning of the text."""
        return start + self.dropped if start else 0

    @cached_property
    def _rules(self) -> _Rules | None:  # a short text needs none
        return _rules_of(self._vocab, self._spanner)

    def last(self, text: str | bytes, start: int = 0, end: int | None = None) -> int | None:
        """Return the last cut between ``start`` and ``end`` with a character on either side, or ``None``."""
        rules = self._rules
        if rules is None:
            return None
        end = len(text) if end is None else end
        pattern = rules.text if isinstance(text, str) else rules.data
        while found := pattern.match(text, start, end):  # type: ignore[arg-type]
            end = found.end()
            two = text[end - 1 : end + 1]
            pair = two if isinstance(two, str) else two.decode("ascii")
            if rules.allow(pair):
                return end
        return None

    def forward(self, text: str | bytes, size: int) -> Iterator[tuple[int, int]]:
        """Yield parts of ``text`` between cuts from the left: about ``size`` characters, then increasingly more."""
        start = 0
        while start < len(text):
            end = start + size
            cut = self.last(text, start, end + 1) if end < len(text) and self.known else len(text)
            size *= 2
            if cut is not None:
                yield start, cut
                start = cut

    def backward(self, text: str | bytes, size: int) -> Iterator[tuple[int, int]]:
        """Yield parts like `forward`, but from the right."""
        end = len(text)
        while end > 0:
            cut = self.last(text, 0, end - size + 1) if end > size else None
            yield cut or 0, end
            end = cut or 0
            size *= 2
