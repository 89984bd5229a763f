"""`Encoding`: encode and decode text with the rules and names of tiktoken."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import cached_property, partial
from operator import index
from typing import TYPE_CHECKING, Any, Literal

from wordsplit import hints
from wordsplit.compat.errors import (
    DisallowedSpecialTokenError,
    NoSuchIdError,
    NoSuchTokenError,
)
from wordsplit.compat.ids import checked_id
from wordsplit.compat.missing_names import explain_missing_names, missing_from
from wordsplit.compat.tiktoken._literals import literals
from wordsplit.compat.tiktoken._pieces import Pieces
from wordsplit.compat.tiktoken._vocabs import ranked_vocab, special_ids, without_specials
from wordsplit.errors import InputTypeError, InvalidTokenIdError, VocabFormatError
from wordsplit.text import as_list
from wordsplit.vocab import Vocab

__all__ = ["Encoding"]

explain_missing_names(__name__, {"_tiktoken": "its Rust core is not part of the stand-in; use `Encoding`"})

Allowed = Literal["all"] | AbstractSet[str]
Disallowed = Literal["all"] | Collection[str]

_NONE: frozenset[str] = frozenset()


class Encoding:
    """An encoding that is compatible with `tiktoken.Encoding`.

    ``allowed_special`` are the special tokens to parse in a text. ``disallowed_special`` are those whose presence is an
    error, by default all that are not allowed. All others are ordinary text.

    Safe to share between threads. Encodings that `get_encoding` made are pickled by name, others by content.

    Args:
        name: The name.
        pat_str: The regular expression that finds the spans. Text that it does not match is left out.
        mergeable_ranks: The tokens and their ranks, which are their ids.
        special_tokens: The special tokens and their ids.
        explicit_n_vocab: If given, the required number of tokens.

    Raises:
        VocabFormatError: The parts contradict each other.
        UnsupportedVocabError: The pattern does not compile.

    Example:
        >>> import wordsplit.compat.tiktoken as tiktoken
        >>> base = tiktoken.get_encoding("cl100k_base")
        >>> enc = tiktoken.Encoding(
        ...     "with_turns", pat_str=base._pat_str, mergeable_ranks=base._mergeable_ranks,
        ...     special_tokens={**base._special_tokens, "<|turn|>": 100264},
        ... )
        >>> enc.encode("<|turn|>hello", allowed_special={"<|turn|>"})
        [100264, 15339]
    """

    name: str

    def __init__(
        self,
        name: str,
        *,
        pat_str: str,
        mergeable_ranks: Mapping[bytes, int],
        special_tokens: Mapping[str, int],
        explicit_n_vocab: int | None = None,
    ) -> None:
        self._mergeable_ranks = mergeable_ranks
        self._set_up(name, ranked_vocab(name, pat_str, mergeable_ranks), special_tokens, pat_str)
        counted = len(mergeable_ranks) + len(special_tokens)
        if explicit_n_vocab and (counted != explicit_n_vocab or self.max_token_value != explicit_n_vocab - 1):
            raise VocabFormatError(
                f"{counted} tokens with ids to {self.max_token_value} are not {explicit_n_vocab} from 0 on",
                field="explicit_n_vocab",
            )

    @classmethod
    def of_vocab(cls, vocab: Vocab, name: str | None = None) -> Encoding:
        """Make an encoding from a wordsplit vocab (not in tiktoken).

        Args:
            vocab: A byte-level vocab with one pattern; added tokens that are special become special tokens.
            name: The name; by default the vocab's name.

        Example:
            >>> import wordsplit
            >>> import wordsplit.compat.tiktoken as tiktoken
            >>> tiktoken.Encoding.of_vocab(wordsplit.load_vocab("o200k_base")).n_vocab
            200019
        """
        return cls._of_parts(name or vocab.name, without_specials(vocab), vocab.special_tokens, vocab.pattern)

    @classmethod
    def _of_parts(cls, name: str, plain: Vocab, special_tokens: Mapping[str, int], pat_str: str) -> Encoding:
        self = cls.__new__(cls)
        self._set_up(name, plain, special_tokens, pat_str)
        return self

    def _set_up(self, name: str, plain: Vocab, special_tokens: Mapping[str, int], pat_str: str) -> None:
        self.name = name
        self._pat_str = pat_str
        self._special_tokens = special_ids(special_tokens)
        self._special_token_values = set(self._special_tokens.values())
        self._special_bytes = {i: content.encode() for content, i in reversed(list(self._special_tokens.items()))}
        self._plain = plain
        self._pieces = Pieces(plain)
        self._tok = self._pieces.tokenizer
        self._engine = self._tok._engine  # noqa: SLF001 - of the same package
        self._all = frozenset(self._special_tokens)
        self._all_literals = literals(self._all)
        self.max_token_value: int = max(plain.max_id, *self._special_token_values, 0)

    @cached_property
    def _mergeable_ranks(self) -> Mapping[bytes, int]:
        return dict(self._plain.ids_by_bytes)

    # Text to ids.

    def encode_ordinary(self, text: str) -> list[int]:
        """Encode a text, with special tokens as ordinary text.

        Args:
            text: The text; lone surrogates become U+FFFD.

        Raises:
            InputTypeError: It is not a ``str``. (A `TypeError`.)
        """
        found: list[int] | None = self._engine.encode_quickly(text, "parse")
        if found is not None:
            return found
        _check_text(text)
        return self._tok.encode(text)

    def encode(
        self, text: str, *, allowed_special: Allowed = _NONE, disallowed_special: Disallowed = "all"
    ) -> list[int]:
        """Encode a text.

        Args:
            text: The text; lone surrogates become U+FFFD.
            allowed_special: Special tokens to parse: ``"all"``, or a set.
            disallowed_special: Special tokens to refuse: ``"all"`` those not allowed, or a collection.

        Raises:
            DisallowedSpecialTokenError: The text holds a special token that is refused. (A `ValueError`.)

        Example:
            >>> import wordsplit.compat.tiktoken as tiktoken
            >>> enc = tiktoken.get_encoding("gpt2")
            >>> enc.encode("<|endoftext|>", allowed_special="all")
            [50256]
            >>> enc.encode("<|endoftext|>", disallowed_special=())
            [27, 91, 437, 1659, 5239, 91, 29]
        """
        if (
            allowed_special is _NONE
            and disallowed_special == "all"
            and type(text) is str
            and self._all_literals.first(text) is None
        ):
            return self.encode_ordinary(text)  # the common case, in few steps
        allowed, disallowed = self._sets(allowed_special, disallowed_special)
        return self._encode(text, allowed, disallowed)

    def encode_to_numpy(
        self, text: str, *, allowed_special: Allowed = _NONE, disallowed_special: Disallowed = "all"
    ) -> hints.npt.NDArray[hints.np.uint32]:
        """Encode a text to an array of ``uint32``; see `encode`."""
        allowed, disallowed = self._sets(allowed_special, disallowed_special)
        self._refuse(text, disallowed)
        if literals(allowed).first(text) is None:
            return self._tok.encode_to_numpy(text)
        import numpy  # noqa: ICN001, PLC0415 - only if requested by the caller

        return numpy.array(self._encode(text, allowed, _NONE), dtype=numpy.uint32)

    def encode_ordinary_batch(self, text: Iterable[str], *, num_threads: int = 8) -> list[list[int]]:
        """Encode each text; see `encode_ordinary`."""
        return self._tok.encode_batch(text, threads=num_threads)

    def encode_batch(
        self,
        text: Iterable[str],
        *,
        num_threads: int = 8,
        allowed_special: Allowed = _NONE,
        disallowed_special: Disallowed = "all",
    ) -> list[list[int]]:
        """Encode each text; see `encode`. ``num_threads`` is the largest number of threads."""
        allowed, disallowed = self._sets(allowed_special, disallowed_special)
        texts = list(text)
        for each in texts:
            self._refuse(each, disallowed)
        found = literals(allowed)
        out = self._tok.encode_batch(texts, threads=num_threads)
        for at, each in enumerate(texts):
            if found.first(each) is not None:
                out[at] = self._encode(each, allowed, _NONE)
        return out

    def encode_with_unstable(
        self, text: str, *, allowed_special: Allowed = _NONE, disallowed_special: Disallowed = "all"
    ) -> tuple[list[int], list[list[int]]]:
        """Return the ids that no appended text can change, and the possible completions of the rest.

        Returns:
            The stable ids, and sequences of ids, in order: each spells at least the rest of the text.

        Raises:
            DisallowedSpecialTokenError: As for `encode`.

        Example:
            >>> import wordsplit.compat.tiktoken as tiktoken
            >>> stable, completions = tiktoken.get_encoding("gpt2").encode_with_unstable("hello fanta")
            >>> stable, [277, 4910] in completions
            ([31373], True)
        """
        from wordsplit.compat.tiktoken._unstable import completions  # noqa: PLC0415 - few programs need it

        allowed, disallowed = self._sets(allowed_special, disallowed_special)
        self._refuse(text, disallowed)
        *_, (tail, _) = literals(allowed).split(text)
        ids = self._encode(text, allowed, _NONE)
        return completions(self._pieces, ids, self._pieces.last_length(tail))

    def encode_single_token(self, text_or_bytes: str | bytes) -> int:
        """Return the id of a token or special token.

        Raises:
            NoSuchTokenError: There is no such token. (A `KeyError`.)

        Example:
            >>> import wordsplit.compat.tiktoken as tiktoken
            >>> tiktoken.get_encoding("gpt2").encode_single_token("hello")
            31373
        """
        data = _as_bytes(text_or_bytes)
        found = self._plain.ids_by_bytes.get(data)
        if found is None:
            with suppress(UnicodeDecodeError):
                found = self._special_tokens.get(data.decode())
        if found is None:
            raise NoSuchTokenError(f"{data!r} is not a token of {self.name}")
        return found

    # Ids to text.

    def decode_bytes(self, tokens: Sequence[int]) -> bytes:
        """Decode ids to bytes.

        Raises:
            NoSuchIdError: No token has one of them. (A `KeyError`.)
        """
        tokens = _as_list(tokens)
        try:
            return self._engine.decode_bytes(tokens, skip_special=False)
        except InvalidTokenIdError:  # a special token, or not a token
            return b"".join(self.decode_tokens_bytes(tokens))

    def decode(self, tokens: Sequence[int], errors: str = "replace") -> str:
        """Decode ids to text.

        Args:
            tokens: Ids.
            errors: What to do where the bytes are not UTF-8, as for `bytes.decode`.

        Raises:
            NoSuchIdError: No token has one of the ids. (A `KeyError`.)
            UnicodeDecodeError: The bytes are not UTF-8, and ``errors`` is ``"strict"``.
        """
        tokens = _as_list(tokens)
        if errors == "replace":
            try:
                found: str | None = self._engine.decode_quickly(tokens, errors, False)  # noqa: FBT003 - skip_special
                return found if found is not None else self._tok.decode(tokens)
            except InvalidTokenIdError:
                pass  # as in decode_bytes()
        return self.decode_bytes(tokens).decode("utf-8", errors)

    def decode_single_token_bytes(self, token: int) -> bytes:
        """Return the bytes of a token or special token.

        Raises:
            NoSuchIdError: No token has this id. (A `KeyError`.)
            OverflowError: It is negative, or does not fit into 32 bits.
            TypeError: It is not an integer.
        """
        token = checked_id(token)
        found = self._plain.tokens.get(token)
        if found is None:
            found = self._special_bytes.get(token)
        if found is None:
            raise NoSuchIdError(f"{token} is not a token id of {self.name} (ids run to {self.max_token_value})")
        return found

    def decode_tokens_bytes(self, tokens: Sequence[int]) -> list[bytes]:
        """Return the bytes of each id.

        Example:
            >>> import wordsplit.compat.tiktoken as tiktoken
            >>> tiktoken.get_encoding("gpt2").decode_tokens_bytes([31373, 995])
            [b'hello', b' world']
        """
        tokens = _as_list(tokens)
        found = self._engine.token_bytes(tokens, self._special_bytes)
        return [self.decode_single_token_bytes(token) for token in tokens] if found is None else found

    def decode_with_offsets(self, tokens: Sequence[int]) -> tuple[str, list[int]]:
        """Decode ids, and return for each the index of the first character of which it has a byte.

        Raises:
            UnicodeDecodeError: The bytes are not UTF-8.

        Example:
            >>> import wordsplit.compat.tiktoken as tiktoken
            >>> tiktoken.get_encoding("gpt2").decode_with_offsets([31373, 995])
            ('hello world', [0, 5])
        """
        parts = self.decode_tokens_bytes(tokens)
        offsets, chars = [], 0
        for part in parts:
            inside = 0x80 <= part[0] < 0xC0  # it begins within a character
            offsets.append(max(0, chars - inside))
            chars += sum(not 0x80 <= byte < 0xC0 for byte in part)
        return b"".join(parts).decode("utf-8"), offsets

    def decode_batch(
        self, batch: Iterable[Sequence[int]], *, errors: str = "replace", num_threads: int = 8
    ) -> list[str]:
        """Decode each sequence of ids to text. One thread is fastest, so ``num_threads`` is ignored."""
        del num_threads
        return [self.decode(tokens, errors) for tokens in batch]

    def decode_bytes_batch(self, batch: Iterable[Sequence[int]], *, num_threads: int = 8) -> list[bytes]:
        """Decode each sequence of ids to bytes."""
        del num_threads
        return [self.decode_bytes(tokens) for tokens in batch]

    # Properties.

    def token_byte_values(self) -> list[bytes]:
        """Return the bytes of all tokens except special ones, sorted."""
        return list(self._pieces.sorted_tokens)

    @property
    def eot_token(self) -> int:
        """The id of ``<|endoftext|>``. Raises `NoSuchTokenError`, a `KeyError`, if there is none."""
        try:
            return self._special_tokens["<|endoftext|>"]
        except KeyError:
            raise NoSuchTokenError(f"{self.name} has no <|endoftext|> token") from None

    @cached_property
    def special_tokens_set(self) -> set[str]:
        """The special tokens."""
        return set(self._special_tokens)

    def is_special_token(self, token: int) -> bool:
        """Return whether an id is that of a special token."""
        return index(token) in self._special_token_values

    @property
    def n_vocab(self) -> int:
        """``max_token_value + 1``; holes are counted."""
        return self.max_token_value + 1

    def __repr__(self) -> str:
        return f"<Encoding {self.name!r}>"

    if not TYPE_CHECKING:  # for which each name would exist

        def __getattr__(self, name: str) -> Any:
            return _missing(name)

    def __reduce__(self) -> tuple[Any, ...]:
        if type(self) is not Encoding:  # its constructor may do more
            ranks, special_tokens = self._mergeable_ranks, self._special_tokens
            made = partial(type(self), pat_str=self._pat_str, mergeable_ranks=ranks, special_tokens=special_tokens)
            return made, (self.name,)
        return Encoding._of_parts, (self.name, self._plain, self._special_tokens, self._pat_str)

    # Internal.

    def _encode(self, text: str, allowed: frozenset[str], disallowed: frozenset[str]) -> list[int]:
        self._refuse(text, disallowed)
        found = literals(allowed)
        if found.first(text) is None:
            return self.encode_ordinary(text)
        out: list[int] = []
        for piece, special in found.split(text):
            out += self._tok.encode(piece)
            if special is not None:
                out.append(self._special_tokens[special])
        return out

    def _sets(self, allowed: Allowed, disallowed: Disallowed) -> tuple[frozenset[str], frozenset[str]]:
        """Return the special tokens to parse, and the literals to refuse."""
        if isinstance(allowed, str) and allowed != "all":
            raise InputTypeError(f'allowed_special must be "all" or a set of special tokens, not {allowed!r:.100}')
        parsed = self._all if allowed == "all" else self._all.intersection(allowed)
        if disallowed == "all":
            return parsed, self._all - parsed
        return parsed, frozenset(disallowed or ())  # `None` refuses none, as in tiktoken

    @staticmethod
    def _refuse(text: str, disallowed: frozenset[str]) -> None:
        _check_text(text)
        special = literals(disallowed).first(text)
        if special is not None:
            raise DisallowedSpecialTokenError(
                f"the text holds {special!r}, a special token that is not allowed. To get its id, name it in "
                f"allowed_special={{{special!r}}}; to treat it as text, remove it from those refused: "
                f"disallowed_special=enc.special_tokens_set - {{{special!r}}}, or disallowed_special=() for all"
            )

    def _encode_single_piece(self, text_or_bytes: str | bytes) -> list[int]:
        """Encode a text as one span."""
        return self._pieces.encode_piece(_as_bytes(text_or_bytes))

    def _encode_only_native_bpe(self, text: str) -> list[int]:
        """Encode a text whose spans the package ``regex`` finds."""
        import regex  # noqa: PLC0415 - few programs need it

        return [token for span in regex.findall(self._pat_str, text) for token in self._encode_single_piece(span)]

    def _encode_bytes(self, text: bytes) -> list[int]:
        """Encode bytes that may end within a character."""
        from wordsplit.compat.tiktoken._unstable import encode_bytes  # noqa: PLC0415 - as above

        return encode_bytes(self._pieces, _as_bytes(text))


def _check_text(text: object) -> None:
    if not isinstance(text, str):
        raise InputTypeError(f"text must be str, not {type(text).__name__}")


def _as_bytes(text_or_bytes: str | bytes) -> bytes:
    if isinstance(text_or_bytes, (bytes, bytearray, memoryview)):
        return bytes(text_or_bytes)
    if isinstance(text_or_bytes, str):
        return text_or_bytes.encode()
    raise InputTypeError(f"a token must be str or bytes, not {type(text_or_bytes).__name__}")


def _as_list(tokens: Iterable[int]) -> list[int]:
    """Return ids as a list, which can be read again where the engine does not know one of them."""
    return tokens if type(tokens) is list else as_list(tokens, "ids")


_missing = missing_from("Encoding", {"_core_bpe": "it is tiktoken's Rust core; use the methods of the encoding"})
