"""Files whose decoder is not the usual one of their kind, what Python decodes, and which spans it finds."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unicodedata import is_normalized

import wordsplit
from wordsplit.errors import InvalidTextError

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from vocabs.formats.test_tokenizer_json import BYTE_LEVEL, added, document

FUSE = {"type": "Fuse"}
BYTE_LEVEL_DECODERS: list[Any] = [
    BYTE_LEVEL,
    None,
    FUSE,
    {"type": "Sequence", "decoders": []},
    {"type": "Sequence", "decoders": [FUSE, BYTE_LEVEL]},
    {"type": "Sequence", "decoders": [BYTE_LEVEL, FUSE]},
    {"type": "Replace", "pattern": {"String": "l"}, "content": "L"},
]
CONTENTS = ["née", "‹é>", "Größe", "日\u3099か\u3099", "e\u0301", "<x>", "日"]
EMPTY: list[dict[str, Any]] = [
    {"type": "BPEDecoder", "suffix": ""},
    {"type": "CTC", "pad_token": "", "word_delimiter_token": "", "cleanup": True},
    {"type": "Metaspace", "replacement": "🦜", "prepend_scheme": "never"},
]


def byte_level() -> Iterator[str]:
    """Yield files of byte-level BPE."""
    for seed in range(60):
        rng = random.Random(seed)
        tokens = [
            added(content, 260 + at, normalized=is_normalized("NFC", content) and rng.random() < 0.5)
            for at, content in enumerate(rng.sample(CONTENTS, rng.randrange(4)))
        ]
        normalizer = rng.choice([None, {"type": "NFC"}])
        yield document(decoder=rng.choice(BYTE_LEVEL_DECODERS), added_tokens=tokens, normalizer=normalizer).decode()


def words() -> Iterator[str]:
    """Yield files whose decoders look for an empty text, and with added tokens that are found in normalized text."""
    ids = {"[UNK]": 0, "🦜": 1, "a": 2, "é": 3}
    model = {"type": "WordLevel", "vocab": ids, "unk_token": "[UNK]"}
    for decoder in EMPTY:
        yield json.dumps(
            {"added_tokens": [], "pre_tokenizer": {"type": "WhitespaceSplit"}, "model": model} | {"decoder": decoder}
        )
    flags = ({}, {"lstrip": True}, {"rstrip": True}, {"lstrip": True, "rstrip": True})
    rules = {
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "lowercase": True}
    }
    for more in flags:
        tokens = [added("Zzyzx", 4, normalized=True, **more)]
        yield json.dumps(
            {"added_tokens": tokens, "pre_tokenizer": {"type": "BertPreTokenizer"}, "model": model} | rules
        )


def texts() -> list[str]:
    """Texts with what the added tokens are."""
    rng = random.Random(1)
    parts = [*CONTENTS, "hello", " ", "a", "é", "🦜", "が", "ZZYZX", "zzyzx", "が"]
    return ["a née b‹é>", "ZZYZX a Zzyzx", *("".join(rng.choices(parts, k=rng.randrange(1, 7))) for _ in range(25))]


def write_decoders(folder: Path) -> None:
    """Write files, and for each text its ids, its spans and what they are decoded to."""
    found = []
    for data in (*byte_level(), *words()):
        tok = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(data.encode(), name="decoders"))
        rows = []
        for text in texts():
            ids = tok.encode(text)
            try:
                strict = tok.decode(ids, errors="strict")
            except InvalidTextError:
                strict = None
            rows.append(
                {"text": text, "ids": ids, "spans": tok.spans(text), "decoded": tok.decode(ids), "strict": strict}
            )
        found.append({"json": data, "rows": rows})
    (folder / "decoders.json").write_text(json.dumps(found), encoding="utf-8")
