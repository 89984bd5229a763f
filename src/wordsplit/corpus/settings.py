"""The settings that determine the output of `wordsplit.corpus.encode`, besides the vocab and the inputs."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from wordsplit.arguments import whole_number
from wordsplit.errors import OptionsError
from wordsplit.text import is_unicode

__all__ = ["OnError", "Settings"]

OnError = Literal["fail", "skip", "quarantine"]


@dataclass(frozen=True, kw_only=True)
class Settings:
    r"""The settings of a corpus. All are part of its fingerprint.

    Attributes:
        format: The name of the output format: ``"raw"``, ``"megatron"`` or ``"parquet"``.
        documents: How plain text is divided into documents: ``"file"`` or ``"line"``.
        separator: Instead, the string between documents of plain text, such as ``"<|endoftext|>"`` or ``"\n\n"``.
        text_field: The field of JSON Lines, or column of Parquet and Arrow, with the text.
        id_field: The field or column with a name for each document, to be kept; ``None`` for no names.
        special: Whether special tokens in documents are parsed, or are text.
        bos: The ids before each document: ``"default"`` for those that the tokenizer adds, ``"none"``, ``"vocab"`` for
            the vocab's bos token, or a token's text or id.
        eos: Likewise, the ids after each document.
        empty: Whether empty documents (and null) are kept or skipped.
        on_error: How to treat a document or a file that cannot be read: fail, skip it, or skip it and write it to
            ``quarantine/``.
        invalid_utf8: Whether documents with bytes that are not UTF-8 are encoded as they are, or are errors.
        shuffle: A seed, to put the documents of each unit and the units in random order; ``None`` to keep their order.
        unit_bytes: The size that large files are divided into, and small ones are grouped to; ``None`` for 128 MiB, or
            for a corpus below 8 GiB a 64th of it, but not less than 8 MiB.

    Raises:
        OptionsError: A setting has an invalid value.
    """

    format: str = "raw"
    documents: Literal["file", "line"] = "file"
    separator: str | None = None
    text_field: str = "text"
    id_field: str | None = None
    special: Literal["text", "parse"] = "text"
    bos: str = "default"
    eos: str = "default"
    empty: Literal["keep", "skip"] = "skip"
    on_error: OnError = "fail"
    invalid_utf8: Literal["keep", "error"] = "keep"
    shuffle: int | None = None
    unit_bytes: int | None = None

    def __post_init__(self) -> None:
        self._check_choices()
        for name in ("format", "text_field", "bos", "eos", "separator", "id_field"):
            value = getattr(self, name)
            optional = name in ("separator", "id_field")
            if not (value is None and optional) and not (isinstance(value, str) and value and is_unicode(value)):
                raise OptionsError(f"{name}={value!r:.100}: give a string that is not empty, in valid Unicode")
        if self.id_field == self.text_field:
            raise OptionsError(f"id_field={self.id_field!r}: this is the text field")
        if self.separator is not None and self.documents != "file":
            raise OptionsError("documents are lines, or are separated by separator=; give only one of them")
        for name, least in (("unit_bytes", 1), ("shuffle", 0)):
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, whole_number(name, value, least))  # the plan is JSON

    def _check_choices(self) -> None:
        choices = {
            "documents": ("file", "line"),
            "special": ("text", "parse"),
            "empty": ("keep", "skip"),
            "on_error": get_args(OnError),
            "invalid_utf8": ("keep", "error"),
        }
        for name, allowed in choices.items():
            if (value := getattr(self, name)) not in allowed:
                raise OptionsError(f"{name}={value!r:.100}: use {' or '.join(map(repr, allowed))}")

    @property
    def terminator(self) -> bytes | None:
        """The terminator of a document of plain text; ``None`` if each file is one."""
        if self.separator is not None:
            return self.separator.encode()
        return b"\n" if self.documents == "line" else None

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Settings:
        """Return the settings from the output of `to_dict`."""
        return cls(**{field.name: data[field.name] for field in fields(cls)})
