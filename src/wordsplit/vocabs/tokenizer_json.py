"""The tokenizer.json format of `tokenizers`, for byte-level BPE.

What the file says is either taken over exactly or refused with the JSON path of the part that is not supported.
Beside the file, ``tokenizer_config.json`` and ``chat_template.jinja`` are read for what tokenizer.json does not hold:
the bos, eos and pad tokens and the chat template.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from wordsplit.byte_level import to_byte_level
from wordsplit.errors import UnsupportedVocabError
from wordsplit.vocab import AddedToken, Split, Vocab
from wordsplit.vocabs._json import Node, parse_json
from wordsplit.vocabs._json_bpe import drop_doubled, read_bpe, spelled_bytes
from wordsplit.vocabs._json_rules import read_normalizer, read_pre_tokenizer, read_template
from wordsplit.vocabs._oniguruma import to_tokenizers
from wordsplit.vocabs.base import Loader, Overrides, Source, write_whole
from wordsplit.vocabs.schemes import SCHEMES

__all__ = ["TokenizerJsonLoader", "save"]


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
            steps = SCHEMES.get(overrides.pattern, (Split(overrides.pattern),))
        added = [_added_token(node) for node in root["added_tokens"].items_or_empty()]
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


def _added_token(node: Node) -> AddedToken:
    node.require_object()
    flags = {name: node[name].boolean() for name in ("special", "lstrip", "rstrip", "single_word")}
    return AddedToken(
        content=node["content"].string(),
        id=node["id"].token_id(),
        normalized=node["normalized"].boolean(),
        **flags,
    )


def _refuse_shared_ids(added: list[AddedToken], node: Node) -> None:
    owner: dict[int, str] = {}
    for token in added:
        if owner.setdefault(token.id, token.content) != token.content:
            raise node.format_error(f"id {token.id} is both {owner[token.id]!r} and {token.content!r}")


def _refuse_taken_ids(added: list[AddedToken], tokens: dict[int, bytes], root: Node) -> None:
    vocab = root["model"]["vocab"].value
    for at, token in enumerate(added):
        other = vocab.get(token.content, token.id)
        if other != token.id or tokens.get(token.id, b"") not in (b"", spelled_bytes(token.content)):
            node = Node(token.id, root.label, f"{root.path}.added_tokens[{at}].id")
            found = (
                f"{token.content!r} has id {other} there" if other != token.id else "the id is another token's there"
            )
            raise node.format_error(f"contradicts $.model.vocab: {found}, and {token.id} here")


def _check_decoder(node: Node) -> None:
    for part in [node] if node["type"].value != "Sequence" else node["decoders"].items_or_empty():
        if part.value is not None and part["type"].string() not in ("ByteLevel", "Fuse"):
            raise part.unsupported(f"decoder {part['type'].value!r}; byte-level BPE has 'ByteLevel'")


def read_config(source: Source, ids: dict[str, int]) -> dict[str, Any]:
    """Bos, eos and pad ids and the chat template, from the files beside the source, as arguments of `Vocab`."""
    out: dict[str, Any] = {}
    data = source.sibling("tokenizer_config.json")
    if data is not None:
        label = str(Path(source.label).with_name("tokenizer_config.json"))
        root = Node(parse_json(data, label), label)
        root.require_object()
        for kind in ("bos", "eos", "pad"):
            value = root[f"{kind}_token"].value
            content = value.get("content") if isinstance(value, dict) else value
            if isinstance(content, str):
                out[f"{kind}_token_id"] = ids.get(content)
        template = root["chat_template"].value
        if isinstance(template, list):  # several, by name
            named = [t for t in template if isinstance(t, dict) and t.get("name") == "default"]
            template = named[0].get("template") if named else None
        if isinstance(template, str):
            out["chat_template"] = Node(template, label, "$.chat_template").string()
    jinja = source.sibling("chat_template.jinja")
    if jinja is not None:
        out["chat_template"] = jinja.decode("utf-8", "replace")
    return out


def save(vocab: Vocab, path: str | os.PathLike[str]) -> None:
    """Write a tokenizer.json that `tokenizers` loads and encodes identically with.

    Raises:
        UnsupportedVocabError: An added token has the id of another token, which the format cannot say.
    """
    base = {i: token.decode() if i in vocab.literal_ids else to_byte_level(token) for i, token in vocab.tokens.items()}
    spelled = _with_added(vocab, base, str(path))
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    splits = [
        {
            "type": "Split",
            "pattern": {"String" if step.literal else "Regex": to_tokenizers(step)},
            "behavior": "".join(part.capitalize() for part in step.behavior.split("_")),
            "invert": step.invert,
        }
        for step in vocab.pre_tokenizer
    ]
    first = [*splits, byte_level]
    if vocab.add_prefix_space:  # only ByteLevel puts a space there, and what comes after it does not see the text
        if vocab.pre_tokenizer not in ((), SCHEMES["gpt2"]):
            raise UnsupportedVocabError(
                "add_prefix_space goes with GPT-2's pattern or none", file=str(path), field="pre_tokenizer"
            )
        first = [{**byte_level, "add_prefix_space": True, "use_regex": bool(vocab.pre_tokenizer)}]
    document = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": token.id,
                "content": token.content,
                "single_word": token.single_word,
                "lstrip": token.lstrip,
                "rstrip": token.rstrip,
                "normalized": token.normalized,
                "special": token.special,
            }
            for token in vocab.added_tokens
        ],
        "normalizer": {"type": "NFC"} if vocab.normalizer == "nfc" else None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": first},
        "post_processor": _template(vocab) or byte_level,
        "decoder": byte_level,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": vocab.ignore_merges,
            "vocab": spelled,
            "merges": [[base[left], base[right]] for left, right in vocab.merges],
        },
    }
    write_whole(Path(path), json.dumps(document, ensure_ascii=False, indent=1).encode())


def _with_added(vocab: Vocab, base: dict[int, str], label: str) -> dict[str, int]:
    """The model's vocab: the base tokens, and the added ones where their ids would not be kept otherwise.

    `tokenizers` numbers added tokens by itself, from the size of the base vocab on, unless they are in the model's
    vocab too.
    """
    out = {token: i for i, token in base.items()}
    following = len(base)
    first: dict[int, str] = {}
    for token in vocab.added_tokens:
        if first.setdefault(token.id, token.content) != token.content:
            raise UnsupportedVocabError(
                f"{first[token.id]!r} and {token.content!r} share id {token.id}; the format has one for each",
                file=label,
                field="added_tokens",
            )
    for token in vocab.added_tokens:
        if token.id in base or out.get(token.content, token.id) != token.id:
            raise UnsupportedVocabError(
                f"added token {token.content!r} (id {token.id}) is in the way of a base token",
                file=label,
                field="added_tokens",
            )
    if any(token.id != following + at for at, token in enumerate(vocab.added_tokens)):
        out |= {token.content: token.id for token in vocab.added_tokens}
    return out


def _template(vocab: Vocab) -> dict[str, Any] | None:
    """A post-processor for the vocab's prefix and suffix; ``None`` if it has neither."""
    if not vocab.prefix_ids and not vocab.suffix_ids:
        return None
    names = {i: vocab.token_bytes(i).decode("utf-8", "replace") for i in (*vocab.prefix_ids, *vocab.suffix_ids)}

    def items(sequences: str) -> list[dict[str, Any]]:
        def special(i: int) -> dict[str, Any]:
            return {"SpecialToken": {"id": names[i], "type_id": 0}}

        out: list[dict[str, Any]] = []
        for name in sequences:
            out += map(special, vocab.prefix_ids)
            out.append({"Sequence": {"id": name, "type_id": 0}})
            out += map(special, vocab.suffix_ids)
        return out

    return {
        "type": "TemplateProcessing",
        "single": items("A"),
        "pair": items("AB"),
        "special_tokens": {name: {"id": name, "ids": [i], "tokens": [name]} for i, name in names.items()},
    }


plugin = TokenizerJsonLoader
