"""The model of a compiled file, where it is not byte-level BPE: its parameters in JSON, and its tables.

The native tables of such a model are made from it, and may have other tokens and merges than it has: see
`wordsplit.model.lowered`.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from wordsplit import _native
from wordsplit.model import CharacterBPE, Model, Unigram, WordLevel, WordPiece
from wordsplit.tables import MAX_ID, MergeList, TokenTable

__all__ = ["ALIGN", "padded", "read_model", "write_model"]

ALIGN = 64
"""The alignment of each table."""

_KINDS: dict[str, type[Any]] = {kind.__name__: kind for kind in (CharacterBPE, Unigram, WordPiece, WordLevel)}
_TABLES = frozenset({"tokens", "explicit_merges", "scores"})
_NOT_NATIVE = frozenset({"ranks"})  # a model that has them is not compiled


def write_model(model: Model) -> tuple[dict[str, Any], bytes]:
    """Return the description of a model, and its tables."""
    tokens, merges = model.token_table, model.merges.flat
    scores = model.scores if isinstance(model, Unigram) else array("d")
    tables = [bytes(tokens.blob), tokens.ends.tobytes(), tokens.ids.tobytes(), merges.tobytes(), scores.tobytes()]
    names = [field.name for field in fields(type(model)) if field.name not in _TABLES | _NOT_NATIVE]  # type: ignore[arg-type]
    values = {name: getattr(model, name) for name in names}
    plain = {name: sorted(value) if isinstance(value, frozenset) else value for name, value in values.items()}
    description = {"kind": type(model).__name__, "values": plain, "sizes": list(map(len, tables))}
    return description, b"".join(map(padded, tables))


def padded(table: bytes) -> bytes:
    """Return a table, and zeros up to where the next one begins."""
    return table + bytes(-len(table) % ALIGN)


def read_model(description: Any, data: memoryview) -> Model:
    """Return the model that `write_model` wrote, whose tables are views of the file.

    Raises:
        ValueError: The description or the tables are damaged.
        LookupError: The description is damaged.
        TypeError: The description is damaged.
    """
    kind = _KINDS[description["kind"]]
    blob, ends, ids, merges, scores = _parts(description["sizes"], data)
    tokens = TokenTable(blob, ends.cast("I"), ids.cast("I"))
    _check_tokens(tokens)
    values: dict[str, Any] = {"tokens": tokens}
    for field in fields(kind):
        if field.name == "explicit_merges":
            values["explicit_merges"] = MergeList(merges.cast("I"))
        elif field.name == "scores":
            values["scores"] = array("d", scores.tobytes())
        elif field.name not in _TABLES | _NOT_NATIVE:
            values[field.name] = _checked(field.name, field.type, description["values"][field.name], tokens)
    model: Model = kind(**values)
    return model


def _parts(sizes: Sequence[int], data: memoryview) -> list[memoryview]:
    out: list[memoryview] = []
    at = 0
    for size, word in zip(sizes, (1, 4, 4, 8, 8), strict=True):
        if type(size) is not int or size < 0 or size % word or at + size > len(data):
            raise ValueError("has a table of the model outside the file")
        out.append(data[at : at + size])
        at += size + -size % ALIGN
    return out


def _check_tokens(tokens: TokenTable) -> None:
    if not _native.is_sound_table(tokens.blob, tokens.ends, tokens.ids, MAX_ID):
        raise ValueError("has a table of tokens that does not fit")


def _checked(name: str, type_: Any, value: Any, tokens: TokenTable) -> Any:
    """Return a parameter, after checking that it has the type of its field."""
    if name == "unk_id":
        sound = value is None or value in tokens
    elif name.endswith("_ids"):
        sound = type(value) is list and all(i in tokens for i in value)
    else:
        sound = type(value).__name__ == type_ and not (type(value) is int and value < 0)
    if not sound:
        raise ValueError(f"model.{name} should not be {value!r:.60}")
    return value
