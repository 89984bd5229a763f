"""Arrow arrays of documents and keys, built from their buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wordsplit.arrays import numpy
from wordsplit.corpus.formats.ids import checked
from wordsplit.corpus.formats.keys import Keys
from wordsplit.errors import OptionsError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

__all__ = ["id_lists", "require_pyarrow", "schema_of", "strings"]


def require_pyarrow() -> None:
    """Check that `pyarrow` is installed.

    Raises:
        OptionsError: It is not.
    """
    try:
        import pyarrow  # noqa: F401, ICN001, PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise OptionsError(f"Parquet needs pyarrow: pip install 'wordsplit[corpus]' ({error})") from error


def schema_of(dtype: str, *, has_keys: bool, metadata: dict[str, str] | None = None) -> pa.Schema:
    """Return the schema of documents: ``input_ids`` and, with keys, ``id``."""
    import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import

    fields = [pa.field("input_ids", pa.list_(pa.type_for_alias(dtype)))]
    if has_keys:
        fields.append(pa.field("id", pa.string()))
    return pa.schema(fields, metadata=metadata)


def id_lists(ids: npt.NDArray[Any], ends: npt.NDArray[np.int64], dtype: str) -> pa.ListArray:
    """Return documents as an array of lists. Ids that have the type already are not copied.

    Args:
        ids: The ids of all documents; fewer than 2**31.
        ends: Where each document ends in ``ids``.
        dtype: The type of the values.

    Raises:
        InvalidTokenIdError: The type cannot hold an id.

    Example:
        >>> import numpy as np
        >>> id_lists(np.array([5, 6, 7], np.uint32), np.array([2, 2, 3]), "uint16").to_pylist()
        [[5, 6], [], [7]]
    """
    import pyarrow as pa  # noqa: PLC0415 - as above

    np = numpy()
    checked(ids, int(np.iinfo(dtype).max), dtype)
    values = np.ascontiguousarray(ids, dtype)
    offsets = np.zeros(len(ends) + 1, np.int32)
    offsets[1:] = ends
    held = pa.Array.from_buffers(pa.type_for_alias(dtype), len(values), [None, pa.py_buffer(values)])
    return pa.ListArray.from_arrays(pa.array(offsets), held)


def strings(keys: Keys) -> pa.StringArray:
    """Return keys as an array of strings.

    Example:
        >>> strings(Keys.of(["a", "", "é"])).to_pylist()
        ['a', '', 'é']
    """
    import pyarrow as pa  # noqa: PLC0415 - as above

    np = numpy()
    offsets = np.zeros(len(keys.ends) + 1, np.int64)
    offsets[1:] = keys.ends
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(keys.data)]
    return pa.Array.from_buffers(pa.large_string(), len(keys.ends), buffers).cast(pa.string())
