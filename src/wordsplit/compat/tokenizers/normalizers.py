"""Normalizers: ``Tokenizer.normalizer`` is one of these, or ``None``.

They are values, with the constructors of their namesakes in `tokenizers`. docs/formats.md says what each does.

Example:
    >>> from wordsplit.compat.tokenizers import normalizers
    >>> normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()]).normalize_str("café")
    'cafe'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from wordsplit.compat.missing_names import explain_missing_names
from wordsplit.compat.tokenizers._component import BASE64, PARTS, PATTERN, Component, Listed, Regex
from wordsplit.errors import OptionsError

__all__ = [
    "NFC",
    "NFD",
    "NFKC",
    "NFKD",
    "NORMALIZERS",
    "BertNormalizer",
    "ByteLevel",
    "Lowercase",
    "Nmt",
    "Normalizer",
    "Precompiled",
    "Prepend",
    "Replace",
    "Sequence",
    "Strip",
    "StripAccents",
    "unicode_normalizer_from_str",
]

explain_missing_names(__name__)


class Normalizer(Component):
    """The base class of normalizers."""

    _instead: ClassVar[Mapping[str, str]] = {"normalize": "use normalize_str(), or the offsets of Tokenizer.encode()"}

    def normalize_str(self, sequence: str) -> str:
        """Return a text, normalized.

        Raises:
            UnsupportedVocabError: wordsplit does not support the normalizer.
        """
        from wordsplit.compat.tokenizers._running import normalized  # noqa: PLC0415 - takes time to import

        return normalized(self.to_json(), sequence)


@dataclass(repr=False, eq=False)
class BertNormalizer(Normalizer):
    """The normalizer of BERT.

    Attributes:
        clean_text: Whether to remove control characters, and to write all white space as spaces.
        handle_chinese_chars: Whether to put spaces around Chinese characters.
        strip_accents: Whether to remove accents; ``None``: if ``lowercase``.
        lowercase: Whether to write in lower case.
    """

    clean_text: bool = True
    handle_chinese_chars: bool = True
    strip_accents: bool | None = None
    lowercase: bool = True


@dataclass(repr=False, eq=False)
class ByteLevel(Normalizer):
    """Writes each byte of the text as a character of the byte-level alphabet."""


@dataclass(repr=False, eq=False)
class Lowercase(Normalizer):
    """Writes text in lower case."""


@dataclass(repr=False, eq=False)
class NFC(Normalizer):
    """Unicode's normalization form C."""


@dataclass(repr=False, eq=False)
class NFD(Normalizer):
    """Unicode's normalization form D."""


@dataclass(repr=False, eq=False)
class NFKC(Normalizer):
    """Unicode's normalization form KC."""


@dataclass(repr=False, eq=False)
class NFKD(Normalizer):
    """Unicode's normalization form KD."""


@dataclass(repr=False, eq=False)
class Nmt(Normalizer):
    """Removes control characters, and writes white space as spaces, as Google's NMT did."""


@dataclass(repr=False, eq=False)
class Precompiled(Normalizer):
    """A character map of SentencePiece.

    Attributes:
        precompiled_charsmap: The map, as in a ``.model`` file.
    """

    precompiled_charsmap: bytes = field(metadata=BASE64)


@dataclass(repr=False, eq=False)
class Prepend(Normalizer):
    """Puts a string before a text that is not empty.

    Attributes:
        prepend: The string.
    """

    prepend: str = "▁"


@dataclass(repr=False, eq=False)
class Replace(Normalizer):
    """Replaces the matches of a pattern.

    Attributes:
        pattern: A string, or a `Regex`.
        content: The replacement of each match.
    """

    pattern: str | Regex = field(metadata=PATTERN)
    content: str


@dataclass(repr=False, eq=False)
class Sequence(Listed, Normalizer):
    """Several normalizers, applied in order.

    Attributes:
        normalizers: The normalizers.
    """

    normalizers: list[Normalizer] = field(metadata=PARTS)


@dataclass(repr=False, eq=False)
class Strip(Normalizer):
    """Removes white space at the ends of a text.

    Attributes:
        left: Whether to do so at its beginning.
        right: Whether to do so at its end.
    """

    left: bool = field(default=True, metadata={"name": "strip_left"})
    right: bool = field(default=True, metadata={"name": "strip_right"})


@dataclass(repr=False, eq=False)
class StripAccents(Normalizer):
    """Removes combining marks; use it after `NFD` or `NFKD`."""


NORMALIZERS: dict[str, type[Normalizer]] = {"nfc": NFC, "nfd": NFD, "nfkc": NFKC, "nfkd": NFKD}
"""The forms of Unicode, by name."""


def unicode_normalizer_from_str(normalizer: str) -> Normalizer:
    """Return the normalizer of a Unicode normalization form.

    Args:
        normalizer: ``"nfc"``, ``"nfd"``, ``"nfkc"`` or ``"nfkd"``.

    Raises:
        OptionsError: There is no such form. (A `ValueError`.)
    """
    if normalizer not in NORMALIZERS:
        raise OptionsError(f"{normalizer!r} is not a Unicode normalization form; use one of {', '.join(NORMALIZERS)}")
    found: Normalizer = NORMALIZERS[normalizer]()
    return found
