"""wordsplit_rules.json: the data that vocab.json and merges.txt cannot hold, in the same folder.

It holds the pattern, the normalizer, the decoder, added tokens, bos and eos, and chat templates, so that loading gives
the same vocab again. No other program reads the file.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from wordsplit.rules import AddedToken, Decode, Normalize, Rewrite, Split, step_type
from wordsplit.vocabs.formats.base import missing_bytes_of
from wordsplit.vocabs.json_tree import Node, parse_json
from wordsplit.vocabs.lengths import read_padding, read_truncation, written_padding, written_truncation
from wordsplit.vocabs.pair_template import read_pair_template, written_pair_template

if TYPE_CHECKING:
    from wordsplit.vocab import Vocab
    from wordsplit.vocabs.formats.base import Source

__all__ = ["NAME", "read_rules", "written_rules"]

NAME = "wordsplit_rules.json"

R = TypeVar("R", Normalize, Decode, AddedToken, "Split | Rewrite")

_KINDS = {
    "behavior": ("isolated", "merged_with_previous", "merged_with_next", "contiguous", "removed"),
    "dialect": ("tokenizers", "tiktoken"),
    "prepend": ("always", "first", "never"),
}
_KINDS_OF = {
    Rewrite: ("metaspace", "byte_level", "unicode_scripts"),
    Normalize: (
        *("nfc", "nfd", "nfkc", "nfkd", "lowercase", "lstrip", "rstrip", "strip_accents", "nmt", "byte_level"),
        *("prepend", "replace", "precompiled", "bert_clean_text", "bert_chinese_chars", "bert_strip_accents"),
    ),
    Decode: (
        *("byte_level", "byte_fallback", "pieces", "pieces_and_bytes", "charsmap", "fuse", "join", "replace", "strip"),
        *("metaspace", "word_piece", "suffix", "ctc"),
    ),
}
_FLAGS = ("ignore_merges", "add_prefix_space")
_ID_LISTS = ("prefix_ids", "suffix_ids")
_IDS = ("eos_token_id", "bos_token_id", "pad_token_id")


def written_rules(vocab: Vocab) -> bytes:
    """Return the content of the file for a vocab."""
    normalizer = vocab.normalizer
    names = (*_FLAGS, *_ID_LISTS, *_IDS, "role_ids", "chat_template", "chat_templates")
    document = {
        "wordsplit_rules": 1,
        "pre_tokenizer": [asdict(step) for step in vocab.pre_tokenizer],
        "normalizer": [asdict(step) for step in normalizer] if isinstance(normalizer, tuple) else normalizer,
        "decoder": None if vocab.decoder is None else [asdict(step) for step in vocab.decoder],
        "added_tokens": [asdict(token) for token in vocab.added_tokens],
        **{name: getattr(vocab, name) for name in names},
        "pair_template": written_pair_template(vocab.pair_template),
        "truncation": written_truncation(vocab.truncation),
        "padding": written_padding(vocab.padding),
        "missing_bytes": None if vocab.missing_bytes is None else asdict(vocab.missing_bytes),
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def read_rules(source: Source) -> dict[str, Any] | None:
    """Read the file in the folder of a source as arguments of `Vocab`; ``None`` if there is none.

    Raises:
        VocabFormatError: It is damaged.
        UnsupportedVocabError: It is of a later version.
    """
    data = source.sibling(NAME)
    if data is None:
        return None
    label = str(Path(source.label).with_name(NAME))
    root = Node(parse_json(data, label), label)
    root.require_object()
    if root["wordsplit_rules"].value != 1:
        raise root["wordsplit_rules"].unsupported("only version 1 is known")
    normalizer = root["normalizer"]
    steps = normalizer.value if normalizer.value in (None, "nfc") else _records(normalizer, Normalize)
    return {
        "pre_tokenizer": [_record(item, step_type(item.value)) for item in root["pre_tokenizer"].items()],
        "normalizer": steps,
        "decoder": None if root["decoder"].value is None else _records(root["decoder"], Decode),
        "added_tokens": _records(root["added_tokens"], AddedToken),
        **{key: root[key].boolean() for key in _FLAGS},
        **{key: [item.token_id() for item in root[key].items_or_empty()] for key in _ID_LISTS},
        **{key: None if root[key].value is None else root[key].token_id() for key in _IDS},
        "missing_bytes": missing_bytes_of(root["missing_bytes"]),
        "role_ids": {key: item.token_id() for key, item in _entries(root["role_ids"])},
        "chat_template": None if root["chat_template"].value is None else root["chat_template"].string(),
        "chat_templates": {key: item.string() for key, item in _entries(root["chat_templates"])},
        "pair_template": read_pair_template(root["pair_template"]),
        "truncation": read_truncation(root["truncation"]),
        "padding": read_padding(root["padding"]),
    }


def _records(node: Node, kind: type[R]) -> Sequence[R]:
    return [_record(item, kind) for item in node.items()]


def _record(node: Node, kind: type[R]) -> R:
    node.require_object()
    values: dict[str, Any] = {}
    for field in fields(kind):
        item = node[field.name]
        if field.name == "id":
            values["id"] = item.token_id()
        elif field.type == "bool":
            values[field.name] = item.boolean()
        elif field.type == "int":
            values[field.name] = item.count()
        else:
            values[field.name] = item.string()
            known = _KINDS_OF[kind] if field.name == "kind" else _KINDS.get(field.name, (item.value,))
            if item.value not in known:
                raise item.wrong(f"one of {', '.join(known)}")
    return kind(**values)


def _entries(node: Node) -> list[tuple[str, Node]]:
    if node.value is None:
        return []
    node.require_object()
    return [(key, node[key]) for key in node.value]
