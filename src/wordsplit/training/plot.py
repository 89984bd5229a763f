"""Plot the frequency of merges."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from wordsplit.errors import OptionsError
from wordsplit.palette import BARS, shortened, visible

if TYPE_CHECKING:
    from wordsplit.training.result import Merge

__all__ = ["check_plot", "plot_merges"]

_SUFFIXES = (".svg", ".png", ".pdf")
_DOTS = 200
"""The number of merges drawn as dots, evenly spaced on the logarithmic axis."""


def check_plot(path: str | os.PathLike[str]) -> None:
    """Raise an error if `plot_merges` cannot write such a file.

    Raises:
        OptionsError: The format is not supported, or Matplotlib is not installed.
    """
    if Path(path).suffix.lower() not in _SUFFIXES:
        raise OptionsError(f"{os.fspath(path)}: a plot is written as {', '.join(_SUFFIXES)}")
    if importlib.util.find_spec("matplotlib") is None:
        raise OptionsError("a plot needs Matplotlib: pip install 'wordsplit[plot]'")


def plot_merges(merges: Sequence[Merge], path: str | os.PathLike[str], title: str = "") -> None:
    """Plot the frequency of each merge against its rank, both on log scales, with the tokens of some merges.

    The file depends only on the arguments and Matplotlib's version.

    Args:
        merges: The merges, in order, as in `BpeTrainer.merges`.
        path: The file; its suffix determines the format: ``.svg``, ``.png`` or ``.pdf``.
        title: The title of the plot.

    Raises:
        OptionsError: There are no merges, the format is not supported, or Matplotlib is not installed.

    Example:
        >>> from wordsplit.training import BpeTrainer
        >>> trainer = BpeTrainer(300).update(["the cat sat on the mat"])
        >>> _ = trainer.train()
        >>> import tempfile
        >>> plot_merges(trainer.merges, tempfile.mkdtemp() + "/merges.svg", "frequency of merges")
    """
    check_plot(path)
    if not merges:
        raise OptionsError("there are no merges to plot")
    import matplotlib as mpl  # noqa: PLC0415 - an extra
    from matplotlib.figure import Figure  # noqa: PLC0415 - as above

    numbers = _spread(len(merges))
    with mpl.rc_context({"svg.hashsalt": "wordsplit", "svg.fonttype": "none", "font.size": 10}):
        figure = Figure(figsize=(8, 5), layout="constrained")
        axes = figure.add_subplot(
            xscale="log", yscale="log", xlabel="merge", ylabel="frequency", title=title, xlim=(0.8, len(merges) * 1.25)
        )
        axes.plot(
            numbers, [merges[number - 1].frequency for number in numbers], color=BARS[0], marker=".", markersize=3
        )
        for number in _powers(len(merges)):
            merge = merges[number - 1]
            label = _plain(merge.left + merge.right)
            axes.annotate(
                f"{label}  {merge.frequency:,}",
                (number, merge.frequency),
                xytext=(6, 6),
                textcoords="offset points",
                fontsize=9,
            )
        axes.grid(visible=True, which="major", color="#dadde3", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
        figure.savefig(path, dpi=150, metadata=undated.get(Path(path).suffix.lower()))


def _spread(n: int) -> list[int]:
    """Return numbers from 1 to ``n``, both included, evenly spaced on a log scale."""
    return sorted({round(n ** (at / (_DOTS - 1))) for at in range(_DOTS)} | {1, n})


def _powers(n: int) -> list[int]:
    """Return 1, 10, 100 and so on, and ``n`` unless it is close to the last one."""
    found = [10**power for power in range(len(str(n)))]
    return found if n < 3 * found[-1] else [*found, n]


def _plain(token: bytes) -> str:
    """Format a token for fonts: letters other than Latin, Greek and Cyrillic by their bytes."""
    text = visible(token)
    known = all(ord(char) < 0x530 or char in "␣↵⇥␍" for char in text)
    return shortened(text if known else f"<{token.hex(' ').upper()}>", 24).replace("$", r"\$")
