"""The template of a pair of texts as JSON, in wordsplit's own files: read and write."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from wordsplit.template import TEXTS, TemplatePart
from wordsplit.vocabs.json_tree import Node

__all__ = ["read_pair_template", "written_pair_template"]


def read_pair_template(node: Node) -> list[TemplatePart] | None:
    """Return the template; ``None`` if there is none."""
    return None if node.value is None else [_part(item) for item in node.items()]


def written_pair_template(parts: tuple[TemplatePart, ...] | None) -> list[dict[str, Any]] | None:
    """Return a template as JSON."""
    return None if parts is None else [asdict(part) for part in parts]


def _part(node: Node) -> TemplatePart:
    node.require_object()
    text, ids = node["text"], [item.token_id() for item in node["ids"].items()]
    if text.value is not None and (text.value not in TEXTS or ids):
        raise text.wrong(f"null or, without ids, one of {', '.join(TEXTS)}")
    return TemplatePart(tuple(ids), text.value, node["type_id"].count())
