"""The `repr` of a tokenizer as in `tokenizers`: its settings, its added tokens and its components."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wordsplit.lengths import Padding, Truncation
from wordsplit.vocabs.lengths import written_padding, written_truncation

__all__ = ["tokenizer_repr"]


def tokenizer_repr(
    truncation: Truncation | None,
    padding: Padding | None,
    added_tokens: Iterable[Mapping[str, Any]],
    components: Mapping[str, Any],
) -> str:
    """Return the representation of a tokenizer.

    Args:
        truncation: Its truncation.
        padding: Its padding.
        added_tokens: The added tokens as in a tokenizer.json.
        components: The components by field, in order.
    """
    parts = {
        "version": '"1.0"',
        "truncation": _settings("TruncationParams", written_truncation(truncation)),
        "padding": _settings("PaddingParams", written_padding(padding)),
        "added_tokens": f"[{', '.join(map(_object, added_tokens))}]",
        **{name: repr(value) for name, value in components.items()},
    }
    return f"Tokenizer({', '.join(f'{name}={shown}' for name, shown in parts.items())})"


def _settings(kind: str, values: Mapping[str, Any] | None) -> str:
    if values is None:
        return "None"
    return f"{kind}({', '.join(f'{name}={_setting(name, value)}' for name, value in values.items())})"


def _setting(name: str, value: Any) -> str:
    if isinstance(value, dict):  # a strategy with a number
        ((kind, number),) = value.items()
        return f"{kind}({number})"
    return f'"{value}"' if name == "pad_token" else str(value)


def _object(values: Mapping[str, Any]) -> str:
    return "{" + ", ".join(f'"{name}":{_value(value)}' for name, value in values.items()) + "}"


def _value(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)
