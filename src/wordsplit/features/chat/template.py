"""A chat template whose own control tokens can be distinguished from the rest of its output.

When a template is compiled, its text and its string constants are searched for the literals of added tokens. Those that
contain one become `Written` strings (see `wordsplit.features.chat.marks`). So a literal in the output is a control
token if the template wrote it. It is text if it came from anywhere else, or was produced by joining, splitting or
stripping.

Some templates build a token from the role, as in ``'<|' + message.role + '|>'``. The usual roles are also `Written`,
and so is the text around them in the template; the three together are the token. Roles come from the program, not from
the user.

The environment is that of `transformers`: sandboxed, with trimmed blocks, ``break`` and ``continue``, a ``tojson`` that
does not escape characters, ``raise_exception``, ``strftime_now``, and ``{% generation %}``; with the limits of
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
_LARGEST = 1 << 16  # characters of a template: several times the longest known; compiling takes up to 20 us each
_OWN = "wordsplit_own_"


class Compiled(NamedTuple):
    """A compiled template.

    Attributes:
        template: The compiled Jinja template.
        own: The variables that replace its own constants.
    """

    template: Template
    own: dict[str, Written]


class Marker:
    """Mark the literals of added tokens in text that a template wrote.

    Args:
        literals: The literals.

    Attributes:
        roles: The usual roles that occur in a literal, from which a template may build it.
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
        # A role follows the end of a constant, or is a format's field; after it comes the beginning of the next
        # constant.
        left = _any_of(text for text, _ in around)
        right = _any_of(text for _, text in around)
        self._around = re.compile(rf"(?P<left>{left})(?=\Z|[%{{])|(?:\A|(?<=[s}}]))(?P<right>{right})")

    def segments(self, text: str) -> list[Segment]:
        """Split a text into segments; all are `TEXT` if the template writes no token in it."""
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
        """Return the text, as a `Written` if the template writes a token in it."""
        segments = self.segments(text)
        return Written(segments) if any(segment.kind for segment in segments) else text


def message(fields: Mapping[str, Any], index: int, marker: Marker) -> Message:
    """Return a message as a template sees it."""
    out = Message(fields)
    out.index = index
    role = out.get("role")
    if isinstance(role, str) and role in marker.roles:
        out["role"] = Written([Segment(ROLE, role)])
    return out


@contextmanager
def rendering(nodes: int, characters: int) -> Iterator[None]:
    """Set a nonce and a budget for the compiling or rendering within.

    Args:
        nodes: The number of values in the variables.
        characters: The number of characters in the variables.
    """
    nonce, budget = NONCE.set(new_nonce()), BUDGET.set(Budget(nodes, characters))
    try:
        yield
    finally:
        NONCE.reset(nonce)
        BUDGET.reset(budget)


def compiled(source: str, marker: Marker) -> Compiled:
    """Compile a template with its own literals marked.

    Raises:
        ChatTemplateError: It is not a Jinja template.
    """
    if len(source) > _LARGEST:
        raise ChatTemplateError(f"the chat template has {len(source):,} characters; {_LARGEST:,} are allowed")
    with rendering(0, 0):
        try:
            tree = _Adding().visit(_ENVIRONMENT.parse(source))
            tree = optimize(tree, _ENVIRONMENT)  # joins constants
            own = _Owning(marker)
            tree = own.visit(tree)
            template = _ENVIRONMENT.from_string(cast("nodes.Template", tree))
        except WordsplitError:
            raise
        except TemplateError as error:
            raise ChatTemplateError(f"the chat template is not a Jinja template: {error}") from None
        except Exception as error:  # noqa: BLE001 - an untrusted program may raise anything
            raise ChatTemplateError(f"the chat template cannot be compiled: {_name(error)}") from None
    return Compiled(template, own.own)


def render(chat: Compiled, variables: Mapping[str, Any]) -> list[Segment]:
    """Render a template. Precondition: within `rendering`.

    Raises:
        ChatTemplateError: The template raised it with ``raise_exception``; or the messages are not as it expects; or it
            takes too long, produces too large a text, or splits its own control tokens.
    """
    template = chat.template
    try:
        context = template.new_context({**variables, **chat.own, **_GENERATION})
        return whole(segments_of(str(_ENVIRONMENT.concat(template.root_render_func(context)))))
    except WordsplitError:
        raise
    except TemplateError as error:
        said = str(error.message or repr(error))[:2000]
        raise ChatTemplateError(f"the chat template rejects these messages: {said}") from None
    except (RecursionError, MemoryError, OverflowError) as error:
        raise ChatTemplateError(
            f"the chat template is too deep or too large for these messages: {_name(error)}"
        ) from None
    except Exception as error:  # noqa: BLE001 - an untrusted program may raise anything
        raise ChatTemplateError(
            f"the chat template fails on these messages: {_name(error)} (is a field missing, or None?)"
        ) from None


class _Adding(NodeTransformer):
    """Join added constants, which Jinja leaves to `Sandbox.call_binop`."""

    def visit_Add(self, node: nodes.Add) -> nodes.Node:  # noqa: N802 - as Jinja has it
        """Combine ``'a' + 'b'`` into one constant."""
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
    """Replace constants that contain literals with variables, and add counted filters where work can grow."""

    def __init__(self, marker: Marker) -> None:
        self._marker = marker
        self._names: dict[str, str] = {}
        self.own: dict[str, Written] = {}

    def visit_TemplateData(self, node: nodes.TemplateData) -> nodes.Node:  # noqa: N802
        """Replace text."""
        return self._owned(node, node.data)

    def visit_Const(self, node: nodes.Const) -> nodes.Node:  # noqa: N802
        """Replace a constant."""
        return self._owned(node, node.value)

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        """Count ``a ~ b``."""
        self.generic_visit(node)
        return _filtered(nodes.Tuple(node.nodes, "load", lineno=node.lineno), "joined")

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802
        """Count each step of a loop."""
        self.generic_visit(node)
        node.iter = _filtered(cast("nodes.Expr", node.iter), "each")
        return node

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:  # noqa: N802
        """Count a comparison, which takes long if both sides are large."""
        large = not any(isinstance(side, nodes.Const) for side in (node.expr, *(op.expr for op in node.ops)))
        self.generic_visit(node)
        if large:
            node.expr = _filtered(node.expr, "step")
        return node

    def visit_List(self, node: nodes.List) -> nodes.Node:  # noqa: N802
        """Count a list."""
        return self._container(node, node.items)

    def visit_Tuple(self, node: nodes.Tuple) -> nodes.Node:  # noqa: N802
        """Count a tuple, unless it is an assignment target."""
        return self._container(node, node.items) if node.ctx == "load" else node

    def visit_Dict(self, node: nodes.Dict) -> nodes.Node:  # noqa: N802
        """Count a dict."""
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
    """The block ``{% generation %}``, which holds the assistant's text."""

    tags = {"generation"}  # noqa: RUF012 - as Jinja has it

    def parse(self, parser: Parser) -> list[nodes.Node]:
        """Parse the block's content, in its own scope, between marks."""
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
    return datetime.now().strftime(layout)  # noqa: DTZ005 - the user's local time is intended


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
