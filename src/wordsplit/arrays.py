"""NumPy, if it is installed, and the integer types of arrays of ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wordsplit.errors import OptionsError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["id_dtype", "numpy"]


def numpy() -> Any:
    """Import NumPy.

    Raises:
        OptionsError: NumPy is not installed.
    """
    try:
        import numpy as np  # noqa: PLC0415 - optional
    except ImportError:
        raise OptionsError("arrays need NumPy: pip install numpy") from None
    return np


def id_dtype(dtype: npt.DTypeLike, max_id: int, name: str) -> np.dtype[Any]:
    """Return a NumPy type, after checking that it can hold every id up to ``max_id``.

    Raises:
        OptionsError: It is not an integer type, or the largest id does not fit.

    Example:
        >>> id_dtype("uint16", 50256, "r50k_base")
        dtype('uint16')
    """
    np = numpy()
    if isinstance(dtype, str) and dtype == "uint32":  # can hold every id, no check needed
        return np.dtype(np.uint32)  # type: ignore[no-any-return]
    use = f"use dtype='{np.min_scalar_type(max_id)}' or a wider one"
    try:
        wanted = np.dtype(dtype)
    except (TypeError, ValueError, SyntaxError):  # NumPy raises any of these, depending on the value
        wanted = None
    if wanted is None or wanted.kind not in "iu":
        raise OptionsError(f"dtype={dtype!r}: ids are integers; {use}")
    end = np.iinfo(wanted).max
    if end < max_id:
        raise OptionsError(f"dtype='{wanted}' ends at {end:,}, and the ids of {name} at {max_id:,}; {use}")
    return wanted  # type: ignore[no-any-return]
