"""Mistral's tekken.json, against `tiktoken` with ids shifted, which is what `mistral-common` does."""

import base64
import json
import random
from importlib.util import find_spec
from pathlib import Path

import pytest
import tiktoken
from generated import BROKE_OTHERS

import wordsplit
from wordsplit.errors import VocabFormatError, WordsplitError
from wordsplit.patterns.schemes import SCHEMES

PATTERN = SCHEMES["tekken"][0].pattern
MORE = [b"th", b"the", b" the", b"he", b"in", b"ing", b"  ", b"\n\n", "é".encode(), "東".encode()]
RANKS = {bytes([byte]): byte for byte in range(256)} | {token: 256 + at for at, token in enumerate(MORE)}
NAMES = ["<unk>", "<s>", "</s>", "[INST]"]


def document(**changes):
    config = {"pattern": PATTERN, "default_vocab_size": 274, "default_num_special_tokens": 10, "version": "v3"}
    vocab = [
        {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
        for token, rank in RANKS.items()
    ]
    content = {
        "config": config | changes.pop("config", {}),
        "vocab": vocab,
        "special_tokens": [{"rank": i, "token_str": name, "is_control": True} for i, name in enumerate(NAMES)],
    }
    return json.dumps(content | changes).encode()


def test_ids():
    vocab = wordsplit.load_vocab_bytes(document())
    # The vocab has room for 264 of the 266 tokens.
    kept = {token: rank for token, rank in RANKS.items() if rank < 264}
    oracle = tiktoken.Encoding("tekken", pat_str=PATTERN, mergeable_ranks=kept, special_tokens={})
    for engine in ("native", "python"):
        tokenizer = wordsplit.TokenizerOptions(engine=engine).build(vocab)
        for text in [*(text[:2000] for text in BROKE_OTHERS), "the thing  the\n\nInthe 123 é東"]:
            ids = [i + 10 for i in oracle.encode_ordinary(text)]
            assert tokenizer.encode(text, special="text") == ids
            assert tokenizer.decode(ids) == text
    assert tokenizer.encode("[INST]a<SPECIAL_9>") == [3, 97 + 10, 9]
    assert (vocab.bos_token_id, vocab.eos_token_id, vocab.pad_token_id, vocab.unk_token_id) == (1, 2, None, 0)
    assert vocab.n_vocab == 274


def test_files_without_special_tokens(tmp_path):
    (tmp_path / "tekken.json").write_bytes(document(special_tokens=None, config={"default_num_special_tokens": 12}))
    vocab = wordsplit.load_vocab(tmp_path)
    assert (vocab.special_tokens["[IMG]"], vocab.special_tokens["<pad>"], vocab.pad_token_id) == (10, 11, 11)
    assert len(vocab.special_tokens) == 12


@pytest.mark.parametrize("name", ["tekken_240718.json", "tekken_240911.json"])
def test_published_files(name):
    package = find_spec("mistral_common")
    if package is None:
        pytest.skip("mistral-common is not installed")
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    path = Path(package.submodule_search_locations[0]) / "data" / name
    oracle, vocab = Tekkenizer.from_file(path), wordsplit.load_vocab(path)
    assert vocab.pattern == PATTERN
    tokenizer = wordsplit.TokenizerOptions().build(vocab)
    page = (Path(__file__).parents[3] / "README.md").read_text()
    for text in [*(text[:2000] for text in BROKE_OTHERS), *map(str, range(100)), page]:
        ids = oracle.encode(text, bos=False, eos=False)
        assert tokenizer.encode(text, special="text") == ids
    assert (vocab.bos_token_id, vocab.eos_token_id, vocab.pad_token_id) == (oracle.bos_id, oracle.eos_id, oracle.pad_id)
    assert (vocab.unk_token_id, vocab.n_vocab) == (oracle.unk_id, oracle.n_words)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (document(config={"default_vocab_size": 5}), r"default_vocab_size: is 5, and there are 10 special tokens"),
        (document(config={"default_vocab_size": 1000}), r"\$.vocab: has 266 tokens, and the vocab has 990"),
        (document(config={"pattern": 3}), r"\$.config.pattern: should be a string"),
        (document(vocab=[{"rank": 1, "token_bytes": "AA=="}] * 264), r"\$.vocab\[0\]: should be a token of rank 0"),
        (document(vocab=[{"rank": i, "token_bytes": "AA=="} for i in range(264)]), "two tokens have the same bytes"),
        (
            document(vocab=[{"rank": i, "token_bytes": ""} for i in range(264)]),
            r"\$.vocab\[0\]: should be a token of rank 0",
        ),
        (document(vocab=[3] * 264), r"\$.vocab\[0\]: should be a token of rank 0 in base64, found 3"),
        (document(special_tokens=[{"rank": 10, "token_str": "a"}]), "'a' has id 10; the 10 special tokens"),
        (document(special_tokens=[{"rank": 1, "token_str": x} for x in "ab"]), "two special tokens have the same id"),
    ],
)
def test_damaged_files(data, found):
    with pytest.raises(VocabFormatError, match=found):
        wordsplit.load_vocab_bytes(data)


def test_random_damage():
    rng = random.Random(7)
    whole = document()
    for _ in range(200):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            wordsplit.load_vocab_bytes(bytes(data), format="tekken")
        except WordsplitError:
            continue
