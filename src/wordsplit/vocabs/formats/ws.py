"""The .ws format: a compiled vocab, portable between machines and to the JavaScript package.

It holds the tables as they are in memory (``native/include/wordsplit/tables/compiled.hpp``), so that a load parses
nothing but a short description.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, ClassVar

from wordsplit.atomic_file import write_atomically
from wordsplit.errors import UnsupportedVocabError, VocabFormatError
from wordsplit.model import ByteLevelBPE, CharacterBPE, Unigram, WordLevel, WordPiece
from wordsplit.patterns.schemes import pattern_steps
from wordsplit.rules import Decode, Rewrite, step_type
from wordsplit.vocab import AddedToken, Normalize, Split, Vocab
from wordsplit.vocabs.formats.base import Loader, Overrides, Source, missing_bytes_of
from wordsplit.vocabs.json_tree import Node, parse_json
from wordsplit.vocabs.lengths import read_padding, read_truncation
from wordsplit.vocabs.pair_template import read_pair_template

__all__ = ["CompiledLoader", "save"]

_MAGIC = b"wsvocab\n"
_OTHER_BUILD = "is of another build"


class CompiledLoader(Loader):
    """Reader of .ws files."""

    models: ClassVar[tuple[type, ...]] = (ByteLevelBPE, CharacterBPE, Unigram, WordPiece, WordLevel)

    def recognizes(self, source: Source) -> bool:
        """Check the extension or the first eight bytes."""
        return source.name.endswith(".ws") or source.head(len(_MAGIC)) == _MAGIC

    def load(self, source: Source, overrides: Overrides) -> Vocab:
        """Read a .ws file; see `Loader.load`."""
        _require_native(source.label)
        from wordsplit.vocabs.compiled_content import CompiledContent  # noqa: PLC0415 - pure-Python builds lack it

        try:
            content = CompiledContent(_copied(source.read()), portable=True)
        except ValueError as error:
            if str(error) == _OTHER_BUILD:
                raise UnsupportedVocabError(
                    "was compiled by another version of wordsplit: write it again with `wordsplit compile`",
                    file=source.label,
                    field="header",
                ) from None
            raise VocabFormatError(str(error), file=source.label) from None
        root = Node(parse_json(content.description, source.label), source.label)
        byte_level = root["model"].value is None
        values = dict(_fields(root["vocab"], byte_level=byte_level))
        described = {"vocab": values, "has_explicit_merges": root["has_explicit_merges"].boolean()}
        changes: dict[str, Any] = {"source": source.label}
        if byte_level:
            # The promise of live merges is not taken on trust: tables that are rebuilt rely on it.
            changes["merges_are_live"] = False
        else:
            described["model"] = root["model"].value
        if overrides.name is not None:
            changes["name"] = overrides.name
        if overrides.pattern is not None:
            changes["pre_tokenizer"] = pattern_steps(overrides.pattern)
        try:
            vocab = content.vocab(described, **changes)
        except (ValueError, LookupError, TypeError) as error:
            raise VocabFormatError(f"{error}", file=source.label) from None
        if not overrides.special_tokens:
            return vocab
        more = (AddedToken(content, i) for content, i in overrides.special_tokens.items())
        return vocab.replace(added_tokens=[*vocab.added_tokens, *more])


def _copied(data: bytes) -> memoryview:
    """Copy a file to aligned memory. The file itself is not mapped, because its owner may change it at any time."""
    memory = mmap.mmap(-1, max(len(data), 1))
    memory.write(data)
    return memoryview(memory).toreadonly()[: len(data)]


def _fields(node: Node, *, byte_level: bool) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a vocab with their values, after checking their types."""
    node.require_object()
    yield "name", node["name"].string()
    for name in ("ignore_merges", "add_prefix_space") if byte_level else ("add_prefix_space",):
        yield name, node[name].boolean()
    for name in ("prefix_ids", "suffix_ids", "unreachable_ids") if byte_level else ("prefix_ids", "suffix_ids"):
        yield name, [item.token_id() for item in node[name].items()]
    for name in ("bos_token_id", "eos_token_id", "pad_token_id"):
        yield name, None if node[name].value is None else node[name].token_id()
    if byte_level:
        missing = missing_bytes_of(node["missing_bytes"])
        yield "missing_bytes", None if missing is None else asdict(missing)
    yield "role_ids", {role: item.token_id() for role, item in _entries(node["role_ids"])}
    yield "chat_template", None if node["chat_template"].value is None else node["chat_template"].string()
    yield "chat_templates", {name: item.string() for name, item in _entries(node["chat_templates"])}
    yield "pre_tokenizer", [_step(step, step_type(step.value)) for step in node["pre_tokenizer"].items()]
    decoder = node["decoder"]
    yield "decoder", None if decoder.value is None else [_step(step, Decode) for step in decoder.items()]
    normalizer = node["normalizer"]
    if isinstance(normalizer.value, list):
        yield "normalizer", [_step(step, Normalize) for step in normalizer.items()]
    else:
        yield "normalizer", None if normalizer.value is None else normalizer.string()
    read_truncation(node["truncation"])
    read_padding(node["padding"])
    read_pair_template(node["pair_template"])
    for name in ("pair_template", "truncation", "padding"):
        yield name, node[name].value


def _entries(node: Node) -> Iterator[tuple[str, Node]]:
    node.require_object()
    return ((key, node[key]) for key in node.value)


def _step(node: Node, kind: type[Split | Rewrite | Normalize | Decode]) -> dict[str, str | bool | int]:
    """Return the fields of a step, all of which are strings, flags and counts."""
    node.require_object()
    read: dict[Any, Callable[[Node], str | bool | int]] = {"bool": Node.boolean, "int": Node.count}
    return {each.name: read.get(each.type, Node.string)(node[each.name]) for each in fields(kind)}


def _require_native(label: str) -> None:
    try:
        import wordsplit._native  # noqa: F401, PLC0415 - pure-Python builds lack it
    except ImportError:
        raise UnsupportedVocabError(
            "a compiled vocab needs wordsplit's native module, which this installation lacks", file=label
        ) from None


def save(vocab: Vocab, path: str | os.PathLike[str]) -> None:
    """Write a .ws file.

    Raises:
        UnsupportedVocabError: This wordsplit has no native module, or it cannot run the model.
    """
    _require_native(str(path))
    from wordsplit.vocabs.compiled_content import compiled  # noqa: PLC0415 - as above

    write_atomically(Path(path), compiled(vocab, {}, portable=True))


plugin = CompiledLoader
