"""Automata as values of JSON, for files that belong to one machine."""

from __future__ import annotations

from array import array
from base64 import b64decode, b64encode
from typing import Any

from wordsplit.patterns.automaton import LookaheadAutomaton, SpanAutomaton

__all__ = ["automaton_from", "automaton_to"]


def automaton_to(automaton: SpanAutomaton | LookaheadAutomaton) -> dict[str, Any]:
    """Return an automaton as a value of JSON."""
    values: dict[str, Any] = {
        "first": _to(automaton.first),
        "label": _to(automaton.label),
        "classes": automaton.classes,
    }
    if isinstance(automaton, LookaheadAutomaton):
        tables = {"back": _to(automaton.back), "symbol": _to(automaton.symbol)}
        return values | tables | {"spans": automaton_to(automaton.spans)}
    return values | {"starts": _to(automaton.starts), "next": _to(automaton.next)}


def automaton_from(values: dict[str, Any]) -> SpanAutomaton | LookaheadAutomaton:
    """Return the automaton that `automaton_to` wrote.

    Raises:
        ValueError: The values are of no automaton. `KeyError` and `TypeError` mean the same.
    """
    first, label, classes = _array("I", values["first"]), b64decode(values["label"]), int(values["classes"])
    if "spans" not in values:
        return SpanAutomaton(first, label, classes, _array("H", values["starts"]), _array("H", values["next"]))
    spans = automaton_from(values["spans"])
    if not isinstance(spans, SpanAutomaton):
        raise TypeError("look-ahead within look-ahead")
    return LookaheadAutomaton(first, label, classes, _array("H", values["back"]), b64decode(values["symbol"]), spans)


def _to(data: array[int] | bytes) -> str:
    return b64encode(data.tobytes() if isinstance(data, array) else data).decode("ascii")


def _array(kind: str, text: str) -> array[int]:
    return array(kind, b64decode(text))
