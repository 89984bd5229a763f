"""vocab.txt files with a tokenizer_config.json, and what Python gives for texts."""

from __future__ import annotations

import itertools
import json
import random
import shutil
import sys
from pathlib import Path
from typing import Any

import wordsplit
from wordsplit.errors import WordsplitError

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from vocabs.formats.test_vocab_txt import LETTERS, TEXTS, TOKENS, write

OTHER = ["<unk>", "<s>", "</s>", "<pad>", *TOKENS[5:]]
NAMES = {"unk_token": "<unk>", "cls_token": {"content": "<s>"}, "sep_token": "</s>", "pad_token": "<pad>"}
CONFIGS: list[tuple[list[str], dict[str, Any]]] = [
    *(
        (TOKENS, {"do_lower_case": lowercase, "strip_accents": accents, "tokenize_chinese_chars": chinese})
        for lowercase, accents, chinese in itertools.product((True, False, None), (True, False, None), (True, False))
    ),
    (TOKENS, {}),
    (TOKENS, {"tokenizer_class": "DistilBertTokenizerFast", "never_split": [], "do_basic_tokenize": True}),
    (OTHER, NAMES | {"do_lower_case": False, "eos_token": "</s>", "bos_token": {"content": "<s>"}}),
    (OTHER, NAMES | {"mask_token": "the", "pad_token": ""}),
    (OTHER, {"unk_token": "<unk>"}),
    (TOKENS, {"cls_token": "nothing"}),
    (TOKENS, {"chat_template": "{{ messages }}", "eos_token": None}),
    (TOKENS, {"chat_template": [{"name": "tool", "template": "x"}, {"name": "default", "template": "y"}]}),
    (TOKENS, {"tokenizer_class": "PhobertTokenizer"}),
    (TOKENS, {"tokenizer_class": 7}),
    (TOKENS, {"never_split": ["a"]}),
    (TOKENS, {"do_basic_tokenize": False}),
    (TOKENS, {"do_lower_case": "no"}),
    (TOKENS, {"unk_token": 7}),
]


def write_bert(folder: Path) -> None:
    """Write a folder for each configuration, and what Python gives, or the kind and the place of its error."""
    rng = random.Random(1)
    texts = [*TEXTS, *("".join(rng.choices([*LETTERS, *" \t\u0301ßİ中", "the ", "hello"], k=12)) for _ in range(50))]
    texts = [text for text in texts if not any("\ud800" <= char < "\ue000" for char in text)]
    found = []
    for at, (tokens, config) in enumerate(CONFIGS):
        own = folder / "bert" / str(at)
        shutil.rmtree(own, ignore_errors=True)
        own.mkdir(parents=True)
        row: dict[str, Any] = {"folder": f"bert/{at}"}
        path = write(own, tokens, **config)
        try:
            tok = wordsplit.load_tokenizer(path)
        except WordsplitError as error:
            row["refused"] = [type(error).__name__, getattr(error, "field", None)]
        else:
            vocab = tok.vocab
            row["facts"] = [vocab.name, vocab.chat_template, vocab.special_tokens]
            row["roles"] = [vocab.eos_token_id, vocab.bos_token_id, vocab.pad_token_id, vocab.role_ids["unk"]]
            row["texts"] = [[text, tok.encode(text), tok.decode(tok.encode(text))] for text in texts]
        found.append(row)
    (folder / "bert.json").write_text(json.dumps(found), encoding="utf-8")
