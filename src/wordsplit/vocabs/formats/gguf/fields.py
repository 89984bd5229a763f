"""The tokenizer keys of a GGUF file, whose values are type-checked on access."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from wordsplit.errors import UnsupportedVocabError, VocabFormatError

if TYPE_CHECKING:
    from array import array

    from wordsplit.vocabs.formats.gguf.reader import Value

__all__ = [
    "ADD",
    "ADD_SPACE",
    "CHARSMAP",
    "MERGES",
    "MODEL",
    "OLD_ROLES",
    "PRE",
    "REMOVE_SPACES",
    "ROLES",
    "SCORES",
    "TEMPLATE",
    "TEMPLATE_NAMES",
    "TOKENS",
    "TYPES",
    "Fields",
    "wanted",
]

MODEL, PRE, TOKENS, TYPES, SCORES, MERGES = (
    f"tokenizer.ggml.{name}" for name in ("model", "pre", "tokens", "token_type", "scores", "merges")
)
ADD = {role: f"tokenizer.ggml.add_{role}_token" for role in ("bos", "eos")}
ADD_SPACE, REMOVE_SPACES, CHARSMAP = (
    f"tokenizer.ggml.{name}" for name in ("add_space_prefix", "remove_extra_whitespaces", "precompiled_charsmap")
)
TEMPLATE, TEMPLATE_NAMES = "tokenizer.chat_template", "tokenizer.chat_templates"
# The spelling of sep is the format's own.
_LONG_NAMES = {"unk": "unknown", "pad": "padding", "sep": "seperator"}
_ROLES = ("bos", "eos", "pad", "unk", "sep", "cls", "mask", "eot", "eom")
_FIM_ROLES = ("fim_pre", "fim_suf", "fim_mid", "fim_pad", "fim_rep", "fim_sep")
ROLES = {role: f"tokenizer.ggml.{_LONG_NAMES.get(role, role)}_token_id" for role in _ROLES + _FIM_ROLES}
"""Role, as in `Vocab.role_ids` -> the key of its id."""
OLD_ROLES = {
    role: f"tokenizer.ggml.{name}_token_id"
    for role, name in (("fim_pre", "prefix"), ("fim_suf", "suffix"), ("fim_mid", "middle"))
}
"""The same, of keys that newer files do not have; they take precedence."""

_WANTED = frozenset(
    {MODEL, PRE, TOKENS, TYPES, SCORES, MERGES, TEMPLATE, TEMPLATE_NAMES, ADD_SPACE, REMOVE_SPACES, CHARSMAP}
    | {*ROLES.values(), *OLD_ROLES.values(), *ADD.values()}
)
_INTEGERS = frozenset({"uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"})


def wanted(key: str) -> bool:
    """Return whether a key belongs to the tokenizer."""
    return key in _WANTED or key.startswith(TEMPLATE + ".")


class Fields:
    """The values of a file's keys, type-checked on access."""

    def __init__(self, values: dict[str, Value], label: str) -> None:
        self._values = values
        self.label: str = label

    def error(self, key: str, found: str) -> VocabFormatError:
        """Return an error about a key."""
        return VocabFormatError(found, file=self.label, field=key)

    def refuse(self, key: str, found: str) -> NoReturn:
        """Raise `UnsupportedVocabError`: the file is valid, but needs something that is not supported."""
        raise UnsupportedVocabError(found, file=self.label, field=key)

    def keys(self, prefix: str) -> list[str]:
        """Return the keys with a prefix."""
        return [key for key in self._values if key.startswith(prefix)]

    def _get(self, key: str, *kinds: str) -> Value | None:
        value = self._values.get(key)
        if value is not None and value.kind not in kinds:
            raise VocabFormatError(
                f"should be {' or '.join(kinds)}, found {value.kind}",
                file=self.label,
                field=f"{key}, offset {value.offset}",
            )
        return value

    def text(self, key: str) -> str | None:
        """Return a string."""
        value = self._get(key, "string")
        if value is None:
            return None
        try:
            return str(value.data, "utf-8")
        except UnicodeDecodeError as error:
            raise self.error(key, f"is not UTF-8 ({error.reason} at byte {error.start})") from None

    def strings(self, key: str, default: Sequence[bytes] | None = None) -> Sequence[bytes]:
        """Return an array of strings. Without a default, the key is required."""
        value = self._get(key, "array of string")
        found: Sequence[bytes] | None = default if value is None else value.data
        if found is None:
            raise self.error(key, "is missing, but the model needs it")
        return found

    def numbers(self, key: str, *kinds: str) -> array[int] | None:
        """Return an array of numbers of one of these types."""
        value = self._get(key, *(f"array of {kind}" for kind in kinds))
        return None if value is None else value.data

    def data(self, key: str) -> bytes:
        """Return an array of bytes; empty if the key is missing."""
        found = self.numbers(key, "uint8", "int8")
        return b"" if found is None else found.tobytes()

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Return a bool; ``default`` if the key is missing."""
        value = self._get(key, "bool")
        return default if value is None else bool(value.data)

    def token_id(self, key: str, n_tokens: int) -> int | None:
        """Return the id of a token."""
        value = self._get(key, *sorted(_INTEGERS))
        if value is None:
            return None
        if not 0 <= value.data < n_tokens:
            raise self.error(key, f"token id {value.data} is outside 0..{n_tokens - 1}")
        return int(value.data)
