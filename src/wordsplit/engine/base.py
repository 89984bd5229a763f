"""The contract of an engine: text to ids and back for one vocab and one set of options.

A tokenizer delegates to an engine. An engine must be able to split text into pieces, split pieces into spans, and
encode spans. Everything else is implemented here on top of these; an engine with a faster way overrides it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any

from wordsplit.arrays import numpy
from wordsplit.engine.piece import Piece
from wordsplit.errors import InvalidTokenIdError, OptionsError
from wordsplit.text import each

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from wordsplit import _native
    from wordsplit.encoders.base import TracedToken
    from wordsplit.engine.decoding import Decoder
    from wordsplit.engine.offsets import EncodedText
    from wordsplit.engine.tracer import AlignedTracer, Tracer
    from wordsplit.options import EngineOptions
    from wordsplit.vocab import Vocab

__all__ = ["Engine", "Piece", "WithUnknown", "WithWords", "as_id", "listed", "prefix_and_suffix"]

WithWords = tuple[list[int], list[tuple[int, int]], "list[int | None]"]
"""Ids, the characters of the text that each covers, and the number of its span."""
WithUnknown = tuple[list[int], list[tuple[int, int]], "list[int | None]", dict[int, str]]
"""The same, and what each unknown id of Unigram stands for, by its index."""


class Engine(ABC):
    """Text to ids and back.

    Attributes:
        vocab: The vocab.
        options: The options, with every ``"auto"`` resolved.
        core: The native engine; ``None`` for an engine in Python.
    """

    def __init__(self, vocab: Vocab, options: EngineOptions) -> None:
        self.vocab = vocab
        self.options = options
        self.prefix: tuple[int, ...]
        self.suffix: tuple[int, ...]
        self.prefix, self.suffix = prefix_and_suffix(vocab, options)
        self._decodes_in_steps = vocab.decoder is not None
        self.core: _native.Engine | None = None
        # The usual calls, in one step, with the arguments of `Tokenizer`. They return ``None`` for everything else and
        # for errors: then the caller goes the slower way.
        self.encode_quickly: Callable[[Any, Any], Any] = _no_quick_way
        self.count_quickly: Callable[[Any, Any], Any] = _no_quick_way
        self.decode_quickly: Callable[[Any, Any, Any], Any] = _no_quick_way

    @abstractmethod
    def pieces(self, text: str | bytes, as_text: Collection[str]) -> Iterator[Piece]:
        """Yield the added tokens of a text and the normalized text between them. Contents in ``as_text`` stay text."""

    @abstractmethod
    def span_ends(self, data: bytes) -> Sequence[int]:
        """Return the ends of the spans, which tile the data."""

    @abstractmethod
    def encode_spans(self, data: bytes, ends: Sequence[int]) -> list[int]:
        """Encode data whose spans are known."""

    @property
    @abstractmethod
    def in_python(self) -> Engine:
        """The engine in Python for the same vocab, which is the specification."""

    def trace_span(self, span: bytes) -> list[TracedToken]:
        """Return each id of a span with the bytes that it stands for."""
        return self.in_python.trace_span(span)

    @abstractmethod
    def cache_info(self) -> dict[str, int]:
        """Return the entries, the bytes in use and the size limit of the span cache."""

    @abstractmethod
    def cache_clear(self) -> None:
        """Clear the span cache."""

    def pieces_with_ends(self, text: str | bytes, as_text: Collection[str]) -> Iterator[tuple[bytes, Sequence[int]]]:
        """Yield the pieces of a text and where the spans of each end. Each added token is a separate span."""
        for data, token_id, _ in self.pieces(text, as_text):
            yield data, [len(data)] if token_id is not None else self.span_ends(data)

    def spans(self, text: str | bytes, as_text: Collection[str]) -> list[bytes]:
        """Return the spans of a text after normalization. Each added token is a separate span."""
        out: list[bytes] = []
        for data, ends in self.pieces_with_ends(text, as_text):
            starts = [0, *ends[:-1]]
            out.extend(data[start:end] for start, end in zip(starts, ends, strict=True))
        return out

    def encode(self, text: str | bytes, as_text: Collection[str]) -> list[int]:
        """Encode a text."""
        out: list[int] = list(self.prefix)
        for data, token_id, _ in self.pieces(text, as_text):
            if token_id is not None:
                out.append(token_id)
            else:
                out += self.encode_spans(data, self.span_ends(data))
        out.extend(self.suffix)
        return out

    def encode_with_offsets(self, text: str | bytes, as_text: Collection[str]) -> EncodedText:
        """Encode a text and locate each id in it."""
        return self._tracer.trace(text, as_text)

    def encode_with_words(self, text: str, as_text: Collection[str]) -> WithWords:
        """Encode a text, and return also the characters and the span number of each id."""
        from wordsplit.engine.offsets import words_of  # noqa: PLC0415 - only needed for offsets

        found = self.encode_with_offsets(text, as_text)
        return found.ids, found.char_spans, words_of(found)

    def encode_with_words_quickly(self, text: str, as_text: Collection[str]) -> WithUnknown | None:
        """Do what `encode_with_words` does if the core can; return ``None`` if not, as for a text with surrogates."""
        del text, as_text
        return None

    @cached_property
    def _special_ids(self) -> frozenset[int]:
        return frozenset(self.vocab.special_tokens.values())

    @cached_property
    def _tracer(self) -> Tracer | AlignedTracer:
        from wordsplit.engine.tracer import tracer_of  # noqa: PLC0415 - only needed for offsets

        return tracer_of(self)

    def encode_batch(
        self, texts: Sequence[str | bytes], as_text: Collection[str], threads: int | None
    ) -> list[list[int]]:
        """Encode each text."""
        del threads  # Python code does not run faster in threads
        return [self.encode(text, as_text) for text in texts]

    def encode_to_numpy(self, text: str | bytes, as_text: Collection[str]) -> npt.NDArray[np.uint32]:
        """Encode a text to an array."""
        np = numpy()
        return np.array(self.encode(text, as_text), dtype=np.uint32)  # type: ignore[no-any-return]

    def encode_batch_to_numpy(
        self, texts: Sequence[str | bytes], as_text: Collection[str], threads: int | None
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
        """Encode texts to one array of ids and the offsets of the texts in it."""
        np = numpy()
        lists = self.encode_batch(texts, as_text, threads)
        offsets = np.zeros(len(lists) + 1, dtype=np.int64)
        np.cumsum([len(ids) for ids in lists], out=offsets[1:])
        return np.array([i for ids in lists for i in ids], dtype=np.uint32), offsets

    def encode_column(
        self, column: _native.TextColumn, as_text: Collection[str], threads: int | None, into: _native.TokenLists
    ) -> None:
        """Encode the rows of a column into lists, whose memory is reused. A null row gives a null list."""
        texts = [column[row] for row in range(len(column))]
        lists = iter(self.encode_batch([text for text in texts if text is not None], as_text, threads))
        into.fill([None if text is None else next(lists) for text in texts])

    def count(self, text: str | bytes, as_text: Collection[str]) -> int:
        """Count the ids of a text."""
        return len(self.encode(text, as_text))

    def count_batch(self, texts: Sequence[str | bytes], as_text: Collection[str], threads: int | None) -> list[int]:
        """Count the ids of each text."""
        return list(map(len, self.encode_batch(texts, as_text, threads)))

    def decode_bytes(self, ids: Iterable[int], *, skip_special: bool) -> bytes:
        """Decode ids to bytes."""
        if self.vocab.decoder is not None:
            return self.decode(ids, "replace", skip_special=skip_special).encode()
        return b"".join(self._token_bytes(ids, skip_special=skip_special))

    def decode(self, ids: Iterable[int], errors: str, *, skip_special: bool) -> str:
        """Decode ids to text. Raises what `bytes.decode` raises."""
        if self._decodes_in_steps:
            return self._decoder.decode(self._kept(ids, skip_special=skip_special), errors)
        return self.decode_bytes(ids, skip_special=skip_special).decode("utf-8", errors)

    def token_bytes(self, ids: Iterable[int], others: dict[int, bytes]) -> list[bytes] | None:
        """Return the bytes of each id, from ``others`` if the vocab has none.

        Return ``None`` where there is no quick way to do so, or an id is in neither.
        """
        del ids, others
        return None

    def _token_bytes(self, ids: Iterable[int], *, skip_special: bool) -> list[bytes]:
        return list(map(self.vocab.token_bytes, self._kept(ids, skip_special=skip_special)))

    def _kept(self, ids: Iterable[int], *, skip_special: bool) -> list[int]:
        """Return ids as a list of integers, without special ones if these are to be skipped."""
        known = ids if type(ids) is list and {*map(type, ids)} <= {int} else listed(ids)
        if not skip_special or self._special_ids.isdisjoint(known):
            return known
        return [i for i in known if i not in self._special_ids]

    @cached_property
    def _decoder(self) -> Decoder:
        from wordsplit.engine.decoding import Decoder  # noqa: PLC0415 - byte-level vocabs need no steps

        return Decoder(self.vocab)


def _no_quick_way(*_: Any) -> None:
    return None


def as_id(value: Any) -> int:
    """Convert any kind of integer to an ``int``.

    Raises:
        InvalidTokenIdError: It is not an integer.
    """
    try:
        return index(value)
    except TypeError:
        raise InvalidTokenIdError(f"{value!r:.100} is not a token id: ids are integers") from None


def listed(ids: Iterable[Any]) -> list[int]:
    """Return ids as a list of integers.

    Raises:
        InputTypeError: It is not a sequence of ids.
        InvalidTokenIdError: Something in it is not an integer.
    """
    return [as_id(i) for i in each(ids, "ids")]


def prefix_and_suffix(vocab: Vocab, options: EngineOptions) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the ids to put before and after every text.

    Raises:
        OptionsError: ``add_bos`` or ``add_eos`` asks for a token that the vocab does not name.
    """
    return (
        _side(vocab, "add_bos", options.add_bos, vocab.prefix_ids, vocab.bos_token_id),
        _side(vocab, "add_eos", options.add_eos, vocab.suffix_ids, vocab.eos_token_id),
    )


def _side(
    vocab: Vocab, option: str, wanted: bool | None, ids: tuple[int, ...], token_id: int | None
) -> tuple[int, ...]:
    if wanted is None or (wanted and ids):
        return ids
    if not wanted:
        return ()
    if token_id is None:
        raise OptionsError(f"{option}=True: {vocab.name} has no {option.removeprefix('add_')} token")
    return (token_id,)
