"""The distribution of an installed stand-in, as `importlib.metadata` shows it."""

from __future__ import annotations

import os
from importlib.metadata import Distribution
from pathlib import Path

__all__ = ["StandIn"]


class StandIn(Distribution):
    """A distribution that has the original's name, and the version that the stand-in implements.

    Args:
        name: The name.
        version: The version.
        folder: The folder that holds the package.
    """

    def __init__(self, name: str, version: str, folder: Path) -> None:
        self._files = {
            "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: wordsplit.compat.{name}\n",
            "top_level.txt": f"{name}\n",
        }
        self._folder = folder

    def read_text(self, filename: str) -> str | None:
        """Return the text of a file of metadata."""
        return self._files.get(filename)

    def locate_file(self, path: str | os.PathLike[str]) -> Path:
        """Return where a file of the package is."""
        return self._folder / path
