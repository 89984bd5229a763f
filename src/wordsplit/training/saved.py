"""The header of a counts file: the settings of the counts, and the files that were counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from wordsplit.errors import OptionsError, VocabFormatError
from wordsplit.rules import Normalize, step_of
from wordsplit.training.settings import Settings

__all__ = ["Mark", "check_same", "header", "marks_of", "settings_of", "totals_of"]


class Mark(NamedTuple):
    """The position up to which a file was counted: a number of texts, or of bytes if the file is one text."""

    mark: int
    done: bool = False


def header(
    settings: Settings, rules: dict[str, Any], totals: Mapping[str, int], files: Mapping[str, Mark]
) -> dict[str, Any]:
    """Return the header as JSON values; ``rules`` are `counting.counted_by`."""
    marks = {name: list(mark) for name, mark in sorted(files.items())}
    return {"settings": asdict(settings), "counted_by": rules, **totals, "files": marks}


def settings_of(saved: dict[str, Any], path: Path, changes: Mapping[str, Any]) -> Settings:
    """Return the settings of a header, with changes.

    Raises:
        VocabFormatError: The header is damaged.
        OptionsError: A setting cannot be changed, or has an invalid value.
    """
    left_open = {field.name for field in fields(Settings)} - {"steps", "normalizer"}
    for name in changes:
        if name not in left_open:
            raise OptionsError(f"{name}= cannot be changed for saved counts; {', '.join(sorted(left_open))} can")
    try:
        found = dict(saved["settings"])
        steps, normalizer, literals = found["steps"], found["normalizer"], found["special_tokens"]
        found["steps"] = tuple(step_of(step) for step in steps)
        found["special_tokens"] = tuple(literals)
        if isinstance(normalizer, list):
            found["normalizer"] = tuple(Normalize(**step) for step in normalizer)
        settings = Settings(**found)
    except (KeyError, TypeError, ValueError) as error:
        raise VocabFormatError(f"is damaged ({error!r})", file=path, field="settings") from None
    return replace(settings, **changes)


def totals_of(saved: dict[str, Any], path: Path) -> dict[str, int]:
    """Return the numbers of texts, bytes and spans counted."""
    try:
        return {name: int(saved[name]) for name in ("n_texts", "n_bytes", "n_spans")}
    except (KeyError, TypeError, ValueError) as error:
        raise VocabFormatError(f"is damaged ({error!r})", file=path, field="totals") from None


def marks_of(saved: dict[str, Any], path: Path) -> dict[str, Mark]:
    """Return the position up to which each file was counted."""
    try:
        return {str(name): Mark(int(mark), bool(done)) for name, (mark, done) in saved["files"].items()}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise VocabFormatError(f"is damaged ({error!r})", file=path, field="files") from None


def check_same(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Raise an error if counts made with one set of rules (`counting.counted_by`) are incompatible with the other.

    Raises:
        OptionsError: The rules differ.
    """
    for name, value in one.items():
        if other.get(name) != value:
            raise OptionsError(
                f"the counts were made with a different {name}: {value!r:.200}, but here it is {other.get(name)!r:.200}"
            )
