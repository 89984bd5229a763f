"""Make the bundled vocabularies from the official files.

    python tools/build_bundled.py FOLDER

FOLDER holds ``qwen3/tokenizer.json``, ``qwen3/tokenizer_config.json`` and ``openai/*.tiktoken``, as their
owners publish
them. Each file's sha256 is checked first. What is written is read back and compared with the official file: tokens,
ids and, for Qwen3, every merge.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import sys
from typing import Any

from wordsplit.vocab import Vocab
from wordsplit.vocabs.bundled import pack, unpack
from wordsplit.vocabs.formats.base import Overrides, Source
from wordsplit.vocabs.formats.tiktoken import TiktokenLoader
from wordsplit.vocabs.formats.tokenizer_json import TokenizerJsonLoader

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "src/wordsplit/vocabs/data"
ROWS = ROOT / "tools/catalog_rows.json"


def load_official(folder: pathlib.Path, row: dict[str, Any]) -> Vocab:
    for source in row["sources"]:
        found = hashlib.sha256((folder / source["path"]).read_bytes()).hexdigest()
        if found != source["sha256"]:
            sys.exit(f"{source['path']}: sha256 {found}, expected {source['sha256']}")
    first = Source(path=folder / row["sources"][0]["path"])
    if first.name.endswith(".tiktoken"):
        return TiktokenLoader().load(first, Overrides(pattern=row["scheme"]))
    return TokenizerJsonLoader().load(first, Overrides())


def build(vocab: Vocab) -> tuple[bytes, list[int]]:
    """The packed file, and the ids that no token has."""
    ids = list(vocab.tokens)
    holes = sorted(set(range(ids[-1] + 1)) - set(ids))
    index = {i: at for at, i in enumerate(ids)}
    merges = [(index[left], index[right]) for left, right in vocab.merges]
    single = b"".join(vocab.tokens[i] for i in ids[:256])
    packed = pack(single, merges)
    tokens, back = unpack(packed, holes)
    assert dict(tokens) == dict(vocab.tokens), f"{vocab.name}: some token is not the merge of earlier ones"
    assert list(back) == list(vocab.merges)
    return packed, holes


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    DATA.mkdir(exist_ok=True)
    rows: dict[str, dict[str, Any]] = json.loads(ROWS.read_text())
    for name, row in rows.items():
        vocab = load_official(folder, row)
        packed, holes = build(vocab)
        (DATA / row["file"]).write_bytes(packed)
        if holes:
            row["holes"] = holes
        for source in row["sources"]:
            source["size"] = (folder / source["path"]).stat().st_size
        added = [i for _, i, _ in row["added_tokens"]]
        row["n_vocab"] = max(vocab.max_id, row.get("reserved", {}).get("last", 0), *added) + 1
        if vocab.chat_template:
            row["vocab"]["chat_template"] = vocab.chat_template
        print(f"{name}: {len(vocab.tokens)} tokens, {len(packed)} bytes, fingerprint {vocab.fingerprint}")
    (DATA / "catalog.json").write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{sum(path.stat().st_size for path in DATA.iterdir())} bytes in all")


if __name__ == "__main__":
    main()
