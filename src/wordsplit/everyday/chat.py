"""Chats to ids by the model's own template: control tokens from the template, and never from what users wrote.

The template is rendered with marks for its control tokens (see `wordsplit.everyday.chat_template`). The output is cut
at the marks; what is between them is encoded with special tokens taken for text, just as it would be if they were not
there. So the ids are those of the rendered string wherever that holds no other control tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wordsplit.errors import ChatTemplateError, InputTypeError, OptionsError, WordsplitError
from wordsplit.everyday.segments import bare
from wordsplit.unicode import members

if TYPE_CHECKING:
    from wordsplit.engine import Engine
    from wordsplit.vocab import AddedToken, Vocab

__all__ = ["Chat", "choose_template", "with_literals"]

_VARIABLES = ("bos", "eos", "unk", "sep", "pad", "cls", "mask")  # templates call them bos_token and so on
_NOT_HERE = {
    **dict.fromkeys(("return_tensors", "return_dict", "padding", "truncation", "max_length"), "use encode_for_model"),
    "return_assistant_tokens_mask": "it is not supported",
    "continue_final_message": "it is not supported",
    "chat_template": "it is called template here",
    "conversation": "it is called messages here",
}


class Chat:
    """Chats of one engine.

    Args:
        engine: The engine.

    Raises:
        WordsplitError: Jinja is not installed.
    """

    def __init__(self, engine: Engine) -> None:
        try:
            from wordsplit.everyday import chat_template  # noqa: PLC0415 - Jinja is optional
        except ImportError as error:
            raise WordsplitError(
                f"chat templates need jinja2 3.1.6 or later ({error}): pip install 'wordsplit[chat]'"
            ) from None
        self._templates = chat_template
        self._engine = engine
        self._vocab = engine.vocab
        self._tokens = {token.content: token for token in self._vocab.added_tokens if token.special}
        self._literals = tuple(self._tokens)
        self._names = {
            f"{role}_token": self._vocab.token_bytes(i).decode("utf-8", "replace")
            for role, i in self._vocab.role_ids.items()
            if role in _VARIABLES
        }

    def render(self, messages: Any, variables: Mapping[str, Any], source: str) -> tuple[str, dict[str, str]]:
        """What the template puts out, and the marks in it: mark -> literal.

        Raises:
            ChatTemplateError: The template is wrong, or refuses the messages.
            InputTypeError: Messages that are no plain data.
            OptionsError: A value that cannot be, or the text leaves no private-use character for the marks.
        """
        for name in variables:
            if name in _NOT_HERE:
                raise OptionsError(f"{name}: {_NOT_HERE[name]}")
        seen: set[str] = set(source)
        chat = [_message(_plain(message, seen)) for message in _sequence(messages)]
        given = {name: _plain(value, seen) for name, value in variables.items()}
        roles = self._templates.ROLES
        first = _free(seen, len(self._literals) + len(roles))
        template, marks = self._templates.compiled(source, self._literals, first)
        mark_of = {literal: mark for mark, literal in marks.items()}
        role_of = {chr(first + len(marks) + at): role for at, role in enumerate(roles)}
        for message in chat:
            for mark, role in role_of.items():
                if message.get("role") == role:
                    message["role"] = self._templates.Role(role, mark)
        names = {name: mark_of.get(literal, literal) for name, literal in self._names.items()}
        text = self._templates.render(template, names | given | {"messages": chat})
        for mark, role in role_of.items():
            if mark in text:
                for literal in self._literals:
                    if role in literal:
                        text = text.replace(literal.replace(role, mark), mark_of[literal])
                text = text.replace(mark, role)
        return text, marks

    def encode(self, text: str, marks: Mapping[str, str]) -> list[int]:
        """The ids of what a template has put out."""
        out: list[int] = []
        for part, token in self._pieces(text, marks):
            if token is not None:
                out.append(token.id)
            elif part:
                out += bare(self._engine, self._engine.encode(part, self._literals))
        return out

    def _pieces(self, text: str, marks: Mapping[str, str]) -> Iterator[tuple[str, AddedToken | None]]:
        """Text and tokens in turn; tokens have taken the white space that their flags say."""
        parts = _split(text, marks)
        parts[1::2] = [marks[mark] for mark in parts[1::2]]
        pending = parts[0]
        for at in range(1, len(parts), 2):
            token, after = self._tokens[parts[at]], parts[at + 1]
            if token.single_word and not _stands_alone(parts, at):
                pending += token.content + after
                continue
            yield _stripped(pending) if token.lstrip else pending, None
            yield token.content, token
            pending = _stripped(after[::-1])[::-1] if token.rstrip else after
        yield pending, None


def choose_template(vocab: Vocab, template: str | None, tools: object) -> str:
    """The template to take, as `transformers` takes it.

    Args:
        vocab: The vocab.
        template: A template, or the name of one of the vocab's; ``None`` for the vocab's own: ``tool_use`` if there is
            one and tools are given, else the default one.
        tools: The tools, or ``None``.

    Raises:
        ChatTemplateError: There is none.
    """
    named = vocab.chat_templates
    if template is not None:
        return named.get(template, template)
    name = "tool_use" if tools is not None and "tool_use" in named else "default"
    if name not in named:
        has = f"none by default, but {', '.join(sorted(named))}: name one" if named else "no chat template: give one"
        raise ChatTemplateError(f"{vocab.name} has {has} with template=")
    return named[name]


def with_literals(text: str, marks: Mapping[str, str]) -> str:
    """The output with literals in place of marks."""
    parts = _split(text, marks)
    parts[1::2] = [marks[mark] for mark in parts[1::2]]
    return "".join(parts)


def _split(text: str, marks: Mapping[str, str]) -> list[str]:
    return re.split(f"([{''.join(marks)}])", text) if marks else [text]


def _sequence(messages: Any) -> Sequence[Any]:
    if isinstance(messages, (list, tuple)) and all(isinstance(message, Mapping) for message in messages):
        return messages
    raise InputTypeError(f"messages are a list of dicts with role and content; found {messages!r:.100}")


def _message(message: dict[str, Any]) -> dict[str, Any]:
    """A message with what the model thought under every name that templates know, as `transformers` has it."""
    names = ("reasoning_content", "thinking", "reasoning")
    thought = next((message[name] for name in names if message.get(name) is not None), None)
    return message if thought is None else {"thinking": thought, **message, "reasoning_content": thought}


def _plain(value: Any, seen: set[str], depth: int = 0) -> Any:
    """A copy of plain data, of built-in types alone; all characters of its strings are added to ``seen``."""
    if depth > 200:
        raise InputTypeError("messages and tools are nested more than 200 deep")
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        value = str.__str__(value)  # of a subclass, the text alone
        seen.update(value)
        return value
    if isinstance(value, Mapping):
        return {_plain(key, seen, depth + 1): _plain(item, seen, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, seen, depth + 1) for item in value]
    raise InputTypeError(
        f"messages and tools are made of dicts, lists, strings and numbers; found {type(value).__name__} "
        "(of a function give the JSON schema, of a model its model_dump())"
    )


def _free(seen: set[str], count: int) -> int:
    """The first of ``count`` private-use characters in a row that do not occur."""
    taken = sorted(ord(char) for char in seen if char >= "\U000f0000")
    first = 0xF0000
    for code in taken:
        if code >= first + count:
            break
        first = code + 1
    if first + count > 0x10FFFE:
        raise OptionsError("the messages hold so many private-use characters that none are left to mark tokens with")
    return first


def _stands_alone(parts: Sequence[str], at: int) -> bool:
    """Whether no word character is next to a part."""
    before, after = "".join(parts[max(at - 2, 0) : at]), "".join(parts[at + 1 : at + 3])
    return not _is(before[-1:], "w") and not _is(after[:1], "w")


def _is(char: str, cls: str) -> bool:
    return bool(char) and bool(members(cls)[ord(char)])


def _stripped(text: str) -> str:
    end = len(text)
    while end and _is(text[end - 1], "s"):
        end -= 1
    return text[:end]
