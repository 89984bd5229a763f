"""Options of an engine: registry names and plain values."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Literal, TypeVar

from wordsplit.errors import OptionsError
from wordsplit.registry import nearest

__all__ = ["EngineOptions"]

AnyOptions = TypeVar("AnyOptions", bound="EngineOptions")

_CHOICES = {"engine": ("native", "python"), "errors": ("replace", "strict"), "missing_bytes": ("as_vocab", "error")}


@cache
def _default_engine() -> Literal["native", "python"]:
    """Return ``"native"``, or ``"python"`` in a pure-Python wheel, which has neither the native module nor its stub.

    The stub alone is enough, so that a build whose module is missing is reported when a tokenizer is built. So is the
    module alone: frozen programs have no stubs.
    """
    if (Path(__file__).parent / "_native.pyi").exists():
        return "native"
    from importlib.util import find_spec  # noqa: PLC0415 - rarely needed

    return "native" if find_spec("wordsplit._native") else "python"


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """The fields of `wordsplit.TokenizerOptions`, where they are documented.

    Raises:
        OptionsError: A field has an invalid value.
    """

    spanner: str = "auto"
    encoder: str = "auto"
    long_encoder: str = "auto"
    long_span: int = 128
    engine: Literal["native", "python"] = field(default_factory=_default_engine)
    errors: Literal["replace", "strict"] = "replace"
    missing_bytes: Literal["as_vocab", "error"] = "as_vocab"
    add_bos: bool | None = None
    add_eos: bool | None = None
    cache_bytes: int = 64 << 20

    def __post_init__(self) -> None:
        for name, allowed in _CHOICES.items():
            if getattr(self, name) not in allowed:
                raise OptionsError(f"{name}={getattr(self, name)!r}: use one of {', '.join(map(repr, allowed))}")
        for name in ("spanner", "encoder", "long_encoder"):
            if not isinstance(getattr(self, name), str):
                raise OptionsError(f"{name}={getattr(self, name)!r}: give a registered name")
        for name in ("long_span", "cache_bytes"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 63:
                raise OptionsError(f"{name}={value!r}: give a number of bytes, 0 or more and less than 2**63")
        for name in ("add_bos", "add_eos"):
            if getattr(self, name) not in (None, True, False):
                raise OptionsError(f"{name}={getattr(self, name)!r}: use True, False or None")

    def to_json(self) -> str:
        """Return the options as a JSON object."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls: type[AnyOptions], text: str) -> AnyOptions:  # noqa: PYI019 - Self came with Python 3.11
        """Read options from a JSON object, as `to_json` writes it. Missing fields have their defaults.

        Raises:
            OptionsError: The text is not a JSON object, or has an unknown field.
        """
        try:
            values = json.loads(text)
        except (TypeError, ValueError) as error:
            raise OptionsError(f"options are not JSON: {error}") from None
        if not isinstance(values, dict):
            raise OptionsError(f"options must be a JSON object, not {type(values).__name__}")
        known = [field.name for field in fields(cls)]
        for name in values:
            if name not in known:
                raise OptionsError(f"no option {name!r}. {nearest(name, known)}")
        return cls(**values)
