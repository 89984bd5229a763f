"""The tokenizer.json format of `tokenizers`.

Everything in the file is either supported exactly or refused with the JSON path of the unsupported part.
``tokenizer_config.json`` and ``chat_template.jinja`` in the same folder are read for data that tokenizer.json lacks:
the bos, eos and pad tokens and the chat template.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import count
from operator import eq, itemgetter
from pathlib import Path
from typing import Any, ClassVar

from wordsplit.added_list import FLAGS, AddedTokenList
from wordsplit.byte_level import from_byte_level
from wordsplit.errors import VocabFormatError
from wordsplit.lengths import Padding
from wordsplit.model import ByteLevelBPE, CharacterBPE, Model, Unigram, WordLevel, WordPiece
from wordsplit.patterns.schemes import pattern_steps
from wordsplit.vocab import AddedToken, Decode, Normalize, Vocab
from wordsplit.vocabs.formats.base import Loader, Overrides, Source
from wordsplit.vocabs.formats.tokenizer_json.bpe import MergesInJson, read_bpe, spelled_bytes
from wordsplit.vocabs.formats.tokenizer_json.decoders import read_decoder
from wordsplit.vocabs.formats.tokenizer_json.models import kind_of, read_model
from wordsplit.vocabs.formats.tokenizer_json.numbers import rounded_as_by_serde
from wordsplit.vocabs.formats.tokenizer_json.post_processor import read_post_processor
from wordsplit.vocabs.formats.tokenizer_json.rules import flat, read_normalizer, read_pre_tokenizer
from wordsplit.vocabs.json_tree import Node, parse_json, shown
from wordsplit.vocabs.lengths import read_padding, read_truncation

try:
    from wordsplit._native import json_outline
except ImportError:  # a pure-Python build
    json_outline = None  # type: ignore[assignment]

__all__ = ["TokenizerJsonLoader", "read_config", "with_rules"]

_FIELDS = itemgetter("content", "id", *FLAGS)
_AFFIXES = "continuing_subword_prefix", "end_of_word_suffix"


class TokenizerJsonLoader(Loader):
    """Reader of tokenizer.json files."""

    models: ClassVar[tuple[type, ...]] = (ByteLevelBPE, CharacterBPE, Unigram, WordPiece, WordLevel)

    def recognizes(self, source: Source) -> bool:
        """Check for the extension ``.json``, or a first brace."""
        return source.name.endswith(".json") or source.head(64).lstrip()[:1] == b"{"

    def load(self, source: Source, overrides: Overrides) -> Vocab:
        """Read a tokenizer.json; see `Loader.load`."""
        with _paused_collection():
            return self._load(source, overrides)

    def load_document(self, root: dict[str, Any], source: Source) -> Vocab:
        """Read the content of a tokenizer.json that a program has put together: objects as `json` reads them.

        Args:
            root: The content.
            source: Its name, for errors.

        Raises:
            VocabFormatError: It is damaged.
            UnsupportedVocabError: It has an unsupported part.
        """
        with _paused_collection():
            return self._read(Node(root, source.label), source, Overrides())

    def _load(self, source: Source, overrides: Overrides) -> Vocab:
        return self._read(Node(_parsed(source.read(), source.label), source.label), source, overrides)

    def _read(self, root: Node, source: Source, overrides: Overrides) -> Vocab:
        root.require_object()
        byte_level = _is_byte_level(root)
        steps, add_prefix_space = read_pre_tokenizer(root["pre_tokenizer"], byte_level=byte_level)
        if overrides.pattern is not None:
            steps = pattern_steps(overrides.pattern)
        added = _added_tokens(root["added_tokens"])
        _refuse_shared_ids(added, root["added_tokens"])
        model: Model
        if byte_level:
            model = read_bpe(root["model"], set(added.ids))
            _refuse_taken_ids(added, root, spelled_bytes)
        else:
            model = read_model(root["model"])
            _refuse_taken_ids(added, root, str.encode)
        added = _numbered(added, root)
        if overrides.special_tokens:
            more = (AddedToken(content, i) for content, i in overrides.special_tokens.items())
            added = AddedTokenList.pack([*added, *more])
        around = read_post_processor(root["post_processor"])
        ids = dict(zip(added.contents(), added.ids, strict=True))
        for i in around.ids():
            if i not in model.tokens and not added.has_id(i):
                raise root["post_processor"].format_error(f"names id {i}, which no token has")
        normalizer = read_normalizer(root["normalizer"], byte_level=byte_level)
        padding = read_padding(root["padding"])
        roles = _with_pad(_with_unknown(read_config(source, ids), model), padding, ids)
        return Vocab(
            name=overrides.name or source.stem,
            model=model,
            pre_tokenizer=steps,
            added_tokens=added,
            normalizer=normalizer,
            decoder=_decoder(root["decoder"], model, added, normalizer),
            add_prefix_space=add_prefix_space,
            **around._asdict(),
            truncation=read_truncation(root["truncation"]),
            padding=padding,
            source=source.label,
            **roles,
        )


def _parsed(data: bytes, label: str) -> Any:
    """Parse a file, without the merges if there are many: half of the time would be spent to make objects of them."""
    text: bytes = data
    places: dict[str, tuple[int, int]] = {}
    if json_outline is not None:
        text, places = json_outline(data, "model", ["merges"]) or (data, {})
    if "merges" in places:
        with suppress(VocabFormatError):  # it would name a place in the text without the merges
            root = parse_json(text, label, rounded_as_by_serde)
            root["model"]["merges"] = MergesInJson(data, *places["merges"])
            return root
    return parse_json(data, label, rounded_as_by_serde)


def with_rules(vocab: Vocab, rules: Mapping[str, Any]) -> Vocab | None:
    """Return a vocab with other rules, and the same model and added tokens.

    Args:
        vocab: The vocab.
        rules: The normalizer, the pre-tokenizer and the decoder as in a tokenizer.json, by field.

    Returns:
        The vocab; ``None`` if the rules decide that the model, BPE, is of another kind and has to be read again.

    Raises:
        VocabFormatError: A rule is damaged.
        UnsupportedVocabError: A rule is not supported.
    """
    model = vocab.model
    byte_level = isinstance(model, ByteLevelBPE)
    kind = "BPE" if byte_level or isinstance(model, CharacterBPE) else ""
    affixes = {name: getattr(model, name, None) for name in _AFFIXES}
    root = Node({**rules, "model": {"type": kind, **affixes}}, "tokenizer.json")
    if kind and _is_byte_level(root) != byte_level:
        return None
    steps, add_prefix_space = read_pre_tokenizer(root["pre_tokenizer"], byte_level=byte_level)
    normalizer = read_normalizer(root["normalizer"], byte_level=byte_level)
    return vocab.replace(
        pre_tokenizer=steps,
        normalizer=normalizer,
        decoder=_decoder(root["decoder"], model, vocab.added_tokens, normalizer),
        add_prefix_space=add_prefix_space,
    )


def _is_byte_level(root: Node) -> bool:
    """Return whether the model merges bytes. With affixes, as in CLIP, it merges letters of the byte-level alphabet."""
    model = root["model"]
    if kind_of(model) != "BPE" or any(model[name].value for name in _AFFIXES):
        return False
    return any(part["type"].value == "ByteLevel" for part in flat(root["pre_tokenizer"], "pretokenizers"))


def _decoder(
    node: Node, model: Model, added: AddedTokenList, normalizer: Sequence[Normalize]
) -> tuple[Decode, ...] | None:
    """Return the steps of the decoder; ``None`` if they join the bytes of tokens."""
    steps = read_decoder(node)
    if not isinstance(model, ByteLevelBPE) or {step.kind for step in steps} - {"byte_level", "fuse"}:
        return steps
    # An added token such as "Größe" consists of letters of the byte-level alphabet, and is decoded as such.
    is_ascii = bytes(added.blob).isascii()
    plain = is_ascii or all(content.isascii() or from_byte_level(content) is None for content in added.contents())
    # One that is searched for in normalized text is decoded to what it was normalized to.
    unchanged = not normalizer or (is_ascii and normalizer == (Normalize("nfc"),))
    same = unchanged or not any(token.normalized for token in added)
    return None if plain and same and Decode("byte_level") in steps else steps


def _with_unknown(config: dict[str, Any], model: Model) -> dict[str, Any]:
    """Return arguments of `Vocab` with the role of the model's unknown token."""
    unk_id = getattr(model.missing_bytes or model, "unk_id", None)
    return config if unk_id is None else config | {"role_ids": {"unk": unk_id} | config.get("role_ids", {})}


def _with_pad(config: dict[str, Any], padding: Padding | None, ids: dict[str, int]) -> dict[str, Any]:
    """Return arguments of `Vocab` with the padding token, if only the saved padding names it."""
    if padding is None or config.get("pad_token_id") is not None or ids.get(padding.pad_token) != padding.pad_id:
        return config
    return config | {"pad_token_id": padding.pad_id}


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


def _numbered(added: AddedTokenList, root: Node) -> AddedTokenList:
    """Return added tokens with the ids that they get in `tokenizers`.

    It numbers those that are not in the model's vocab in order of the file, from the size of the vocab on, whatever the
    file says. So a file with a gap has other ids there. A token without text is left out.
    """
    vocab = root["model"]["vocab"].value
    known = vocab if isinstance(vocab, dict) else {token: i for i, (token, _) in enumerate(vocab)}
    contents = [item["content"] for item in root["added_tokens"].value or () if item["content"]]
    following = count(len(known))
    ids = {content: known[content] if content in known else next(following) for content in dict.fromkeys(contents)}
    if len(ids) == len(added) and all(map(eq, map(ids.get, added.contents()), added.ids)):
        return added
    return AddedTokenList.pack([replace(token, id=ids[token.content]) for token in added if token.content])


def _refuse_shared_ids(added: AddedTokenList, node: Node) -> None:
    if len(set(added.ids)) == len(added):
        return
    owner: dict[int, str] = {}
    for token in added:
        if owner.setdefault(token.id, token.content) != token.content:
            raise node.format_error(f"id {token.id} is both {shown(owner[token.id])} and {shown(token.content)}")


def _refuse_taken_ids(added: AddedTokenList, root: Node, bytes_of: Callable[[str], bytes]) -> None:
    listed = root["model"]["vocab"].value
    vocab = listed if isinstance(listed, dict) else {token: i for i, (token, _) in enumerate(listed)}
    known = list(zip(map(vocab.get, added.contents()), added.ids, strict=True))
    unlisted = {i for found, i in known if found is None}
    if all(found in (None, i) for found, i in known) and unlisted.isdisjoint(vocab.values()):
        return
    tokens = {i: token for token, i in vocab.items()}
    for token in added:
        other = vocab.get(token.content, token.id)
        if other != token.id or bytes_of(tokens.get(token.id, token.content)) != bytes_of(token.content):
            place = next(at for at, item in enumerate(root["added_tokens"].value) if item["id"] == token.id)
            node = Node(token.id, root.label, f"{root.path}.added_tokens[{place}].id")
            found = (
                f"{shown(token.content)} has id {other} there"
                if other != token.id
                else "the id is another token's there"
            )
            raise node.format_error(f"contradicts $.model.vocab: {found}, and {token.id} here")


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
