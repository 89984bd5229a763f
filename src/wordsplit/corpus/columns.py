"""The error for a missing column."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from wordsplit.errors import CorpusError

__all__ = ["MissingColumnError", "lacks_column"]

_NAMED = 20


class MissingColumnError(CorpusError):
    """A file of texts lacks the requested column."""


def lacks_column(column: str, columns: Iterable[str], *, file: str, field: str = "") -> MissingColumnError:
    """Return the error for a missing column. It names the existing columns, the most similar first."""
    names = list(columns)
    alike = difflib.get_close_matches(column, names, n=_NAMED, cutoff=0.5)
    ordered = [*alike, *(name for name in names if name not in alike)]
    shown = ", ".join(map(repr, ordered[:_NAMED])) + (", …" if len(ordered) > _NAMED else "")
    return MissingColumnError(f"no column {column!r}; there are: {shown or 'none'}", file=file, field=field)
