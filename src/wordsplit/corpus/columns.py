"""The error for a column that is not there."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from wordsplit.errors import CorpusError

__all__ = ["MissingColumnError", "lacks_column"]

_NAMED = 20


class MissingColumnError(CorpusError):
    """A file of texts that lacks the column asked for."""


def lacks_column(column: str, columns: Iterable[str], *, file: str, field: str = "") -> MissingColumnError:
    """What to raise where the column is not among those that there are; it names them, the most alike first."""
    names = list(columns)
    alike = difflib.get_close_matches(column, names, n=_NAMED, cutoff=0.5)
    ordered = [*alike, *(name for name in names if name not in alike)]
    shown = ", ".join(map(repr, ordered[:_NAMED])) + (", …" if len(ordered) > _NAMED else "")
    return MissingColumnError(f"no column {column!r}; there are: {shown or 'none'}", file=file, field=field)
