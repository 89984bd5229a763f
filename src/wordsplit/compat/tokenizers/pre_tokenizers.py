"""Pre-tokenizers: ``Tokenizer.pre_tokenizer`` is one of these, or ``None``.

They are values, with the constructors of their namesakes in `tokenizers`. docs/formats.md says what each does.

Example:
    >>> from wordsplit.compat.tokenizers import pre_tokenizers
    >>> pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str("Hello world")
    [('Hello', (0, 5)), ('Ġworld', (5, 11))]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field
from typing import ClassVar

from wordsplit.byte_level import to_byte_level
from wordsplit.compat.missing_names import explain_missing_names
from wordsplit.compat.tokenizers._component import (
    BEHAVIOR,
    PARTS,
    PATTERN,
    WORD,
    Component,
    Listed,
    Regex,
    check_metaspace,
)
from wordsplit.errors import OptionsError

__all__ = [
    "BertPreTokenizer",
    "ByteLevel",
    "CharDelimiterSplit",
    "Digits",
    "FixedLength",
    "Metaspace",
    "PreTokenizer",
    "Punctuation",
    "Sequence",
    "Split",
    "UnicodeScripts",
    "Whitespace",
    "WhitespaceSplit",
]

explain_missing_names(__name__)


class PreTokenizer(Component):
    """The base class of pre-tokenizers."""

    _instead: ClassVar[Mapping[str, str]] = {"pre_tokenize": "use pre_tokenize_str()"}

    def pre_tokenize_str(self, sequence: str) -> list[tuple[str, tuple[int, int]]]:
        """Split a text.

        Returns:
            The words, with the characters of the text that each covers: start and end.

        Raises:
            UnsupportedVocabError: wordsplit does not support the pre-tokenizer.
        """
        from wordsplit.compat.tokenizers._running import pre_tokenized  # noqa: PLC0415 - takes time to import

        return pre_tokenized(self.to_json(), sequence)


@dataclass(repr=False, eq=False)
class BertPreTokenizer(PreTokenizer):
    """Splits at white space, which it removes, and around punctuation."""


@dataclass(repr=False, eq=False)
class ByteLevel(PreTokenizer):
    """Writes each byte of the text as a character of the byte-level alphabet, after it has split as GPT-2 does.

    Attributes:
        add_prefix_space: Whether to put a space before the text, if there is none.
        trim_offsets: Has no effect here.
        use_regex: Whether to split.
    """

    add_prefix_space: bool = True
    trim_offsets: bool = True
    use_regex: bool = True
    type: InitVar[str | None] = field(default=None, kw_only=True)  # which `**json.loads(state)` gives

    def __post_init__(self, type: str | None) -> None:  # noqa: A002 - the name in the file
        del type
        super().__post_init__()

    @staticmethod
    def alphabet() -> list[str]:
        """Return the byte-level alphabet: 256 characters, sorted."""
        return sorted(to_byte_level(bytes(range(256))))


@dataclass(repr=False, eq=False)
class CharDelimiterSplit(PreTokenizer):
    """Splits at a character, which it removes.

    Attributes:
        delimiter: The character.
    """

    delimiter: str

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.delimiter) != 1:
            raise OptionsError(f"{self!r}: expected a string of length 1 as delimiter")


@dataclass(repr=False, eq=False)
class Digits(PreTokenizer):
    """Splits around numbers.

    Attributes:
        individual_digits: Whether to split around each digit.
    """

    individual_digits: bool = False


@dataclass(repr=False, eq=False)
class FixedLength(PreTokenizer):
    """Splits into pieces of one length.

    Attributes:
        length: The number of characters.
    """

    length: int = 5


@dataclass(repr=False, eq=False)
class Metaspace(PreTokenizer):
    """Writes spaces as another character, and splits before it.

    Attributes:
        replacement: The character.
        prepend_scheme: Where to prepend one: ``"always"``, ``"first"`` (at the beginning of the whole text) or
            ``"never"``.
        split: Whether to split.
    """

    replacement: str = "▁"
    prepend_scheme: str = field(default="always", metadata=WORD)
    split: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_metaspace(self)


@dataclass(repr=False, eq=False)
class Punctuation(PreTokenizer):
    """Splits around punctuation.

    Attributes:
        behavior: How it is treated: ``"removed"``, ``"isolated"``, ``"merged_with_previous"``,
            ``"merged_with_next"`` or ``"contiguous"``.
    """

    behavior: str = field(default="isolated", metadata=BEHAVIOR)


@dataclass(repr=False, eq=False)
class Sequence(Listed, PreTokenizer):
    """Several pre-tokenizers, applied in order.

    Attributes:
        pretokenizers: The pre-tokenizers.
    """

    pretokenizers: list[PreTokenizer] = field(metadata=PARTS)


@dataclass(repr=False, eq=False)
class Split(PreTokenizer):
    """Splits at the matches of a pattern.

    Attributes:
        pattern: A string, or a `Regex`.
        behavior: How matches are treated; as in `Punctuation`.
        invert: Whether the text between matches takes their place.
    """

    pattern: str | Regex = field(metadata=PATTERN)
    behavior: str = field(metadata=BEHAVIOR)
    invert: bool = False


@dataclass(repr=False, eq=False)
class UnicodeScripts(PreTokenizer):
    """Splits where the script of Unicode changes."""


@dataclass(repr=False, eq=False)
class Whitespace(PreTokenizer):
    """Splits into runs of word characters and runs of others, and removes white space."""


@dataclass(repr=False, eq=False)
class WhitespaceSplit(PreTokenizer):
    """Splits at white space, which it removes."""
