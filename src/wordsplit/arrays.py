"""NumPy, if it is there, and the types that arrays of ids may have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wordsplit.errors import OptionsError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from wordsplit.vocab import Vocab

__all__ = ["id_dtype", "numpy"]


def numpy() -> Any:
    """The NumPy module.

    Raises:
        OptionsError: It is not installed.
    """
    try:
        import numpy as np  # noqa: PLC0415 - optional
    except ImportError:
        raise OptionsError("arrays need NumPy: pip install numpy") from None
    return np


def id_dtype(dtype: npt.DTypeLike, vocab: Vocab) -> np.dtype[Any]:
    """A type that can hold every id of a vocab, whatever text is encoded.

    Raises:
        OptionsError: It is no type of integers, or the largest id does not fit.

    Example:
        >>> import wordsplit
        >>> id_dtype("uint16", wordsplit.load_vocab("r50k_base"))
        dtype('uint16')
    """
    np = numpy()
    use = f"use dtype='{np.min_scalar_type(vocab.max_id)}' or a wider one"
    try:
        wanted = np.dtype(dtype)
    except (TypeError, ValueError, SyntaxError):  # which of them depends on how little NumPy understood
        wanted = None
    if wanted is None or wanted.kind not in "iu":
        raise OptionsError(f"dtype={dtype!r}: ids are integers; {use}")
    end = np.iinfo(wanted).max
    if end < vocab.max_id:
        raise OptionsError(f"dtype='{wanted}' ends at {end:,}, and the ids of {vocab.name} at {vocab.max_id:,}; {use}")
    return wanted  # type: ignore[no-any-return]
