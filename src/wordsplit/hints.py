"""Names for annotations that tools evaluate at run time (`typing.get_type_hints`), and that cost nothing on import.

An annotation names a type of another package or module as an attribute of a module that imports it when the annotation
is evaluated: this one for what most programs never import, `wordsplit.features` for its modules.

>>> import typing
>>> from wordsplit import Tokenizer
>>> typing.get_type_hints(Tokenizer.show)["return"]
<class 'wordsplit.features.show.Shown'>
"""

from __future__ import annotations

import sys
import typing
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Self

    from wordsplit import _native as native
elif sys.version_info >= (3, 11):
    from typing import Self
else:
    Self = typing.TypeVar("Self")

__all__ = ["Self", "native", "np", "npt"]

_MODULES = {"native": "wordsplit._native", "np": "numpy", "npt": "numpy.typing"}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(_MODULES[name])
