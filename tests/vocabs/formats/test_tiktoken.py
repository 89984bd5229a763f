""".tiktoken: what is written is the official file, and what is read is the bundled vocab."""

import base64
import hashlib
import time

import pytest
from depth import by_depth

import wordsplit
from wordsplit import UnknownNameError
from wordsplit.patterns.schemes import SCHEMES, scheme_steps

NAMES = ["cl100k_base", "p50k_base", "r50k_base", pytest.param("o200k_base", marks=pytest.mark.long)]


@pytest.mark.parametrize("name", ["r50k_base", "cl100k_base"][: by_depth(1, 2, 2)])
def test_round_trip(tmp_path, name):
    vocab = wordsplit.load_vocab(name)
    path = tmp_path / f"{name}.tiktoken"  # the name brings the pattern and the special tokens
    vocab.save_tiktoken(path)
    again = wordsplit.load_vocab(path)
    assert again.fingerprint == vocab.fingerprint
    assert not again.has_explicit_merges
    assert again.special_tokens == vocab.special_tokens
    assert again.eos_token_id == vocab.eos_token_id


@pytest.mark.parametrize("name", NAMES[by_depth(2, 0, 0) :])
def test_saved_files_are_the_official_ones(tmp_path, shared, name):
    official = shared / f"vocabs/openai/{name}.tiktoken"
    if not official.exists():
        pytest.skip(f"{official.name} is not there")
    path = tmp_path / "saved.tiktoken"
    wordsplit.load_vocab(name).save_tiktoken(path)
    ours, theirs = path.read_bytes(), official.read_bytes()
    assert hashlib.sha256(ours).hexdigest() == hashlib.sha256(theirs).hexdigest()


@pytest.mark.full
def test_qwen3_is_saved_as_the_official_file(tmp_path, shared):
    path = tmp_path / "saved.tiktoken"
    wordsplit.load_vocab("qwen3").save_tiktoken(path)
    assert path.read_bytes() == (shared / "vocabs/qwen3/qwen.tiktoken").read_bytes()


def test_overrides(tmp_path):
    path = tmp_path / "mine.tiktoken"
    wordsplit.load_vocab("r50k_base").save_tiktoken(path)
    vocab = wordsplit.load_vocab(path, pattern="o200k", special_tokens={"<|endoftext|>": 50256, "<e>": 50300})
    assert vocab.pre_tokenizer == SCHEMES["o200k"]
    assert (vocab.name, vocab.eos_token_id, vocab.n_vocab, vocab.ignore_merges) == (
        "mine",
        50256,
        50301,
        True,
    )
    assert wordsplit.load_vocab(path, pattern=r"\S+").pattern == r"\S+"


def test_merges_that_ids_do_not_imply_cannot_be_said(tmp_path):
    tokens = {b: bytes([b]) for b in range(256)} | {256: b"ab", 257: b"bc"}
    vocab = wordsplit.Vocab(name="x", tokens=tokens, merges=[(98, 99), (97, 98)])
    with pytest.raises(wordsplit.UnsupportedVocabError, match="save_tokenizer_json"):
        vocab.save_tiktoken(tmp_path / "x.tiktoken")
    assert not list(tmp_path.iterdir())


def test_a_wrong_name_is_no_pattern(tmp_path):
    """A name that no scheme has is an error, and not a regular expression that matches itself alone."""
    vocab = wordsplit.Vocab(name="my", tokens={b: bytes([b]) for b in range(256)}, pre_tokenizer=scheme_steps("gpt2"))
    vocab.save_tiktoken(tmp_path / "my.tiktoken")
    vocab.save_tokenizer_json(tmp_path / "tokenizer.json")
    vocab.save_vocab_merges(tmp_path)
    vocab.save_gguf(tmp_path / "my.gguf")
    for name in ("my.tiktoken", "tokenizer.json", "vocab.json", "my.gguf"):
        with pytest.raises(UnknownNameError, match="no scheme named"):
            wordsplit.load_vocab(tmp_path / name, pattern="cl100kk")


def test_long_tokens(tmp_path):
    """Tokens of thousands of bytes, as training on long runs makes them: no merge sweeps over all of them."""
    letters = [bytes([byte]) for byte in range(256)]
    runs = [b"=" * 2**k for k in range(1, 14)] + [b"=" * 3 * 2**k for k in range(11)]
    lines = [base64.b64encode(token) + b" %d" % i for i, token in enumerate([*letters, *sorted(runs, key=len)])]
    (tmp_path / "long.tiktoken").write_bytes(b"\n".join(lines))
    begin = time.process_time()
    tok = wordsplit.TokenizerOptions().build(wordsplit.load_vocab(tmp_path / "long.tiktoken", pattern="gpt2"))
    python = wordsplit.TokenizerOptions(engine="python").build(tok.vocab)
    for n in (1, 5, 100, 6144, 8192, 20_000):
        ids = tok.encode("=" * n)
        assert ids == python.encode("=" * n)
        assert tok.decode(ids) == "=" * n
    assert time.process_time() - begin < 5  # 40 s with a sweep for each merge
