"""A chat template whose own control tokens can be told from all else that it puts out.

When a template is compiled, its text and its string constants are searched for the literals of added tokens; those that
hold one become `Written` strings (see `wordsplit.features.chat.marks`). So a literal in what the template puts out is a
control token where the template wrote it, and is only text wherever else it came from and whatever was joined, split or
stripped to make it.

Some templates make a token of the role, as in ``'<|' + message.role + '|>'``. The usual roles are `Written` too, and
so is what stands around them in the template; the three together are the token. A role is what the program says, not
the user.

The environment is that of `transformers`: sandboxed, blocks trimmed, with ``break`` and ``continue``, ``tojson`` that
leaves characters as they are, ``raise_exception``, ``strftime_now``, and ``{% generation %}``; with the bounds of
`wordsplit.features.chat.sandbox`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, cast

from jinja2 import Template, TemplateError, nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.optimizer import optimize
from jinja2.visitor import NodeTransformer

from wordsplit.engine.added_tokens import AddedTokenMatcher
from wordsplit.errors import ChatTemplateError, WordsplitError
from wordsplit.features.chat.marks import (
    BEGIN,
    END,
    LEFT,
    NONCE,
    RIGHT,
    ROLE,
    TEXT,
    TOKEN,
    Segment,
    Written,
    new_nonce,
    segments_of,
    whole,
)
from wordsplit.features.chat.sandbox import BUDGET, Budget, Message, Sandbox
from wordsplit.vocab import AddedToken

if TYPE_CHECKING:
    from jinja2.parser import Parser

__all__ = ["ROLES", "Compiled", "Marker", "compiled", "message", "new_nonce", "render", "rendering"]

ROLES = ("system", "developer", "user", "assistant", "tool", "observation", "ipython")
_LARGEST = (
    1 << 16
)  # characters of a template: some times what the longest of models have; compiling takes up to 20 us each
_OWN = "wordsplit_own_"


class Compiled(NamedTuple):
    """A compiled template.

    Attributes:
        template: What renders it.
        own: Its variables for what it has written itself.
    """

    template: Template
    own: dict[str, Written]


class Marker:
    """Marks the literals of added tokens in text that a template wrote.

    Args:
        literals: The literals.

    Attributes:
        roles: The usual roles that a literal holds, so that a template may make it of them.
    """

    def __init__(self, literals: Collection[str]) -> None:
        self._matcher = AddedTokenMatcher({literal: AddedToken(literal, 0) for literal in literals})
        self.roles: frozenset[str] = frozenset(role for role in ROLES if any(role in literal for literal in literals))
        around = {
            (literal[:at], literal[at + len(role) :])
            for role in self.roles
            for literal in literals
            if (at := literal.find(role)) >= 0
        }
        # Before a role stands the end of a constant, or a format's field; behind it the beginning, or the field's end.
        left = _any_of(text for text, _ in around)
        right = _any_of(text for _, text in around)
        self._around = re.compile(rf"(?P<left>{left})(?=\Z|[%{{])|(?:\A|(?<=[s}}]))(?P<right>{right})")

    def segments(self, text: str) -> list[Segment]:
        """The segments of a text; all `TEXT` if the template writes no token in it."""
        out: list[Segment] = []
        for part, token in self._matcher.split(text, ()):
            if token is not None:
                out.append(Segment(TOKEN, part))
                continue
            at = 0
            for match in self._around.finditer(part):
                out += (
                    Segment(TEXT, part[at : match.start()]),
                    Segment(LEFT if match.lastgroup == "left" else RIGHT, match[0]),
                )
                at = match.end()
            out.append(Segment(TEXT, part[at:]))
        return [segment for segment in out if segment.text]

    def marked(self, text: str) -> str:
        """The text, as a `Written` if the template writes a token in it."""
        segments = self.segments(text)
        return Written(segments) if any(segment.kind for segment in segments) else text


def message(fields: Mapping[str, Any], index: int, marker: Marker) -> Message:
    """A message as a template sees it."""
    out = Message(fields)
    out.index = index
    role = out.get("role")
    if isinstance(role, str) and role in marker.roles:
        out["role"] = Written([Segment(ROLE, role)])
    return out


@contextmanager
def rendering(nodes: int, characters: int) -> Iterator[None]:
    """One nonce and one budget for what is compiled or rendered within.

    Args:
        nodes: How many values the variables hold.
        characters: And how many characters.
    """
    nonce, budget = NONCE.set(new_nonce()), BUDGET.set(Budget(nodes, characters))
    try:
        yield
    finally:
        NONCE.reset(nonce)
        BUDGET.reset(budget)


def compiled(source: str, marker: Marker) -> Compiled:
    """A template with its own literals marked.

    Raises:
        ChatTemplateError: It is no Jinja template.
    """
    if len(source) > _LARGEST:
        raise ChatTemplateError(f"the chat template has {len(source):,} characters; {_LARGEST:,} are allowed")
    with rendering(0, 0):
        try:
            tree = _Adding().visit(_ENVIRONMENT.parse(source))
            tree = optimize(tree, _ENVIRONMENT)  # which joins constants
            own = _Owning(marker)
            tree = own.visit(tree)
            template = _ENVIRONMENT.from_string(cast("nodes.Template", tree))
        except WordsplitError:
            raise
        except TemplateError as error:
            raise ChatTemplateError(f"the chat template is no Jinja template: {error}") from None
        except Exception as error:  # noqa: BLE001 - of a program from a stranger: anything
            raise ChatTemplateError(f"the chat template cannot be compiled: {_name(error)}") from None
    return Compiled(template, own.own)


def render(chat: Compiled, variables: Mapping[str, Any]) -> list[Segment]:
    """What a template puts out. Precondition: within `rendering`.

    Raises:
        ChatTemplateError: It says so, by ``raise_exception``; or the messages are not as it expects them; or it takes
            too long, or makes too large a text, or cuts its own control tokens apart.
    """
    template = chat.template
    try:
        context = template.new_context({**variables, **chat.own, **_GENERATION})
        return whole(segments_of(str(_ENVIRONMENT.concat(template.root_render_func(context)))))
    except WordsplitError:
        raise
    except TemplateError as error:
        said = str(error.message or repr(error))[:2000]
        raise ChatTemplateError(f"the chat template refuses these messages: {said}") from None
    except (RecursionError, MemoryError, OverflowError) as error:
        raise ChatTemplateError(
            f"the chat template is too deep or too large for these messages: {_name(error)}"
        ) from None
    except Exception as error:  # noqa: BLE001 - of a program from a stranger: anything
        raise ChatTemplateError(
            f"the chat template cannot do with these messages: {_name(error)} (is a field missing, or None?)"
        ) from None


class _Adding(NodeTransformer):
    """Adds up constants, which Jinja leaves to `Sandbox.call_binop`."""

    def visit_Add(self, node: nodes.Add) -> nodes.Node:  # noqa: N802 - as Jinja has it
        """``'a' + 'b'`` as one constant."""
        self.generic_visit(node)
        left, right = node.left, node.right
        end = left.right if isinstance(left, nodes.Add) else left  # of (x + 'a') + 'b', the 'a'
        both = (end, right)
        if all(isinstance(side, nodes.Const) and isinstance(side.value, str) for side in both):
            joined = nodes.Const("".join([cast("nodes.Const", side).value for side in both]), lineno=node.lineno)
            if not isinstance(left, nodes.Add):
                return joined
            left.right = joined
            return left
        return node


class _Owning(NodeTransformer):
    """Puts variables in place of constants with literals, and counted filters where work can grow."""

    def __init__(self, marker: Marker) -> None:
        self._marker = marker
        self._names: dict[str, str] = {}
        self.own: dict[str, Written] = {}

    def visit_TemplateData(self, node: nodes.TemplateData) -> nodes.Node:  # noqa: N802
        """Text."""
        return self._owned(node, node.data)

    def visit_Const(self, node: nodes.Const) -> nodes.Node:  # noqa: N802
        """A constant."""
        return self._owned(node, node.value)

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        """``a ~ b``."""
        self.generic_visit(node)
        return _filtered(nodes.Tuple(node.nodes, "load", lineno=node.lineno), "joined")

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802
        """A loop: each step counts."""
        self.generic_visit(node)
        node.iter = _filtered(cast("nodes.Expr", node.iter), "each")
        return node

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:  # noqa: N802
        """A comparison, which takes long if both sides are large."""
        large = not any(isinstance(side, nodes.Const) for side in (node.expr, *(op.expr for op in node.ops)))
        self.generic_visit(node)
        if large:
            node.expr = _filtered(node.expr, "step")
        return node

    def visit_List(self, node: nodes.List) -> nodes.Node:  # noqa: N802
        """A list."""
        return self._container(node, node.items)

    def visit_Tuple(self, node: nodes.Tuple) -> nodes.Node:  # noqa: N802
        """A tuple, unless it is assigned to."""
        return self._container(node, node.items) if node.ctx == "load" else node

    def visit_Dict(self, node: nodes.Dict) -> nodes.Node:  # noqa: N802
        """A dict."""
        return self._container(node, [side for pair in node.items for side in (pair.key, pair.value)])

    def _container(self, node: nodes.Expr, items: list[nodes.Expr]) -> nodes.Node:
        plain = all(isinstance(item, nodes.Const) for item in items)
        self.generic_visit(node)
        return node if plain else _filtered(node, "held")

    def _owned(self, node: nodes.Expr, text: object) -> nodes.Node:
        if type(text) is not str:
            return node
        name = self._names.get(text)
        if name is None:
            found = self._marker.marked(text)
            if not isinstance(found, Written):
                return node
            name = self._names[text] = f"{_OWN}{len(self._names)}"
            self.own[name] = found
        return nodes.Name(name, "load", lineno=node.lineno)


def _filtered(node: nodes.Expr, name: str) -> nodes.Filter:
    return nodes.Filter(node, f"wordsplit_{name}", [], [], None, None, lineno=node.lineno)


class _Generation(Extension):
    """``{% generation %}``: what the model has said."""

    tags = {"generation"}  # noqa: RUF012 - as Jinja has it

    def parse(self, parser: Parser) -> list[nodes.Node]:
        """The block's content, with a scope of its own, between marks."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        begin, end = (nodes.Output([nodes.Name(name, "load", lineno=line)], lineno=line) for name in _GENERATION)
        return [begin, nodes.Scope(body, lineno=line), end]


_GENERATION = {"wordsplit_begin": Written([Segment(BEGIN, "")]), "wordsplit_end": Written([Segment(END, "")])}


def _to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    text = json.dumps(
        _with_frames(value), ensure_ascii=False, indent=indent, separators=separators, sort_keys=sort_keys
    )
    if not ensure_ascii:
        return text
    return str(Written([Segment(kind, _BEYOND_ASCII.sub(_escaped, part)) for kind, part in segments_of(text)]))


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]


def _with_frames(value: Any) -> Any:
    if isinstance(value, dict):
        return {_with_frames(key): _with_frames(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_frames(item) for item in value]
    return str(value) if isinstance(value, Written) else value


def _raise(message: str) -> NoReturn:
    raise TemplateError(message)


def _now(layout: str) -> str:
    if len(layout) > 200 or re.search(r"\d{3}", layout):
        raise TemplateError("strftime_now: the layout is too long, or has widths of 100 and more")
    return datetime.now().strftime(layout)  # noqa: DTZ005 - the user's own time is meant


def _name(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:2000]


def _any_of(texts: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted({text for text in texts if text}, key=len, reverse=True))) or r"(?!)"


_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_ENVIRONMENT = Sandbox(
    filters={"tojson": _to_json},
    functions={"raise_exception": _raise, "strftime_now": _now},
    trim_blocks=True,
    lstrip_blocks=True,
    extensions=[_Generation, loopcontrols],
)
