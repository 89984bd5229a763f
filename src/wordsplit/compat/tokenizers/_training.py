"""Train the model of a tokenizer, with the vocab and merges of the trainer of `tokenizers`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from wordsplit.byte_level import from_byte_level, to_byte_level
from wordsplit.compat.errors import NotSupportedError
from wordsplit.compat.tokenizers.tokens import AddedToken
from wordsplit.compat.tokenizers.trainers import BpeTrainer
from wordsplit.engine.aligned import AlignedText
from wordsplit.engine.normalization import normalizer_of
from wordsplit.rules import Split
from wordsplit.training import BpeTrainer as Trainer
from wordsplit.vocabs.formats.tokenizer_json.rules import read_normalizer, read_pre_tokenizer
from wordsplit.vocabs.json_tree import Node

__all__ = ["lines_of", "trained"]


def trained(root: dict[str, Any], trainer: BpeTrainer, texts: Iterable[str | Iterable[str]]) -> dict[str, Any]:
    """Return a tokenizer.json with a new model.

    Args:
        root: The tokenizer.json, whose rules prepare the texts.
        trainer: The settings.
        texts: Texts, or lists of them.

    Raises:
        NotSupportedError: A setting, or a part of the tokenizer, is not supported for training.
        UnsupportedVocabError: The pre-tokenizer has no ByteLevel.
    """
    if root["model"]["type"] != "BPE":
        raise NotSupportedError(f"a model of type {root['model']['type']} cannot be trained; use models.BPE")
    corpus, alphabet = _Corpus(root), _bytes_of(trainer.initial_alphabet)
    if not corpus.keeps_all and len(alphabet) < 256:
        raise NotSupportedError(
            "with a pre-tokenizer that removes text, or adds spaces within it, training needs "
            "initial_alphabet=pre_tokenizers.ByteLevel.alphabet()"
        )
    special = {token.content: token for token in map(AddedToken.given, trainer.special_tokens)}
    clash = next((name for name in special if len(from_byte_level(name) or b"") == 1), None)
    if clash is not None:
        raise NotSupportedError(f"special_tokens: {clash!r} spells a byte, which wordsplit's trainer keeps apart")
    found = Trainer(
        max(trainer.vocab_size, len(special)) + 256,  # room for the merges of any alphabet
        corpus.steps,
        special_tokens=special,
        min_frequency=trainer.min_frequency,
        max_token_bytes=None if trainer.max_token_length is None else max(trainer.max_token_length - 1, 2),
        compat="tokenizers",
    )
    found.update(corpus.prepared(texts), progress=trainer.show_progress)
    found.train(progress=trainer.show_progress)
    names = [*special, *sorted(map(to_byte_level, _single(alphabet | corpus.seen)))]
    pairs = [(to_byte_level(left), to_byte_level(right)) for left, right, _ in found.merges]
    pairs = pairs[: max(trainer.vocab_size - len(names), 0)]
    ids = {name: i for i, name in enumerate([*names, *(left + right for left, right in pairs)])}
    before = [AddedToken(**{k: v for k, v in token.items() if k != "id"}) for token in root["added_tokens"]]
    added = {token.content: token for token in before} | special
    following = iter(range(len(ids), len(ids) + len(added)))
    numbered = [(ids[name] if name in ids else next(following), token) for name, token in added.items()]
    return root | {
        "model": root["model"] | {"vocab": ids, "merges": [list(pair) for pair in pairs]},
        "added_tokens": [{"id": i} | token.__getstate__() for i, token in sorted(numbered, key=lambda item: item[0])],
    }


def lines_of(files: Iterable[str | os.PathLike[str]]) -> Iterator[str]:
    """Yield the lines of files, with their ends."""
    for path in files:
        with Path(path).open(encoding="utf-8", newline="\n") as file:
            yield from file


class _Corpus:
    """The texts of a training, as its trainer takes them.

    Args:
        root: The tokenizer.json.

    Attributes:
        steps: The steps that split texts.
        keeps_all: Whether the spans are the whole normalized text.
        seen: The bytes of the texts so far, after normalization.
    """

    def __init__(self, root: dict[str, Any]) -> None:
        node = Node(root, "the tokenizer")
        steps, self._prefix_space = read_pre_tokenizer(node["pre_tokenizer"])
        self.steps = [step for step in steps if isinstance(step, Split)]
        if len(self.steps) < len(steps):
            raise NotSupportedError("training with a pre-tokenizer that rewrites text")
        self.keeps_all = not any(step.behavior == "removed" or step.prefix_space for step in self.steps)
        normal = read_normalizer(node["normalizer"])
        self._normalize = normalizer_of(normal, node.label)
        self._changes = bool(normal)
        self.seen: set[int] = set()

    def prepared(self, texts: Iterable[str | Iterable[str]]) -> Iterator[str]:
        """Yield the texts, normalized."""
        for item in texts:
            for text in (item,) if isinstance(item, str) else item:
                normal = self._normalize(AlignedText(text)).text if self._changes else text
                if self._prefix_space and normal and not normal.startswith(" "):
                    normal = " " + normal
                self.seen.update(normal.encode("utf-8", "replace"))
                yield normal


def _bytes_of(alphabet: Iterable[str]) -> set[int]:
    out: set[int] = set()
    for char in alphabet:
        data = from_byte_level(char[:1])  # `tokenizers` takes the first character of each
        if not data:
            raise NotSupportedError(f"initial_alphabet: {char!r} is not of pre_tokenizers.ByteLevel.alphabet()")
        out.update(data)
    return out


def _single(values: Iterable[int]) -> list[bytes]:
    return [bytes([value]) for value in values]
