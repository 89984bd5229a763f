"""Components of a tokenizer.json as values: normalizers, pre-tokenizers, models, post-processors and decoders.

Each kind is a dataclass with the constructor of its namesake in `tokenizers`. The metadata of a field say how it is
written, where that is not its name and its value: a ``name``, a ``codec``. All else is the same for every kind: how it
is read and written, pickled and shown.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, NamedTuple, NoReturn

from wordsplit.compat.errors import NotSupportedError
from wordsplit.compat.missing_names import Explained
from wordsplit.errors import InputTypeError, OptionsError

__all__ = [
    "BASE64",
    "BEHAVIOR",
    "PAIR",
    "PARTS",
    "PATTERN",
    "PLAIN",
    "WORD",
    "Codec",
    "Component",
    "Listed",
    "Regex",
    "check_metaspace",
    "node_of",
]

_SCHEMES = ("first", "never", "always")
_MOST_SHOWN = 100  # items of a vocab


@dataclass(frozen=True, repr=False)
class Regex(Explained):
    """A pattern that is a regular expression, in the dialect of `tokenizers` (Oniguruma's).

    Attributes:
        pattern: The regular expression.

    Example:
        >>> from wordsplit.compat.tokenizers import Regex, pre_tokenizers
        >>> pre_tokenizers.Split(Regex("[0-9]"), "isolated").pre_tokenize_str("a12")
        [('a', (0, 1)), ('1', (1, 2)), ('2', (2, 3))]
    """

    pattern: str

    def __repr__(self) -> str:
        return f'Regex("{self.pattern}")'


class Codec(NamedTuple):
    """The spelling of a field.

    Attributes:
        write: Returns its JSON value.
        read: Returns the value of a JSON value, for a kind of component.
        show: Returns it as in the ``repr`` of the component.
    """

    write: Callable[[Any], Any]
    read: Callable[[Any, type[Component]], Any]
    show: Callable[[Any], str]


@dataclass(repr=False, eq=False)
class Component(Explained):
    """A component of a tokenizer.json, as a value.

    A class derived from it directly is a family, such as the normalizers; one derived from that is a kind of it, whose
    name is the ``type`` in the file. Reading one from a tokenizer returns a copy: change it, then set it.
    """

    kinds: ClassVar[dict[str, type[Component]]] = {}
    """The kinds of the family, by name."""
    written_order: ClassVar[tuple[str, ...]] = ()
    """The fields in the order in which they are written and shown, if it is not that of the constructor."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if Component in cls.__bases__:
            cls.kinds = {}
        else:
            cls.kinds[cls.__name__] = cls

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Make an empty object.

        Raises:
            InputTypeError: The class is a family. (A `TypeError`.)
        """
        del args, kwargs
        if cls.kinds.get(cls.__name__) is not cls:
            raise InputTypeError(f"{cls.__name__} is of no kind; use one of {', '.join(cls.kinds)}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        self.to_json()  # raises for a value that cannot be written

    def to_json(self) -> dict[str, Any]:
        """Return the component as in a tokenizer.json.

        Raises:
            OptionsError: A field has an invalid value. (A `ValueError`.)
            InputTypeError: A field has a value of another type. (A `TypeError`.)
        """
        own = {name: codec.write(getattr(self, attribute)) for attribute, name, codec in _written(type(self))}
        return {"type": type(self).__name__} | own

    @classmethod
    def from_json(cls, node: dict[str, Any]) -> Any:
        """Read a component of this family as in a tokenizer.json.

        Raises:
            NotSupportedError: There is no such kind.
        """
        name = cls.kind_of(node)
        kind = cls.kinds.get(name)
        if kind is None:
            raise NotSupportedError(f"{cls.__name__} {name!r}: use one of {', '.join(cls.kinds)}")
        found = kind.__new__(kind)
        found._read(node)  # noqa: SLF001 - its own
        return found

    @staticmethod
    def kind_of(node: dict[str, Any]) -> str:
        """Return the name of the kind of a component as in a tokenizer.json."""
        kind: str = node["type"]
        return kind

    def _read(self, node: dict[str, Any]) -> None:
        for each, (attribute, name, codec) in zip(fields(self), _stored(type(self)), strict=True):
            if name in node:
                value = codec.read(node[name], type(self))
            else:
                value = each.default if each.default_factory is MISSING else each.default_factory()
            setattr(self, attribute, value)

    @staticmethod
    def custom(obj: object) -> NoReturn:
        """Not supported: components written in Python.

        Raises:
            NotSupportedError: Always.
        """
        raise NotSupportedError(f"{type(obj).__name__}: components written in Python are not supported")

    def __getstate__(self) -> bytes:
        return json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":")).encode()

    def __setstate__(self, state: bytes) -> None:
        self._read(json.loads(state))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.to_json() == self.to_json()

    def __hash__(self) -> int:
        return hash(type(self))  # its fields may change

    def __repr__(self) -> str:
        shown = [f"{name}={codec.show(getattr(self, attribute))}" for attribute, name, codec in _written(type(self))]
        return f"{type(self).__name__}({', '.join(shown)})"


class Listed:
    """A component that is a list of others of its family."""

    def _items(self) -> list[Any]:
        ((attribute, _, _),) = _stored(type(self))  # type: ignore[arg-type]
        items: list[Any] = getattr(self, attribute)
        return items

    def __len__(self) -> int:
        """Return the number of components."""
        return len(self._items())

    def __getitem__(self, index: int) -> Any:
        """Return a component."""
        return self._items()[index]

    def __setitem__(self, index: int, value: Any) -> None:
        """Replace a component."""
        self._items()[index] = value


def node_of(value: Any) -> Any:
    """Return a component as in a tokenizer.json: one of the stand-in or of `tokenizers`.

    Raises:
        InputTypeError: It is something else. (A `TypeError`.)
        NotSupportedError: It is written in Python.
    """
    if isinstance(value, Component):
        return value.to_json()
    try:
        return json.loads(value.__getstate__())
    except (TypeError, AttributeError):
        raise InputTypeError(f"{type(value).__name__} is not a component of a tokenizer") from None
    except Exception as error:  # `tokenizers` raises nothing more specific
        raise NotSupportedError(
            f"{type(value).__name__} cannot be written to a tokenizer.json ({error}), and only components of such a "
            "file are supported"
        ) from error


def check_metaspace(component: Any) -> None:
    """Check the fields that the two components `Metaspace` share.

    Raises:
        OptionsError: One has an invalid value. (A `ValueError`.)
    """
    if len(component.replacement) != 1 or component.prepend_scheme not in _SCHEMES:
        raise OptionsError(
            f"{component!r}: expected a string of length 1 as replacement, and one of {', '.join(_SCHEMES)} as "
            "prepend_scheme"
        )


def _stored(kind: type[Component]) -> list[tuple[str, str, Codec]]:
    """Return attribute, name in the file and codec of each field."""
    return [
        (each.name, each.metadata.get("name") or each.name, each.metadata.get("codec") or PLAIN)
        for each in fields(kind)
    ]


def _written(kind: type[Component]) -> list[tuple[str, str, Codec]]:
    """Return the same in the order in which they are written."""
    stored, order = _stored(kind), kind.written_order
    return sorted(stored, key=lambda each: order.index(each[0])) if order else stored


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        return "{" + _shortened(f'"{name}":{_shown(item)}' for name, item in value.items()) + "}"
    if isinstance(value, list):
        return f"[{_shortened(map(_shown, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_shown, value))})"
    return repr(value)


def _shortened(items: Iterable[str]) -> str:
    out: list[str] = []
    for item in items:
        if len(out) == _MOST_SHOWN:
            return ", ".join([*out, "..."])
        out.append(item)
    return ", ".join(out)


def _copied(value: Any) -> Any:
    """Return a value of its own; of a vocab, a copy."""
    return dict(value) if isinstance(value, dict) else value


def _written_pattern(pattern: Any) -> dict[str, str]:
    if isinstance(pattern, str):
        return {"String": pattern}
    if isinstance(pattern, Regex):
        return {"Regex": pattern.pattern}
    raise InputTypeError(f"a pattern is a str or a Regex, not {type(pattern).__name__}")


def _read_pattern(node: dict[str, str], _: object) -> str | Regex:
    ((kind, pattern),) = node.items()
    return Regex(pattern) if kind == "Regex" else pattern


def _shown_pattern(pattern: str | Regex) -> str:
    return repr(pattern) if isinstance(pattern, Regex) else f'String("{pattern}")'


_BEHAVIORS = {
    "removed": "Removed",
    "isolated": "Isolated",
    "merged_with_previous": "MergedWithPrevious",
    "merged_with_next": "MergedWithNext",
    "contiguous": "Contiguous",
}
_BY_SPELLING = {spelled: name for name, spelled in _BEHAVIORS.items()}


def _written_behavior(behavior: Any) -> str:
    if behavior not in _BEHAVIORS:
        raise OptionsError(f"behavior={behavior!r}: use one of {', '.join(_BEHAVIORS)}")
    return _BEHAVIORS[behavior]


def _read_parts(nodes: list[dict[str, Any]], kind: type[Component]) -> list[Any]:
    return [kind.from_json(node) for node in nodes]


PLAIN = Codec(_copied, lambda value, _: _copied(value), _shown)
"""A value of JSON as it is."""
WORD = {"codec": PLAIN._replace(show=str)}
"""One of a few words."""
PAIR = {"codec": Codec(list, lambda value, _: tuple(value), _shown)}
"""A token and its id."""
PATTERN = {"codec": Codec(_written_pattern, _read_pattern, _shown_pattern)}
"""A string, or a `Regex`."""
BEHAVIOR = {"codec": Codec(_written_behavior, lambda value, _: _BY_SPELLING[value], lambda value: _BEHAVIORS[value])}
"""The treatment of the matches of a pattern."""
PARTS = {
    "codec": Codec(
        lambda parts: [node_of(part) for part in parts],
        _read_parts,
        lambda parts: f"[{_shortened(map(repr, parts))}]",
    )
}
"""Components of the same family."""
BASE64 = {
    "codec": Codec(
        lambda data: base64.b64encode(bytes(data)).decode(),
        lambda value, _: base64.b64decode(value),
        lambda data: f'"{base64.b64encode(bytes(data)).decode()}"',
    )
}
"""Bytes."""
