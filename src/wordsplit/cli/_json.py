"""JSON output: ``--json`` writes JSON Lines, one object per line; ``--json-array`` writes one array of objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import click

from wordsplit.cli._output import write, write_blocks

__all__ = ["emit_json", "emit_json_with", "finish_json", "json_option"]

_STATE = "wordsplit.json"


class _Array:
    """The state of an array that is being written."""

    def __init__(self) -> None:
        self.begun = False


def _note(ctx: click.Context, _: click.Parameter, value: str | None) -> str | None:
    if value == "array":
        ctx.meta[_STATE] = _Array()
    return value


def json_option(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options ``--json`` and ``--json-array``, passed as ``as_json``."""
    name = "as_json"
    array = click.option("--json-array", name, flag_value="array", callback=_note, help="Print one JSON array.")
    lines = click.option("--json", name, flag_value="lines", help="Print JSON Lines: one object per line.")
    return lines(array(command))


def emit_json(value: dict[str, Any]) -> None:
    """Print one JSON object."""
    _begin()
    write(_dumped(value))
    _end()


def emit_json_with(value: dict[str, Any], key: str, items: Iterable[bytes], last: Callable[[], dict[str, Any]]) -> None:
    """Print one JSON object with one long value, without holding that in memory.

    Args:
        value: The fields before the long value.
        key: The name of the long value.
        items: The long value in pieces of JSON.
        last: Called at the end; returns the fields after the long value.
    """
    _begin()
    write(_dumped(value)[:-1] + f', "{key}": ')
    write_blocks(items)
    rest = _dumped(last())[1:]
    write(f", {rest}" if rest != "}" else rest)
    _end()


def finish_json(ctx: click.Context, *, done: bool) -> None:
    """End the array, if one was requested. A command that failed before its first object prints no array."""
    state = ctx.meta.get(_STATE)
    if state is not None and (done or state.begun):
        write("\n]\n" if state.begun else "[]\n")


def _begin() -> None:
    state = click.get_current_context().meta.get(_STATE)
    if state is not None:
        write(",\n" if state.begun else "[\n")
        state.begun = True


def _end() -> None:
    if _STATE not in click.get_current_context().meta:
        write("\n")


def _dumped(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
