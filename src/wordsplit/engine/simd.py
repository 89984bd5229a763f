"""The SIMD level: the instruction set that the native engine uses."""

from __future__ import annotations

import os
from typing import Literal, cast, get_args

from wordsplit.errors import OptionsError

__all__ = ["SimdLevel", "simd_level"]

SimdLevel = Literal["avx512", "avx2", "neon", "scalar"]


def simd_level() -> SimdLevel:
    """Return the SIMD level of the tokenizers built from now on: the instruction set that their native code uses.

    It is the fastest that the machine has, or the one named by the environment variable ``WORDSPLIT_SIMD``. All levels
    give the same ids. A pure-Python build has ``"scalar"`` alone.

    Raises:
        OptionsError: ``WORDSPLIT_SIMD`` does not name a level, or names one that the machine lacks.

    Example:
        >>> import wordsplit
        >>> wordsplit.simd_level() in ("avx512", "avx2", "neon", "scalar")
        True
    """
    levels = _available()
    wanted = os.environ.get("WORDSPLIT_SIMD") or "best"
    if wanted == "best":
        return levels[0]
    known = get_args(SimdLevel)
    if wanted not in known:
        raise OptionsError(f"WORDSPLIT_SIMD={wanted!r}: use one of {_listed(('best', *known))}")
    for level in levels:
        if level == wanted:
            return level
    raise OptionsError(f"WORDSPLIT_SIMD={wanted!r}: this machine has only {_listed(levels)}")


def _available() -> list[SimdLevel]:
    """Return the levels of this machine, the fastest first."""
    try:
        from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it
    except ImportError:
        return ["scalar"]
    return cast("list[SimdLevel]", _native.simd_levels()[::-1])


def _listed(names: tuple[str, ...] | list[SimdLevel]) -> str:
    return ", ".join(map(repr, names))
