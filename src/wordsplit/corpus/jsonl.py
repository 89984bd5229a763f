"""Read JSON Lines, with one text per line."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator
from typing import Any

from wordsplit.corpus.columns import lacks_column
from wordsplit.corpus.lines import lines_of
from wordsplit.errors import CorpusError
from wordsplit.text import to_bytes

__all__ = ["problem_of", "texts"]

_SHOWN = 60


def texts(blocks: Iterable[bytes], column: str, path: str, before: int = 0) -> Iterator[str]:
    """Yield the text of each line: a JSON string, or an object's value under ``column``.

    Empty lines are skipped, and so is ``null`` for a text. A byte order mark at the beginning is skipped.

    Args:
        blocks: The lines, cut anywhere.
        column: The field with the text.
        path: The path of the file, for errors.
        before: The number of lines before these.

    Raises:
        CorpusError: A line is not UTF-8 or JSON, an object lacks the column, or a text is not a string.
    """
    for number, line in enumerate(lines_of(blocks), before + 1):
        text = _text(line.removeprefix(codecs.BOM_UTF8) if number == 1 else line, column, path, f"line {number}")
        if text is not None:
            yield text


def problem_of(line: bytes, column: str, path: str, number: int) -> CorpusError | None:
    """Return why the native reader refuses a line; ``None`` if the line is empty.

    Args:
        line: The line.
        column: The field with the text.
        path: The path of the file, for the message.
        number: The number of the line in the file, from 1.
    """
    where = f"line {number}"
    try:
        text = _text(line, column, path, where)
    except CorpusError as error:
        return error
    return None if text is None else CorpusError("JSON that is nested too deeply", file=path, field=where)


def _text(line: bytes, column: str, path: str, where: str) -> str | None:
    """Return the text of a line, or ``None`` if it is empty or null."""
    value = _value(line, path, where)
    if value is _EMPTY:
        return None
    if isinstance(value, dict):
        if column not in value:
            raise lacks_column(column, value, file=path, field=where)
        value = value[column]
        if value is None:
            return None
        if isinstance(value, str):
            return to_bytes(value, "replace").decode()
        found = f"a text must be a string, not {_shown(value)}"
        raise CorpusError(found, file=path, field=f"{where}, column {column!r}")
    if isinstance(value, str):
        return to_bytes(value, "replace").decode()
    raise CorpusError(f"a line must be a string or an object, not {_shown(value)}", file=path, field=where)


_EMPTY = object()


def _value(line: bytes, path: str, where: str) -> Any:
    """Return the JSON value of a line; `_EMPTY` if the line is empty."""
    try:
        text = line.decode()
        return json.loads(text) if text.strip() else _EMPTY
    except UnicodeDecodeError as error:
        found = f"byte {line[error.start]:#04x} at offset {error.start} is not UTF-8: {error.reason}"
    except json.JSONDecodeError as error:
        found = f"not JSON: {error.msg} at character {error.pos + 1}: {_cut(error.doc[error.pos :])}"
    except RecursionError:
        found = "JSON that is nested too deeply"
    except ValueError as error:  # a number of too many digits
        found = f"JSON that cannot be read: {error}"
    raise CorpusError(found, file=path, field=where)


def _shown(value: Any) -> str:
    kind = {dict: "an object", list: "an array", bool: "a boolean", type(None): "null"}.get(type(value), "a number")
    return f"{kind}: {_cut(json.dumps(value))}" if value is not None else kind


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
