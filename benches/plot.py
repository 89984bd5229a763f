"""The plot: warm speed of each library, one panel a call, one group of bars a corpus."""

# ruff: noqa: PLC0415 - optional

from __future__ import annotations

from pathlib import Path

PANELS = ("list", "batch", "flat")
TITLES = {"list": "str → list, one at a time", "batch": "batch → lists, all cores", "flat": "batch → flat, all cores"}


def draw(speeds: dict, path: Path, about: dict) -> bool:
    """Draw it, of the first vocab. False where Matplotlib is not installed, or nothing was timed."""
    try:
        import matplotlib as mpl
    except ImportError:
        return False
    mpl.use("svg")
    from matplotlib import pyplot as plt

    cells = {key: cell for key, cell in speeds.items() if key[0] in PANELS and key[3] == about["cores"]}
    if not cells:
        return False
    vocab = next(iter(cells))[1]
    corpora = list(dict.fromkeys(key[2] for key in cells))
    names = list(dict.fromkeys(name for cell in cells.values() for name in cell))
    figure, panels = plt.subplots(1, len(PANELS), figsize=(15, 4.5), sharey=False)
    width = 0.85 / len(names)
    at = "steady" if any("steady" in found for cell in cells.values() for found in cell.values()) else "warm"
    for panel, call in zip(panels, PANELS, strict=True):
        for number, name in enumerate(names):
            heights = [cells.get((call, vocab, c, about["cores"]), {}).get(name, {}).get(at, 0) for c in corpora]
            places = [group + width * number for group in range(len(corpora))]
            panel.bar(places, heights, width, label=name, color="black" if name == "wordsplit" else f"C{number}")
        panel.set_title(TITLES[call])
        panel.set_xticks([group + 0.42 for group in range(len(corpora))], corpora)
        panel.set_ylabel(f"MB/s, {at}")
    panels[-1].legend(fontsize="small", loc="upper left", bbox_to_anchor=(1, 1))
    figure.suptitle(f"{vocab}, {about['processor']}, {about['cores']} cores; wordsplit {about['commit']}")
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)
    return True
