"""Compiled files of vocabs with random rules of all kinds, and what `tokenizers` gives for texts."""

from __future__ import annotations

import base64
import gzip
import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import tokenizers
from expected_cuts import cuts

import wordsplit
from wordsplit.errors import UnsupportedVocabError

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from oracles import unless_panic
from parity import test_components, test_text_steps
from parity.parts import TO_NORMALIZE, TO_SPLIT, texts

TEXTS = 25
Document = dict[str, Any]


def of_bytes(rng: random.Random) -> tuple[Document, list[str]]:
    """Byte-level BPE, and texts for it."""
    return test_components.document(rng), list(test_components.texts(rng))


def of_characters(rng: random.Random) -> tuple[Document, list[str]]:
    """Another model, and texts for it."""
    given = list(texts(rng.random(), [*TO_NORMALIZE, *TO_SPLIT, *test_text_steps.ADDED], TEXTS))
    return test_text_steps.document(rng, given), given


KINDS: dict[str, Callable[[random.Random], tuple[Document, list[str]]]] = {
    "bytes": of_bytes,
    "characters": of_characters,
}


def _loaded(kind: str, seed: int) -> tuple[tokenizers.Tokenizer, wordsplit.Tokenizer, list[str]] | None:
    """Return a random tokenizer, twice, and texts; ``None`` if `tokenizers` panics, or chooses at random."""
    try:
        made, given = KINDS[kind](random.Random(f"{kind} {seed}"))
        theirs = tokenizers.Tokenizer.from_str(json.dumps(made))
        vocab = wordsplit.load_vocab_bytes(json.dumps(made).encode(), name=f"{kind} {seed}")
        ours = wordsplit.load_tokenizer(vocab)
    except UnsupportedVocabError:
        return None
    except BaseException as error:
        if "index out of bounds" not in str(error):
            raise
        return None
    contents = [token["content"] for token in made["added_tokens"] if token["normalized"]]
    found = [theirs.normalizer.normalize_str(content) for content in contents] if theirs.normalizer else contents
    return None if len(set(found)) < len(found) else (theirs, ours, given)


def random_rules(folder: Path, seeds: int) -> Iterator[dict[str, Any]]:
    """For each kind and seed, a compiled file, and the ids, their places and their text of some texts."""
    for kind in KINDS:
        for seed in range(seeds):
            loaded = _loaded(kind, seed)
            if loaded is None:
                continue
            theirs, tok, given = loaded
            try:
                tok.vocab.save_compiled(folder / "random.ws")
            except UnsupportedVocabError:
                continue
            rows = []
            for text in given:
                expected = unless_panic(theirs.encode, text)
                if expected is None:
                    continue
                located = tok.encode_with_offsets(text)
                places = [place for span in located.char_spans for place in span]
                decoded = tok.decode(expected.ids)
                rows.append([text, expected.ids, places, decoded, cuts(tok, text), tok.spans(text)])
            data = base64.b64encode(gzip.compress((folder / "random.ws").read_bytes(), 1)).decode()
            yield {"name": tok.vocab.name, "compiled": data, "rows": rows}


def write_random_rules(folder: Path, seeds: int) -> None:
    """Write the files and what is expected."""
    (folder / "random-rules.json").write_text(json.dumps(list(random_rules(folder, seeds))), encoding="utf-8")
