"""The older pair of files of byte-level BPE: vocab.json (token -> id) and merges.txt (one merge a line).

The pair holds no pattern, so the pre-tokenizer comes from the caller, and is GPT-2's if none is given, as the
tools that write such files have it. Where a tokenizer.json stands beside them, load that.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from wordsplit.byte_level import to_byte_level
from wordsplit.errors import UnsupportedVocabError, VocabFormatError
from wordsplit.vocab import AddedToken, Vocab
from wordsplit.vocabs._json import Node, parse_json
from wordsplit.vocabs._json_bpe import drop_doubled, read_merges, read_tokens
from wordsplit.vocabs.base import Loader, Overrides, Source, write_whole
from wordsplit.vocabs.schemes import pattern_steps
from wordsplit.vocabs.tokenizer_json import read_config

__all__ = ["VocabMergesLoader", "save"]


class VocabMergesLoader(Loader):
    """Reads vocab.json with the merges.txt beside it."""

    def recognizes(self, source: Source) -> bool:
        """By the name of either file."""
        return source.name in ("vocab.json", "merges.txt")

    def load(self, source: Source, overrides: Overrides) -> Vocab:
        """Read the pair; see `Loader.load`. Added tokens are those of ``tokenizer_config.json``, if it is there."""
        texts = {name: source.sibling(name) for name in ("vocab.json", "merges.txt")}
        for name, data in texts.items():
            if data is None:
                raise VocabFormatError("is not there, in the same folder", file=source.label, field=name)
        label = str(Path(source.label).with_name("vocab.json"))
        vocab = Node(parse_json(texts["vocab.json"] or b"", label), label)
        vocab.require_object()
        tokens, literal_ids = read_tokens(vocab)
        label = str(Path(source.label).with_name("merges.txt"))
        merges = read_merges(Node(_lines(texts["merges.txt"] or b"", label), label, "merge"), vocab.value)
        added = _added_tokens(source)
        added += [AddedToken(content, i) for content, i in overrides.special_tokens.items()]
        drop_doubled(tokens, merges, {token.id for token in added})
        pattern = overrides.pattern or "gpt2"
        return Vocab(
            name=overrides.name or source.stem,
            tokens=tokens,
            merges=merges,
            pre_tokenizer=pattern_steps(pattern),
            added_tokens=added,
            literal_ids=literal_ids,
            source=source.label,
            **read_config(source, {token.content: token.id for token in added}),
        )


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
    """Write vocab.json and merges.txt. Added tokens, the pattern and the normalizer are not in the format.

    Raises:
        UnsupportedVocabError: A token of a merge has a space in its spelling, so that merges.txt cannot hold it.
    """
    spelled = {
        i: token.decode() if i in vocab.literal_ids else to_byte_level(token) for i, token in vocab.tokens.items()
    }
    lines = ["#version: 0.2"]
    for rank, (left, right) in enumerate(vocab.merges):
        if " " in spelled[left] + spelled[right]:
            raise UnsupportedVocabError("a part holds a space", file=str(folder), field=f"merges[{rank}]")
        lines.append(f"{spelled[left]} {spelled[right]}")
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    ids = {token: i for i, token in spelled.items()}
    write_whole(target / "vocab.json", json.dumps(ids, ensure_ascii=False).encode())
    write_whole(target / "merges.txt", ("\n".join(lines) + "\n").encode())


plugin = VocabMergesLoader
