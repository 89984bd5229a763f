"""tokenizer.json files with saved truncation and padding, and what Python reads of them."""

from __future__ import annotations

import base64
import itertools
import json
import sys
from pathlib import Path
from typing import Any

import wordsplit
from wordsplit.errors import VocabFormatError

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from vocabs.formats.test_tokenizer_json import added, document

TEXT = "<pad> hello he ll hell o"
TRUNCATIONS: list[Any] = [
    None,
    {"direction": "Left", "max_length": 2, "strategy": "OnlyFirst", "stride": 1},
    {"max_length": 3, "strategy": "LongestFirst", "stride": 0},
    {"direction": "Right", "max_length": (1 << 64) - 1, "strategy": "OnlySecond", "stride": 0},
    {"direction": "Up", "max_length": 2, "strategy": "OnlyFirst", "stride": 1},
    {"direction": None, "max_length": 2, "strategy": "OnlyFirst", "stride": 1},
    {"max_length": -1, "strategy": "LongestFirst", "stride": 0},
    {"max_length": 3, "strategy": "LongestFirst"},
    {"max_length": 3, "strategy": "longest_first", "stride": 0},
    [],
]
PADDING = {"pad_to_multiple_of": 4, "pad_id": 260, "pad_type_id": 1, "pad_token": "<pad>"}
PADDINGS: list[Any] = [
    None,
    {"strategy": {"Fixed": 6}, "direction": "Left", **PADDING},
    {"strategy": "BatchLongest", "direction": "Right", **PADDING, "pad_to_multiple_of": None},
    {"strategy": "BatchLongest", "direction": "Right", **PADDING, "pad_id": 259},
    {"strategy": "BatchLongest", "direction": "Right", **PADDING, "pad_id": 1 << 32},
    {"strategy": "BatchLongest", **PADDING},
    {"strategy": {"Fixed": 6, "Other": 1}, "direction": "Left", **PADDING},
    {"strategy": {"Fixed": "6"}, "direction": "Left", **PADDING},
    {"strategy": ["Fixed"], "direction": "Left", **PADDING},
    {"strategy": "BatchLongest", "direction": "Right", **PADDING, "pad_token": 7},
    7,
]


def write_lengths(folder: Path) -> None:
    """Write files with each truncation and each padding, and what Python reads, or the place that it refuses."""
    found = []
    for truncation, padding in itertools.product(TRUNCATIONS, PADDINGS):
        data = document(added_tokens=[added("<pad>", 260)], truncation=truncation, padding=padding)
        row: dict[str, Any] = {"json": data.decode()}
        try:
            vocab = wordsplit.load_vocab_bytes(data, name="lengths")
        except VocabFormatError as error:
            row["refused"] = error.field
        else:
            vocab.save_compiled(folder / "lengths.ws")
            row["compiled"] = base64.b64encode((folder / "lengths.ws").read_bytes()).decode()
            row["truncation"] = vocab.truncation and vocab.truncation.asdict()
            row["padding"] = vocab.padding and vocab.padding.asdict()
            row["pad_token_id"] = vocab.pad_token_id
            row["text"], row["ids"] = TEXT, wordsplit.load_tokenizer(vocab).encode(TEXT)
        found.append(row)
    (folder / "lengths.json").write_text(json.dumps(found), encoding="utf-8")
