"""The padding and truncation settings of a tokenizer."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from wordsplit.errors import OptionsError

__all__ = ["Padding", "Truncation"]

_DIRECTIONS = {"right": "Right", "left": "Left"}
_STRATEGIES = {"longest_first": "LongestFirst", "only_first": "OnlyFirst", "only_second": "OnlySecond"}


@dataclass(frozen=True)
class Padding:
    """Padding settings; the fields are the arguments of `Tokenizer.enable_padding`."""

    length: int | None = None
    pad_to_multiple_of: int | None = None
    pad_id: int = 0
    pad_token: str = "[PAD]"  # noqa: S105 - a token of text
    pad_type_id: int = 0
    direction: str = "right"

    def __post_init__(self) -> None:
        _one_of("direction", self.direction, _DIRECTIONS)

    def asdict(self) -> dict[str, Any]:
        """Return the fields."""
        return asdict(self)

    def to_json(self) -> dict[str, Any]:
        """Return the settings as in a tokenizer.json."""
        return {
            "strategy": "BatchLongest" if self.length is None else {"Fixed": self.length},
            "direction": _DIRECTIONS[self.direction],
            "pad_to_multiple_of": self.pad_to_multiple_of,
            "pad_id": self.pad_id,
            "pad_type_id": self.pad_type_id,
            "pad_token": self.pad_token,
        }

    @classmethod
    def read(cls, node: dict[str, Any] | None) -> Padding | None:
        """Read the settings of a tokenizer.json."""
        if node is None:
            return None
        length = None if node["strategy"] == "BatchLongest" else node["strategy"]["Fixed"]
        return cls(
            length,
            node["pad_to_multiple_of"],
            node["pad_id"],
            node["pad_token"],
            node["pad_type_id"],
            node["direction"].lower(),
        )


@dataclass(frozen=True)
class Truncation:
    """Truncation settings; the fields are the arguments of `Tokenizer.enable_truncation`."""

    max_length: int
    stride: int = 0
    strategy: str = "longest_first"
    direction: str = "right"

    def __post_init__(self) -> None:
        _one_of("direction", self.direction, _DIRECTIONS)
        _one_of("strategy", self.strategy, _STRATEGIES)

    def asdict(self) -> dict[str, Any]:
        """Return the fields."""
        return asdict(self)

    def to_json(self) -> dict[str, Any]:
        """Return the settings as in a tokenizer.json."""
        return {
            "direction": _DIRECTIONS[self.direction],
            "max_length": self.max_length,
            "strategy": _STRATEGIES[self.strategy],
            "stride": self.stride,
        }

    @classmethod
    def read(cls, node: dict[str, Any] | None) -> Truncation | None:
        """Read the settings of a tokenizer.json."""
        if node is None:
            return None
        strategy = {name: own for own, name in _STRATEGIES.items()}[node["strategy"]]
        return cls(node["max_length"], node["stride"], strategy, node.get("direction", "Right").lower())


def _one_of(name: str, value: str, allowed: dict[str, str]) -> None:
    if value not in allowed:
        raise OptionsError(f"{name}={value!r}: use one of {', '.join(map(repr, allowed))}")
