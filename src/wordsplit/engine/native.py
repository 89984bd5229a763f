"""The native engine, which encodes text in one pass of C++, without the GIL for larger inputs.

`NativeEngine` finds spans natively, too. `NativeEncoding` takes spans from a spanner written in Python and
encodes each stretch of text in one call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from wordsplit import _native
from wordsplit.arrays import numpy
from wordsplit.cores import cores
from wordsplit.engine.base import Engine, Piece, WithUnknown, WithWords, listed
from wordsplit.engine.core_rules import CoreRules
from wordsplit.engine.in_core import can_mark_spaces_natively, can_preprocess_natively
from wordsplit.engine.pieces import Preprocessor
from wordsplit.engine.simd import simd_level
from wordsplit.errors import InvalidTextError, UnknownTokenError, UnsupportedVocabError
from wordsplit.model import ByteLevelBPE
from wordsplit.rules import Normalize
from wordsplit.spanners.base import checked_ends
from wordsplit.text import is_utf8, to_bytes

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from wordsplit.engine.decoding import Decoder
    from wordsplit.engine.offsets import EncodedText
    from wordsplit.engine.tracer import AlignedTracer, Tracer
    from wordsplit.options import EngineOptions
    from wordsplit.spanners import Spanner
    from wordsplit.vocab import Vocab

__all__ = ["NativeEncoding", "NativeEngine", "NativeWordEngine"]

_SURROGATE = re.compile("[\ud800-\udfff]")
_MOST_THREADS = 1 << 16  # more threads are never started
_MUCH = 100_000  # characters that take as long in Python as a larger table


class NativeEncoding(Engine):
    """Encode the spans of any spanner natively.

    Attributes:
        arguments: The arguments that the core was built from, other than tables.
    """

    def __init__(
        self,
        vocab: Vocab,
        options: EngineOptions,
        spanner: Spanner | None,
        rules: CoreRules,
    ) -> None:
        super().__init__(vocab, options)
        self._spanner, self._rules = spanner, rules
        tables, added = vocab.native_tables, vocab.added_tokens
        for encoder in (options.encoder, options.long_encoder):
            if obstacle := _native.encoder_obstacle(encoder, tables):
                raise UnsupportedVocabError(
                    f"encoder {encoder!r} {obstacle}; use encoder='heap_merge'", file=vocab.source, field="merges"
                )
        finder, words = rules.finder, rules.words
        marked = vocab.space_mark if can_mark_spaces_natively(vocab) else None
        ready = can_preprocess_natively(vocab) or marked is not None or rules.finds_spans
        self._preprocessor = None if ready else Preprocessor(vocab, options.errors)
        self._masks: dict[frozenset[str], bytes] = {}
        arguments = _native.EngineArguments()
        arguments.spans = finder
        arguments.encoder = options.encoder
        arguments.long_encoder = options.long_encoder
        arguments.long_span = options.long_span
        arguments.nfc = marked is None and not rules.in_steps and _has_nfc(vocab, words)
        arguments.ignore_merges = vocab.model.has_whole_words
        arguments.add_prefix_space = vocab.add_prefix_space
        arguments.cache_bytes = options.cache_bytes
        arguments.added = (added.blob, added.ends, added.ids, added.flags, added.order)
        arguments.literals = _literals(vocab, rules, is_marked=marked is not None)
        arguments.prefix = self.prefix
        arguments.suffix = self.suffix
        arguments.threads = cores()
        arguments.simd = simd_level()
        arguments.words, arguments.cuts = words, rules.cuts
        arguments.normalizer, arguments.rewriting = rules.normalizer, rules.rewriting
        if marked is not None:
            arguments.cuts, arguments.cuts_at_spaces = True, marked.splits
            arguments.space_mark, arguments.prepend = marked.mark, marked.prepend
        # In the tables of other models, tokens are not spelled as in the vocab.
        self._tiles_bytes = isinstance(vocab.model, ByteLevelBPE)
        self._joins_bytes = vocab.decoder is None and self._tiles_bytes
        arguments.joins_bytes = self._joins_bytes
        self.arguments = arguments
        self._native = _native.Engine(tables, arguments)
        self.core: _native.Engine | None = self._native
        self.encode_quickly: Callable[[Any, Any], Any] = self._native.encode_quickly
        self.count_quickly: Callable[[Any, Any], Any] = self._native.count_quickly
        self.decode_quickly: Callable[[Any, Any, Any], Any] = self._native.decode_quickly

    @cached_property
    def in_python(self) -> Engine:
        """See `Engine.in_python`."""
        from wordsplit.engine import build_in_python  # noqa: PLC0415 - only few features need it

        return build_in_python(self.vocab, self.options)

    def pieces_with_ends(self, text: str | bytes, as_text: Collection[str]) -> Iterator[tuple[bytes, Sequence[int]]]:
        """See `Engine.pieces_with_ends`."""
        # Where the core has a space for its spelling, its spans are not those of the vocab, but parts of them.
        if can_mark_spaces_natively(self.vocab):
            return self.in_python.pieces_with_ends(text, as_text)
        return super().pieces_with_ends(text, as_text)

    def pieces(self, text: str | bytes, as_text: Collection[str]) -> Iterator[Piece]:
        """See `Engine.pieces`."""
        if self._preprocessor is not None:
            return self._preprocessor.pieces(text, as_text)
        return map(Piece._make, self._call(self._native.pieces, text, self._mask(as_text)))

    def span_ends(self, data: bytes) -> Sequence[int]:
        """See `Engine.span_ends`."""
        assert self._spanner is not None  # noqa: S101 - the subclass without one overrides this
        return checked_ends(self._spanner, data)

    def encode_spans(self, data: bytes, ends: Sequence[int]) -> list[int]:
        """Encode data whose spans are known."""
        found: list[int] = self._checked(self._native.encode_spans, data, ends)
        return found

    def decode_bytes(self, ids: Iterable[int], *, skip_special: bool) -> bytes:
        """Decode ids to bytes."""
        ids = _sequence(ids)
        if self._decodes_in_steps:
            text = self.decode_quickly(ids, "replace", skip_special)
            if text is None:
                text = super().decode(ids, "replace", skip_special=skip_special)
            return str(text).encode()
        if not self._joins_bytes:
            return super().decode_bytes(ids, skip_special=skip_special)
        found = self._native.decode_bytes(ids, skip_special)
        return super().decode_bytes(ids, skip_special=skip_special) if found is None else found

    def decode(self, ids: Iterable[int], errors: str, *, skip_special: bool) -> str:
        """Decode ids to text. Raises what `bytes.decode` raises."""
        if self._decodes_in_steps and type(ids) is not list:  # of a list, the core has said what it could
            ids = _sequence(ids)
            text: str | None = self.decode_quickly(ids, errors, skip_special)
            if text is not None:
                return text
        if not self._joins_bytes:
            return super().decode(ids, errors, skip_special=skip_special)
        ids = _sequence(ids)
        found = self._native.decode(ids, errors, skip_special)
        return super().decode(ids, errors, skip_special=skip_special) if found is None else found

    @cached_property
    def _decoder(self) -> Decoder:
        from wordsplit.engine.native_decoding import NativeDecoder  # noqa: PLC0415 - byte-level vocabs need no steps

        made = NativeDecoder(self.vocab, self._special_ids)
        if made.core is not None:
            made.core = self._native.use_steps(made.core)  # the same for threads that come here at once
        return made

    def token_bytes(self, ids: Iterable[int], others: dict[int, bytes]) -> list[bytes] | None:
        """See `Engine.token_bytes`."""
        found: list[bytes] | None = self._native.token_bytes(_sequence(ids), others) if self._joins_bytes else None
        return found

    def cache_clear(self) -> None:
        """Clear the span cache."""
        self._native.cache_clear()

    def cache_info(self) -> dict[str, int]:
        """Return the entries, the bytes in use and the size limit of the span caches of all threads."""
        entries, used = self._native.cache_info()
        return {"entries": entries, "bytes": used, "max_bytes": self.options.cache_bytes}

    def span_counts(self) -> dict[str, int]:
        """Return the number of spans by where they were found, since the engine was built or its cache cleared.

        Each span counts once: in the hot cache of its thread; ``repeated`` in its block after it was missed there; as a
        short token of the vocab; ``in parts``, which also count as spans; in the shared cache; else it was ``encoded``,
        or ``too long`` for the caches. Spans of calls that are running in other threads are not counted.
        """
        counts: dict[str, int] = self._native.span_counts()
        return counts

    @cached_property
    def _number(self) -> dict[str, int]:
        """Map the content of each added token to its number."""
        return {content: at for at, content in enumerate(self.vocab.added_tokens.contents())}

    def _mask(self, as_text: Collection[str]) -> bytes | None:
        """Return one byte for each added token, 1 if it remains text."""
        if not as_text:
            return None
        key = frozenset(as_text)
        mask = self._masks.get(key)
        if mask is None:
            flags = bytearray(len(self._number))
            for content in key:
                flags[self._number[content]] = 1
            mask = bytes(flags)
            if len(self._masks) < 64:  # sets of literals are few in practice; masks of further sets are not kept
                self._masks[key] = mask
        return mask

    def _call(self, method: Any, text: str | bytes, *arguments: Any) -> Any:
        """Call a native method with a text, without a copy if the text can be read in place."""
        found = self._checked(method, text, *arguments)
        if found is None:
            found = self._checked(method, to_bytes(text, self.options.errors), *arguments)
        return found

    def _checked(self, method: Any, *arguments: Any) -> Any:
        try:
            return method(*arguments)
        except _native.MissingByte as error:
            byte = error.args[0]
            raise UnknownTokenError(f"{self.vocab.name} has no token for byte 0x{byte:02X}") from None
        except _native.TooLong as error:
            raise InvalidTextError(f"cannot be encoded in one piece: {error}; split it") from None


class NativeEngine(NativeEncoding):
    """Find spans and encode them natively, in one pass."""

    def __init__(
        self,
        vocab: Vocab,
        options: EngineOptions,
        rules: CoreRules,
    ) -> None:
        super().__init__(vocab, options, None, rules)
        self._encode: Any = self._native.encode
        self._count: Any = self._native.count

    def span_ends(self, data: bytes) -> Sequence[int]:
        """See `Engine.span_ends`."""
        found: list[int] = self._native.span_ends(data)
        return found

    def encode(self, text: str | bytes, as_text: Collection[str]) -> list[int]:
        """Encode a text."""
        if not as_text:  # the common case, with few Python steps: together they cost as much as 200 bytes of text
            try:
                quick: list[int] | None = self._encode(text, None)
            except (_native.MissingByte, _native.TooLong):
                quick = None  # the slower path raises the error
            if quick is not None:
                return quick
        found: list[int] = self._call(self._native.encode, text, self._mask(as_text))
        return found

    def encode_to_numpy(self, text: str | bytes, as_text: Collection[str]) -> npt.NDArray[np.uint32]:
        """Encode a text to an array."""
        numpy()
        found: npt.NDArray[np.uint32] = self._call(self._native.encode_to_numpy, text, self._mask(as_text))
        return found

    def count(self, text: str | bytes, as_text: Collection[str]) -> int:
        """Count the ids of a text."""
        if not as_text:  # as above
            try:
                quick: int | None = self._count(text, None)
            except (_native.MissingByte, _native.TooLong):
                quick = None
            if quick is not None:
                return quick
        found: int = self._call(self._native.count, text, self._mask(as_text))
        return found

    def encode_batch(
        self, texts: Sequence[str | bytes], as_text: Collection[str], threads: int | None
    ) -> list[list[int]]:
        """Encode each text."""
        found: list[list[int]] = self._batch(self._native.encode_batch, texts, as_text, threads)
        return found

    def count_batch(self, texts: Sequence[str | bytes], as_text: Collection[str], threads: int | None) -> list[int]:
        """Count the ids of each text."""
        found: list[int] = self._batch(self._native.count_batch, texts, as_text, threads)
        return found

    def encode_batch_to_numpy(
        self, texts: Sequence[str | bytes], as_text: Collection[str], threads: int | None
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
        """Encode texts to one array of ids and the offsets of the texts in it."""
        numpy()
        ids, offsets = self._batch(self._native.encode_batch_to_numpy, texts, as_text, threads)
        return ids, offsets

    def encode_column(
        self, column: _native.TextColumn, as_text: Collection[str], threads: int | None, into: _native.TokenLists
    ) -> None:
        """Encode the rows of a column into lists, whose memory is reused. A null row gives a null list."""
        self._checked(self._native.encode_column, column, self._mask(as_text), _most_threads(threads), into)

    def encode_with_offsets(self, text: str | bytes, as_text: Collection[str]) -> EncodedText:
        """Encode a text and locate each id in it."""
        found = self._located(text, as_text)
        return super().encode_with_offsets(text, as_text) if found is None else found

    def encode_with_words(self, text: str, as_text: Collection[str]) -> WithWords:
        """Encode a text, and return for each id its characters and the number of its span, too."""
        found = self.encode_with_words_quickly(text, as_text)
        return super().encode_with_words(text, as_text) if found is None else found[:3]

    def encode_with_words_quickly(self, text: str, as_text: Collection[str]) -> WithUnknown | None:
        """See `Engine.encode_with_words_quickly`."""
        found: WithUnknown | None = self._placed("encode_with_words", text, as_text)
        return found

    def _located(self, text: str | bytes, as_text: Collection[str]) -> EncodedText | None:
        """Encode a text and locate each id in it; ``None`` for a text that the core cannot do that with."""
        from wordsplit.engine.offsets import EncodedText  # noqa: PLC0415 - only needed for offsets

        if isinstance(text, bytes) and not is_utf8(text):
            return None  # the core recognizes characters by their first bytes
        found = self._placed("encode_with_offsets", text, as_text)
        if found is not None:
            return EncodedText(*found)
        if isinstance(text, bytes) or not _SURROGATE.search(text):
            return None
        found = self._placed("encode_with_offsets", to_bytes(text, self.options.errors), as_text)
        return None if found is None else EncodedText(*found).in_code_units_of(text)

    def _placed(self, method: str, text: str | bytes, as_text: Collection[str]) -> Any:
        """Return the result of a native method for the places of ids; ``None`` for a text that it does not support."""
        try:
            return self._checked(getattr(self._native, method), text, self._mask(as_text))
        except (UnknownTokenError, _native.NotInCore):  # the slower way raises real errors
            return None

    def _batch(self, method: Any, texts: Sequence[str | bytes], as_text: Collection[str], threads: int | None) -> Any:
        mask, limit = self._mask(as_text), _most_threads(threads)
        found = self._checked(method, texts, mask, limit)
        if found is None:
            errors = self.options.errors
            found = self._checked(method, [to_bytes(text, errors) for text in texts], mask, limit)
        return found


class NativeWordEngine(NativeEngine):
    """Normalize, split and encode natively as far as the core can, by tables or in steps; the rest in Python.

    Characters that the tables lack are left to the engine for any vocab. If there are many of them, they are left to
    an engine with a larger table.

    Args:
        vocab: The vocab.
        options: The options.
        rules: The rules of the vocab that the core runs.
        others: Returns the engine for texts with characters outside of the table, and for all but encoding. It is made
            on first use: the patterns of BERT's take the `regex` package 0.3 s.
    """

    def __init__(self, vocab: Vocab, options: EngineOptions, rules: CoreRules, others: Callable[[], Engine]) -> None:
        super().__init__(vocab, options, rules)
        self._make_others = others
        self._wider: NativeWordEngine | None = None
        self._outside = 0  # characters in texts that were left to another engine

    @cached_property
    def _others(self) -> Engine:
        return self._make_others()

    def word_maps(self) -> list[_native.WordMap]:
        """Return the tables of characters: that of the vocab, if it has one, and the larger one, if there is one."""
        return [words for words in (self._rules.words, self._rules.more_words()) if words is not None]

    def pieces(self, text: str | bytes, as_text: Collection[str]) -> Iterator[Piece]:
        """See `Engine.pieces`."""
        return self._others.pieces(text, as_text)

    def span_ends(self, data: bytes) -> Sequence[int]:
        """See `Engine.span_ends`."""
        return self._others.span_ends(data)

    def encode_spans(self, data: bytes, ends: Sequence[int]) -> list[int]:
        """Encode data whose spans are known."""
        return self._others.encode_spans(data, ends)

    @cached_property
    def _tracer(self) -> Tracer | AlignedTracer:
        return self._others._tracer  # noqa: SLF001 - of the same package

    def _placed(self, method: str, text: str | bytes, as_text: Collection[str]) -> Any:
        """See `NativeEngine`."""
        found = super()._placed(method, text, as_text)
        if found is None and self._wider is not None:
            found = self._wider._placed(method, text, as_text)  # noqa: SLF001 - of the same class
        return found

    def encode(self, text: str | bytes, as_text: Collection[str]) -> list[int]:
        """Encode a text."""
        try:
            return super().encode(text, as_text)
        except _native.NotInCore:
            return self._elsewhere(text).encode(text, as_text)

    def encode_to_numpy(self, text: str | bytes, as_text: Collection[str]) -> npt.NDArray[np.uint32]:
        """Encode a text to an array."""
        try:
            return super().encode_to_numpy(text, as_text)
        except _native.NotInCore:
            return self._elsewhere(text).encode_to_numpy(text, as_text)

    def count(self, text: str | bytes, as_text: Collection[str]) -> int:
        """Count the ids of a text."""
        try:
            return super().count(text, as_text)
        except _native.NotInCore:
            return self._elsewhere(text).count(text, as_text)

    def encode_batch(
        self, texts: Sequence[str | bytes], as_text: Collection[str], threads: int | None
    ) -> list[list[int]]:
        """Encode each text."""
        try:
            return super().encode_batch(texts, as_text, threads)
        except _native.NotInCore:
            found: list[list[int]] = self._batch_elsewhere("encode_batch", texts, as_text, threads)
            return found

    def count_batch(self, texts: Sequence[str | bytes], as_text: Collection[str], threads: int | None) -> list[int]:
        """Count the ids of each text."""
        try:
            return super().count_batch(texts, as_text, threads)
        except _native.NotInCore:
            found: list[int] = self._batch_elsewhere("count_batch", texts, as_text, threads)
            return found

    def encode_batch_to_numpy(
        self, texts: Sequence[str | bytes], as_text: Collection[str], threads: int | None
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
        """Encode texts to one array of ids and the offsets of the texts in it."""
        try:
            return super().encode_batch_to_numpy(texts, as_text, threads)
        except _native.NotInCore:
            found: tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]] = self._batch_elsewhere(
                "encode_batch_to_numpy", texts, as_text, threads
            )
            return found

    def encode_column(
        self, column: _native.TextColumn, as_text: Collection[str], threads: int | None, into: _native.TokenLists
    ) -> None:
        """Encode the rows of a column into lists, whose memory is reused. A null row gives a null list."""
        try:
            super().encode_column(column, as_text, threads, into)
        except _native.NotInCore:
            self._batch_elsewhere("encode_column", column, as_text, threads, into)

    def _elsewhere(self, text: str | bytes) -> Engine:
        """Return the engine for a text with characters outside of the table."""
        self._outside += len(text)
        if self._wider is None and self._outside > _MUCH and (words := self._rules.more_words()):
            rules = self._rules._replace(words=words, more_words=lambda: None)
            self._wider = NativeWordEngine(self.vocab, self.options, rules, lambda: self._others)
        return self._wider or self._others

    def _batch_elsewhere(self, method: str, *arguments: Any) -> Any:
        """Call a method with a batch that has such a text: if there is no larger table yet, it is done text by text."""
        if self._wider is not None:
            return getattr(self._wider, method)(*arguments)
        return getattr(Engine, method)(self, *arguments)


def _most_threads(threads: int | None) -> int:
    return min(threads or cores(), _MOST_THREADS)


def _has_nfc(vocab: Vocab, words: _native.WordMap | None) -> bool:
    """Return whether the core does NFC: alone, or before it looks characters up in a table."""
    return vocab.normalizer == "nfc" or (words is not None and (vocab.normalizer or ())[:1] == (Normalize("nfc"),))


def _literals(vocab: Vocab, rules: CoreRules, *, is_marked: bool) -> dict[int, bytes]:
    """Return number -> literal for added tokens whose literal in text differs from their content."""
    added = vocab.added_tokens
    if not added.numbers_of("normalized"):
        return {}
    if is_marked or rules.in_steps or rules.words is not None:
        from wordsplit.engine import words  # noqa: PLC0415 - few vocabs have such tokens

        if is_marked:
            literals = words.spelled_literals(vocab)
        elif rules.in_steps:
            literals = words.every_normalized_literal(vocab)
        else:
            literals = words.normalized_literals(vocab) or {}
        return {at: literal.encode() for at, literal in literals.items()}
    if vocab.normalizer == "nfc" and not bytes(added.blob).isascii():
        return {at: _native.nfc(token.content.encode()) for at, token in enumerate(added) if token.normalized}
    return {}


def _sequence(ids: Iterable[int]) -> list[int]:
    """Return ids as a list. An array gives Python integers."""
    if type(ids) is list:
        return ids
    if hasattr(ids, "tolist"):
        found = ids.tolist()
        if type(found) is list:
            return found
    return listed(ids)
