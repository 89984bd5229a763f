"""The tokenizer: text to ids and back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from wordsplit.arrays import id_dtype
from wordsplit.engine import build_engine
from wordsplit.engine.base import as_id
from wordsplit.errors import (
    InputTypeError,
    InvalidTextError,
    OptionsError,
    SpecialTokenError,
    UnknownTokenError,
    WordsplitError,
)
from wordsplit.everyday.model_methods import ModelMethods
from wordsplit.everyday.text_methods import Special, TextMethods
from wordsplit.everyday.view_methods import ViewMethods
from wordsplit.options import TokenizerOptions
from wordsplit.registry import nearest
from wordsplit.text import Text, check, check_handler, each

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from wordsplit.vocab import Vocab

__all__ = ["Tokenizer"]

T = TypeVar("T")


class Tokenizer(TextMethods, ModelMethods, ViewMethods):
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
        self._engine = build_engine(vocab, options or TokenizerOptions())
        self._options = self._engine.options

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
        return dict(self._special_tokens)

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
        if special == "parse" and type(text) is str:  # needs none of the checks below
            return self._engine.encode(text, ())
        return self._engine.encode(self._checked(text, special), self._as_text(special))

    def encode_batch(
        self, texts: Iterable[Text], special: Special = "parse", threads: int | None = None
    ) -> list[list[int]]:
        """Encode each text, in order. ``threads``: how many at most; ``None`` for one a core.

        An error about one text has its place in the batch: as ``error.row``, and in its message.
        """
        return self._batch(self._engine.encode_batch, texts, special, threads)

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
        text, as_text = self._checked(text, special), self._as_text(special)
        if dtype == "uint32":
            return self._engine.encode_to_numpy(text, as_text)
        wanted = id_dtype(dtype, self._vocab)
        return self._engine.encode_to_numpy(text, as_text).astype(wanted, copy=False)

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
        wanted = None if dtype == "uint32" else id_dtype(dtype, self._vocab)
        ids, offsets = self._batch(self._engine.encode_batch_to_numpy, texts, special, threads)
        if wanted is None:
            return ids, offsets
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
        if limit is None:
            if special == "parse" and type(text) is str:  # as in encode()
                return self._engine.count(text, ())
            return self._engine.count(self._checked(text, special), self._as_text(special))
        from wordsplit.everyday.budgets import count_up_to, size_of  # noqa: PLC0415 - for those who have a limit

        most = size_of("limit", limit)
        return count_up_to(self._engine, self._cuts, self._checked(text, special), self._as_text(special), most)

    def count_batch(self, texts: Iterable[Text], special: Special = "parse", threads: int | None = None) -> list[int]:
        """Count the ids that `encode` gives for each text."""
        return self._batch(self._engine.count_batch, texts, special, threads)

    def spans(self, text: Text, special: Special = "parse") -> list[str]:
        """The spans of a text, after normalization; an added token is a span of its own.

        Example:
            >>> import wordsplit
            >>> wordsplit.load_tokenizer("qwen3").spans("Hello, world!")
            ['Hello', ',', ' world', '!']
        """
        spans = self._engine.spans(self._checked(text, special), self._as_text(special))
        return [span.decode("utf-8", "replace") for span in spans]

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

    def token_bytes(self, token_id: int) -> bytes:
        """The bytes that an id stands for. Raises `InvalidTokenIdError`."""
        return self._vocab.token_bytes(as_id(token_id))

    def token_id(self, token: bytes | str) -> int:
        """The id of a token. Raises `UnknownTokenError`."""
        return self._vocab.token_id(token)

    # The span cache.

    def cache_info(self) -> dict[str, int]:
        """Entries, bytes and bound of the cache of encoded spans."""
        return self._engine.cache_info()

    def cache_clear(self) -> None:
        """Forget every cached span."""
        self._engine.cache_clear()

    # Within.

    @cached_property
    def _special_tokens(self) -> dict[str, int]:
        return self._vocab.special_tokens

    def _checked(self, text: Text, special: Special) -> str | bytes:
        out = check(text, self._options.errors)
        if special == "error":
            self._refuse_special(out)
        return out

    def _texts(self, texts: Iterable[Text], special: Special, threads: int | None) -> list[str | bytes]:
        if isinstance(texts, (str, bytes, bytearray, memoryview)):
            raise InputTypeError("give a list of texts; for one text use encode() or count()")
        if threads is not None and (type(threads) is not int or threads < 1):
            raise OptionsError(f"threads={threads!r}: give a number of 1 or more, or None for one a core")
        listed: list[Any] = list(each(texts, "texts"))
        if special == "parse" and set(map(type, listed)) <= {str}:  # as in encode(), without a step a text
            return listed
        for row, text in enumerate(listed):
            try:
                listed[row] = self._checked(text, special)
            except WordsplitError as error:
                raise error.in_row(row) from None
        return listed

    def _batch(
        self,
        call: Callable[[list[str | bytes], Collection[str], int | None], T],
        texts: Iterable[Text],
        special: Special,
        threads: int | None,
    ) -> T:
        """What an engine makes of a batch. If that fails, the text at which it does is looked for."""
        listed, as_text = self._texts(texts, special, threads), self._as_text(special)
        try:
            return call(listed, as_text, threads)
        except (InvalidTextError, UnknownTokenError):
            for row, text in enumerate(listed):
                try:
                    self._engine.count(text, as_text)
                except WordsplitError as error:
                    raise error.in_row(row) from None
            raise

    def _as_text(self, special: Special) -> Collection[str]:
        if isinstance(special, str):
            if special in ("parse", "error"):
                return ()
            if special == "text":
                return self._vocab.special_contents
            if special == "no_added":
                return self._vocab.added_contents
            raise OptionsError(f"special={special!r}: use 'parse', 'text', 'no_added', 'error' or a set of literals")
        allowed: frozenset[object] | None
        try:
            allowed = frozenset(special)
        except TypeError:
            allowed = None
        if allowed is None or not all(isinstance(literal, str) for literal in allowed):
            raise OptionsError(
                f"special={special!r:.100}: use 'parse', 'text', 'no_added', 'error' or a set of literals"
            )
        for literal in allowed:
            if literal not in self._special_tokens:
                raise SpecialTokenError(
                    f"{literal!r} is no special token of {self._vocab.name}. "
                    + nearest(str(literal), list(self._special_tokens))
                )
        return frozenset(self._vocab.special_contents - allowed)

    def _refuse_special(self, text: str | bytes) -> None:
        for piece, _, special in self._engine.pieces(text, ()):
            if special:
                raise SpecialTokenError(
                    f"the text holds the special token {piece.decode()!r}; encode it with special='text' to treat it "
                    "as text, or special='parse' if the text is trusted"
                )

    def __repr__(self) -> str:
        options = self._options
        return f"<Tokenizer {self._vocab.name!r}: spanner {options.spanner!r}, encoder {options.encoder!r}>"

    def __reduce__(self) -> tuple[object, ...]:
        return Tokenizer, (self._vocab, self._options)
