"""A chat template whose own control tokens can be told from all else that it puts out.

Before a template is compiled, each special token's literal in its text and string constants is replaced by a mark: one
character of a private-use plane that does not occur in what users wrote. In the output, a mark is a control token, and
a literal is only text, wherever it came from and whatever was joined, split or stripped to make it.

Two refinements, so that trusted messages come out as they would without marks:

* what a template looks for is not marked: constants that are compared, and those that ``split``, ``startswith`` and the
  like are given, since these are looked for in what users wrote;
* some templates make a token of the role, as in ``'<|' + message.role + '|>'``. The usual roles come out as marks of
  their own, so that this can be seen; a role is what the program says, not the user. (A template that put a role right
  between what two users said would let them make a token of it.)

The environment is that of `transformers`: sandboxed, blocks trimmed, with ``break`` and ``continue``, ``tojson`` that
leaves characters as they are, ``raise_exception``, ``strftime_now``, and ``{% generation %}``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, cast

from jinja2 import Environment, Template, TemplateError, nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.optimizer import optimize
from jinja2.sandbox import ImmutableSandboxedEnvironment

from wordsplit.errors import ChatTemplateError

if TYPE_CHECKING:
    from jinja2.parser import Parser

__all__ = ["ROLES", "Marked", "Role", "compiled", "render"]

ROLES = ("system", "developer", "user", "assistant", "tool", "observation", "ipython")
_LOOKING = {"split", "rsplit", "replace", "startswith", "endswith", "strip", "lstrip", "rstrip", "find", "rfind"}
_LOOKING |= {"index", "count", "partition", "rpartition", "removeprefix", "removesuffix"}


class Marked(NamedTuple):
    """A compiled template.

    Attributes:
        template: What renders it.
        marks: The marks it may put out: mark -> literal.
    """

    template: Template
    marks: dict[str, str]


class Role(str):
    """A role that is what it is to every test, and comes out as a mark."""

    __slots__ = ("mark",)
    mark: str

    def __new__(cls, role: str, mark: str) -> Role:  # noqa: PYI034 - typing.Self is Python 3.11's
        """A role and its mark."""
        self = super().__new__(cls, role)
        self.mark = mark
        return self

    def __str__(self) -> str:
        return self.mark

    def __add__(self, other: str) -> str:
        return self.mark + other

    def __radd__(self, other: str) -> str:
        return other + self.mark


@lru_cache(maxsize=32)
def compiled(source: str, literals: tuple[str, ...], first_mark: int) -> Marked:
    """A template with marks.

    Args:
        source: The template.
        literals: Those of special tokens.
        first_mark: The code point of the first literal's mark; those of the others follow.

    Raises:
        ChatTemplateError: It is no Jinja template.
    """
    mark_of = {literal: chr(first_mark + at) for at, literal in enumerate(literals)}
    longest_first = sorted(literals, key=len, reverse=True)
    found = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")
    try:
        tree = optimize(_ENVIRONMENT.parse(source), _ENVIRONMENT)  # which joins constants that are added up
        looked_for = {id(node) for node in _looked_for(tree)}
        for data in tree.find_all(nodes.TemplateData):
            data.data = found.sub(lambda match: mark_of[match[0]], data.data)
        for const in tree.find_all(nodes.Const):
            if isinstance(const.value, str) and id(const) not in looked_for:
                const.value = found.sub(lambda match: mark_of[match[0]], const.value)
        template = _ENVIRONMENT.from_string(cast("nodes.Template", tree))
    except TemplateError as error:
        raise ChatTemplateError(f"the chat template is no Jinja template: {error}") from None
    return Marked(template, {mark: literal for literal, mark in mark_of.items()})


def render(template: Template, variables: Mapping[str, Any]) -> str:
    """What a template puts out.

    Raises:
        ChatTemplateError: It says so, by ``raise_exception``; or the messages are not as it expects them.
    """
    try:
        return template.render(variables)
    except TemplateError as error:
        raise ChatTemplateError(f"the chat template refuses these messages: {error.message or error!r}") from None
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise ChatTemplateError(
            f"the chat template cannot do with these messages: {error} (is a field missing, or None?)"
        ) from None


def _looked_for(tree: nodes.Node) -> list[nodes.Node]:
    """Constants that are held against other strings, and never put out."""
    out: list[nodes.Node] = []
    for compare in tree.find_all(nodes.Compare):
        out += [compare.expr, *(operand.expr for operand in compare.ops)]
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Getattr) and call.node.attr in _LOOKING:
            out += call.args[:1]
    for chosen in tree.find_all(nodes.Filter):
        if chosen.name == "replace":
            out += chosen.args[:1]
    return out


class _Generation(Extension):
    """``{% generation %}``: what the model has said, of no account here."""

    tags = {"generation"}  # noqa: RUF012 - as Jinja has it

    def parse(self, parser: Parser) -> nodes.Node:
        """The block's content, with a scope of its own."""
        line = next(parser.stream).lineno
        return nodes.Scope(parser.parse_statements(("name:endgeneration",), drop_needle=True), lineno=line)


def _to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _raise(message: str) -> NoReturn:
    raise TemplateError(message)


def _now(layout: str) -> str:
    return datetime.now().strftime(layout)  # noqa: DTZ005 - the user's own time is meant


def _environment() -> Environment:
    made = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, loopcontrols])
    made.filters["tojson"] = _to_json
    made.globals |= {"raise_exception": _raise, "strftime_now": _now}
    return made


_ENVIRONMENT = _environment()
