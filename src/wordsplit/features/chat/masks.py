"""Which part of a chat the assistant said: for training on that part alone.

A template with ``{% generation %}`` blocks says so itself. Of any other it is found by difference. What the assistant
says in a message begins where the chat before it ends, rendered with the beginning of an answer. It ends where the
chat goes on as it does when the message is replaced by another; the control token that stands there, as
``<|im_end|>``, belongs to what is said. Where the two renderings do not agree with that of the whole chat, the parts
are not known, and that is an error. Both are taken of the chat as it is rendered as a whole: where a template drops
what the model thought in earlier turns, as Qwen3's does, it is not in the ids, and so not in the mask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wordsplit.errors import ChatTemplateError
from wordsplit.features.chat.marks import BEGIN, END, Segment, Written, framed_end, new_nonce, segments_of

__all__ = ["by_difference", "regions"]

Render = Callable[[list[dict[str, Any]], Mapping[str, Any]], list[Segment]]


def regions(segments: Sequence[Segment]) -> list[tuple[int, int]]:
    """Where in the text what the assistant said begins and ends."""
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
    """The segments of a chat, those that the assistant said between `BEGIN` and `END`.

    Args:
        render: Renders messages, with variables in place of those of the chat. All its renderings have one nonce.
        messages: The messages.

    Raises:
        ChatTemplateError: What the assistant said cannot be told apart.
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
                "precedes it: what the assistant said in it cannot be told apart. Leave out variables that change the "
                "beginning of an answer, or give a template= with {% generation %}"
            )
        end = framed_end(whole, end)
        out += [*segments_of(whole[done:begin]), Segment(BEGIN, ""), *segments_of(whole[begin:end]), Segment(END, "")]
        done = end
    return [*out, *segments_of(whole[done:])]
