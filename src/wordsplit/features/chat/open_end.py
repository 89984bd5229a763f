"""Leave the last message of a chat open for the model to continue.

As in `transformers`, a tag is put after the content of the last message, and the rendered text is cut at the tag. If
the template strips content, so that the space after the tag is missing, the white space before it is also removed.
"""

from __future__ import annotations

from typing import Any

from wordsplit.errors import ChatTemplateError
from wordsplit.features.chat.data import THOUGHTS
from wordsplit.features.chat.marks import TEXT, Segment, Written

__all__ = ["TAG", "cut", "tagged"]

TAG = "\N{END OF TEXT} "


def tagged(messages: list[dict[str, Any]], field: str, tag: str) -> tuple[list[dict[str, Any]], str]:
    """Return messages with a tag after a field of the last one (its text or the last of its text parts), and that text.

    The model's reasoning is stored under several names; all of them are tagged.

    Raises:
        ChatTemplateError: There is no text to continue.
    """
    *others, last = messages or [{}]
    said = last.get(field)
    if isinstance(said, str):
        fields = [name for name in THOUGHTS if last.get(name) == said] if field in THOUGHTS else [field]
        return [*others, last | dict.fromkeys(fields, said + tag)], said
    parts = said if isinstance(said, list) else []
    for at in range(len(parts) - 1, -1, -1):
        if isinstance(parts[at], dict) and isinstance(parts[at].get("text"), str):
            text: str = parts[at]["text"]
            return [*others, last | {field: [*parts[:at], parts[at] | {"text": text + tag}, *parts[at + 1 :]]}], text
    raise ChatTemplateError(f"continue_final_message: the last message has no text in {field!r} to continue")


def cut(segments: list[Segment], said: str, tag: str) -> list[Segment]:
    """Cut the segments at the tag.

    Raises:
        ChatTemplateError: The template does not output the content of the last message.
    """
    bare = tag.rstrip()
    whole = "".join([segment.text for segment in segments])
    for at in range(len(segments) - 1, -1, -1):
        text = segments[at].text
        end = text.rfind(bare)
        if end >= 0 and said.strip() in whole:
            kept = Written([*segments[:at], Segment(TEXT, text[:end])])
            return list((kept if text.startswith(tag, end) else kept.part(0, len(kept.plain.rstrip()))).segments)
    raise ChatTemplateError("continue_final_message: the template does not output all of the last message")
