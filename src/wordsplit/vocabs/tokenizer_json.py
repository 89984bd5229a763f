"""The tokenizer.json format of `tokenizers`, for byte-level BPE.

What the file says is either taken over exactly or refused with the JSON path of the part that is not supported.
Beside the file, ``tokenizer_config.json`` and ``chat_template.jinja`` are read for what tokenizer.json does not hold:
the bos, eos and pad tokens and the chat template.
"""

from __future__ import annotations

from operator import itemgetter
from pathlib import Path
from typing import Any

from wordsplit.vocab import MAX_ID, AddedToken, Vocab
from wordsplit.vocabs._json import Node, parse_json, shown
from wordsplit.vocabs._json_bpe import drop_doubled, read_bpe, spelled_bytes
from wordsplit.vocabs._json_rules import read_normalizer, read_pre_tokenizer, read_template
from wordsplit.vocabs.base import Loader, Overrides, Source
from wordsplit.vocabs.schemes import pattern_steps

__all__ = ["TokenizerJsonLoader", "read_config"]

_FLAGS = ("special", "lstrip", "rstrip", "single_word", "normalized")  # as the fields of AddedToken stand
_FIELDS = itemgetter("content", "id", *_FLAGS)


class TokenizerJsonLoader(Loader):
    """Reads tokenizer.json files."""

    def recognizes(self, source: Source) -> bool:
        """By the ending ``.json``, or a first brace."""
        return source.name.endswith(".json") or source.head(64).lstrip()[:1] == b"{"

    def load(self, source: Source, overrides: Overrides) -> Vocab:
        """Read a tokenizer.json; see `Loader.load`."""
        root = Node(parse_json(source.read(), source.label), source.label)
        root.require_object()
        tokens, merges, literal_ids, ignore_merges = read_bpe(root["model"])
        steps, add_prefix_space = read_pre_tokenizer(root["pre_tokenizer"])
        if overrides.pattern is not None:
            steps = pattern_steps(overrides.pattern)
        added = _added_tokens(root["added_tokens"])
        _refuse_shared_ids(added, root["added_tokens"])
        _refuse_taken_ids(added, tokens, root)
        added += [AddedToken(content, i) for content, i in overrides.special_tokens.items()]
        _check_decoder(root["decoder"])
        prefix, suffix = read_template(root["post_processor"])
        ids = {token.content: token.id for token in added}
        known = tokens.keys() | ids.values()
        for i in (*prefix, *suffix):
            if i not in known:
                raise root["post_processor"].format_error(f"names id {i}, which no token has")
        drop_doubled(tokens, merges, set(ids.values()))
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
            literal_ids=literal_ids,
            source=source.label,
            **config,
        )


def _added_tokens(node: Node) -> list[AddedToken]:
    """The added tokens. Files have up to 400,000: a sound one is read without a node for each of its values."""
    out = []
    for at, item in enumerate(node.value if isinstance(node.value, list) else node.items_or_empty()):
        try:
            content, i, *flags = _FIELDS(item)
            sound = type(i) is int and 0 <= i <= MAX_ID and content.isascii() and set(map(type, flags)) == {bool}
        except (AttributeError, KeyError, TypeError, IndexError):
            sound = False
        out.append(
            AddedToken(content, i, *flags) if sound else _added_token(Node(item, node.label, f"{node.path}[{at}]"))
        )
    return out


def _added_token(node: Node) -> AddedToken:
    node.require_object()
    content, i = node["content"].string(), node["id"].token_id()
    return AddedToken(content, i, *(node[name].boolean() for name in _FLAGS))


def _refuse_shared_ids(added: list[AddedToken], node: Node) -> None:
    owner: dict[int, str] = {}
    for token in added:
        if owner.setdefault(token.id, token.content) != token.content:
            raise node.format_error(f"id {token.id} is both {shown(owner[token.id])} and {shown(token.content)}")


def _refuse_taken_ids(added: list[AddedToken], tokens: dict[int, bytes], root: Node) -> None:
    vocab = root["model"]["vocab"].value
    for at, token in enumerate(added):
        other = vocab.get(token.content, token.id)
        if other != token.id or tokens.get(token.id, b"") not in (b"", spelled_bytes(token.content)):
            node = Node(token.id, root.label, f"{root.path}.added_tokens[{at}].id")
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
    """Bos, eos and pad ids and the chat template, from the files beside the source, as arguments of `Vocab`."""
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


plugin = TokenizerJsonLoader
