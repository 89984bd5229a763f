"""The tokenizer.json format of `tokenizers`, for byte-level BPE.

Everything in the file is either supported exactly or refused with the JSON path of the unsupported part.
``tokenizer_config.json`` and ``chat_template.jinja`` in the same folder are read for data that tokenizer.json lacks:
the bos, eos and pad tokens and the chat template.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from operator import itemgetter
from pathlib import Path
from typing import Any, ClassVar

from wordsplit.added_list import FLAGS, AddedTokenList
from wordsplit.model import ByteLevelBPE
from wordsplit.patterns.schemes import pattern_steps
from wordsplit.vocab import AddedToken, Vocab
from wordsplit.vocabs.formats.base import Loader, Overrides, Source
from wordsplit.vocabs.formats.tokenizer_json.bpe import drop_doubled, read_bpe, spelled_bytes
from wordsplit.vocabs.formats.tokenizer_json.rules import read_normalizer, read_pre_tokenizer, read_template
from wordsplit.vocabs.json_tree import Node, parse_json, shown

__all__ = ["TokenizerJsonLoader", "read_config"]

_FIELDS = itemgetter("content", "id", *FLAGS)


class TokenizerJsonLoader(Loader):
    """Reader of tokenizer.json files."""

    models: ClassVar[tuple[type, ...]] = (ByteLevelBPE,)

    def recognizes(self, source: Source) -> bool:
        """Check for the extension ``.json``, or a first brace."""
        return source.name.endswith(".json") or source.head(64).lstrip()[:1] == b"{"

    def load(self, source: Source, overrides: Overrides) -> Vocab:
        """Read a tokenizer.json; see `Loader.load`."""
        with _paused_collection():
            return self._load(source, overrides)

    def _load(self, source: Source, overrides: Overrides) -> Vocab:
        root = Node(parse_json(source.read(), source.label), source.label)
        root.require_object()
        tokens, merges, unreachable_ids, ignore_merges = read_bpe(root["model"])
        steps, add_prefix_space = read_pre_tokenizer(root["pre_tokenizer"])
        if overrides.pattern is not None:
            steps = pattern_steps(overrides.pattern)
        added = _added_tokens(root["added_tokens"])
        _refuse_shared_ids(added, root["added_tokens"])
        _refuse_taken_ids(added, tokens, root)
        if overrides.special_tokens:
            more = (AddedToken(content, i) for content, i in overrides.special_tokens.items())
            added = AddedTokenList.pack([*added, *more])
        _check_decoder(root["decoder"])
        prefix, suffix = read_template(root["post_processor"])
        ids = dict(zip(added.contents(), added.ids, strict=True))
        added_ids = set(added.ids)
        for i in (*prefix, *suffix):
            if i not in tokens and i not in added_ids:
                raise root["post_processor"].format_error(f"names id {i}, which no token has")
        drop_doubled(tokens, merges, added_ids)
        config = read_config(source, ids)
        return Vocab(
            name=overrides.name or source.stem,
            tokens=tokens,
            merges=merges,
            pre_tokenizer=steps,
            added_tokens=added,
            normalizer=read_normalizer(root["normalizer"]),
            ignore_merges=ignore_merges,
            add_prefix_space=add_prefix_space,
            prefix_ids=prefix,
            suffix_ids=suffix,
            unreachable_ids=unreachable_ids,
            source=source.label,
            **config,
        )


@contextmanager
def _paused_collection() -> Iterator[None]:
    """Pause the garbage collector. Parsed JSON is millions of objects without cycles, which it would scan repeatedly.

    With a million added tokens, a load takes 2.8 s instead of 4.9.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _added_tokens(node: Node) -> AddedTokenList:
    """Return the added tokens. A file may have a million: if all are valid, they are read column by column."""
    items = node.value if isinstance(node.value, list) else [item.value for item in node.items_or_empty()]
    with suppress(AttributeError, KeyError, TypeError, IndexError, ValueError):
        contents, ids, *flags = zip(*map(_FIELDS, items), strict=True)
        "".join(contents).encode()  # raises if a content is not a string, or not valid Unicode
        if all(set(map(type, column)) == {bool} for column in flags):
            return AddedTokenList.of_columns(contents, ids, flags)  # which refuses invalid ids
    return AddedTokenList.pack(
        [_added_token(Node(item, node.label, f"{node.path}[{at}]")) for at, item in enumerate(items)]
    )


def _added_token(node: Node) -> AddedToken:
    node.require_object()
    content, i = node["content"].string(), node["id"].token_id()
    return AddedToken(content, i, *(node[name].boolean() for name in FLAGS))


def _refuse_shared_ids(added: AddedTokenList, node: Node) -> None:
    if len(set(added.ids)) == len(added):
        return
    owner: dict[int, str] = {}
    for token in added:
        if owner.setdefault(token.id, token.content) != token.content:
            raise node.format_error(f"id {token.id} is both {shown(owner[token.id])} and {shown(token.content)}")


def _refuse_taken_ids(added: AddedTokenList, tokens: dict[int, bytes], root: Node) -> None:
    vocab = root["model"]["vocab"].value
    if vocab.keys().isdisjoint(added.contents()) and tokens.keys().isdisjoint(added.ids):
        return
    for token in added:
        other = vocab.get(token.content, token.id)
        if other != token.id or tokens.get(token.id, b"") not in (b"", spelled_bytes(token.content)):
            place = next(at for at, item in enumerate(root["added_tokens"].value) if item["id"] == token.id)
            node = Node(token.id, root.label, f"{root.path}.added_tokens[{place}].id")
            found = (
                f"{shown(token.content)} has id {other} there"
                if other != token.id
                else "the id is another token's there"
            )
            raise node.format_error(f"contradicts $.model.vocab: {found}, and {token.id} here")


def _check_decoder(node: Node) -> None:
    for part in [node] if node["type"].value != "Sequence" else node["decoders"].items_or_empty():
        if part.value is not None and part["type"].string() not in ("ByteLevel", "Fuse"):
            raise part.unsupported(f"decoder {shown(part['type'].value)}; byte-level BPE has 'ByteLevel'")


def read_config(source: Source, ids: dict[str, int]) -> dict[str, Any]:
    """Return bos, eos and pad ids and the chat template from files in the same folder, as arguments of `Vocab`."""
    out: dict[str, Any] = {}
    data = source.sibling("tokenizer_config.json")
    if data is not None:
        label = str(Path(source.label).with_name("tokenizer_config.json"))
        root = Node(parse_json(data, label), label)
        root.require_object()
        roles: dict[str, int] = {}
        for role in ("bos", "eos", "pad", "unk", "sep", "cls", "mask"):
            value = root[f"{role}_token"].value
            content = value.get("content") if isinstance(value, dict) else value
            if isinstance(content, str) and content in ids:
                roles[role] = ids[content]
        out |= {f"{role}_token_id": roles.pop(role, None) for role in ("bos", "eos", "pad")}
        out["role_ids"] = roles
        template = root["chat_template"].value
        if isinstance(template, list):  # several, by name
            named = {
                t["name"]: t.get("template") for t in template if isinstance(t, dict) and isinstance(t.get("name"), str)
            }
            out["chat_templates"] = {name: text for name, text in named.items() if isinstance(text, str)}
            template = out["chat_templates"].pop("default", None)
        if isinstance(template, str):
            out["chat_template"] = Node(template, label, "$.chat_template").string()
    jinja = source.sibling("chat_template.jinja")
    if jinja is not None:
        out["chat_template"] = jinja.decode("utf-8", "replace")
    return out
