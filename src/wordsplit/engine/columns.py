"""Columns of texts, read from any object with Arrow data. The native module reads them without a copy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wordsplit.errors import ArrowError, InputTypeError, OptionsError, WordsplitError
from wordsplit.text import is_unicode

if TYPE_CHECKING:
    from types import ModuleType

    from wordsplit import _native

__all__ = ["native_errors", "native_module", "text_column"]


def native_module() -> ModuleType:
    """Return the native module.

    Raises:
        WordsplitError: It is missing.
    """
    try:
        from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it
    except ImportError as error:
        raise WordsplitError(
            f"Arrow data needs wordsplit's native module, which cannot be imported: {error}. Install wordsplit again, "
            "with a C++ compiler (see the README), or use encode_batch(), which takes a list of texts"
        ) from error
    return _native


@contextmanager
def native_errors() -> Iterator[None]:
    """Convert the errors of the native module about Arrow data."""
    try:
        yield
    except TypeError as error:
        raise InputTypeError(f"Arrow data: {error}") from error
    except ValueError as error:
        raise ArrowError(f"Arrow data: {error}") from error
    except OverflowError as error:
        raise OptionsError(f"Arrow data: {error}") from error


def text_column(data: object, field: str | None = None) -> _native.TextColumn:
    """Read a column of texts, as views of the memory of the data.

    Args:
        data: An object with ``__arrow_c_stream__`` or ``__arrow_c_array__``; a stream is read to its end. The texts are
            strings or binary values of any layout, a dictionary of these, or nulls.
        field: The field of structs that holds the texts, such as a column of a table; ``"a.b"`` is the field ``b`` of
            the field ``a``. ``None`` if the data are the texts themselves.

    Raises:
        InputTypeError: The data are not Arrow data, hold no texts, or have no such field.
        ArrowError: They break the specification, or the stream fails.
    """
    native = native_module()
    if field is not None and not isinstance(field, str):
        raise InputTypeError(f"field must be a str, not {type(field).__name__}")
    if field is not None and not is_unicode(field):
        raise InputTypeError(f"field={field!r:.100}: no field has a name with lone surrogates")
    if not hasattr(data, "__arrow_c_stream__") and not hasattr(data, "__arrow_c_array__"):
        raise InputTypeError(
            f"give Arrow data, such as a column of pyarrow or polars (an object with __arrow_c_stream__ or "
            f"__arrow_c_array__), not {type(data).__name__}; encode_batch_to_numpy() takes a list of texts"
        )
    with native_errors():
        found: _native.TextColumn = native.TextColumn.from_arrow(data, field)
    return found
