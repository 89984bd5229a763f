"""OpenAI's encodings and the files that they are published as, made from the bundled vocabs."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from wordsplit.byte_level import to_byte_level
from wordsplit.compat.tiktoken.core import Encoding
from wordsplit.vocab import Vocab
from wordsplit.vocabs import catalog
from wordsplit.vocabs.resolve import load_vocab

__all__ = ["ENCODING_CONSTRUCTORS", "VOCABS", "Bundled", "published_file", "ranks_file"]


@dataclass(frozen=True)
class Bundled:
    """Constructor of a bundled encoding: called, it returns the arguments of `Encoding`.

    Attributes:
        name: The encoding's name.
        vocab: The name of its vocab.
        n_vocab: ``explicit_n_vocab``, where tiktoken gives one.
    """

    name: str
    vocab: str
    n_vocab: int | None = None

    def __call__(self) -> dict[str, Any]:
        """Return the arguments."""
        vocab = load_vocab(self.vocab)
        arguments: dict[str, Any] = {
            "name": self.name,
            "pat_str": vocab.pattern,
            "mergeable_ranks": dict(vocab.ids_by_bytes),
            "special_tokens": vocab.special_tokens,
        }
        return arguments if self.n_vocab is None else {**arguments, "explicit_n_vocab": self.n_vocab}

    def encoding(self) -> Encoding:
        """Return the encoding, without the detour over a dict of all tokens."""
        return Encoding.of_vocab(load_vocab(self.vocab), self.name)


ENCODING_CONSTRUCTORS = {
    each.name: each
    for each in (
        Bundled("gpt2", "r50k_base", 50257),  # the same ids under another name
        Bundled("r50k_base", "r50k_base", 50257),
        Bundled("p50k_base", "p50k_base", 50281),
        Bundled("p50k_edit", "p50k_edit"),
        Bundled("cl100k_base", "cl100k_base"),
        Bundled("o200k_base", "o200k_base"),
        Bundled("o200k_harmony", "o200k_harmony"),
    )
}
"""The constructors by name, as in a plug-in."""

VOCABS = {name: each.vocab for name, each in ENCODING_CONSTRUCTORS.items()}
"""The bundled vocab of each encoding."""


def published_file(url: str) -> bytes | None:
    """Return the content of a file that OpenAI publishes, byte for byte; ``None`` for any other URL."""
    makers: dict[str, Callable[[Vocab], bytes]] = {
        _GPT2 + "vocab.bpe": _vocab_bpe,
        _GPT2 + "encoder.json": _encoder_json,
    }
    if url in makers:
        return makers[url](load_vocab("r50k_base"))
    for name in dict.fromkeys(VOCABS.values()):
        entry = catalog.find_bundled(name)
        if entry is not None and any(source["url"] == url for source in entry.sources):
            return ranks_file(load_vocab(name).ids_by_bytes)
    return None


def ranks_file(ranks: Mapping[bytes, int]) -> bytes:
    """Return mergeable ranks as the content of a .tiktoken file."""
    ordered = sorted(ranks.items(), key=itemgetter(1))
    return b"".join([base64.b64encode(token) + b" %d\n" % rank for token, rank in ordered])


_GPT2 = "https://openaipublic.blob.core.windows.net/gpt-2/encodings/main/"


def _vocab_bpe(vocab: Vocab) -> bytes:
    spelled = {i: to_byte_level(token) for i, token in vocab.tokens.items()}
    merges = [f"{spelled[left]} {spelled[right]}" for left, right in vocab.merges]
    return "\n".join(["#version: 0.2", *merges, ""]).encode()


def _encoder_json(vocab: Vocab) -> bytes:
    ids = {to_byte_level(token): i for i, token in vocab.tokens.items()}
    return json.dumps(ids | vocab.special_tokens).encode()
