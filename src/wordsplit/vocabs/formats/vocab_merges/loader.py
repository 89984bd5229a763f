"""The older pair of files of byte-level BPE: vocab.json (token -> id) and merges.txt (one merge per line).

The files hold no pattern. It comes from, in this order: the caller; ``wordsplit_rules.json`` in the same folder,
which `save` writes; the tokenizer class in ``tokenizer_config.json``, if that class has a fixed pattern;
GPT-2's pattern for GPT-2's own merges. Otherwise it is not guessed. If the folder has a tokenizer.json, load that.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from wordsplit.atomic_file import write_atomically
from wordsplit.byte_level import to_byte_level
from wordsplit.errors import UnsupportedVocabError, VocabFormatError
from wordsplit.model import ByteLevelBPE
from wordsplit.patterns.schemes import SCHEMES, pattern_steps
from wordsplit.vocab import AddedToken, Vocab
from wordsplit.vocabs.formats.base import Loader, Overrides, Source, require_byte_level
from wordsplit.vocabs.formats.tokenizer_json.bpe import read_merges, read_tokens, without_doubled
from wordsplit.vocabs.formats.tokenizer_json.loader import read_config
from wordsplit.vocabs.formats.vocab_merges.rules_file import NAME as RULES
from wordsplit.vocabs.formats.vocab_merges.rules_file import read_rules, written_rules
from wordsplit.vocabs.json_tree import Node, parse_json

__all__ = ["VocabMergesLoader", "save"]

_GPT2 = ("gpt2", None)
_BY_CLASS = {
    **dict.fromkeys(("GPT2", "Roberta", "Bart", "Longformer", "LED", "CodeGen", "Whisper"), _GPT2),
    "Qwen2": ("qwen2", "nfc"),
}
"""Pattern and normalizer of tokenizer classes whose Python code fixes them."""

_GPT2_MERGES = "04e3597d7996f292ca9b8b7285ca4d58a6ae171ac47d73fc7140ceb0c7a6bbc0"
"""The sha256 of GPT-2's merges, which RoBERTa, BART, OPT and others share."""


class VocabMergesLoader(Loader):
    """Reader of vocab.json with merges.txt in the same folder."""

    models: ClassVar[tuple[type, ...]] = (ByteLevelBPE,)

    def recognizes(self, source: Source) -> bool:
        """Check for the name of either file."""
        return source.name in ("vocab.json", "merges.txt")

    def load(self, source: Source, overrides: Overrides) -> Vocab:
        """Read both files; see `Loader.load`.

        Added tokens, bos, eos, pad and templates come from ``wordsplit_rules.json`` and ``tokenizer_config.json``
        if these exist; the latter takes precedence.
        """
        texts = {name: source.sibling(name) for name in ("vocab.json", "merges.txt")}
        for name, data in texts.items():
            if data is None:
                raise VocabFormatError("is missing in the same folder", file=source.label, field=name)
        label = str(Path(source.label).with_name("vocab.json"))
        vocab = Node(parse_json(texts["vocab.json"] or b"", label), label)
        vocab.require_object()
        tokens, unreachable_ids = read_tokens(vocab)
        label = str(Path(source.label).with_name("merges.txt"))
        lines = _lines(texts["merges.txt"] or b"", label)
        merges = read_merges(Node(lines, label, "merge"), vocab.value)
        rules = read_rules(source) or {}
        added = _united(rules.pop("added_tokens", []), _added_tokens(source))
        added += [AddedToken(content, i) for content, i in overrides.special_tokens.items()]
        if not rules:  # `save` writes the base tokens alone
            tokens = without_doubled(tokens, merges, {token.id for token in added})
        if overrides.pattern is not None or not rules:
            pattern, normalizer = _pattern(source, lines, overrides.pattern)
            rules = {"normalizer": normalizer} | rules | {"pre_tokenizer": pattern_steps(pattern)}
        config = read_config(source, {token.content: token.id for token in added})
        return Vocab(
            name=overrides.name or source.stem,
            tokens=tokens,
            merges=merges,
            added_tokens=added,
            unreachable_ids=unreachable_ids,
            source=source.label,
            **rules | {key: value for key, value in config.items() if value},
        )


def _united(tokens: Sequence[AddedToken], more: Sequence[AddedToken]) -> list[AddedToken]:
    """Merge the added tokens of two files. Of the same id, those of the second come first."""
    taken = {token.id for token in more}
    return [token for token in tokens if token.id not in taken] + list(more)


def _pattern(source: Source, lines: list[str], given: str | None) -> tuple[str, str | None]:
    """Return the pattern and the normalizer.

    Raises:
        UnsupportedVocabError: They are not known.
    """
    named = _class_of(source)
    found = _BY_CLASS.get(named.removesuffix("Fast").removesuffix("Tokenizer"))
    if found is None and hashlib.sha256("\n".join(lines).encode()).hexdigest() == _GPT2_MERGES:
        found = _GPT2
    if given is not None:
        return given, found[1] if found else None
    if found is None:
        seen = f"tokenizer_config.json names {named!r:.80}" if named else f"there is no {RULES} in the folder"
        raise UnsupportedVocabError(
            f"vocab.json and merges.txt hold no pattern, and {seen}: give pattern= a scheme's name "
            f"({', '.join(SCHEMES)}) or a regular expression; GPT-2's was pattern='gpt2'",
            file=source.label,
            field="pattern",
        )
    return found


def _class_of(source: Source) -> str:
    """Return the tokenizer class that tokenizer_config.json names, or the empty string."""
    data = source.sibling("tokenizer_config.json")
    if data is None:
        return ""
    label = str(Path(source.label).with_name("tokenizer_config.json"))
    named = Node(parse_json(data, label), label)["tokenizer_class"].value
    return named if isinstance(named, str) else ""


def _lines(data: bytes, label: str) -> list[str]:
    try:
        lines = data.decode("utf-8").replace("\r\n", "\n").split("\n")
    except UnicodeDecodeError as error:
        raise VocabFormatError(f"is not UTF-8 ({error.reason})", file=label, field=f"offset {error.start}") from None
    if lines and lines[0].startswith("#version"):
        del lines[0]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _added_tokens(source: Source) -> list[AddedToken]:
    data = source.sibling("tokenizer_config.json")
    if data is None:
        return []
    label = str(Path(source.label).with_name("tokenizer_config.json"))
    table = Node(parse_json(data, label), label)["added_tokens_decoder"]
    if table.value is None:
        return []
    table.require_object()
    out = []
    for key in table.value:
        item = table[key]
        item.require_object()
        if not key.isdecimal() or not key.isascii() or len(key) > 10:
            raise item.format_error(f"should be keyed by a token id, found {key!r:.40}")
        flags = {name: item[name].boolean() for name in ("special", "lstrip", "rstrip", "single_word", "normalized")}
        out.append(
            AddedToken(content=item["content"].string(), id=Node(int(key), label, item.path).token_id(), **flags)
        )
    return out


def save(vocab: Vocab, folder: str | os.PathLike[str]) -> None:
    """Write vocab.json and merges.txt, and wordsplit_rules.json for what these do not hold."""
    require_byte_level(vocab, folder, "vocab.json and merges.txt")
    spelled = {
        i: token.decode() if i in vocab.unreachable_ids else to_byte_level(token) for i, token in vocab.tokens.items()
    }
    lines = ["#version: 0.2", *(f"{spelled[left]} {spelled[right]}" for left, right in vocab.merges)]
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    ids = {token: i for i, token in spelled.items()}
    write_atomically(target / "vocab.json", json.dumps(ids, ensure_ascii=False).encode())
    write_atomically(target / "merges.txt", ("\n".join(lines) + "\n").encode())
    write_atomically(target / RULES, written_rules(vocab))
