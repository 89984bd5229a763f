"""The tokenizer: a facade over `wordsplit.engine` (text to ids and back) and `wordsplit.features` (the rest)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, overload

from wordsplit import features
from wordsplit.arrays import id_dtype
from wordsplit.engine import build_engine, resolve_options
from wordsplit.engine.base import as_id
from wordsplit.engine.inputs import Inputs
from wordsplit.errors import InvalidTextError, InvalidTokenIdError, WordsplitError
from wordsplit.options import EngineOptions
from wordsplit.text import Special, Text, check_handler, each

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from wordsplit.engine.offsets import EncodedText
    from wordsplit.features.budgets import Truncated, TruncatedBytes
    from wordsplit.features.chat import Chat, MaskedChat, Untrusted
    from wordsplit.features.chunks import Chunk
    from wordsplit.features.cuts import Cuts
    from wordsplit.features.decode_stream import DecodeStream, TokenTexts
    from wordsplit.features.encoder_stream import EncoderStream
    from wordsplit.features.explain import Explanation
    from wordsplit.features.model_inputs import Padding, ReturnType, Side
    from wordsplit.features.packing import Packed
    from wordsplit.features.show import Shown
    from wordsplit.features.token_index import TokenIndex
    from wordsplit.vocab import Vocab

__all__ = ["Tokenizer", "TokenizerOptions"]


class Tokenizer:
    """Text to ids and back, exactly as the vocab's own tokenizer does it.

    Made by `TokenizerOptions.build` or `wordsplit.load_tokenizer`. Immutable, picklable by content, and safe to share
    between threads: any number of them may call any method at once (the streams that it makes are for one each).

    Text is a ``str``, or UTF-8 in a bytes-like object. Lone surrogates follow ``options.errors``.

    ``special`` says what becomes of special tokens that stand in the text as literals:

    * ``"parse"``: their ids, as the models' own tokenizers do. Not for text from strangers.
    * ``"text"``: they are text like any other. Added tokens that are not special are still found, as by `tokenizers`
      with ``encode_special_tokens``.
    * ``"no_added"``: all added tokens are text, special or not: for text from strangers.
    * ``"error"``: `SpecialTokenError`.
    * a set of literals: these are parsed, the others are text.

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

    def __init__(self, vocab: Vocab, options: TokenizerOptions | None = None) -> None:
        self._vocab = vocab
        self._options = resolve_options(vocab, options or TokenizerOptions())
        self._engine = build_engine(vocab, self._options)
        self._inputs = Inputs(self._engine)

    @property
    def vocab(self) -> Vocab:
        """The vocab it was built from."""
        return self._vocab

    @property
    def options(self) -> TokenizerOptions:
        """The options it was built with, every ``"auto"`` resolved."""
        return self._options

    @property
    def eos_token_id(self) -> int | None:
        """End of sequence, if the vocab says."""
        return self._vocab.eos_token_id

    @property
    def bos_token_id(self) -> int | None:
        """Beginning of sequence, if the vocab says."""
        return self._vocab.bos_token_id

    @property
    def pad_token_id(self) -> int | None:
        """Padding, if the vocab says."""
        return self._vocab.pad_token_id

    @property
    def unk_token_id(self) -> int | None:
        """What stands for text that the vocab lacks, if the vocab says."""
        return self._vocab.unk_token_id

    @property
    def n_vocab(self) -> int:
        """The largest id plus one: the rows an embedding needs. Holes count; `len` does not count them."""
        return self._vocab.n_vocab

    def __len__(self) -> int:
        """The number of tokens: base and added, each id once."""
        return len(self._vocab)

    def __bool__(self) -> bool:
        """True, as of any object; that a tokenizer has a length does not change it."""
        return True

    @property
    def special_tokens(self) -> dict[str, int]:
        """The special tokens: literal -> id (a new dict each time)."""
        return dict(self._inputs.special_tokens)

    # Text to ids.

    def encode(self, text: Text, special: Special = "parse") -> list[int]:
        """The ids of a text.

        Args:
            text: Text of any length; the empty text has no ids but a template's.
            special: What becomes of special tokens in it; see the class.

        Raises:
            SpecialTokenError: There is one, and ``special`` is ``"error"``; or a literal of the set is none.
            InvalidTextError: The text is not valid Unicode, and ``options.errors`` is ``"strict"``.
            UnknownTokenError: The vocab has no token for some byte.
        """
        if special == "parse" and type(text) is str:  # needs none of the checks of `Inputs`
            return self._engine.encode(text, ())
        return self._engine.encode(*self._inputs.text(text, special))

    def encode_batch(
        self, texts: Iterable[Text], special: Special = "parse", threads: int | None = None
    ) -> list[list[int]]:
        """Encode each text, in order. ``threads``: how many at most; ``None`` for one a core.

        An error about one text has its place in the batch: as ``error.row``, and in its message.
        """
        return self._inputs.batch(self._engine.encode_batch, texts, special, threads)

    def encode_to_numpy(
        self, text: Text, special: Special = "parse", *, dtype: npt.DTypeLike = "uint32"
    ) -> npt.NDArray[Any]:
        """The ids of a text as an array of shape (n,).

        Args:
            text: As for `encode`.
            special: As for `encode`.
            dtype: The type of its items, one of integers that holds every id of the vocab: ``"uint16"`` does if
                ``vocab.n_vocab`` is 65,536 or less. All but ``uint32`` are converted from it.

        Raises:
            OptionsError: NumPy is not installed, or the type is not fit for the vocab's ids.

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
        dtype: npt.DTypeLike = "uint32",
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """All ids in one array, and where each text's begin.

        Args:
            texts: Texts, as for `encode`.
            special: As for `encode`.
            threads: How many at most; ``None`` for one a core.
            dtype: The type of the ids; see `encode_to_numpy`.

        Returns:
            ``ids``, of shape (m,), and ``offsets``, ``int64`` of shape (len(texts) + 1,): the ids of text ``i`` are
            ``ids[offsets[i]:offsets[i + 1]]``.

        Raises:
            OptionsError: NumPy is not installed, or the type is not fit for the vocab's ids.
        """
        wanted = id_dtype(dtype, self._vocab.max_id, self._vocab.name)
        ids, offsets = self._inputs.batch(self._engine.encode_batch_to_numpy, texts, special, threads)
        return ids.astype(wanted, copy=False), offsets

    def count(self, text: Text, special: Special = "parse", *, limit: int | None = None) -> int:
        """How many ids `encode` gives.

        Args:
            text: As for `encode`.
            special: As for `encode`.
            limit: Where to stop: if there are more, the answer is ``limit + 1``, and not much more than that has been
                encoded. So ``tok.count(text, limit=n) <= n`` says whether a text fits.

        Raises:
            OptionsError: ``limit`` is no number of tokens.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> tok.count("word " * 1000), tok.count("word " * 1000, limit=100), tok.count("word", limit=100)
            (1001, 101, 1)
        """
        if limit is not None:
            return features.budgets.count_up_to(self._engine, self._cuts, *self._inputs.text(text, special), limit)
        if special == "parse" and type(text) is str:  # as in encode()
            return self._engine.count(text, ())
        return self._engine.count(*self._inputs.text(text, special))

    def count_batch(self, texts: Iterable[Text], special: Special = "parse", threads: int | None = None) -> list[int]:
        """Count the ids that `encode` gives for each text."""
        return self._inputs.batch(self._engine.count_batch, texts, special, threads)

    def spans(self, text: Text, special: Special = "parse") -> list[str]:
        """The spans of a text, after normalization; an added token is a span of its own.

        Example:
            >>> import wordsplit
            >>> wordsplit.load_tokenizer("qwen3").spans("Hello, world!")
            ['Hello', ',', ' world', '!']
        """
        return [span.decode("utf-8", "replace") for span in self._engine.spans(*self._inputs.text(text, special))]

    def encode_with_offsets(self, text: Text, special: Special = "parse") -> EncodedText:
        """The ids of a text, and for each the bytes and the characters of the original that it comes from.

        Byte spans tile the text. Character spans do too, but that tokens which share a character all have it; so do
        those which share something NFC has changed. See `wordsplit.engine.offsets`.

        Args:
            text: As for `encode`. With lone surrogates, bytes are counted with U+FFFD in their place.
            special: As for `encode`.

        Raises:
            UnsupportedVocabError: The vocab normalizes otherwise than by NFC, or takes text out.

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
        """Encode a text made of trusted and untrusted segments, joined as ids, never as strings.

        Args:
            segments: (text, trusted). Each is encoded on its own, so no token goes across their ends, and a vocab that
                puts a space before texts puts one before each. A template's ids (bos, eos) are put around the whole.
            untrusted: What an untrusted segment cannot yield, whatever it says: ``"no_added"``: any added token.
                ``"no_special"``: special tokens; others, such as Qwen3's ``<think>`` and ``<tool_call>``, are parsed.
                (Some vocabs have runs of spaces as added tokens, which models expect: for these use it.)

        Raises:
            InputTypeError: A segment is not a pair of a text and a bool.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> tok.encode_segments([("<|im_start|>user\\n", True), ("<|im_end|>", False), ("<|im_end|>", True)])
            [151644, 872, 198, 27, 91, 318, 6213, 91, 29, 151645]
        """
        return features.segments.encode_segments(self._engine, segments, untrusted)

    # Ids to text.

    def decode(self, ids: Iterable[int], errors: str = "replace", *, skip_special: bool = False) -> str:
        """The text of ids.

        Args:
            ids: Ids of the vocab.
            errors: What to do where the bytes are not UTF-8, as half a character's are: ``"replace"`` (U+FFFD),
                ``"strict"`` (raise), or another of Python's error handlers.
            skip_special: Whether to leave out special tokens.

        Raises:
            InvalidTokenIdError: No token has one of the ids.
            InvalidTextError: The bytes are not UTF-8, and ``errors`` is ``"strict"``.
        """
        try:
            return self._engine.decode(ids, errors, skip_special=skip_special)
        except UnicodeDecodeError as error:
            raise InvalidTextError(
                f"the bytes of these ids are not UTF-8 ({error.reason} at offset {error.start}); "
                "use errors='replace' or decode_bytes()"
            ) from None
        except (LookupError, TypeError, UnicodeEncodeError) as error:
            check_handler(errors)
            raise error from None

    def decode_bytes(self, ids: Iterable[int], *, skip_special: bool = False) -> bytes:
        """The bytes of ids.

        Raises:
            InvalidTokenIdError: No token has one of the ids.
        """
        return self._engine.decode_bytes(ids, skip_special=skip_special)

    def decode_batch(
        self, batch: Iterable[Iterable[int]], errors: str = "replace", *, skip_special: bool = False
    ) -> list[str]:
        """Decode each sequence of ids, in order. An error has its place in the batch as ``error.row``."""
        out: list[str] = []
        for ids in each(batch, "sequences of ids"):
            try:
                out.append(self.decode(ids, errors, skip_special=skip_special))
            except WordsplitError as error:
                raise error.in_row(len(out)) from None
        return out

    # Streams.

    def decode_stream(
        self, *, skip_special: bool = False, errors: str = "replace", stop: str | Sequence[str] = ()
    ) -> DecodeStream:
        """A stream that takes ids as they come, and gives the text that is certain.

        Joined, what it gives is what `decode` gives for all ids, up to a stop string.

        Args:
            skip_special: Whether to leave out special tokens.
            errors: What to do where the bytes are not UTF-8; see `decode`.
            stop: A string, or several, at which to stop; they may begin and end within tokens. They are looked for in
                the text, special tokens included unless they are left out.

        Raises:
            OptionsError: ``errors`` is no error handler's name, or a stop string is empty.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> with tok.decode_stream() as stream:
            ...     [stream.push(i) for i in tok.encode("Hi 🦜!")]
            ['Hi', ' ', '', '🦜', '!']
        """
        known = self._without_special if skip_special else self._with_special
        return features.decode_stream.DecodeStream(known, errors, stop)

    def encoder_stream(self, special: Special = "parse") -> EncoderStream:
        """A stream that takes text as it grows, and holds its ids: always those of the whole text.

        Only what an append can change is encoded again: from the last place on at which a text can be cut, which in
        most text is the last word (see `wordsplit.features.cuts`). With a spanner or pattern about which less is
        known, the whole text is.

        Args:
            special: What becomes of special tokens in it; see the class.

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
    ) -> Truncated: ...

    @overload
    def truncate(
        self,
        text: bytes | bytearray | memoryview,
        max_tokens: int,
        side: Literal["right", "left"] = "right",
        special: Special = "parse",
    ) -> TruncatedBytes: ...

    def truncate(
        self, text: Text, max_tokens: int, side: Literal["right", "left"] = "right", special: Special = "parse"
    ) -> Truncated | TruncatedBytes:
        """Cut a text down to the longest part, from its beginning or its end, that fits a budget.

        Its ids are the first ``k`` of ``encode(text)`` (or the last), for the largest ``k`` of at most ``max_tokens``
        at which no character is split; its text is what these are for, of the original also where NFC changes it. A
        template's ids count. Encoded on its own, the text may have a few other ids, since what was next to it is
        gone.

        Only about as much of the text is encoded as fits, from either side: what is wrong beyond, as a lone surrogate
        under ``errors="strict"``, is not found.

        Args:
            text: Any text; of bytes, the text that is left is bytes.
            max_tokens: How many ids it may have.
            side: Which side is cut off.
            special: As for `encode`.

        Raises:
            OptionsError: ``max_tokens`` is no number of tokens, or ``side`` no side.

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
    ) -> Packed:
        """Join pieces of text to a prompt that fits a budget, and leave out as few as may be.

        The joined text is what is counted, since the counts of pieces do not add up: a token may go across a seam. So
        the prompt has ``max_tokens`` ids at most, a template's included, and with the piece that was left out last it
        would have more.

        Args:
            pieces: (text, required), in order. Pieces that are not required may be left out.
            max_tokens: How many ids the prompt may have.
            drop: Which of them go first: ``"first"``, as the oldest turns of a chat, or ``"last"``, as search results.
            special: As for `encode`, for all pieces alike. (For text of mixed trust see `encode_segments`.)

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

    def split(self, text: str, max_tokens: int, overlap: int = 0, special: Special = "parse") -> list[Chunk]:
        """A text in chunks of at most ``max_tokens`` ids, each encoded on its own, a template's included.

        A chunk ends at the end of a span (a word, a line end) where one fits, else between tokens, never within a
        character. Without overlap the chunks join to the text.

        Args:
            text: Any ``str``; the empty text has no chunks.
            max_tokens: How many ids a chunk may have.
            overlap: With how many ids of a chunk, at most, the next one begins.
            special: As for `encode`.

        Raises:
            OptionsError: ``max_tokens`` is less than some character takes, or ``overlap`` is not less than it.
            UnsupportedVocabError: The vocab normalizes otherwise than by NFC.

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
        *,
        padding: Padding = True,
        truncation: bool | Side = False,
        max_length: int | None = None,
        pad_to_multiple_of: int | None = None,
        padding_side: Side = "right",
        add_bos: bool | None = None,
        add_eos: bool | None = None,
        special: Special = "parse",
        return_type: ReturnType = "np",
        threads: int | None = None,
    ) -> dict[str, Any]:
        """Texts as a model takes them: ``model(**tok.encode_for_model(texts, return_type="torch"))``.

        Args:
            texts: The texts.
            padding: ``True`` or ``"longest"``: to the longest row; ``"max_length"``: to ``max_length``; ``False``: no.
            truncation: ``True`` or ``"right"``: rows of more than ``max_length`` ids lose their last ones, before eos;
                ``"left"``: their first, behind bos. A character may be split; see `truncate`.
            max_length: How many ids a row may have, or is to have, bos and eos included.
            pad_to_multiple_of: Make the rows longer yet, to a multiple of this.
            padding_side: Where padding goes: ``"left"`` to go on writing, ``"right"`` to train.
            add_bos: Whether rows begin with bos; ``None``: as the tokenizer's options say.
            add_eos: Whether they end with eos; ``None``: likewise.
            special: As for `encode`.
            return_type: ``"np"`` (int64 arrays), ``"torch"`` (int64 tensors, if PyTorch is installed), or ``"list"``.
            threads: As for `encode_batch`.

        Returns:
            ``input_ids`` and ``attention_mask`` (1 for text, 0 for padding), each of shape (texts, ids a row). Padding
            has the vocab's ``pad_token_id``, or if it names none its ``eos_token_id``.

        Raises:
            OptionsError: A value that cannot be; rows of several lengths as an array; nothing to pad with; or NumPy or
                PyTorch is not installed.

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
            partial(self.encode_batch, texts, special, threads),
            padding=padding,
            truncation=truncation,
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
        side: Side = "right",
        pad_id: int | None = None,
        return_type: ReturnType = "list",
    ) -> dict[str, Any]:
        """Pad the ids of one text, or of several, to one length.

        Args:
            ids: Ids, or several sequences of ids; lists or arrays.
            length: The length; ``None`` for that of the longest.
            multiple_of: Make the rows longer yet, to a multiple of this.
            side: Where padding goes: ``"left"`` for a model that is to continue, ``"right"`` to train.
            pad_id: The id to pad with; ``None`` for the vocab's ``pad_token_id``.
            return_type: As for `encode_for_model`.

        Returns:
            ``input_ids`` and ``attention_mask`` (1 for text, 0 for padding): a row each for the ids of one text, else a
            rectangle each.

        Raises:
            OptionsError: The vocab names no pad token and ``pad_id`` is not given; ``length`` is too small; or another
                value that cannot be.
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
        """The bytes that an id stands for. Raises `InvalidTokenIdError`."""
        return self._vocab.token_bytes(as_id(token_id))

    def token_id(self, token: bytes | str) -> int:
        """The id of a token. Raises `UnknownTokenError`."""
        return self._vocab.token_id(token)

    def is_valid(self, token_id: object) -> bool:
        """Whether a value is the id of a token: an integer, within the vocab, and no hole.

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
        """The bytes of every token by id, ``None`` for ids that are none; of length ``vocab.n_vocab``, a new list.

        Example:
            >>> import wordsplit
            >>> table = wordsplit.load_tokenizer("cl100k_base").all_token_bytes()
            >>> len(table), table[1917], table[100256], table[100257]
            (100277, b' world', None, b'<|endoftext|>')
        """
        return features.token_index.all_token_bytes(self._vocab)

    def tokens_with_prefix(self, prefix: bytes | str) -> list[int]:
        """The ids of the tokens that begin with these bytes, in order of their bytes; special tokens are left out.

        For constrained decoding: what may come next where the text must go on with ``prefix`` and then may go on. The
        first call makes a table, in a quarter of a second for 150,000 tokens; the others take microseconds.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> [tok.token_bytes(i) for i in tok.tokens_with_prefix(b" tokeni")]
            [b' tokenize', b' tokenizer']
        """
        return self._token_index.beginning_with(self._inputs.data(prefix))

    def tokens_that_are_prefixes_of(self, text: bytes | str) -> list[int]:
        """The ids of the tokens that the text begins with, shortest first; special tokens are left out.

        For constrained decoding: the tokens that a required text may begin with, however it is then cut.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> [tok.token_bytes(i) for i in tok.tokens_that_are_prefixes_of(b'{"na')]
            [b'{', b'{"']
        """
        return self._token_index.prefixes_of(self._inputs.data(text))

    # Views.

    def explain(self, text: Text, special: Special = "parse", *, max_span: int = 256) -> Explanation:
        """How a text comes to its ids, as a textbook works it out: spans, and in each every merge.

        Print it, look at it in a notebook, or take `Explanation.html` or `Explanation.to_dict`. A vocab of mergeable
        ranks is explained by its `Vocab.merges`.

        Args:
            text: As for `encode`.
            special: As for `encode`.
            max_span: How many bytes of a span are worked out; longer ones only have their ids. (The work, and the
                room to show it, grow with its square.)

        Raises:
            OptionsError: ``max_span`` is no number of bytes.

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

    def show(self, text: Text, special: Special = "parse") -> Shown:
        """A text coloured by token, with the ids under it: in notebooks by itself, elsewhere as text, HTML or SVG.

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
        untrusted: Untrusted = "no_added",
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
        untrusted: Untrusted = "no_added",
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
        untrusted: Untrusted = "no_added",
        continue_final_message: bool | str = False,
        **variables: Any,
    ) -> list[int] | str:
        """Encode a chat by the model's own template, in Jinja's sandbox.

        Added tokens, special or not, come from the template alone: a literal such as ``<|im_start|>`` or
        ``<tool_response>`` in a message, a tool or a variable is text, wherever in it and however pieced together. For
        chats without such literals the ids are those that `transformers` gives. `transformers` parses literals in
        messages too; with ``untrusted="no_special"`` this method does so for the added tokens that are not special.

        Args:
            messages: Dicts with ``role`` and ``content``, and whatever else the template knows.
            tools: JSON schemas of functions.
            add_generation_prompt: Whether to end with the beginning of the model's answer.
            tokenize: Whether to give ids. ``False`` gives the rendered string, in which what a message forged
                can no longer be told from the template's own: to look at, not to encode.
            template: A Jinja template, or the name of one of `Vocab.chat_templates`; ``None`` for the vocab's own.
            untrusted: What messages, tools and variables cannot yield, whatever they say: ``"no_added"``: any added
                token; ``"no_special"``: special tokens. As in `encode_segments`.
            continue_final_message: Whether to leave the last message open, for the model to continue it: the ids end
                with its content, or with another field of it that is named, as ``"reasoning_content"``.
            **variables: Further variables of the template, as Qwen3's ``enable_thinking``.

        Raises:
            WordsplitError: Jinja is not installed (``pip install 'wordsplit[chat]'``).
            ChatTemplateError: There is no template, or it is wrong, or it refuses the messages, or takes too long.
            InputTypeError: Messages or tools that are not plain data.
            OptionsError: An argument of `transformers` that this method does not have, or a value it cannot have.

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
        untrusted: Untrusted = "no_added",
        **variables: Any,
    ) -> MaskedChat:
        """Encode a chat, and tell which ids are the assistant's: to train on these alone.

        What the assistant said is what stands between the template's own ``{% generation %}`` and
        ``{% endgeneration %}``, as in `transformers`. In a template without them it is all that follows the beginning
        of an answer (what ``add_generation_prompt`` adds), up to and with the control token that ends it; it is found
        by rendering the chat without it. The ids are those of the whole chat in any case: what a template drops from
        earlier turns, as Qwen3's drops what the model thought, is in neither.

        Args:
            messages: As for `apply_chat_template`.
            tools: As for `apply_chat_template`.
            template: As for `apply_chat_template`.
            untrusted: As for `apply_chat_template`.
            **variables: Further variables of the template.

        Raises:
            ChatTemplateError: As `apply_chat_template`; or what the assistant said cannot be told apart exactly.
            UnsupportedVocabError: The vocab normalizes otherwise than by NFC.

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
        """`encode` without keeping the event loop waiting: long texts are encoded in a thread.

        Example:
            >>> import asyncio, wordsplit
            >>> asyncio.run(wordsplit.load_tokenizer("qwen3").aencode("Hello, world!"))
            [9707, 11, 1879, 0]
        """
        return await features.aio.soon(self._engine, partial(self.encode, text, special), text)

    async def acount(self, text: Text, special: Special = "parse", *, limit: int | None = None) -> int:
        """`count` without keeping the event loop waiting."""
        return await features.aio.soon(self._engine, partial(self.count, text, special, limit=limit), text)

    async def aencode_batch(
        self, texts: Iterable[Text], special: Special = "parse", threads: int | None = None
    ) -> list[list[int]]:
        """`encode_batch` without keeping the event loop waiting: in a thread, and without the GIL if native."""
        return await features.aio.in_thread(partial(self.encode_batch, texts, special, threads))

    # The span cache.

    def cache_info(self) -> dict[str, int]:
        """Entries, bytes and bound of the cache of encoded spans."""
        return self._engine.cache_info()

    def cache_clear(self) -> None:
        """Forget every cached span."""
        self._engine.cache_clear()

    # What features keep for a tokenizer: made when first needed, and for all threads alike.

    @cached_property
    def _cuts(self) -> Cuts:
        return features.cuts.Cuts(self._vocab, self.options.spanner)

    @cached_property
    def _chat(self) -> Chat:
        return features.chat.Chat(self._engine)

    @cached_property
    def _token_index(self) -> TokenIndex:
        return features.token_index.TokenIndex.of(self._vocab)

    @cached_property
    def _with_special(self) -> TokenTexts:
        return features.decode_stream.TokenTexts(self._vocab)

    @cached_property
    def _without_special(self) -> TokenTexts:
        return features.decode_stream.TokenTexts(self._vocab, skip_special=True)

    # The object itself.

    def __repr__(self) -> str:
        options = self.options
        return f"<Tokenizer {self._vocab.name!r}: spanner {options.spanner!r}, encoder {options.encoder!r}>"

    def __reduce__(self) -> tuple[object, ...]:
        return Tokenizer, (self._vocab, self.options)


class TokenizerOptions(EngineOptions):
    """How to build a tokenizer. Every field has a default that is right for most.

    Attributes:
        spanner: A spanner's name, or ``"auto"``: the hand-written scanner of the vocab's pattern, or ``regex``.
        encoder: A span encoder's name, or ``"auto"``.
        long_encoder: The encoder of spans longer than ``long_span`` bytes; ``"auto"``: the same as ``encoder``, or
            if that is ``"auto"`` too, one whose cost does not grow with the square of the length. Where
            ``"backtracking"`` is for long spans only, the native engine makes its table when 256 KB of them have come,
            and takes ``"heap_merge"`` until then.
        long_span: Where long spans begin, in bytes.
        engine: ``"native"``, or ``"python"`` for the executable specification (and the default of a wheel that
            was built with ``WORDSPLIT_PURE_PYTHON=1``).
        errors: What to do with lone surrogates (and bytes that are not UTF-8): ``"replace"`` or ``"strict"``.
        add_bos: Whether to put the vocab's prefix (its bos token) before every text; ``None``: as the vocab says.
        add_eos: Whether to put the vocab's suffix after every text; ``None``: as the vocab says.
        cache_bytes: How much memory the cache of encoded spans may take, which all threads share; each thread has
            half of it besides, for the spans it meets most. It is taken as it fills. 0 for none.

    Raises:
        OptionsError: A value that the field cannot take. Names are looked up by `build`.

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
            UnknownNameError: No spanner or encoder of that name.
            UnsupportedVocabError: The vocab does not meet the preconditions of one of them.
        """
        return Tokenizer(vocab, self)
