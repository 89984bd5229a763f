"""Unicode classes as in the oracles (version 16.0), independent of the versions in Python and `regex`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from wordsplit.unicode.data import CATEGORIES, CLASS_RUNS, HAN, SPACE, WORD

__all__ = ["class_name_known", "class_runs", "members"]

LIMIT = 0x110000
_FLAGS = {"s": SPACE, "Han": HAN, "w": WORD}


def class_runs() -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, class byte) for each run of code points of one class, end exclusive."""
    start = 0
    for i in range(0, len(CLASS_RUNS), 2):
        start += CLASS_RUNS[i]
        end = start + CLASS_RUNS[i + 2] if i + 2 < len(CLASS_RUNS) else LIMIT
        yield start, end, CLASS_RUNS[i + 1]


def class_name_known(name: str) -> bool:
    r"""Return whether `members` knows a class: a category (``Lu``), a group (``L``), ``s``, ``w`` or ``Han``."""
    return name in _FLAGS or any(category.startswith(name) for category in CATEGORIES)


@cache
def members(name: str) -> bytes:
    r"""Return one byte per code point, 1 if it belongs to the class.

    Args:
        name: The name in ``\p{…}`` (``L``, ``Lu``, ``N``, ``Han``), or ``s`` or ``w``.

    Example:
        >>> members("L")[ord("é")], members("s")[0x85], members("s")[0x1C]
        (1, 1, 0)
    """
    flag = _FLAGS.get(name)
    wanted = {i for i, category in enumerate(CATEGORIES) if category.startswith(name)}
    return b"".join(
        bytes([bool(cls & flag) if flag else (cls & 31) in wanted]) * (end - start) for start, end, cls in class_runs()
    )
