"""Decoders: ``Tokenizer.decoder`` is one of these, or ``None``; and `DecodeStream`.

They are values, with the constructors of their namesakes in `tokenizers`. docs/formats.md says what each does.

Example:
    >>> from wordsplit.compat.tokenizers import decoders
    >>> decoders.ByteLevel().decode(["Hello", "Ġworld"])
    'Hello world'
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from wordsplit.compat.errors import InvalidPrefixError
from wordsplit.compat.missing_names import Explained, explain_missing_names
from wordsplit.compat.tokenizers._component import PARTS, PATTERN, WORD, Component, Listed, Regex, check_metaspace

__all__ = [
    "CTC",
    "BPEDecoder",
    "ByteFallback",
    "ByteLevel",
    "DecodeStream",
    "Decoder",
    "Fuse",
    "Metaspace",
    "Replace",
    "Sequence",
    "Strip",
    "WordPiece",
]

explain_missing_names(__name__)


class Decoder(Component):
    """The base class of decoders."""

    def decode(self, tokens: list[str]) -> str:
        """Return the text of tokens.

        Raises:
            UnsupportedVocabError: wordsplit does not support the decoder.
        """
        from wordsplit.compat.tokenizers._running import decoded  # noqa: PLC0415 - takes time to import

        return decoded(self.to_json(), tokens)


@dataclass(repr=False, eq=False)
class BPEDecoder(Decoder):
    """Writes the suffix of words as a space.

    Attributes:
        suffix: The suffix.
    """

    suffix: str = "</w>"


@dataclass(repr=False, eq=False)
class ByteFallback(Decoder):
    """Writes runs of tokens such as ``<0x61>`` as the text of these bytes."""


@dataclass(init=False, repr=False, eq=False)
class ByteLevel(Decoder):
    """Reads the byte-level alphabet. Its fields have no effect, and arguments are ignored."""

    add_prefix_space: bool = True
    trim_offsets: bool = True
    use_regex: bool = True

    def __init__(self, **ignored: Any) -> None:
        del ignored
        super().__post_init__()


@dataclass(repr=False, eq=False)
class CTC(Decoder):
    """Leaves out repeated tokens and padding.

    Attributes:
        pad_token: The padding.
        word_delimiter_token: The token that is decoded to a space.
        cleanup: Whether to do so, and to remove spaces before punctuation.
    """

    pad_token: str = "<pad>"  # noqa: S105 - a token of text
    word_delimiter_token: str = "|"  # noqa: S105 - as above
    cleanup: bool = True


@dataclass(repr=False, eq=False)
class Fuse(Decoder):
    """Joins all tokens, for the decoders after it."""


@dataclass(repr=False, eq=False)
class Metaspace(Decoder):
    """Writes a character as a space.

    Attributes:
        replacement: The character.
        prepend_scheme: Whether the one at the beginning is left out: unless it is ``"never"``.
        split: Has no effect here.
    """

    replacement: str = "▁"
    prepend_scheme: str = field(default="always", metadata=WORD)
    split: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_metaspace(self)


@dataclass(repr=False, eq=False)
class Replace(Decoder):
    """Replaces the matches of a pattern.

    Attributes:
        pattern: A string, or a `Regex`.
        content: The replacement of each match.
    """

    pattern: str | Regex = field(metadata=PATTERN)
    content: str


@dataclass(repr=False, eq=False)
class Sequence(Listed, Decoder):
    """Several decoders, applied in order.

    Attributes:
        decoders: The decoders.
    """

    decoders: list[Decoder] = field(metadata=PARTS)


@dataclass(repr=False, eq=False)
class Strip(Decoder):
    """Removes a character at the ends of tokens.

    Attributes:
        content: The character.
        left: How many to remove at the beginning, at most.
        right: How many to remove at the end, at most.
    """

    content: str = " "
    left: int = field(default=0, metadata={"name": "start"})
    right: int = field(default=0, metadata={"name": "stop"})


@dataclass(repr=False, eq=False)
class WordPiece(Decoder):
    """Puts spaces before tokens that begin a word.

    Attributes:
        prefix: The prefix of tokens within a word.
        cleanup: Whether to remove spaces before punctuation.
    """

    prefix: str = "##"
    cleanup: bool = True


class _Decodes(Protocol):
    def decode(self, ids: list[int], skip_special_tokens: bool = True) -> str: ...


class DecodeStream(Explained):
    """Decode ids as they arrive.

    Args:
        ids: Ids that come before, such as those of a prompt. Their text is not returned.
        skip_special_tokens: Whether to leave out special tokens.

    Example:
        >>> from wordsplit.compat.tokenizers import Tokenizer
        >>> from wordsplit.compat.tokenizers.decoders import DecodeStream
        >>> tok = Tokenizer.from_pretrained("qwen3")
        >>> stream = DecodeStream()
        >>> [stream.step(tok, i) for i in tok.encode("A 🦜!").ids]
        ['A', None, None, ' 🦜', '!']
    """

    def __init__(self, ids: Iterable[int] | None = None, skip_special_tokens: bool = False) -> None:
        self._ids = list(ids or ())  # those whose text the next one may depend on
        self._skips = skip_special_tokens
        self._before = ""  # the text of the first ones
        self._count = 0  # their number

    def __copy__(self) -> DecodeStream:
        copy = DecodeStream(self._ids, self._skips)  # with a separate list
        copy._before, copy._count = self._before, self._count
        return copy

    def step(self, tokenizer: _Decodes, id: int | Iterable[int]) -> str | None:  # noqa: A002 - the original's name
        """Add one or several ids.

        Returns:
            The text that they add; ``None`` if they add none, or end within a character.

        Raises:
            InvalidPrefixError: The text of the ids so far is not a prefix of the text with the new ones.
        """

        def text_of(ids: list[int]) -> str:
            return tokenizer.decode(ids, skip_special_tokens=self._skips)

        if self._ids and not self._before:
            text = text_of(self._ids)
            if not text.endswith("\ufffd"):
                self._before, self._count = text, len(self._ids)
        self._ids += id if isinstance(id, Iterable) else (id,)
        text = text_of(self._ids)
        if len(text.encode()) <= len(self._before.encode()) or text.endswith("\ufffd"):
            return None
        if not text.startswith(self._before):
            raise InvalidPrefixError(f"the text so far, {self._before!r:.80}, is not the beginning of {text!r:.80}")
        new = text[len(self._before) :]
        count = len(self._ids) - self._count
        self._ids = self._ids[self._count :]
        self._before, self._count = text_of(self._ids), count
        return new
