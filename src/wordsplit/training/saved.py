"""What a counts file says beside the counts: by what settings they were made, and of which files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, NamedTuple

from wordsplit.errors import OptionsError, VocabFormatError, WordsplitError
from wordsplit.rules import Normalize, Split
from wordsplit.training.settings import Settings

__all__ = ["Mark", "check_same", "header", "marks_of", "settings_of", "totals_of"]


class Mark(NamedTuple):
    """How far a file has been counted: texts, or bytes of the one text that it is."""

    mark: int
    done: bool = False


def header(settings: Settings, totals: Mapping[str, int], files: Mapping[str, Mark]) -> dict[str, Any]:
    """As JSON has it."""
    return {"settings": asdict(settings), **totals, "files": {name: list(mark) for name, mark in sorted(files.items())}}


def settings_of(saved: dict[str, Any], path: Path, changes: Mapping[str, Any]) -> Settings:
    """The settings of a header, with changes.

    Raises:
        VocabFormatError: The header is damaged.
        OptionsError: A change is not one that counts allow, or no setting.
    """
    names = {field.name for field in fields(Settings)}
    for name in changes:
        if name not in names:
            raise OptionsError(f"{name}= is none of the arguments that saved counts leave open")
    try:
        found = dict(saved["settings"])
        normalizer = found["normalizer"]
        settings = Settings(
            **found
            | {
                "steps": tuple(Split(**step) for step in found["steps"]),
                "special_tokens": tuple(found["special_tokens"]),
                "normalizer": tuple(Normalize(**step) for step in normalizer)
                if isinstance(normalizer, list)
                else normalizer,
            }
        )
    except (KeyError, TypeError, ValueError, WordsplitError) as error:
        raise VocabFormatError(f"is damaged ({error!r})", file=path, field="settings") from None
    changed = Settings(**{field.name: getattr(settings, field.name) for field in fields(Settings)} | dict(changes))
    check_same(settings, changed)
    return changed


def totals_of(saved: dict[str, Any], path: Path) -> dict[str, int]:
    """How many texts, bytes and spans were counted."""
    try:
        return {name: int(saved[name]) for name in ("n_texts", "n_bytes", "n_spans")}
    except (KeyError, TypeError, ValueError) as error:
        raise VocabFormatError(f"is damaged ({error!r})", file=path, field="totals") from None


def marks_of(saved: dict[str, Any], path: Path) -> dict[str, Mark]:
    """How far each file was counted."""
    try:
        return {str(name): Mark(int(mark), bool(done)) for name, (mark, done) in saved["files"].items()}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise VocabFormatError(f"is damaged ({error!r})", file=path, field="files") from None


def check_same(one: Settings, other: Settings) -> None:
    """Raise if counts made by one cannot be used by the other."""
    for name, value in one.counted_by.items():
        if other.counted_by[name] != value:
            raise OptionsError(
                f"counts made with different {name} do not add up: {value!r:.200} and {other.counted_by[name]!r:.200}"
            )
