"""Random files of formats other than tokenizer.json, and what Python gives for texts."""

from __future__ import annotations

import base64
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from expected_cuts import cuts

import wordsplit
from wordsplit.errors import WordsplitError

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from charsmaps import charsmap
from random_models import ALPHABET, BYTES, texts, words
from vocabs.formats.gguf_writer import BOOL, F32, I8, U32, items, of_kind, scalar
from vocabs.formats.model_proto import (
    BPE,
    BYTE,
    CHAR,
    CONTROL,
    META,
    NORMAL,
    UNIGRAM,
    UNUSED,
    USER_DEFINED,
    WORD,
    model_proto,
)

Piece = tuple[str, float, int]

MARK = "\u2581"
BERT = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
KEYS = ["a", "b", "é", "ﬁ", "ab", "e\u0301", MARK, "\u3000", "\t", "①", "\xad"]
REPLACEMENTS = ["a", "b", "fi", " ", "", "A", "ab", "é", "  ", "x y"]


def pieces(rng: random.Random, *, byte_fallback: bool) -> list[Piece]:
    """The pieces of a model, most of them with scores of their own."""
    own = [*META, *((token, 0.0, BYTE) for token in BYTES if byte_fallback)]
    named = [*rng.sample(ALPHABET, rng.randrange(8, len(ALPHABET))), *([MARK] if rng.random() < 0.9 else [])]
    named += [word.replace(" ", MARK) if rng.random() < 0.9 else word for word in words(rng, rng.randrange(60))]
    named = list(dict.fromkeys([*(char for name in named for char in name if rng.random() < 0.98), *named]))
    kinds = rng.choices((NORMAL, CONTROL, USER_DEFINED, UNUSED), (97, 1, 1, 1), k=len(named))
    shared = rng.random() < 0.1
    for at, (name, kind) in enumerate(zip(named, kinds, strict=True)):
        own.append((name, -float(at % 7 if shared else at) / 4, kind))
    return own


def random_map(rng: random.Random) -> bytes:
    """A map of characters."""
    keys = rng.sample(KEYS, rng.randrange(1, len(KEYS)))
    return base64.b64decode(charsmap({key: rng.choice(REPLACEMENTS) for key in keys}))


def sentencepiece_model(rng: random.Random) -> tuple[bytes, list[str]]:
    """A model file, and its tokens."""
    byte_fallback = rng.random() < 0.4
    own = pieces(rng, byte_fallback=byte_fallback)
    trainer: list[tuple[int, Any]] = [(35, int(byte_fallback))]
    if rng.random() < 0.1:
        trainer.append((24, 1))  # treat_whitespace_as_suffix
    if rng.random() < 0.2:
        trainer.append((44, rng.choice(("", "?"))))  # unk_surface
    joins = rng.random() < 0.5
    normalizer: list[tuple[int, Any]] = [(4, int(joins)), (3, int(rng.random() < 0.8))]
    if rng.random() < (0.7 if joins else 0.1):
        normalizer.append((2, random_map(rng)))
    kind = rng.choice((UNIGRAM, BPE, BPE, CHAR, WORD))
    return model_proto(own, model_type=kind, trainer=trainer, normalizer=normalizer), [piece[0] for piece in own]


def gguf(rng: random.Random) -> tuple[bytes, list[str]]:
    """A GGUF file of a kind with scores, and its tokens."""
    kind = rng.choice(("llama", "t5"))
    own = pieces(rng, byte_fallback=kind == "llama" or rng.random() < 0.2)
    found = [*own, *rng.sample([("<end_of_turn>", -90.0, NORMAL), ("<PAD>", -91.0, NORMAL)], rng.randrange(3))]
    if kind == "llama" and rng.random() < 0.7:
        known = {piece[0] for piece in found}
        found += [(char, -95.0, NORMAL) for char in sorted({char for piece in found for char in piece[0]} - known)]
    more = {
        name: scalar(BOOL, rng.randrange(2)) for name in ("add_space_prefix", "add_eos_token") if rng.random() < 0.3
    }
    if rng.random() < 0.8:
        more["remove_extra_whitespaces"] = scalar(BOOL, 1)
    if kind == "t5":
        more |= {"unknown_token_id": scalar(U32, 0), "eos_token_id": scalar(U32, 2)}
        if rng.random() < 0.7:
            more["precompiled_charsmap"] = items(I8, memoryview(random_map(rng)).cast("b"))
    tokens, scores, types = zip(*dict(zip([piece[0] for piece in found], found, strict=True)).values(), strict=True)
    return of_kind(kind, tokens, types, scores=items(F32, scores), **more), list(tokens)


def bert(rng: random.Random) -> list[str]:
    """The tokens of a vocab.txt."""
    own = [rng.choice(("", "##")) + word for word in words(rng, 60) if "\n" not in word]
    return [*BERT[: rng.choice((4, 5))], *map(str.lower, own), *"abcd'.<>中", *(f"##{char}" for char in "abcde'中")]


def vocab_txt(rng: random.Random) -> tuple[bytes, list[str]]:
    """A vocab.txt, with empty lines and tokens that occur twice, and its tokens."""
    tokens = bert(rng)
    return "\n".join([*tokens, *([""] * rng.randrange(3))]).encode(), [token.removeprefix("##") for token in tokens]


def bert_gguf(rng: random.Random) -> tuple[bytes, list[str]]:
    """The same in a GGUF file."""
    tokens = list(dict.fromkeys(map(str.strip, bert(rng))))
    spelled = [t if t.startswith("[") else t[2:] if t.startswith("##") else MARK + t for t in tokens]
    roles = {"unknown": 1, "cls": 2, "seperator": 3, "padding": 0}
    keys = {f"{role}_token_id": scalar(U32, i) for role, i in roles.items()}
    own = dict.fromkeys(filter(None, spelled))
    return of_kind("bert", own, [3 if t.startswith("[") else 1 for t in own], **keys), tokens


FILES: dict[str, tuple[str, Callable[[random.Random], tuple[bytes, list[str]]]]] = {
    "vocab_txt": ("vocab_txt", vocab_txt),
    "bert": ("gguf", bert_gguf),
    "gguf": ("gguf", gguf),
    "sentencepiece": ("sentencepiece", sentencepiece_model),
}


def random_files(seeds: int) -> list[dict[str, Any]]:
    """For each kind and seed, a file that Python reads, and the ids, their places and their text of some texts."""
    out = []
    for kind, (format_name, make) in FILES.items():
        for seed in range(seeds):
            rng = random.Random(f"{kind} {seed}")
            data, tokens = make(rng)
            try:
                tok = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(data, name=kind, format=format_name))
            except WordsplitError:
                continue  # formats.test.mjs has what is refused
            rows = []
            for text in ["", " ", MARK, f"a{MARK}", *texts(rng, tokens)]:
                found = tok.encode_with_offsets(text)
                places = [place for span in found.char_spans for place in span]
                rows.append(
                    [
                        text,
                        found.ids,
                        tok.encode(text, special="no_added"),
                        places,
                        tok.decode(found.ids),
                        cuts(tok, text),
                    ]
                )
            encoded = base64.b64encode(data).decode()
            out.append({"name": f"{kind} {seed}", "format": format_name, "data": encoded, "rows": rows})
    return out
