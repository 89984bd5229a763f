"""Columns from ids that are known: their spellings, joined, are the normalized text.

`AlignedTracer`, the specification, finds ids anew, in Python. Here the ids are those of the native core. Their
spellings are compared with the text, normalized character by character: if they are equal, they say where each token
begins and ends. If not, or if a text has something special, such as added tokens, the tracer does it.

There are two kinds of vocabs for which each character can be normalized by itself: those that only spell spaces
otherwise (`SpaceMark`: Llama 2, Gemma), and WordPiece with the rules of BERT.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import accumulate, chain, compress, count, repeat
from operator import add, sub
from typing import TYPE_CHECKING

from wordsplit.compat.tokenizers._columns import Columns, Places, nowhere
from wordsplit.compat.tokenizers._names import Names
from wordsplit.engine import Engine
from wordsplit.engine.aligned import AlignedText
from wordsplit.engine.decoding import Table
from wordsplit.engine.normalization import NormalizeText, normalizer_of
from wordsplit.engine.word_tables import BREAK
from wordsplit.engine.words import normalized_literals, treats_by_character, word_table_of
from wordsplit.model import CharacterBPE, WordPiece
from wordsplit.unicode.nfc import combining_class

if TYPE_CHECKING:
    from wordsplit.engine.rewriting import Rewriting

__all__ = ["BySpelling", "by_spelling"]

_BREAK = "\0"  # the end of a word
_LETTER = "\u16a0"  # which no rule changes


class BySpelling(ABC):
    """Find the columns of ids."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._added = frozenset(names.by_id)

    def columns(self, text: str, ids: list[int]) -> Columns | None:
        """Return the columns of a text's ids; ``None`` if that takes a tracer."""
        return self._columns(text, ids) if self._added.isdisjoint(ids) else None

    def placing(self, engine: Engine, as_text: Collection[str]) -> Callable[[str], Places | None]:
        """Return what finds the ids of a text, their offsets and words; ``None`` for a text for which it cannot."""
        encode, is_plain = engine.encoder_by_spelling(as_text), self._unclear.isdisjoint
        if encode is None:
            return nowhere

        def place(text: str) -> Places | None:
            found = encode(text)
            return found if found is not None and is_plain(found[0]) else None

        return place

    @property
    def _unclear(self) -> AbstractSet[int]:
        """The ids that alone do not say how their tokens are spelled in normalized text."""
        return self._added

    @property
    def found_as(self) -> Mapping[int, str]:
        """What stands in normalized text for added tokens, where that is not their name."""
        return {}

    @abstractmethod
    def _columns(self, text: str, ids: list[int]) -> Columns | None: ...


def by_spelling(names: Names) -> BySpelling | None:
    """Return what finds columns for a vocab; ``None`` if it is of no such kind."""
    vocab, model = names.vocab, names.vocab.model
    if isinstance(model, CharacterBPE) and vocab.space_mark is not None:
        return None if model.continuing_subword_prefix or model.end_of_word_suffix else _SpelledSpaces(names, model)
    if isinstance(model, WordPiece) and treats_by_character(vocab) and not vocab.add_prefix_space:
        prefix = model.continuing_subword_prefix
        # Then no word begins with the prefix, and the prefix says which tokens are within words.
        if len(prefix) > 1 and _Normal(names)[prefix[0]] == _BREAK + prefix[0] + _BREAK:
            return _SpelledWords(names, model)
    return None


class _SpelledSpaces(BySpelling):
    """For vocabs whose normalized text differs from the original in its spaces, and in one that is prepended."""

    def __init__(self, names: Names, model: CharacterBPE) -> None:
        super().__init__(names)
        self._model = model
        self._bytes = {i: byte for byte, i in enumerate(model.byte_ids) if i is not None}

    def _columns(self, text: str, ids: list[int]) -> Columns | None:
        how = self._names.vocab.space_mark
        assert how is not None  # noqa: S101 - by_spelling() has checked it
        normal = text.replace(" ", how.mark)
        prepends = how.prepend == "stretch" or (how.prepend != "never" and not normal.startswith(how.mark))
        if prepends and text:
            normal = how.mark + normal
        tokens = list(map(self._names.spelled.__getitem__, ids))
        spelled, inside = (tokens, ()) if self._bytes.keys().isdisjoint(ids) else self._with_bytes(tokens, ids)
        if "".join(spelled) != normal:
            return None
        bounds = list(accumulate(map(len, spelled), initial=-1 if prepends else 0))
        starts, ends = bounds[:-1], bounds[1:]
        if prepends and ids:  # what is prepended has the place of the character after it
            starts[0], ends[0] = 0, max(ends[0], 1)
        for at in inside:  # bytes of the character before
            starts[at] -= 1
        words: list[int | None] = [0] * len(ids)
        if how.splits:
            words[1:] = accumulate(token.startswith(how.mark) for token in spelled[1:])
        return Columns(tokens, words, list(zip(starts, ends, strict=True)))

    def _with_bytes(self, tokens: list[str], ids: list[int]) -> tuple[list[str], list[int]]:
        """Return what each token stands for, and the indices of tokens of bytes other than a character's first."""
        out, inside = list(tokens), []
        run = bytearray()
        for at, i in enumerate(chain(ids, (-1,))):
            byte = self._bytes.get(i)
            if byte is not None:
                run.append(byte)
            elif run:
                chars = iter(run.decode("utf-8", "replace"))
                for place, value in enumerate(run, at - len(run)):
                    is_first = value & 0xC0 != 0x80
                    out[place] = next(chars, "") if is_first else ""
                    inside += [] if is_first else [place]
                run.clear()
        return out, inside


class _Normal(dict[str, str | None]):
    """What becomes of each character, with marks where words end; ``None`` if that depends on those around it."""

    def __init__(self, names: Names) -> None:
        super().__init__()
        self._vocab = names.vocab
        self._table = word_table_of(names.vocab)

    def __missing__(self, char: str) -> str | None:
        self[char] = found = self._found(char)
        return found

    def _found(self, char: str) -> str | None:
        if char in (_BREAK, _LETTER) or "\ud800" <= char <= "\udfff":
            return None
        found = self._table.becomes(char)
        if found is not None:
            return _BREAK.join([part.decode() for part in found.split(BREAK)])
        normalize, split = self._rules
        pieces = split.pieces(normalize(AlignedText(_LETTER + char + _LETTER)))
        marked = _BREAK.join([piece.text for piece in pieces])[1:-1]
        return None if any(map(combining_class, marked)) else marked

    @cached_property
    def _rules(self) -> tuple[NormalizeText, Rewriting]:
        """The rules themselves, for characters that the table does not have."""
        from wordsplit.engine.rewriting import Rewriting  # noqa: PLC0415 - the patterns of BERT's take 0.1 s

        normalizer = () if isinstance(self._vocab.normalizer, str) else self._vocab.normalizer or ()
        return normalizer_of(normalizer, self._vocab.source), Rewriting(self._vocab.pre_tokenizer, "")


class _SpelledWords(BySpelling):
    """For WordPiece, with rules that treat characters one by one."""

    def __init__(self, names: Names, model: WordPiece) -> None:
        super().__init__(names)
        self._normal, self._unk_id = _Normal(names), model.unk_id
        prefix = model.continuing_subword_prefix
        self._spelled = Table(lambda i: names.spelled[i].removeprefix(prefix))
        self._begins = Table(lambda i: not names.spelled[i].startswith(prefix))
        self._added -= {model.unk_id}

    @cached_property
    def found_as(self) -> Mapping[int, str]:
        """See `BySpelling.found_as`."""
        return {i: literal for i, literal in self._otherwise.items() if self._names.base_name_of(i) is None}

    @cached_property
    def _unclear(self) -> AbstractSet[int]:
        # A base token that is an added one, too, has two spellings.
        strips = {i for i, token in self._names.by_id.items() if token.lstrip or token.rstrip}
        return strips.union(self._otherwise.keys() - self.found_as.keys())

    @cached_property
    def _otherwise(self) -> dict[int, str]:
        """What stands in normalized text for added tokens that are spelled otherwise."""
        vocab, spelled = self._names.vocab, self._names.spelled
        literals = normalized_literals(vocab) or {}
        found = {vocab.added_tokens.ids[at]: literal for at, literal in literals.items()}
        return {i: literal for i, literal in found.items() if literal != spelled[i]}

    def _columns(self, text: str, ids: list[int]) -> Columns | None:
        chars = {char: self._normal[char] for char in set(text)}
        if None in chars.values():
            return None
        kept = {char: (marked or "").replace(_BREAK, "") for char, marked in chars.items()}
        tokens = list(map(self._names.spelled.__getitem__, ids))
        spelled = list(map(self._spelled.__getitem__, ids))
        if self._unk_id in ids:
            unknown = [at for at, i in enumerate(ids) if i == self._unk_id]
            _spell_unknown(spelled, unknown, "".join([chars[char] or "" for char in text]))
        if "".join(spelled) != text.translate({ord(char): to for char, to in kept.items()}):
            return None
        bounds = list(accumulate(map(len, spelled), initial=0))
        begins = map(self._begins.__getitem__, ids)
        words: list[int | None] = list(accumulate(begins, initial=-1))
        return Columns(tokens, words[1:], _offsets(text, {char: len(to) for char, to in kept.items()}, bounds))


def _offsets(text: str, sizes: dict[str, int], bounds: list[int]) -> list[tuple[int, int]]:
    """Return the places of tokens in a text.

    Args:
        text: The text.
        sizes: For each character of it, how many characters it becomes.
        bounds: The bounds of the tokens in what it becomes. No token is empty.
    """
    starts, ends = bounds[:-1], bounds[1:]
    if max(sizes.values(), default=0) > 1:
        places = list(chain.from_iterable(map(repeat, range(len(text)), map(sizes.__getitem__, text))))
        return [(places[start], places[end - 1] + 1) for start, end in zip(starts, ends, strict=True)]
    # The common case: characters are removed, or remain one. Those removed before a token move it.
    gone = {char for char, size in sizes.items() if not size}
    removed = compress(range(len(text)), map(gone.__contains__, text))
    moves = list(map(sub, removed, count()))
    before_starts, before_ends = map(bisect_right, repeat(moves), starts), map(bisect_left, repeat(moves), ends)
    return list(zip(map(add, starts, before_starts), map(add, ends, before_ends), strict=True))


def _spell_unknown(spelled: list[str], unknown: Iterable[int], marked: str) -> None:
    """Put the words that unknown tokens stand for in their places."""
    words = [word for word in marked.split(_BREAK) if word]
    ends = list(accumulate(map(len, words)))
    end = before = 0
    for at in unknown:
        end += sum(map(len, spelled[before:at]))
        number = bisect_right(ends, end)
        spelled[at] = words[number] if number < len(words) else ""
        before = at
