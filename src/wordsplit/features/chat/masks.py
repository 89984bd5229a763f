"""Find the part of a chat that the assistant wrote, for training on that part only.

A template with ``{% generation %}`` blocks marks it. For any other template it is found by difference. The assistant's
text in a message begins where the chat before it ends, rendered with the beginning of an answer. It ends where the chat
continues in the same way when the message is replaced by another one; the control token there, such as ``<|im_end|>``,
belongs to the assistant's text. If the two renderings do not agree with that of the whole chat, the parts are not
known, and that is an error. Positions refer to the rendering of the whole chat: reasoning that a template drops from
earlier turns, as Qwen3's does, is neither in the ids nor in the mask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wordsplit.errors import ChatTemplateError
from wordsplit.features.chat.marks import BEGIN, END, Segment, Written, framed_end, new_nonce, segments_of

__all__ = ["by_difference", "regions"]

Render = Callable[[list[dict[str, Any]], Mapping[str, Any]], list[Segment]]


def regions(segments: Sequence[Segment]) -> list[tuple[int, int]]:
    """Return the start and end in the text of each part that the assistant wrote."""
    out: list[tuple[int, int]] = []
    at = begin = depth = 0
    for kind, text in segments:
        if kind == BEGIN:
            begin = at if depth == 0 else begin
            depth += 1
        elif kind == END:
            depth -= 1
            if depth == 0:
                out.append((begin, at))
        at += len(text)
    return out


def by_difference(render: Render, messages: list[dict[str, Any]]) -> list[Segment]:
    """Return the segments of a chat, with the assistant's parts between `BEGIN` and `END`.

    Args:
        render: Renders messages, with variables that replace those of the chat. All its renderings have one nonce.
        messages: The messages.

    Raises:
        ChatTemplateError: The assistant's text cannot be separated.
    """

    def rendered(chat: list[dict[str, Any]], **more: object) -> str:
        return str(Written(render(chat, more)))

    whole = rendered(messages)
    out: list[Segment] = []
    done = 0
    for at, message in enumerate(messages):
        if message.get("role") != "assistant":
            continue
        before = rendered(messages[:at], add_generation_prompt=True)
        tag = new_nonce()
        swapped = rendered([*messages[:at], {"role": "assistant", "content": tag}, *messages[at + 1 :]])
        _, _, behind = swapped.rpartition(tag)
        begin, end = len(before), len(whole) - len(behind)
        same = whole.startswith(before) and whole.endswith(behind) and swapped.startswith(before)
        if not same or swapped.count(tag) != 1 or not done <= begin <= end:
            raise ChatTemplateError(
                f"the template has no {{% generation %}}, and renders message {at} differently without what follows or "
                "precedes it: the assistant's text in it cannot be separated. Leave out variables that change the "
                "beginning of an answer, or give a template= with {% generation %}"
            )
        end = framed_end(whole, end)
        out += [*segments_of(whole[done:begin]), Segment(BEGIN, ""), *segments_of(whole[begin:end]), Segment(END, "")]
        done = end
    return [*out, *segments_of(whole[done:])]
