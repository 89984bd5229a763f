"""tokenizer.json files with post-processors in every order, and the rows that Python makes of a pair of texts."""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import Any

import wordsplit
from wordsplit.errors import UnsupportedVocabError, VocabFormatError

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from post_processors import KINDS, ORDERS, TOLD_BY_FIELDS
from vocabs.formats.test_tokenizer_json import document

TEXTS = ["hello he", "ll"]
DAMAGED: list[Any] = [
    {"pair": [{"Sequence": {"id": "C", "type_id": 0}}]},
    {"pair": [{"Sequence": {"id": "AB", "type_id": 0}}]},
    {"pair": [{"Sequence": {"id": "", "type_id": 0}}]},
    {"pair": [{"Sequence": {"id": "A", "type_id": -1}}]},
    {"pair": [{"SpecialToken": {"id": "[Y]", "type_id": 0}}]},
    {"pair": "A B"},
    {"pair": None},
]


def write_pairs(folder: Path) -> None:
    """Write files with each post-processor, and what Python makes of a pair, or the place that it refuses."""
    found = []
    processors = [{"type": "Sequence", "processors": [KINDS[kind] for kind in order or ()]} for order in ORDERS]
    processors += [fields for fields, _ in TOLD_BY_FIELDS]
    for processor in (*processors, *(KINDS["template"] | change for change in DAMAGED)):
        data = document(post_processor=processor)
        row: dict[str, Any] = {"json": data.decode(), "texts": TEXTS}
        try:
            vocab = wordsplit.load_vocab_bytes(data, name="pairs")
        except (UnsupportedVocabError, VocabFormatError) as error:
            row["refused"] = error.field
        else:
            vocab.save_compiled(folder / "pairs.ws")
            row["compiled"] = base64.b64encode((folder / "pairs.ws").read_bytes()).decode()
            for name, options in (("around", {}), ("bare", {"add_bos": False, "add_eos": False})):
                row[name] = tuple(wordsplit.load_tokenizer(vocab, **options).encode_pair(*TEXTS))
        found.append(row)
    (folder / "pairs.json").write_text(json.dumps(found), encoding="utf-8")
