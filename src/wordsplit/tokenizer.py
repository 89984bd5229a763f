"""The tokenizer, a facade over `wordsplit.engine` (text to ids and back) and `wordsplit.features` (the rest)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Literal, TypeVar, overload

import wordsplit
from wordsplit import features, hints
from wordsplit.arrays import id_dtype
from wordsplit.engine import build_engine, resolve_options
from wordsplit.engine.base import as_id, listed
from wordsplit.engine.inputs import Inputs
from wordsplit.engine.quick import quicken
from wordsplit.errors import InvalidTextError, InvalidTokenIdError, OptionsError, WordsplitError
from wordsplit.options import EngineOptions
from wordsplit.text import Special, Text, check_handler, each
from wordsplit.vocab import Vocab, facts_of, require_vocab

T = TypeVar("T")

__all__ = ["Tokenizer", "TokenizerOptions"]


class Tokenizer:
    """Encode text to ids and decode ids to text, exactly as the vocab's own tokenizer does.

    Created by `TokenizerOptions.build` or `wordsplit.load_tokenizer`. Immutable, picklable by content, and safe to
    share between threads. (Its streams are not thread-safe: use each in one thread.)

    Text is a ``str``, or UTF-8 in a bytes-like object. ``options.errors`` says how to handle lone surrogates.

    ``special`` says how to treat the literals of special tokens in the text:

    * ``"parse"``: encode them to their ids, as the models' own tokenizers do. Not for untrusted text.
    * ``"text"``: treat them as ordinary text. Added tokens that are not special are still found, as by `tokenizers`
      with ``encode_special_tokens``.
    * ``"no_added"``: treat the literals of all added tokens, special or not, as text. For untrusted text.
    * ``"error"``: raise `SpecialTokenError`.
    * a set of literals: parse these and treat the others as text.

    Example:
        >>> import wordsplit
        >>> tok = wordsplit.load_tokenizer("qwen3")
        >>> tok.encode("Hello, world!")
        [9707, 11, 1879, 0]
        >>> tok.decode([9707, 11, 1879, 0])
        'Hello, world!'
        >>> tok.encode("<|im_start|>"), len(tok.encode("<|im_start|>", special="text"))
        ([151644], 6)
    """

    __slots__ = ("__dict__", "__weakref__", "_core")  # each fast call reads the core

    def __init__(self, vocab: Vocab, options: TokenizerOptions | None = None) -> None:
        require_vocab(vocab, by_name="load_tokenizer")
        self._vocab = vocab
        self._options = resolve_options(vocab, options or TokenizerOptions())
        self._engine = build_engine(vocab, self._options)
        self._inputs = Inputs(self._engine)
        self._core = self._engine.core
        if self._core is not None:
            quicken(Tokenizer, "encode", "count", "decode")

    @property
    def vocab(self) -> Vocab:
        """The vocab that this tokenizer was built from."""
        return self._vocab

    @property
    def options(self) -> TokenizerOptions:
        """The options of this tokenizer, with every ``"auto"`` resolved."""
        return self._options

    @property
    def eos_token_id(self) -> int | None:
        """The id of the end-of-sequence token, or ``None`` if the vocab does not name one."""
        return self._vocab.eos_token_id

    @property
    def bos_token_id(self) -> int | None:
        """The id of the beginning-of-sequence token, or ``None`` if the vocab does not name one."""
        return self._vocab.bos_token_id

    @property
    def pad_token_id(self) -> int | None:
        """The id of the padding token, or ``None`` if the vocab does not name one."""
        return self._vocab.pad_token_id

    @property
    def unk_token_id(self) -> int | None:
        """The id of the unknown token, or ``None`` if the vocab does not name one."""
        return self._vocab.unk_token_id

    @property
    def n_vocab(self) -> int:
        """The largest id plus one: the number of rows an embedding needs. It counts holes; `len` does not."""
        return self._vocab.n_vocab

    def __len__(self) -> int:
        """Return the number of ids that have a token, base or added."""
        return len(self._vocab)

    def __bool__(self) -> bool:
        """Return ``True``, so that truth does not depend on the length."""
        return True

    @property
    def special_tokens(self) -> dict[str, int]:
        """The special tokens: literal -> id (a new dict each time)."""
        return dict(self._inputs.special_tokens)

    # Text to ids.

    def encode(self, text: Text, special: Special = "parse") -> list[int]:
        """Encode a text to token ids.

        Args:
            text: Text of any length; the empty text has no ids except those that the vocab adds to every text.
            special: How to treat special tokens in it; see the class.

        Raises:
            SpecialTokenError: The text has a special token and ``special`` is ``"error"``, or an item of the set is not
                the literal of a special token.
            InvalidTextError: The text is not valid Unicode, and ``options.errors`` is ``"strict"``.
            UnknownTokenError: The vocab has no token for a byte of the text, and `Vocab.missing_bytes` is ``None`` or
                ``options.missing_bytes`` is ``"error"``.
        """
        return self._engine.encode(*self._inputs.text(text, special))

    @overload
    def encode_batch(
        self,
        texts: Iterable[Text],
        special: Special = "parse",
        threads: int | None = None,
        *,
        output: Literal["list"] = "list",
    ) -> list[list[int]]: ...

    @overload
    def encode_batch(
        self,
        texts: Iterable[Text],
        special: Special = "parse",
        threads: int | None = None,
        *,
        output: Literal["numpy"],
    ) -> tuple[hints.npt.NDArray[Any], hints.npt.NDArray[hints.np.int64]]: ...

    @overload
    def encode_batch(
        self,
        texts: Iterable[Text],
        special: Special = "parse",
        threads: int | None = None,
        *,
        output: Literal["arrow"],
    ) -> features.arrow.EncodedColumn: ...

    def encode_batch(
        self, texts: Any, special: Special = "parse", threads: int | None = None, *, output: str = "list"
    ) -> Any:
        """Encode each text of a batch, in order.

        If encoding a text fails, the error says which one in ``error.row`` and in its message.

        Args:
            texts: Texts, as for `encode`: a list, another iterable, or a column of strings from NumPy, pandas, polars
                or Arrow. A null is an error, unless the column has Arrow data and ``output`` is ``"arrow"``.
            special: As for `encode`.
            threads: The largest number of threads; ``None`` for one per core.
            output: What to return: ``"list"`` for lists of ids; ``"numpy"`` for the arrays of `encode_batch_to_numpy`;
                ``"arrow"`` for a column as from `encode_arrow`.

        Raises:
            OptionsError: ``output`` is none of these, or NumPy, which ``"numpy"`` and ``"arrow"`` need, is not
                installed.
            InputTypeError: The texts are a single text, or an item is not a text.

        Example:
            >>> import numpy
            >>> import wordsplit
            >>> texts = numpy.array(["hello world", "hello"])
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> ids, offsets = tok.encode_batch(texts, output="numpy")
            >>> tok.encode_batch(texts), ids.tolist(), offsets.tolist()
            ([[14990, 1879], [14990]], [14990, 1879, 14990], [0, 2, 3])
        """
        if output == "list":
            return self._inputs.batch(self._engine.encode_batch, texts, special, threads)
        if output == "numpy":
            return self.encode_batch_to_numpy(texts, special, threads)
        if output == "arrow":
            return features.arrow.encode_batch(self._inputs, self._engine, texts, special, threads)
        raise OptionsError(f"output={output!r:.100}: use 'list', 'numpy' or 'arrow'")

    def encode_to_numpy(
        self, text: Text, special: Special = "parse", *, dtype: hints.npt.DTypeLike = "uint32"
    ) -> hints.npt.NDArray[Any]:
        """Encode a text to an array of shape (n,).

        Args:
            text: As for `encode`.
            special: As for `encode`.
            dtype: An integer type that can hold every id of the vocab. ``"uint16"`` can if ``vocab.n_vocab`` is 65,536
                or less. Ids are created as ``uint32`` and converted to other types.

        Raises:
            OptionsError: NumPy is not installed, or ``dtype`` cannot hold the vocab's ids.

        Example:
            >>> import wordsplit
            >>> wordsplit.load_tokenizer("r50k_base").encode_to_numpy("hello world", dtype="uint16")
            array([31373,   995], dtype=uint16)
        """
        wanted = id_dtype(dtype, self._vocab.max_id, self._vocab.name)
        return self._engine.encode_to_numpy(*self._inputs.text(text, special)).astype(wanted, copy=False)

    def encode_batch_to_numpy(
        self,
        texts: Iterable[Text],
        special: Special = "parse",
        threads: int | None = None,
        *,
        dtype: hints.npt.DTypeLike = "uint32",
    ) -> tuple[hints.npt.NDArray[Any], hints.npt.NDArray[hints.np.int64]]:
        """Encode a batch to one array of ids and an array of offsets.

        Args:
            texts: Texts, as for `encode`.
            special: As for `encode`.
            threads: The largest number of threads; ``None`` for one per core.
            dtype: The type of the ids; see `encode_to_numpy`.

        Returns:
            ``ids``, of shape (m,), and ``offsets``, ``int64`` of shape (len(texts) + 1,): the ids of text ``i`` are
            ``ids[offsets[i]:offsets[i + 1]]``.

        Raises:
            OptionsError: NumPy is not installed, or ``dtype`` cannot hold the vocab's ids.
        """
        wanted = id_dtype(dtype, self._vocab.max_id, self._vocab.name)
        ids, offsets = self._inputs.batch(self._engine.encode_batch_to_numpy, texts, special, threads)
        return ids.astype(wanted, copy=False), offsets

    def encode_arrow(
        self,
        data: object,
        special: Special = "parse",
        threads: int | None = None,
        *,
        field: str | None = None,
        arrow_type: features.arrow.ArrowType = "list<uint32>",
    ) -> features.arrow.EncodedColumn:
        """Encode a column of Arrow data, for example from pyarrow, polars, pandas or DuckDB.

        Texts are read in place, and the ids are not copied when other libraries use them. A row that is null stays
        null. If encoding a row fails, the error says which one in ``error.row`` and in its message.

        Args:
            data: An object with ``__arrow_c_stream__`` or ``__arrow_c_array__``: an array, a chunked array, a table, a
                data frame or a reader, which is read to its end. The texts are strings or binary values of any layout
                (which need not be UTF-8; see ``options.errors``), a dictionary of these, or nulls.
            special: As for `encode`.
            threads: The largest number of threads; ``None`` for one per core.
            field: The column of a table, or field of structs, that holds the texts; ``"a.b"`` is the field ``b`` of the
                field ``a``. ``None`` if ``data`` is the column itself.
            arrow_type: The type of the result. ``large_list`` has 64-bit offsets: a ``list`` of more than 2,147,483,647
                ids can be exported only as a stream of several arrays.

        Raises:
            InputTypeError: ``data`` is not Arrow data, holds no texts, or has no such field.
            ArrowError: ``data`` violates Arrow's specification, or its stream fails.
            OptionsError: ``arrow_type`` or ``threads`` has an invalid value.
            InvalidTextError: A text is not UTF-8, and ``options.errors`` is ``"strict"``.
            WordsplitError: The native module is missing, in a build without it.

        Example:
            >>> import pyarrow
            >>> import wordsplit
            >>> table = pyarrow.table({"text": ["hello world", None], "year": [1972, 1978]})
            >>> found = wordsplit.load_tokenizer("qwen3").encode_arrow(table, field="text")
            >>> table.append_column("ids", found).to_pylist()
            [{'text': 'hello world', 'year': 1972, 'ids': [14990, 1879]}, {'text': None, 'year': 1978, 'ids': None}]
        """
        return features.arrow.encode_arrow(self._inputs, data, special, threads, field, arrow_type)

    def count(self, text: Text, special: Special = "parse", *, limit: int | None = None) -> int:
        """Count the ids that `encode` returns.

        Args:
            text: As for `encode`.
            special: As for `encode`.
            limit: The count at which to stop. If there are more ids, the result is ``limit + 1``, and little more than
                that is encoded. So ``tok.count(text, limit=n) <= n`` says whether a text fits.

        Raises:
            OptionsError: ``limit`` is not a number of tokens.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> tok.count("word " * 1000), tok.count("word " * 1000, limit=100), tok.count("word", limit=100)
            (1001, 101, 1)
        """
        if limit is not None:
            return features.budgets.count_up_to(self._engine, self._cuts, *self._inputs.text(text, special), limit)
        return self._engine.count(*self._inputs.text(text, special))

    def count_batch(self, texts: Iterable[Text], special: Special = "parse", threads: int | None = None) -> list[int]:
        """Count the ids that `encode` returns for each text."""
        return self._inputs.batch(self._engine.count_batch, texts, special, threads)

    def spans(self, text: Text, special: Special = "parse") -> list[str]:
        """Return the spans of a text after normalization. Each added token is a separate span.

        Example:
            >>> import wordsplit
            >>> wordsplit.load_tokenizer("qwen3").spans("Hello, world!")
            ['Hello', ',', ' world', '!']
        """
        return [span.decode("utf-8", "replace") for span in self._engine.spans(*self._inputs.text(text, special))]

    def encode_with_offsets(self, text: Text, special: Special = "parse") -> wordsplit.EncodedText:
        """Encode a text and return, for each id, the bytes and characters of the original text that it covers.

        Byte spans cover the text without gaps or overlaps. Character spans overlap where tokens share a character, or a
        sequence that NFC changes: each of these tokens then covers all of it. They omit text that a vocab removes, such
        as white space between words. See `wordsplit.engine.offsets`.

        Args:
            text: As for `encode`. Byte offsets count a lone surrogate as U+FFFD.
            special: As for `encode`.

        Example:
            >>> import wordsplit
            >>> text = "cafe\u0301s"
            >>> found = wordsplit.load_tokenizer("qwen3").encode_with_offsets(text)
            >>> [(i, text[start:end]) for i, (start, end) in zip(found.ids, found.char_spans)]
            [(68796, 'caf'), (5397, 'e\u0301s')]
            >>> found.byte_spans
            [(0, 3), (3, 7)]
        """
        return self._engine.encode_with_offsets(*self._inputs.text(text, special))

    def encode_segments(
        self, segments: Iterable[tuple[Text, bool]], *, untrusted: Literal["no_added", "no_special"] = "no_added"
    ) -> list[int]:
        """Encode trusted and untrusted segments separately and join their ids.

        Args:
            segments: (text, trusted) pairs. Each is encoded separately, so no token crosses a segment's end. If the
                vocab prepends a space to texts, it prepends one to each segment. Ids such as bos and eos go around the
                whole.
            untrusted: Which tokens an untrusted segment cannot produce, whatever its text. ``"no_added"``: added
                tokens. ``"no_special"``: special tokens; other added tokens, such as Qwen3's ``<think>`` and
                ``<tool_call>``, are parsed. (Use it for vocabs whose added tokens include runs of spaces, because
                models expect these.)

        Raises:
            InputTypeError: A segment is not a pair of a text and a bool.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> tok.encode_segments([("<|im_start|>user\\n", True), ("<|im_end|>", False), ("<|im_end|>", True)])
            [151644, 872, 198, 27, 91, 318, 6213, 91, 29, 151645]
        """
        return features.segments.encode_segments(self._engine, segments, untrusted)

    def encode_pair(
        self,
        first: Text,
        second: Text,
        special: Special = "parse",
    ) -> features.pairs.EncodedPair:
        """Encode two texts to one row of ids, for a model that compares them, such as a reranker.

        The ids around the texts come from the vocab's template, `Vocab.pair_template`. The ids and types are those of
        `tokenizers` for a pair. For batches of pairs, truncated and padded, see `encode_for_model`.

        Args:
            first: The first text, such as a query.
            second: The second text, such as a passage.
            special: As for `encode`, for both texts.

        Raises:
            OptionsError: The tokenizer's options put different ids around a text than the vocab does, so its template
                does not apply.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")  # without a template, so one text follows the other
            >>> tok.encode_pair("hello", " world")
            EncodedPair(ids=[14990, 1879], type_ids=[0, 1])
        """
        given = [self._inputs.text(text, special) for text in (first, second)]
        return features.pairs.encode_pair(self._engine, *given)

    # Ids to text.

    def decode(self, ids: Iterable[int], errors: str = "replace", *, skip_special: bool = False) -> str:
        """Decode ids to text.

        Args:
            ids: Ids of the vocab.
            errors: What to do where the bytes are not UTF-8, such as part of a character: ``"replace"`` (U+FFFD),
                ``"strict"`` (raise), or another of Python's error handlers.
            skip_special: Whether to leave out special tokens.

        Raises:
            InvalidTokenIdError: An id has no token.
            InvalidTextError: The bytes are not UTF-8, and ``errors`` is ``"strict"``.
        """
        try:
            found: str | None = self._engine.decode_quickly(ids, errors, skip_special)
            return found if found is not None else self._engine.decode(ids, errors, skip_special=skip_special)
        except UnicodeDecodeError as error:
            raise InvalidTextError(
                f"the bytes of these ids are not UTF-8 ({error.reason} at offset {error.start}); "
                "use errors='replace' or decode_bytes()"
            ) from None
        except (LookupError, TypeError, UnicodeEncodeError) as error:
            check_handler(errors)
            raise error from None

    def decode_bytes(self, ids: Iterable[int], *, skip_special: bool = False) -> bytes:
        """Return the bytes of ids.

        Raises:
            InvalidTokenIdError: An id has no token.
        """
        return self._engine.decode_bytes(ids, skip_special=skip_special)

    def decode_batch(
        self, batch: Iterable[Iterable[int]], errors: str = "replace", *, skip_special: bool = False
    ) -> list[str]:
        """Decode each sequence of ids, in order. If one fails, ``error.row`` says which."""
        return _each_row(lambda ids: self.decode(ids, errors, skip_special=skip_special), batch)

    def decode_bytes_batch(self, batch: Iterable[Iterable[int]], *, skip_special: bool = False) -> list[bytes]:
        """Return the bytes of each sequence of ids, in order. If one fails, ``error.row`` says which.

        Example:
            >>> import wordsplit
            >>> wordsplit.load_tokenizer("qwen3").decode_bytes_batch([[14990, 1879], [14990]])
            [b'hello world', b'hello']
        """
        return _each_row(lambda ids: self.decode_bytes(ids, skip_special=skip_special), batch)

    # Streams.

    def decode_stream(
        self, *, skip_special: bool = False, errors: str = "replace", stop: str | Sequence[str] = ()
    ) -> features.decode_stream.DecodeStream:
        """Return a stream that decodes ids one by one and returns text as soon as it is final.

        Joined, the parts equal the result of `decode` for all ids, up to a stop string.

        Args:
            skip_special: Whether to leave out special tokens.
            errors: What to do where the bytes are not UTF-8; see `decode`.
            stop: A stop string, or several. A stop string may begin and end within tokens. The search covers the text
                of special tokens, unless ``skip_special`` omits them.

        Raises:
            OptionsError: ``errors`` is not the name of an error handler, or a stop string is empty.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> with tok.decode_stream() as stream:
            ...     [stream.push(i) for i in tok.encode("Hi 🦜!")]
            ['Hi', ' ', '', '🦜', '!']
        """
        known = self._without_special if skip_special else self._with_special
        return features.decode_stream.DecodeStream(known, errors, stop)

    def encoder_stream(self, special: Special = "parse") -> features.encoder_stream.EncoderStream:
        """Return a stream that takes text as it grows and keeps the ids of the whole text.

        An append re-encodes only the text that it can change: the text after the last position where the text can be
        split safely, usually the last word (see `wordsplit.features.cuts`). For spanners and patterns about which too
        little is known, it re-encodes the whole text.

        Args:
            special: How to treat special tokens in it; see the class.

        Example:
            >>> import wordsplit
            >>> stream = wordsplit.load_tokenizer("qwen3").encoder_stream()
            >>> for part in ("An appended", " chat, <|im_", "end|>"):
            ...     print(stream.append(part))
            Appended(kept=0, ids=[2082, 51187])
            Appended(kept=2, ids=[6236, 11, 82639, 318, 62])
            Appended(kept=4, ids=[220, 151645])
            >>> stream.stable
            Stable(ids=4, chars=17)
        """
        return features.encoder_stream.open_stream(self._engine, self._cuts, self._inputs, special)

    # Budgets.

    @overload
    def truncate(
        self, text: str, max_tokens: int, side: Literal["right", "left"] = "right", special: Special = "parse"
    ) -> features.budgets.Truncated: ...

    @overload
    def truncate(
        self,
        text: bytes | bytearray | memoryview,
        max_tokens: int,
        side: Literal["right", "left"] = "right",
        special: Special = "parse",
    ) -> features.budgets.TruncatedBytes: ...

    def truncate(
        self, text: Text, max_tokens: int, side: Literal["right", "left"] = "right", special: Special = "parse"
    ) -> features.budgets.Truncated | features.budgets.TruncatedBytes:
        """Cut a text to the longest part, from its beginning or its end, that fits a budget of tokens.

        The ids returned are the first (or last) ``k`` of ``encode(text)``, for the largest ``k`` up to ``max_tokens``
        that splits no character. The text returned is the part of the original that these ids cover, even if NFC
        changes it. Ids that the vocab adds to every text count. Encoded on its own, the returned text may have slightly
        different ids, because the context at the cut is missing.

        Only about as much text as fits is encoded. An error in the rest, such as a lone surrogate under
        ``errors="strict"``, is not found.

        Args:
            text: Any text. If it is bytes, the returned text is bytes.
            max_tokens: The largest number of ids.
            side: The side to cut off.
            special: As for `encode`.

        Raises:
            OptionsError: ``max_tokens`` is not a number of tokens, or ``side`` is not a side.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> tok.truncate("Alice was beginning to get very tired", 4)
            Truncated(text='Alice was beginning to', ids=[61686, 572, 7167, 311], was_truncated=True)
            >>> tok.truncate("Alice was beginning to get very tired", 2, side="left").text
            ' very tired'
            >>> tok.truncate("A 🦜 is four bytes", 3)
            Truncated(text='A', ids=[32], was_truncated=True)
        """
        return features.budgets.truncate(self._engine, self._cuts, *self._inputs.text(text, special), max_tokens, side)

    def pack(
        self,
        pieces: Iterable[tuple[str, bool]],
        max_tokens: int,
        *,
        drop: Literal["first", "last"] = "first",
        special: Special = "parse",
    ) -> features.packing.Packed:
        """Join pieces of text into a prompt that fits a budget of tokens, omitting as few pieces as possible.

        The joined text is counted, because the counts of pieces do not add up: a token may cross a boundary. The prompt
        has at most ``max_tokens`` ids, including those that the vocab adds to every text. With the piece that was
        omitted last it would have more.

        Args:
            pieces: (text, required) pairs, in order. Pieces that are not required may be omitted.
            max_tokens: The largest number of ids in the prompt.
            drop: Which of them to omit first: ``"first"``, for the turns of a chat, or ``"last"``, for search
                results.
            special: As for `encode`, the same for all pieces. (To mix trusted and untrusted text, see
                `encode_segments`.)

        Raises:
            BudgetError: The pieces that are required do not fit.
            InputTypeError: A piece is not a pair of a ``str`` and a bool.
            OptionsError: ``max_tokens`` is not a number of tokens.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> turns = [("Be brief.", True), (" One long turn.", False), (" And then?", False), (" Why?", True)]
            >>> found = tok.pack(turns, 9)
            >>> found.text, len(found.ids), found.kept
            ('Be brief. And then? Why?', 8, [0, 2, 3])
        """
        return features.packing.pack(self._engine, self._inputs, pieces, max_tokens, drop, special)

    def split(
        self, text: str, max_tokens: int, overlap: int = 0, special: Special = "parse"
    ) -> list[features.chunks.Chunk]:
        """Split a text into chunks of at most ``max_tokens`` ids each. Each chunk is encoded separately.

        A chunk ends at the end of a span (such as a word or a line) or before white space if possible, else between
        tokens, never within a character. Ids that the vocab adds to every text count. Without overlap, the joined
        chunks equal the text.

        Args:
            text: Any ``str``; the empty text has no chunks.
            max_tokens: The largest number of ids in a chunk.
            overlap: The largest number of ids at the end of a chunk with which the next one begins; whole words if
                there are any.
            special: As for `encode`.

        Raises:
            OptionsError: ``max_tokens`` is too small for some character, or ``overlap`` is not less than
                ``max_tokens``.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> for chunk in tok.split("Alice was beginning to get very tired", 3, overlap=1):
            ...     print(chunk)
            Chunk(text='Alice was beginning', start=0, end=19, ids=[61686, 572, 7167])
            Chunk(text=' beginning to get', start=9, end=26, ids=[7167, 311, 633])
            Chunk(text=' get very tired', start=22, end=37, ids=[633, 1602, 19227])
        """
        return features.chunks.split(self._engine, self._inputs, text, max_tokens, overlap, special)

    # Batches for models.

    def encode_for_model(
        self,
        texts: Iterable[Text],
        text_pairs: Iterable[Text] | None = None,
        *,
        padding: features.model_inputs.Padding = True,
        truncation: bool | features.model_inputs.Side = False,
        truncation_strategy: features.model_inputs.Strategy | None = None,
        max_length: int | None = None,
        pad_to_multiple_of: int | None = None,
        padding_side: features.model_inputs.Side | None = None,
        add_bos: bool | None = None,
        add_eos: bool | None = None,
        special: Special = "parse",
        return_type: features.model_inputs.ReturnType = "np",
        threads: int | None = None,
    ) -> dict[str, Any]:
        """Encode texts into a batch for a model: ``model(**tok.encode_for_model(texts, return_type="torch"))``.

        Lengths and sides that a call omits are those of `Vocab.truncation` and `Vocab.padding`, if the vocab's file has
        them. So ``truncation=True, padding="max_length"`` gives the same as `tokenizers` for such a file.

        Args:
            texts: The texts.
            text_pairs: A second text for each, such as a passage for each query; see `encode_pair`.
            padding: ``True`` or ``"longest"``: pad to the longest row. ``"max_length"``: pad to ``max_length``.
                ``False``: do not pad.
            truncation: ``True`` or ``"right"``: rows of more than ``max_length`` ids lose their last ids, before eos.
                ``"left"``: they lose their first ids, after bos. A character may be split; see `truncate`.
            truncation_strategy: Which text of a pair loses ids: ``"longest_first"``, the longer one until both are
                equally long; ``"only_first"`` or ``"only_second"``. ``None``: as the vocab says, or else
                ``"longest_first"``.
            max_length: The largest number of ids in a row, bos and eos included, and the length for
                ``padding="max_length"``. ``None``: as the vocab says.
            pad_to_multiple_of: Pad the rows further, to a multiple of this number. ``None``: as the vocab says.
            padding_side: The side to pad: ``"left"`` for generation, ``"right"`` for training. ``None``: as the vocab
                says, or else the right.
            add_bos: Whether rows begin with bos; ``None``: as the tokenizer's options say.
            add_eos: Whether rows end with eos; ``None``: as the tokenizer's options say.
            special: As for `encode`.
            return_type: ``"np"`` (int64 arrays), ``"torch"`` (int64 tensors, if PyTorch is installed), or ``"list"``.
            threads: As for `encode_batch`.

        Returns:
            ``input_ids`` and ``attention_mask`` (1 for text, 0 for padding), each of shape (texts, ids per row).
            Padding is the vocab's ``pad_token_id``, or its ``eos_token_id`` if it has no padding token. For pairs also
            ``token_type_ids``, if the vocab's template has types other than 0.

        Raises:
            OptionsError: A value is invalid; rows have different lengths for an array; there is no id to pad with; the
                numbers of first and second texts differ; one of them is too short for ``truncation_strategy``; or NumPy
                or PyTorch is not installed.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> tok.encode_for_model(["Hello, world!", "Hi"], return_type="list")["input_ids"]
            [[9707, 11, 1879, 0], [13048, 151643, 151643, 151643]]
            >>> tok.encode_for_model(["Hello, world!", "Hi"], padding_side="left")["attention_mask"]
            array([[1, 1, 1, 1],
                   [0, 0, 0, 1]])
        """
        return features.model_inputs.encode_for_model(
            self._engine,
            texts,
            text_pairs,
            partial(self.encode_batch, special=special, threads=threads),
            padding=padding,
            truncation=truncation,
            truncation_strategy=truncation_strategy,
            max_length=max_length,
            pad_to_multiple_of=pad_to_multiple_of,
            padding_side=padding_side,
            add_bos=add_bos,
            add_eos=add_eos,
            return_type=return_type,
        )

    def pad(
        self,
        ids: Iterable[int] | Iterable[Iterable[int]],
        *,
        length: int | None = None,
        multiple_of: int | None = None,
        side: features.model_inputs.Side | None = None,
        pad_id: int | None = None,
        return_type: features.model_inputs.ReturnType = "list",
    ) -> dict[str, Any]:
        """Pad the ids of one or several texts to one length.

        Args:
            ids: Ids, or several sequences of ids; lists or arrays.
            length: The length of a row; ``None`` for the length of the longest.
            multiple_of: Pad the rows further, to a multiple of this number. ``None``: as `Vocab.padding` says.
            side: The side to pad: ``"left"`` for generation, ``"right"`` for training. ``None``: as `Vocab.padding`
                says, or else the right.
            pad_id: The id to pad with; ``None`` for the vocab's ``pad_token_id``.
            return_type: As for `encode_for_model`.

        Returns:
            ``input_ids`` and ``attention_mask`` (1 for text, 0 for padding): one row each for the ids of one text, else
            a two-dimensional array or list of rows each.

        Raises:
            OptionsError: The vocab names no pad token and ``pad_id`` is not given; ``length`` is too small; or
                another value is invalid.
            InvalidTokenIdError: ``pad_id`` is not an id of the vocab.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> tok.pad([[9707, 11], [13048]])
            {'input_ids': [[9707, 11], [13048, 151643]], 'attention_mask': [[1, 1], [1, 0]]}
            >>> tok.pad([9707, 11], length=4, side="left")["input_ids"]
            [151643, 151643, 9707, 11]
        """
        return features.model_inputs.pad(
            self._vocab,
            ids,
            length=length,
            multiple_of=multiple_of,
            side=side,
            pad_id=pad_id,
            return_type=return_type,
        )

    # Tokens.

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of a token. Raises `InvalidTokenIdError`."""
        return self._vocab.token_bytes(as_id(token_id))

    def ids_to_tokens(self, ids: Iterable[int]) -> list[bytes]:
        """Return the bytes of the token of each id. Raises `InvalidTokenIdError`.

        Example:
            >>> import wordsplit
            >>> wordsplit.load_tokenizer("qwen3").ids_to_tokens([14990, 1879])
            [b'hello', b' world']
        """
        return list(map(self._vocab.token_bytes, listed(ids)))

    def token_id(self, token: bytes | str) -> int:
        """Return the id of a token. Raises `UnknownTokenError`."""
        return self._vocab.token_id(token)

    def is_valid(self, token_id: object) -> bool:
        """Return whether a value is the id of a token: an integer, within the vocab, and not a hole.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("cl100k_base")
            >>> [tok.is_valid(i) for i in (0, 100256, 100257, -1, "0")]
            [True, False, True, False, False]
        """
        try:
            self._vocab.token_bytes(as_id(token_id))
        except InvalidTokenIdError:
            return False
        return True

    def all_token_bytes(self) -> list[bytes | None]:
        """Return a new list of ``vocab.n_vocab`` items: the bytes of each token by id, ``None`` for holes.

        Example:
            >>> import wordsplit
            >>> table = wordsplit.load_tokenizer("cl100k_base").all_token_bytes()
            >>> len(table), table[1917], table[100256], table[100257]
            (100277, b' world', None, b'<|endoftext|>')
        """
        return features.token_index.all_token_bytes(self._vocab)

    def tokens_with_prefix(self, prefix: bytes | str) -> list[int]:
        """Return the ids of the tokens that begin with these bytes, ordered by bytes, without special tokens.

        For constrained decoding: the possible next tokens if the text must continue with ``prefix`` and then with
        anything. The first call builds a table, in a quarter of a second for 150,000 tokens; later calls take
        microseconds.

        The bytes are those that a token adds to a text after other tokens. With a vocab that writes ``▁`` for a space,
        ``▁the`` is found by ``b" th"``, and ``<0x0A>`` by a line feed. Where the added bytes depend on the tokens
        around a token (a suffix for the ends of words), the bytes are those of `token_bytes`.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> [tok.token_bytes(i) for i in tok.tokens_with_prefix(b" tokeni")]
            [b' tokenize', b' tokenizer']
        """
        return self._token_index.beginning_with(self._inputs.data(prefix))

    def tokens_that_are_prefixes_of(self, text: bytes | str) -> list[int]:
        """Return the ids of the tokens that the text begins with, shortest first, without special tokens.

        For constrained decoding: the possible first tokens of a required text, however the rest of it is tokenized. The
        bytes of a token are those of `tokens_with_prefix`.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> [tok.token_bytes(i) for i in tok.tokens_that_are_prefixes_of(b'{"na')]
            [b'{', b'{"']
        """
        return self._token_index.prefixes_of(self._inputs.data(text))

    # Views.

    def explain(self, text: Text, special: Special = "parse", *, max_span: int = 256) -> features.explain.Explanation:
        """Explain step by step how a text is encoded: its spans, and every merge in each.

        Print the result, display it in a notebook, or use `Explanation.html` or `Explanation.to_dict`. For a vocab of
        mergeable ranks the explanation uses the merges derived from them, `Vocab.merges`.

        Args:
            text: As for `encode`.
            special: As for `encode`.
            max_span: Spans of more bytes show only their ids, because the work and the output grow with the square of
                the length.

        Raises:
            OptionsError: ``max_span`` is not a number of bytes.

        Example:
            >>> import wordsplit
            >>> print(wordsplit.load_tokenizer("qwen3").explain(" is<|im_end|>"))
            qwen3: 13 bytes, 2 spans, 2 ids
            <BLANKLINE>
            "␣is"
              pass 1   ␣ i s   ␣+i 344   i+s 29 <-
              pass 2   ␣ is   ␣+is 118 <-
              ids      ␣is 374
            <BLANKLINE>
            "<|im_end|>"
              an added token, found as a literal before anything else
              ids      <|im_end|> 151645
        """
        return features.explain.explain(self._engine, *self._inputs.text(text, special), max_span)

    def show(self, text: Text, special: Special = "parse") -> features.show.Shown:
        """Show a text coloured by token, with the ids under it: in notebooks, or as text, HTML or SVG.

        Args:
            text: As for `encode`.
            special: As for `encode`.

        Example:
            >>> import wordsplit
            >>> print(wordsplit.load_tokenizer("qwen3").show("tokenization in 2024"))
            token|ization|␣in|␣  |2 |0 |2 |4
            5839 |2022   |304|220|17|15|17|19
        """
        return features.show.Shown(self._vocab, self.encode(text, special))

    # Chats.

    @overload
    def apply_chat_template(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        add_generation_prompt: bool = False,
        tokenize: Literal[True] = True,
        template: str | None = None,
        *,
        untrusted: features.chat.Untrusted = "no_added",
        continue_final_message: bool | str = False,
        **variables: Any,
    ) -> list[int]: ...

    @overload
    def apply_chat_template(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        add_generation_prompt: bool = False,
        *,
        tokenize: Literal[False],
        template: str | None = None,
        untrusted: features.chat.Untrusted = "no_added",
        continue_final_message: bool | str = False,
        **variables: Any,
    ) -> str: ...

    def apply_chat_template(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        add_generation_prompt: bool = False,
        tokenize: bool = True,
        template: str | None = None,
        *,
        untrusted: features.chat.Untrusted = "no_added",
        continue_final_message: bool | str = False,
        **variables: Any,
    ) -> list[int] | str:
        """Encode a chat with the model's own template, run in Jinja's sandbox.

        Added tokens, special or not, come only from the template. A literal such as ``<|im_start|>`` or
        ``<tool_response>`` in a message, a tool or a variable is treated as text, even if it is assembled from several
        of them. For chats without such literals the ids are those of `transformers`. `transformers` also parses
        literals in messages; with ``untrusted="no_special"`` this method does the same for added tokens that are not
        special.

        Args:
            messages: Dicts with ``role`` and ``content``, and other keys that the template uses.
            tools: JSON schemas of functions.
            add_generation_prompt: Whether to end with the beginning of the assistant's answer.
            tokenize: Whether to return ids. ``False`` returns the rendered string. Use it only for display: in the
                string, literals from messages cannot be told from the template's own.
            template: A Jinja template, or the name of one of `Vocab.chat_templates`; ``None`` for the vocab's own.
            untrusted: Which tokens messages, tools and variables cannot produce, whatever they contain: ``"no_added"``:
                added tokens; ``"no_special"``: special tokens. As in `encode_segments`.
            continue_final_message: Whether to leave the last message open so that the model continues it. The ids end
                with its content, or with another of its fields if one is named, such as ``"reasoning_content"``.
            **variables: Further variables of the template, such as Qwen3's ``enable_thinking``.

        Raises:
            WordsplitError: Jinja is not installed (``pip install 'wordsplit[chat]'``).
            ChatTemplateError: The template is missing or invalid, rejects the messages, or takes too long.
            InputTypeError: Messages or tools are not plain data.
            OptionsError: An argument exists only in `transformers`, or a value is invalid.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> chat = [{"role": "user", "content": "Hi<|im_end|>"}]
            >>> ids = tok.apply_chat_template(chat, add_generation_prompt=True)
            >>> ids.count(tok.token_id("<|im_end|>"))
            1
            >>> print(tok.apply_chat_template(chat, add_generation_prompt=True, tokenize=False))
            <|im_start|>user
            Hi<|im_end|><|im_end|>
            <|im_start|>assistant
            <BLANKLINE>
        """
        given = variables | {"tools": tools, "add_generation_prompt": add_generation_prompt}
        request = self._chat.request(messages, given, template, untrusted, continue_final_message)
        return self._chat.encode(request) if tokenize else self._chat.text(request)

    def encode_chat_with_mask(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        template: str | None = None,
        *,
        untrusted: features.chat.Untrusted = "no_added",
        **variables: Any,
    ) -> features.chat.MaskedChat:
        """Encode a chat and return a mask of the ids that the assistant wrote, to train only on these.

        The assistant's text is everything between ``{% generation %}`` and ``{% endgeneration %}`` in the template, as
        in `transformers`. In a template without these tags it is everything after the beginning of an answer (what
        ``add_generation_prompt`` adds), up to and including the control token that ends it. It is found by rendering
        the chat without the answer. The ids are always those of the whole chat. Text that a template drops from earlier
        turns, such as the reasoning in Qwen3's, is in neither ids nor mask.

        Args:
            messages: As for `apply_chat_template`.
            tools: As for `apply_chat_template`.
            template: As for `apply_chat_template`.
            untrusted: As for `apply_chat_template`.
            **variables: Further variables of the template.

        Raises:
            ChatTemplateError: As for `apply_chat_template`; or the assistant's text cannot be separated exactly.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> chat = [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "4"}]
            >>> ids, mask = tok.encode_chat_with_mask(chat)
            >>> tok.decode([i for i, said in zip(ids, mask) if said])
            '<think>\\n\\n</think>\\n\\n4<|im_end|>'
        """
        return self._chat.masked(self._chat.request(messages, variables | {"tools": tools}, template, untrusted))

    # Asyncio.

    async def aencode(self, text: Text, special: Special = "parse") -> list[int]:
        """Run `encode` without blocking the event loop. Long texts are encoded in a thread.

        Example:
            >>> import asyncio, wordsplit
            >>> asyncio.run(wordsplit.load_tokenizer("qwen3").aencode("Hello, world!"))
            [9707, 11, 1879, 0]
        """
        return await features.aio.soon(self._engine, partial(self.encode, text, special), text)

    async def acount(self, text: Text, special: Special = "parse", *, limit: int | None = None) -> int:
        """Run `count` without blocking the event loop."""
        return await features.aio.soon(self._engine, partial(self.count, text, special, limit=limit), text)

    async def aencode_batch(
        self, texts: Iterable[Text], special: Special = "parse", threads: int | None = None
    ) -> list[list[int]]:
        """Run `encode_batch` in a thread, without blocking the event loop. The native engine releases the GIL."""
        return await features.aio.in_thread(partial(self.encode_batch, texts, special, threads))

    # The span cache.

    def cache_info(self) -> dict[str, int]:
        """Return the number of entries, the bytes in use and the size limit of the span cache."""
        return self._engine.cache_info()

    def cache_clear(self) -> None:
        """Clear the span cache."""
        self._engine.cache_clear()

    # Data that features keep for a tokenizer, created on first use and shared by all threads.

    @cached_property
    def _cuts(self) -> features.cuts.Cuts:
        return features.cuts.Cuts(self._vocab, self.options.spanner)

    @cached_property
    def _chat(self) -> features.chat.Chat:
        return features.chat.Chat(self._engine)

    @cached_property
    def _token_index(self) -> features.token_index.TokenIndex:
        return features.token_index.TokenIndex.of(self._vocab)

    @cached_property
    def _with_special(self) -> features.decode_stream.TokenTexts:
        return features.decode_stream.TokenTexts(self._vocab)

    @cached_property
    def _without_special(self) -> features.decode_stream.TokenTexts:
        return features.decode_stream.TokenTexts(self._vocab, skip_special=True)

    # The object itself.

    def _repr_html_(self) -> str:
        from wordsplit.palette import facts_fragment  # noqa: PLC0415 - most programs display nothing

        options = self.options
        how = [("spanner", options.spanner), ("encoder", options.encoder), ("engine", options.engine)]
        return facts_fragment(self._vocab.name, [*how, *facts_of(self._vocab)])

    def __repr__(self) -> str:
        options = self.options
        return f"<Tokenizer {self._vocab.name!r}: spanner {options.spanner!r}, encoder {options.encoder!r}>"

    def __reduce__(self) -> tuple[object, ...]:
        return Tokenizer, (self._vocab, self.options)


def _each_row(decode: Callable[[Iterable[int]], T], batch: Iterable[Iterable[int]]) -> list[T]:
    out: list[T] = []
    for ids in each(batch, "sequences of ids"):
        try:
            out.append(decode(ids))
        except WordsplitError as error:
            raise error.in_row(len(out)) from None
    return out


class TokenizerOptions(EngineOptions):
    """Options for building a tokenizer. Every field has a default that suits most uses.

    Attributes:
        spanner: A spanner's name, or ``"auto"``: the hand-written scanner for the vocab's pattern if there is one, else
            ``compiled``; ``regex`` if the pattern cannot be compiled, and with ``engine="python"``.
        encoder: A span encoder's name, or ``"auto"``.
        long_encoder: The encoder for spans longer than ``long_span`` bytes; ``"auto"``: the same as ``encoder``, or
            if that is also ``"auto"``, one whose cost does not grow with the square of the length. If
            ``"backtracking"`` is used only for long spans, the native engine builds its table after 256 KB of long
            spans, and uses ``"heap_merge"`` until then.
        long_span: The length in bytes above which a span is long.
        engine: ``"native"``, or ``"python"`` for the executable specification (and the default of a wheel that
            was built with ``WORDSPLIT_PURE_PYTHON=1``).
        errors: What to do with lone surrogates (and bytes that are not UTF-8): ``"replace"`` or ``"strict"``.
        missing_bytes: What to do with bytes that have no token in a byte-level BPE vocab: ``"as_vocab"``, to follow
            `Vocab.missing_bytes` (as `tokenizers` does for a tokenizer.json: the unknown token, or nothing), or
            ``"error"``, to raise `UnknownTokenError` rather than lose text.
        add_bos: Whether to put the vocab's prefix (its bos token) before every text; ``None``: as the vocab says.
        add_eos: Whether to put the vocab's suffix after every text; ``None``: as the vocab says.
        cache_bytes: The memory limit of the shared cache of encoded spans; 0 for no cache. In addition, each thread has
            a hot cache of its most frequent spans, of up to half of that size. Memory is allocated as needed.

    Raises:
        OptionsError: A field has an invalid value. (`build` looks up names.)

    Example:
        >>> import wordsplit
        >>> options = wordsplit.TokenizerOptions(encoder="heap_merge")
        >>> tok = options.build(wordsplit.load_vocab("qwen3"))
        >>> tok.encode("hello world")
        [14990, 1879]
        >>> wordsplit.TokenizerOptions.from_json(options.to_json()) == options
        True
    """

    def build(self, vocab: Vocab) -> Tokenizer:
        """Build a tokenizer.

        Raises:
            UnknownNameError: There is no spanner or encoder of that name.
            UnsupportedVocabError: The vocab does not meet the preconditions of one of them.
            InputTypeError: It is not a `Vocab`.
        """
        return Tokenizer(vocab, self)
