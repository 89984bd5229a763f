"""Encode chats with the model's own template. Control tokens come only from the template, never from messages.

The template is rendered with its own literals marked (see `wordsplit.features.chat.template`). Each marked literal
becomes its token; the text between them is encoded with added tokens as text. So the ids are those of the rendered
string if it contains no other literals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from wordsplit.errors import ChatTemplateError, InputTypeError, OptionsError, WordsplitError
from wordsplit.features.chat.data import ChatData
from wordsplit.features.chat.marks import BEGIN, END, LEFT, RIGHT, ROLE, TOKEN, Segment
from wordsplit.features.segments import as_text_in_untrusted, bare
from wordsplit.unicode import belongs

if TYPE_CHECKING:
    from wordsplit.engine import Engine
    from wordsplit.features.chat.template import Compiled
    from wordsplit.vocab import AddedToken, Vocab

__all__ = ["Chat", "MaskedChat", "Request", "Untrusted", "choose_template"]

Untrusted = Literal["no_added", "no_special"]
_GENERATION = re.compile(r"\{%[-+]?\s*generation\s*[-+]?%\}")
_MAY_BE_TOKENS = {LEFT + ROLE + RIGHT, LEFT + ROLE, ROLE + RIGHT, ROLE}
_VARIABLES = ("bos", "eos", "unk", "sep", "pad", "cls", "mask")  # templates call them bos_token and so on


class MaskedChat(NamedTuple):
    """The ids of a chat, and which of them the assistant wrote.

    Attributes:
        ids: The ids.
        assistant_mask: For each id 1 if the assistant wrote it, else 0.
    """

    ids: list[int]
    assistant_mask: list[int]


class Request(NamedTuple):
    """A chat to encode.

    Attributes:
        source: The template.
        messages: The messages, as the caller gave them.
        variables: The template's variables.
        untrusted: Which tokens messages and variables cannot produce; see `Tokenizer.apply_chat_template`.
        open_end: The field of the last message to continue, if any.
    """

    source: str
    messages: Any
    variables: Mapping[str, Any]
    untrusted: Untrusted
    open_end: str | None


class _Piece(NamedTuple):
    """Text or a token, and its start in the rendered text."""

    start: int
    text: str
    token: AddedToken | None


class Chat:
    """Encode chats with one engine.

    Args:
        engine: The engine.

    Raises:
        WordsplitError: Jinja is not installed.
    """

    def __init__(self, engine: Engine) -> None:
        try:
            from wordsplit.features.chat import template as chat_template  # noqa: PLC0415 - Jinja is optional
        except ImportError as error:
            raise WordsplitError(
                f"chat templates need jinja2 3.1.6 or later ({error}): pip install 'wordsplit[chat]'"
            ) from None
        self._templates = chat_template
        self._engine = engine
        self._vocab = engine.vocab
        self._knowledge = lru_cache(maxsize=2)(self._literals)
        self._compiled = lru_cache(maxsize=32)(self._compile)
        self._names = {
            f"{role}_token": self._vocab.token_bytes(i).decode("utf-8", "replace")
            for role, i in self._vocab.role_ids.items()
            if role in _VARIABLES
        }

    def request(
        self,
        messages: Any,
        variables: Mapping[str, Any],
        template: str | None,
        untrusted: Untrusted,
        continue_final_message: bool | str = False,
    ) -> Request:
        """Create a request from the arguments of `Tokenizer.apply_chat_template`.

        Raises:
            ChatTemplateError: There is no such template.
            InputTypeError: The template is not a ``str``.
            OptionsError: ``untrusted`` has an invalid value.
        """
        as_text_in_untrusted(self._vocab, untrusted)  # raises if the value is invalid
        source = choose_template(self._vocab, template, variables["tools"])
        given = {"documents": None, "add_generation_prompt": False} | dict(variables)
        if not isinstance(continue_final_message, (bool, str, type(None))):
            raise OptionsError(
                f"continue_final_message={continue_final_message!r:.100}: use True, False or the name of a field"
            )
        open_end = "content" if continue_final_message is True else continue_final_message or None
        return Request(source, messages, given, untrusted, open_end)

    def encode(self, request: Request) -> list[int]:
        """Encode a chat.

        Raises:
            ChatTemplateError: The template is invalid, or rejects the messages.
            InputTypeError: Messages are not plain data.
            OptionsError: An argument is not supported.
        """
        pieces, as_text = self._pieces(self._rendered(request), request.untrusted)
        out: list[int] = []
        for piece in pieces:
            if piece.token is not None:
                out.append(piece.token.id)
            elif piece.text:
                out += bare(self._engine, self._engine.encode(piece.text, as_text))
        return out

    def text(self, request: Request) -> str:
        """Return the rendered text of a chat, in which a message's literals look like the template's own."""
        segments = self._rendered(request)
        return "".join([segment.text for segment in segments])

    def masked(self, request: Request) -> MaskedChat:
        """Encode a chat, and mark the ids that the assistant wrote.

        Raises:
            ChatTemplateError: As for `encode`; or the template has no ``{% generation %}``, and the assistant's text
                cannot be found by rendering the chat without it.
        """
        source, untrusted = request.source, request.untrusted
        from wordsplit.features.chat.masks import by_difference, regions  # noqa: PLC0415 - only for training

        if _GENERATION.search(source):
            segments = self._rendered(request)
        else:
            data, compiled = ChatData(request.messages, request.variables), self._compiled(source, untrusted)
            renders = 1 + 2 * sum(message.get("role") == "assistant" for message in data.messages)
            with self._templates.rendering(data.nodes * renders, data.characters * renders):
                segments = by_difference(
                    lambda chat, more: self._put_out(compiled, chat, {**data.variables, **more}, untrusted),
                    data.messages,
                )
        pieces, as_text = self._pieces(segments, untrusted)
        spoken = regions(segments)
        ids: list[int] = []
        mask: list[int] = []
        for start, text, token in pieces:
            spans = [(0, len(text))]
            if token is not None:
                ids.append(token.id)
            else:
                traced = self._engine.encode_with_offsets(text, as_text)
                ids += bare(self._engine, traced.ids)
                spans = bare(self._engine, traced.char_spans)
            mask += [int(any(start + a < end and begin < start + b for begin, end in spoken)) for a, b in spans]
        return MaskedChat(ids, mask)

    # To segments.

    def _rendered(self, request: Request) -> list[Segment]:
        untrusted, open_end = request.untrusted, request.open_end
        data = ChatData(request.messages, request.variables)
        compiled = self._compiled(request.source, untrusted)
        with self._templates.rendering(data.nodes, data.characters):
            if open_end is None:
                return self._put_out(compiled, data.messages, data.variables, untrusted)

            from wordsplit.features.chat.open_end import TAG, cut, tagged  # noqa: PLC0415 - only to continue a message

            if request.variables.get("add_generation_prompt"):
                raise OptionsError("continue_final_message=True and add_generation_prompt=True are mutually exclusive")
            tag = self._templates.new_nonce() + TAG
            messages, said = tagged(data.messages, open_end, tag)
            return cut(self._put_out(compiled, messages, data.variables, untrusted), said, tag)

    def _put_out(
        self, compiled: Compiled, messages: list[dict[str, Any]], variables: Mapping[str, Any], untrusted: Untrusted
    ) -> list[Segment]:
        _, marker = self._knowledge(untrusted)
        chat = [self._templates.message(message, index, marker) for index, message in enumerate(messages)]
        names = {name: marker.marked(literal) for name, literal in self._names.items()}
        return self._templates.render(compiled, names | dict(variables) | {"messages": chat})

    def _compile(self, source: str, untrusted: Untrusted) -> Compiled:
        return self._templates.compiled(source, self._knowledge(untrusted)[1])

    def _literals(self, untrusted: Untrusted) -> tuple[dict[str, AddedToken], Any]:
        """Return the tokens that only the template can produce, and the marker for them."""
        as_text = as_text_in_untrusted(self._vocab, untrusted)
        tokens = {token.content: token for token in reversed(self._vocab.added_tokens) if token.content in as_text}
        return tokens, self._templates.Marker(tokens)

    # From segments to tokens.

    def _pieces(self, segments: Sequence[Segment], untrusted: Untrusted) -> tuple[list[_Piece], frozenset[str]]:
        """Return text and tokens in order, and the literals that remain text."""
        tokens, _ = self._knowledge(untrusted)
        parts = [part for part in _resolved(segments, tokens) if part[0]]
        return list(_stripped_by_flags(parts)), as_text_in_untrusted(self._vocab, untrusted)


def choose_template(vocab: Vocab, template: str | None, tools: object) -> str:
    """Choose the template as `transformers` does.

    Args:
        vocab: The vocab.
        template: A template, or the name of one of the vocab's; ``None`` for the vocab's own: ``tool_use`` if there is
            one and tools are given, else the default one.
        tools: The tools, or ``None``.

    Raises:
        ChatTemplateError: There is no such template.
        InputTypeError: The template is not a ``str``.
    """
    named = vocab.chat_templates
    if template is not None:
        if not isinstance(template, str):
            raise InputTypeError(f"template is a Jinja template or the name of one, not {type(template).__name__}")
        if template not in named and not any(mark in template for mark in ("{{", "{%", "{#")):
            has = f"has {', '.join(map(repr, sorted(named)))}" if named else "has none"
            raise ChatTemplateError(f"{vocab.name} has no chat template {template!r:.100} ({has}), and it is not Jinja")
        return named.get(template, template)
    name = "tool_use" if tools is not None and "tool_use" in named else "default"
    if name not in named:
        has = f"none by default, but {', '.join(sorted(named))}: name one" if named else "no chat template: give one"
        raise ChatTemplateError(f"{vocab.name} has {has} with template=")
    return named[name]


def _resolved(segments: Sequence[Segment], tokens: Mapping[str, AddedToken]) -> Iterator[tuple[str, AddedToken | None]]:
    """Yield text and tokens, with adjacent texts joined."""
    found = _each_resolved([segment for segment in segments if segment.kind not in {BEGIN, END}], tokens)
    for is_text, group in groupby(found, key=lambda part: part[1] is None):
        if is_text:
            yield "".join([text for text, _ in group]), None
        else:
            yield from group


def _each_resolved(
    segments: Sequence[Segment], tokens: Mapping[str, AddedToken]
) -> Iterator[tuple[str, AddedToken | None]]:
    at = 0
    while at < len(segments):
        kind, text = segments[at]
        size = 1
        token = tokens.get(text) if kind == TOKEN else None
        if kind in {LEFT, ROLE}:  # a role, and the text around it
            for size in (3, 2, 1):
                group = segments[at : at + size]
                if "".join([part.kind for part in group]) in _MAY_BE_TOKENS:
                    joined = "".join([part.text for part in group])
                    token = tokens.get(joined)
                    if token is not None:
                        text = joined
                        break
        yield text, token
        at += size


def _stripped_by_flags(parts: Sequence[tuple[str, AddedToken | None]]) -> Iterator[_Piece]:
    """Yield the parts, after tokens with the flags ``lstrip`` and ``rstrip`` have removed white space."""
    start = at = 0
    pending = ""
    for number, (text, token) in enumerate(parts):
        if token is None or (token.single_word and not _stands_alone(parts, number)):
            pending += text
        else:
            yield _Piece(start, _stripped(pending) if token.lstrip else pending, None)
            yield _Piece(at, text, token)
            pending, start = "", at + len(text)
        at += len(text)
        if not pending or token is not None:
            continue
        before = parts[number - 1][1] if number else None
        if before is not None and before.rstrip and start == at - len(text):
            pending = _stripped(pending[::-1])[::-1]
            start = at - len(pending)
    yield _Piece(start, pending, None)


def _stands_alone(parts: Sequence[tuple[str, AddedToken | None]], at: int) -> bool:
    """Return whether no word character is next to a part."""
    before = parts[at - 1][0][-1:] if at else ""
    after = parts[at + 1][0][:1] if at + 1 < len(parts) else ""
    return not _is(before, "w") and not _is(after, "w")


def _is(char: str, cls: str) -> bool:
    return bool(char) and belongs(cls, ord(char))


def _stripped(text: str) -> str:
    end = len(text)
    while end and _is(text[end - 1], "s"):
        end -= 1
    return text[:end]
