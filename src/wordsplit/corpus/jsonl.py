"""Read JSON Lines, with one text per line."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator
from typing import Any

from wordsplit.corpus.columns import lacks_column
from wordsplit.corpus.lines import lines_of
from wordsplit.errors import CorpusError

__all__ = ["texts"]

_SHOWN = 60


def texts(blocks: Iterable[bytes], column: str, path: str) -> Iterator[str]:
    """Yield the text of each line: a JSON string, or an object's value under ``column``.

    Empty lines are skipped, and so is ``null`` for a text. A byte order mark at the beginning is skipped.

    Raises:
        CorpusError: A line is not UTF-8 or JSON, an object lacks the column, or a text is not a string.
    """
    for number, line in enumerate(lines_of(blocks), 1):
        value = _value(line.removeprefix(codecs.BOM_UTF8) if number == 1 else line, path, number)
        if value is _EMPTY:
            continue
        if isinstance(value, dict):
            if column not in value:
                raise lacks_column(column, value, file=path, field=f"line {number}")
            value = value[column]
            if value is None:
                continue
            if not isinstance(value, str):
                found = f"a text must be a string, not {_shown(value)}"
                raise CorpusError(found, file=path, field=f"line {number}, column {column!r}")
        elif not isinstance(value, str):
            found = f"a line must be a string or an object, not {_shown(value)}"
            raise CorpusError(found, file=path, field=f"line {number}")
        yield value


_EMPTY = object()


def _value(line: bytes, path: str, number: int) -> Any:
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
    raise CorpusError(found, file=path, field=f"line {number}")


def _shown(value: Any) -> str:
    kind = {dict: "an object", list: "an array", bool: "a boolean", type(None): "null"}.get(type(value), "a number")
    return f"{kind}: {_cut(json.dumps(value))}" if value is not None else kind


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
