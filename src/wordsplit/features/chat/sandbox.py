"""Jinja's sandbox with limits on the time, the memory and the output of a template.

Templates come with untrusted model files, and messages may also be untrusted. Jinja's sandbox protects
Python's internals from both, but does not limit resources. Here each rendering has a budget of units:

* a loop step, a call, a filter, an operator and an output cost one unit each, and more for large values;
* the result of an operation is charged before it is created: one unit for 64 characters or 8 items;
* the size of every container that a template builds is tracked, with shared parts counted each time, so that none
  can become a text larger than the budget.

The budget grows with the messages. Real templates use less than a hundredth of it. As a second limit, each charge
checks the clock. A rendering that exceeds its processor time, about a second for a short chat, ends with an
error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from functools import wraps
from time import monotonic, thread_time
from typing import Any

from jinja2 import Undefined
from jinja2.filters import make_attrgetter
from jinja2.runtime import Context, LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace, pass_environment

from wordsplit.errors import ChatTemplateError
from wordsplit.features.chat.marks import Written, written

__all__ = ["BUDGET", "Budget", "Message", "Sandbox"]

BUDGET: ContextVar[Budget] = ContextVar("wordsplit_chat_budget")

_UNITS = 300_000  # for any template
_UNITS_A_NODE, _UNITS_A_CHARACTER = 2_000, 20  # added for each value and character of the messages
_SECONDS_A_UNIT = 3e-6
_CHARACTERS, _ITEMS = 64, 8  # for a unit
_WIDEST = 100_000
_NUMBER = re.compile(r"\d{6,}")


class Budget:
    """The budget of one rendering.

    Args:
        nodes: The number of values in the variables.
        characters: The number of characters in the variables.
    """

    __slots__ = ("_left", "_seconds", "_sizes", "_started", "_until", "most")

    def __init__(self, nodes: int = 0, characters: int = 0) -> None:
        self.most: int = _UNITS + _UNITS_A_NODE * nodes + _UNITS_A_CHARACTER * characters
        self._left = self.most
        self._seconds = self.most * _SECONDS_A_UNIT
        self._started, self._until = thread_time(), monotonic() + self._seconds
        self._sizes: dict[int, tuple[object, int]] = {}

    def charge(self, units: int = 1) -> None:
        """Charge units.

        Raises:
            ChatTemplateError: The units or the time are used up.
        """
        self._left -= units
        if self._left < 0:
            raise ChatTemplateError(
                f"the chat template takes more than {self.most:,} steps for these messages, or produces too large a "
                "text: it is faulty, or meant to exhaust resources"
            )
        now = monotonic()
        if now > self._until:  # wall-clock time, which is cheap to read
            used = thread_time() - self._started
            if used > self._seconds:
                raise ChatTemplateError(
                    f"the chat template takes more than {self._seconds:.1f} s for these messages: "
                    "it is faulty, or meant to exhaust resources"
                )
            self._until = now + self._seconds - used

    def size(self, value: object) -> int:
        """Return the size of a value in characters and items, recursively: about the length of its text."""
        if isinstance(value, str):
            return 1 + len(value)
        if not isinstance(value, (list, tuple, dict)):
            return value.bit_length() if isinstance(value, int) else 1
        known = self._sizes.get(id(value))
        if known is not None:
            return known[1]
        items: Iterable[object] = value
        if isinstance(value, dict):
            items = (*value.keys(), *value.values())
        self.charge(1 + len(value) // _ITEMS)
        size = 2 + sum(map(self.size, items))
        if size > self.most * _CHARACTERS:
            raise ChatTemplateError("the chat template builds lists within lists that are too large")
        self._sizes[id(value)] = value, size  # keeps the value alive, so that its id is not reused
        return size

    def held(self, value: Any) -> Any:
        """Charge for a value that a template created, and return it."""
        if isinstance(value, str):
            self.charge(1 + len(value) // _CHARACTERS)
            return written(value) if type(value) is str else value
        if isinstance(value, (list, tuple, dict)):
            self.size(value)
        return value

    def repeated(self, times: int, characters: int = 1) -> None:
        """Charge for copies of a text."""
        if times > 0:
            self.charge(times * characters // _CHARACTERS)

    def widths(self, layout: str, values: Iterable[object]) -> None:
        """Charge for the result of a format, ``%`` or ``{}``.

        Raises:
            ChatTemplateError: It has widths of 100,000 and more.
        """
        values = list(values)
        numbers = [value for value in values if isinstance(value, int)]
        wide = ("*" in layout or ":{" in layout) and any(abs(number) >= _WIDEST for number in numbers)
        if wide or _NUMBER.search(layout):
            raise ChatTemplateError(f"the chat template has a format with a width of {_WIDEST:,} or more")
        fields = 1 + layout.count("%") + layout.count("{")
        self.repeated(fields, sum(map(self.size, values)))


class Message(dict[str, Any]):
    """A message with its index among the messages."""

    __slots__ = ("index",)
    index: int


class _Missing(Undefined):
    """An undefined value. Printing a missing role or content of a message is an error."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        obj, name = self._undefined_obj, self._undefined_name
        if isinstance(obj, Message) and not self._undefined_hint:
            return f"message {obj.index} has no {name!r}"
        return super()._undefined_message

    def _needed(self, names: tuple[str, ...]) -> None:
        if isinstance(self._undefined_obj, Message) and self._undefined_name in names:
            self._fail_with_undefined_error()

    def __str__(self) -> str:
        self._needed(("role", "content"))
        return ""

    def __eq__(self, other: object) -> bool:
        self._needed(("role",))
        return super().__eq__(other)

    __hash__ = Undefined.__hash__


class _Space(Namespace):
    """A namespace that is printed without its content."""

    def __repr__(self) -> str:
        return "<Namespace>"


class Sandbox(ImmutableSandboxedEnvironment):
    """The environment. `BUDGET` and `wordsplit.features.chat.marks.NONCE` are set while it compiles and renders.

    Args:
        filters: Filters in addition to Jinja's own, or replacing them.
        functions: Functions that templates may call, in addition to Jinja's own.
        **options: As for Jinja's environment.
    """

    intercepted_binops: frozenset[str] = frozenset({"+", "*", "**", "%"})

    def __init__(
        self, filters: Mapping[str, Callable[..., Any]], functions: Mapping[str, Callable[..., Any]], **options: Any
    ) -> None:
        super().__init__(**options, finalize=_put_out, undefined=_Missing)
        self.concat = _concatenated  # type: ignore[method-assign]
        self.globals |= {"namespace": _Space, **functions}
        del self.globals["lipsum"]
        functions_on_values = {**self.filters, "join": _join, "replace": _replace, "sum": _sum, **filters}
        self.filters.update({name: _bounded(name, function) for name, function in functions_on_values.items()})
        self.tests.update({name: _charged(function) for name, function in self.tests.items()})
        self.filters.update(wordsplit_each=_each, wordsplit_step=_step, wordsplit_held=_held, wordsplit_joined=_joined)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Compute ``+``, ``*``, ``**`` and ``%``, and charge for the result."""
        budget = BUDGET.get()
        if operator == "+":
            return self.plus(left, right)
        if operator == "%" and isinstance(left, str):
            budget.widths(left, right if isinstance(right, tuple) else (right,))
        elif operator == "*":
            number, other = (left, right) if isinstance(left, int) else (right, left)
            if isinstance(number, int) and isinstance(other, (str, list, tuple)):
                budget.repeated(number, budget.size(other))
            elif isinstance(number, int) and isinstance(other, int):
                budget.repeated(number.bit_length(), other.bit_length())
        elif operator == "**" and isinstance(left, int) and isinstance(right, int):
            budget.repeated(left.bit_length() * max(right, 0))
        return budget.held(super().call_binop(context, operator, left, right))

    def plus(self, left: Any, right: Any) -> Any:
        """Return ``left + right``."""
        budget = BUDGET.get()
        if isinstance(left, str) and isinstance(right, str):
            budget.charge(1 + (len(left) + len(right)) // _CHARACTERS)
            return left + right
        return budget.held(left + right)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805, PYI063 - as Jinja has it
        """Call a function for a template, and charge for the work and the result."""
        budget = BUDGET.get()
        text = getattr(__obj, "__self__", None)
        if isinstance(text, str):
            name = __obj.__name__
            budget.charge(1 + len(text) // 8)
            if name == "join" and args:
                args = (_strings(budget, text, args[0]),)
            elif name == "replace" and len(args) > 1:
                _charge_for_replacing(budget, text, args[0], args[1])
                args = (args[0], str(args[1]) if isinstance(args[1], Written) else args[1], *args[2:])
            else:
                _charge_for_width(budget, name, text, args)
        elif isinstance(__obj, LoopContext) and args:
            budget.charge()
            args = (_each(args[0]), *args[1:])
        else:
            budget.charge()
        return budget.held(super().call(__context, __obj, *args, **kwargs))

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """Return `str.format` in the sandbox, with its result charged."""
        text = getattr(value, "__self__", None)
        if isinstance(text, Written):
            value = getattr(str(text), value.__name__)
        wrapped = super().wrap_str_format(value)
        if wrapped is None:
            return None

        def bounded(*args: Any, **kwargs: Any) -> str:
            BUDGET.get().widths(str(text), (*args, *kwargs.values()))
            return wrapped(*args, **kwargs)

        return bounded


# Within templates.


def _put_out(value: Any) -> Any:
    budget = BUDGET.get()
    if isinstance(value, (str, list, tuple, dict)):
        budget.charge(1 + budget.size(value) // _CHARACTERS)
    else:
        budget.charge()
    return value


def _concatenated(parts: Iterable[str]) -> str:
    budget, found = BUDGET.get(), []
    for part in parts:
        budget.charge(1 + len(part) // _CHARACTERS)
        found.append(part)
    return written("".join(found))


def _each(items: Iterable[Any]) -> Iterator[Any]:
    charge = BUDGET.get().charge
    for item in items:
        charge()
        yield item


def _step(value: Any) -> Any:
    BUDGET.get().charge()
    return value


def _held(value: Any) -> Any:
    return BUDGET.get().held(value)


def _joined(values: tuple[Any, ...]) -> str:
    """Return ``a ~ b``."""
    budget = BUDGET.get()
    budget.charge(1 + sum(map(budget.size, values)) // _CHARACTERS)
    return written("".join(map(str, values)))


def _charged(test: Any) -> Callable[..., Any]:
    @wraps(test)
    def charged(*args: Any, **kwargs: Any) -> Any:
        BUDGET.get().charge()
        return test(*args, **kwargs)

    return charged


# Filters. How many characters of the value cost one unit, for filters that work on text.
_CHARACTERS_OF = (
    dict.fromkeys(("capitalize", "center", "format", "indent", "lower", "replace", "safe", "string", "tojson"), 8)
    | dict.fromkeys(("trim", "truncate", "upper"), 8)
    | dict.fromkeys(("e", "escape", "float", "forceescape", "int", "pprint", "striptags", "title", "urlencode"), 1)
    | dict.fromkeys(("urlize", "wordcount", "wordwrap", "xmlattr"), 1)
)
_KEEPING = {"capitalize", "center", "lower", "replace", "safe", "string", "tojson", "trim", "truncate", "upper"}
# These handle a `Written` correctly. Of the others, these change its characters, and these return something else.
_CHANGING = {"title", "wordwrap"}
_PLAIN = {"float", "int", "pprint", "urlencode", "wordcount", "xmlattr"}
_QUICK = {"count", "d", "default", "first", "last", "length"}  # of the others, those that do not read each item


def _bounded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a filter so that its work and result are charged."""
    at = 0 if getattr(function, "jinja_pass_arg", None) is None else 1

    @wraps(function)
    def bounded(*args: Any, **kwargs: Any) -> Any:
        budget = BUDGET.get()
        passed, value, rest = args[:at], args[at], args[at + 1 :]
        more = (*rest, *kwargs.values())
        if name in _CHARACTERS_OF:
            budget.charge(1 + budget.size(value) // _CHARACTERS_OF[name])
            _charge_for_text(budget, name, value, more)
            if isinstance(value, Written) and name not in _KEEPING:
                if name in _CHANGING:
                    return budget.held(value.changed(function(*passed, value.plain, *rest, **kwargs)))
                value = value.plain if name in _PLAIN else str(value)
        else:
            listed = isinstance(value, (str, list, tuple, dict))
            budget.charge(1 + len(value) if listed and name not in _QUICK else 1)
            if isinstance(value, Iterator):
                value = _each(value)
            if name in {"batch", "slice", "round"} and any(isinstance(n, int) and abs(n) >= _WIDEST for n in more):
                raise ChatTemplateError(f"the chat template uses {name!r} with a number of {_WIDEST:,} or more")
        return budget.held(function(*passed, value, *rest, **kwargs))

    return bounded


def _charge_for_text(budget: Budget, name: str, value: object, arguments: tuple[Any, ...]) -> None:
    size = budget.size(value)
    if name == "format":
        budget.widths(str(value), arguments)
    elif name == "replace" and len(arguments) > 1:
        _charge_for_replacing(budget, str(value), arguments[0], arguments[1])
    elif name == "striptags":
        budget.charge(size * str(value).count("<") // 4096)
    elif name in {"center", "indent", "tojson", "urlize", "wordwrap"}:
        times = {"center": 1, "indent": str(value).count("\n") + 1}.get(name, size)
        for argument in arguments:
            if isinstance(argument, str):
                budget.repeated(times, len(argument))
            elif isinstance(argument, int) and name != "wordwrap":
                budget.repeated(times, argument)


def _charge_for_width(budget: Budget, name: str, text: str, args: tuple[Any, ...]) -> None:
    if name in {"center", "ljust", "rjust", "zfill", "expandtabs"}:
        tabs = text.count("\t") if name == "expandtabs" else 1
        for width in args:
            if isinstance(width, int):
                budget.repeated(width, tabs)
    elif name == "translate" and args and isinstance(args[0], Mapping):
        budget.repeated(len(text), max((budget.size(value) for value in args[0].values()), default=0))


def _charge_for_replacing(budget: Budget, text: str, old: object, new: object) -> None:
    if isinstance(old, str):
        budget.repeated(text.count(old), budget.size(new))


def _strings(budget: Budget, separator: str, items: Iterable[Any]) -> list[Any]:
    """Return the items to be joined, with their text charged."""
    found = list(_each(items))
    budget.charge(sum(budget.size(item) + len(separator) for item in found) // _CHARACTERS)
    return [str(item) if isinstance(item, Written) else item for item in found]


@pass_environment
def _join(environment: Sandbox, value: Iterable[Any], d: Any = "", attribute: str | int | None = None) -> str:
    if attribute is not None:
        value = map(make_attrgetter(environment, attribute), value)
    separator = str(d)
    return separator.join(map(str, _strings(BUDGET.get(), separator, value)))


def _replace(value: Any, old: Any, new: Any, count: int | None = None) -> str:
    text = value if isinstance(value, str) else str(value)
    return text.replace(old if isinstance(old, str) else str(old), str(new), -1 if count is None else count)


@pass_environment
def _sum(environment: Sandbox, iterable: Iterable[Any], attribute: str | int | None = None, start: Any = 0) -> Any:
    if isinstance(start, str):
        raise TypeError("strings are joined, not summed")
    if attribute is not None:
        iterable = map(make_attrgetter(environment, attribute), iterable)
    for item in iterable:
        start = environment.plus(start, item)
    return start
