"""Copy messages, tools and variables to plain data of built-in types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wordsplit.errors import InputTypeError, OptionsError

__all__ = ["THOUGHTS", "ChatData"]

THOUGHTS = ("reasoning_content", "thinking", "reasoning")  # names of the field for the model's reasoning
_UNSUPPORTED = {
    **dict.fromkeys(
        ("return_tensors", "return_dict", "padding"), "give the ids of one chat, or a list of several, to pad()"
    ),
    **dict.fromkeys(("truncation", "max_length"), "it is not supported: leave messages out until count fits"),
    "return_assistant_tokens_mask": "use encode_chat_with_mask()",
    "chat_template": "it is called template here",
    "conversation": "it is called messages here",
}


class ChatData:
    """Copies of messages and variables.

    Args:
        messages: The messages.
        variables: The variables, tools among them.

    Attributes:
        messages: The messages.
        variables: The variables.
        nodes: The number of values in them.
        characters: The number of characters in them.

    Raises:
        InputTypeError: They are not plain data.
        OptionsError: A variable has the name of an argument of `transformers` that is not supported here.
    """

    def __init__(self, messages: Any, variables: Mapping[str, Any]) -> None:
        for name in variables:
            if name in _UNSUPPORTED:
                raise OptionsError(f"{name}: {_UNSUPPORTED[name]}")
        if not _are_dicts(messages):
            raise InputTypeError(f"messages are a list of dicts with role and content; found {messages!r:.100}")
        for name, what in (("tools", "JSON schemas of functions, as dicts"), ("documents", "dicts")):
            given = variables.get(name)
            if given is not None and not _are_dicts(given):
                raise InputTypeError(f"{name} are a list of {what}; found {given!r:.100}")
        self.nodes: int = 0
        self.characters: int = 0
        self.messages: list[dict[str, Any]] = [_thinking(self._copy(message)) for message in messages]
        self.variables: dict[str, Any] = {name: self._copy(value) for name, value in variables.items()}

    def _copy(self, value: Any, depth: int = 0) -> Any:
        self.nodes += 1
        if depth > 200:
            raise InputTypeError("messages and tools are nested more than 200 deep")
        if value is None or isinstance(value, (bool, int, float)):
            return value
        if isinstance(value, str):
            self.characters += len(value)
            return str.__str__(value)  # only the text of a subclass
        if isinstance(value, Mapping):
            return {self._copy(key, depth + 1): self._copy(item, depth + 1) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._copy(item, depth + 1) for item in value]
        raise InputTypeError(
            f"messages and tools consist of dicts, lists, strings and numbers; found {type(value).__name__} "
            "(for a function, give its JSON schema; for a model object, its model_dump())"
        )


def _are_dicts(values: Any) -> bool:
    return isinstance(values, (list, tuple)) and all(isinstance(value, Mapping) for value in values)


def _thinking(message: dict[str, Any]) -> dict[str, Any]:
    """Copy the model's reasoning in a message to every name that templates use, as `transformers` does."""
    thought = next((message[name] for name in THOUGHTS if message.get(name) is not None), None)
    return message if thought is None else {"thinking": thought, **message, "reasoning_content": thought}
