"""Dataclass fields whose values are converted when the object is created."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

from wordsplit.errors import VocabFormatError

__all__ = ["Converted", "OfModel"]

Given = TypeVar("Given")
Kept = TypeVar("Kept")

NOT_GIVEN: Any = type("NotGiven", (), {"__repr__": lambda _: "<not given>"})()


class Converted(Generic[Given, Kept]):
    """A field whose value is converted when the object is created, such as a sequence to a tuple.

    Args:
        convert: Converts a given value to the stored one. A dict is copied on each access.
        default: The default value, before conversion. Without a default, the field is required.

    Raises:
        VocabFormatError: The conversion raised it; the message names the object's ``source``.
    """

    def __init__(self, convert: Callable[[Given], Kept], *default: Given) -> None:
        self._convert, self._default = convert, default

    def __set_name__(self, owner: type, name: str) -> None:
        self._key = f"_{name}"

    @overload
    def __get__(self, instance: None, owner: type) -> Given: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Kept: ...

    def __get__(self, instance: object | None, owner: type) -> Any:
        if instance is None:  # a dataclass reads the default this way
            if not self._default:
                raise AttributeError(self._key)
            return self._default[0]
        value = vars(instance)[self._key]
        return value.copy() if type(value) is dict else value

    def __set__(self, instance: object, value: Given) -> None:
        try:
            vars(instance)[self._key] = self._convert(value)
        except VocabFormatError as error:
            raise VocabFormatError(error.found, file=vars(instance).get("source", ""), field=error.field) from None


class OfModel(Generic[Given, Kept]):
    """An attribute of `Vocab.model`, which the constructor of `Vocab` accepts instead of a model.

    Args:
        argument: Its name in the model's constructor, if that differs.
    """

    def __init__(self, argument: str = "") -> None:
        self.argument: str = argument

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        self.argument = self.argument or name

    @overload
    def __get__(self, instance: None, owner: type) -> Given: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Kept: ...

    def __get__(self, instance: Any, owner: type) -> Any:
        return NOT_GIVEN if instance is None else getattr(instance.model, self._name)

    def __set__(self, instance: object, value: Given) -> None:
        if value is not NOT_GIVEN:
            vars(instance).setdefault("_model_arguments", {})[self.argument] = value
