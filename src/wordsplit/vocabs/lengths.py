"""The truncation and padding of a vocab as JSON, in the form that a tokenizer.json has: read and write."""

from __future__ import annotations

from typing import Any

from wordsplit.lengths import DIRECTIONS, SIZE_BITS, STRATEGIES, Padding, Truncation
from wordsplit.vocabs.json_tree import Node, shown

__all__ = ["read_padding", "read_truncation", "written_padding", "written_truncation"]

_SIZE_LIMIT = 1 << SIZE_BITS
_DIRECTIONS = dict(zip(("Right", "Left"), DIRECTIONS, strict=True))
_STRATEGIES = dict(zip(("LongestFirst", "OnlyFirst", "OnlySecond"), STRATEGIES, strict=True))
_LONGEST = "BatchLongest"


def read_truncation(node: Node) -> Truncation | None:
    """Return the truncation; ``None`` if there is none."""
    if node.value is None:
        return None
    node.require_object()
    return Truncation(
        node["max_length"].count(_SIZE_LIMIT),
        node["stride"].count(_SIZE_LIMIT),
        _named(node["strategy"], _STRATEGIES),
        _DIRECTIONS["Right"] if "direction" not in node.value else _named(node["direction"], _DIRECTIONS),
    )


def read_padding(node: Node) -> Padding | None:
    """Return the padding; ``None`` if there is none."""
    if node.value is None:
        return None
    node.require_object()
    multiple = node["pad_to_multiple_of"]
    return Padding(
        _length(node["strategy"]),
        None if multiple.value is None else multiple.count(_SIZE_LIMIT),
        node["pad_id"].count(),
        node["pad_token"].string(),
        node["pad_type_id"].count(),
        _named(node["direction"], _DIRECTIONS),
    )


def written_truncation(truncation: Truncation | None) -> dict[str, Any] | None:
    """Return a truncation as JSON."""
    if truncation is None:
        return None
    return {
        "direction": _written(_DIRECTIONS, truncation.direction),
        "max_length": truncation.max_length,
        "strategy": _written(_STRATEGIES, truncation.strategy),
        "stride": truncation.stride,
    }


def written_padding(padding: Padding | None) -> dict[str, Any] | None:
    """Return a padding as JSON."""
    if padding is None:
        return None
    return {
        "strategy": _LONGEST if padding.length is None else {"Fixed": padding.length},
        "direction": _written(_DIRECTIONS, padding.direction),
        "pad_to_multiple_of": padding.pad_to_multiple_of,
        "pad_id": padding.pad_id,
        "pad_type_id": padding.pad_type_id,
        "pad_token": padding.pad_token,
    }


def _length(node: Node) -> int | None:
    if node.value == _LONGEST:
        return None
    if not isinstance(node.value, dict) or set(node.value) != {"Fixed"}:
        raise node.wrong(f'"{_LONGEST}" or {{"Fixed": a length}}')
    return node["Fixed"].count(_SIZE_LIMIT)


def _named(node: Node, names: dict[str, str]) -> str:
    found = node.string()
    if found not in names:
        raise node.format_error(f"should be one of {', '.join(names)}, found {shown(found)}")
    return names[found]


def _written(names: dict[str, str], own: str) -> str:
    return next(name for name, each in names.items() if each == own)
