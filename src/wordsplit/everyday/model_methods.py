"""What `Tokenizer` does for models, for tools, and for event loops: thin methods over the files beside this one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from wordsplit.engine.base import as_id
from wordsplit.errors import InputTypeError, InvalidTokenIdError
from wordsplit.everyday.text_methods import Special
from wordsplit.text import Text, to_bytes

if TYPE_CHECKING:
    from wordsplit.engine import Engine
    from wordsplit.everyday.model_inputs import Padding, ReturnType, Side
    from wordsplit.everyday.token_index import TokenIndex

__all__ = ["ModelMethods"]


class ModelMethods:
    """The methods of `Tokenizer` for model inputs, for the tokens of its vocab, and for asyncio."""

    if TYPE_CHECKING:  # what Tokenizer has
        _engine: Engine
        encode: Callable[..., list[int]]
        encode_batch: Callable[..., list[list[int]]]
        count: Callable[..., int]

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
        from wordsplit.everyday.model_inputs import encode_for_model  # noqa: PLC0415

        return encode_for_model(
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
        from wordsplit.everyday.model_inputs import pad  # noqa: PLC0415

        return pad(
            self._engine.vocab,
            ids,
            length=length,
            multiple_of=multiple_of,
            side=side,
            pad_id=pad_id,
            return_type=return_type,
        )

    # Tokens, for tools.

    def is_valid(self, token_id: object) -> bool:
        """Whether a value is the id of a token: an integer, within the vocab, and no hole.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("cl100k_base")
            >>> [tok.is_valid(i) for i in (0, 100256, 100257, -1, "0")]
            [True, False, True, False, False]
        """
        try:
            self._engine.vocab.token_bytes(as_id(token_id))
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
        from wordsplit.everyday.token_index import all_token_bytes  # noqa: PLC0415

        return all_token_bytes(self._engine.vocab)

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
        return self._token_index.beginning_with(_data(prefix, self._engine.options.errors))

    def tokens_that_are_prefixes_of(self, text: bytes | str) -> list[int]:
        """The ids of the tokens that the text begins with, shortest first; special tokens are left out.

        For constrained decoding: the tokens that a required text may begin with, however it is then cut.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> [tok.token_bytes(i) for i in tok.tokens_that_are_prefixes_of(b'{"na')]
            [b'{', b'{"']
        """
        return self._token_index.prefixes_of(_data(text, self._engine.options.errors))

    # Asyncio.

    async def aencode(self, text: Text, special: Special = "parse") -> list[int]:
        """`encode` without keeping the event loop waiting: long texts are encoded in a thread.

        Example:
            >>> import asyncio, wordsplit
            >>> asyncio.run(wordsplit.load_tokenizer("qwen3").aencode("Hello, world!"))
            [9707, 11, 1879, 0]
        """
        from wordsplit.everyday.aio import soon  # noqa: PLC0415

        return await soon(partial(self.encode, text, special), text, native=self._is_native)

    async def acount(self, text: Text, special: Special = "parse", *, limit: int | None = None) -> int:
        """`count` without keeping the event loop waiting."""
        from wordsplit.everyday.aio import soon  # noqa: PLC0415

        return await soon(partial(self.count, text, special, limit=limit), text, native=self._is_native)

    async def aencode_batch(
        self, texts: Iterable[Text], special: Special = "parse", threads: int | None = None
    ) -> list[list[int]]:
        """`encode_batch` without keeping the event loop waiting: in a thread, and without the GIL if native."""
        from wordsplit.everyday.aio import in_thread  # noqa: PLC0415

        return await in_thread(partial(self.encode_batch, texts, special, threads))

    # Within.

    @property
    def _is_native(self) -> bool:
        return self._engine.options.engine == "native"

    @cached_property
    def _token_index(self) -> TokenIndex:
        from wordsplit.everyday.token_index import TokenIndex, all_token_bytes  # noqa: PLC0415

        vocab = self._engine.vocab
        special = set(vocab.special_tokens.values())
        tokens = enumerate(all_token_bytes(vocab))
        return TokenIndex({i: token for i, token in tokens if token is not None and i not in special})


def _data(text: bytes | str, errors: str) -> bytes:
    if isinstance(text, str):
        return to_bytes(text, errors)
    if not isinstance(text, (bytes, bytearray, memoryview)):
        raise InputTypeError(f"give bytes or str, not {type(text).__name__}")
    return bytes(text)
