"""Numbers as `tokenizers` reads them.

Its JSON parser, serde_json, multiplies or divides the digits by a power of ten, which rounds twice. So one score in
three differs from what is written by the last bit. That decides between paths through a text whose sums would be equal,
such as the same tokens in another order.
"""

from __future__ import annotations

import math
import re

__all__ = ["rounded_as_by_serde", "rounded_in_python"]

_NUMBER = re.compile(r"(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?")
_MOST = (1 << 64) - 1
_LARGEST_POWER = 308


def rounded_in_python(spelled: str) -> float:
    """Return a number with a fraction or an exponent.

    Example:
        >>> rounded_in_python("-9.313225746154785"), float("-9.313225746154785")
        (-9.313225746154783, -9.313225746154785)
    """
    found = _NUMBER.fullmatch(spelled)
    if found is None:
        raise ValueError("not a number of JSON")
    sign, whole, fraction, power = found.groups()
    significand, exponent, full = 0, int(power or 0), False
    for digits, step in ((whole, 0), (fraction or "", -1)):
        for digit in digits:
            larger = significand * 10 + int(digit)
            full = full or larger > _MOST
            if not full:
                significand, exponent = larger, exponent + step
            elif not step:
                exponent += 1  # digits that do not fit are dropped
    value = _scaled(float(significand), exponent)
    return -value if sign else value


def _scaled(value: float, exponent: int) -> float:
    while abs(exponent) > _LARGEST_POWER:
        if not value or exponent > 0:
            return math.inf if value else 0.0
        value /= 1e308
        exponent += _LARGEST_POWER
    return value * float(f"1e{exponent}") if exponent >= 0 else value / float(f"1e{-exponent}")


try:
    from wordsplit._native import rounded_as_by_serde
except ImportError:  # a pure-Python build
    rounded_as_by_serde = rounded_in_python
