"""vocab.json with merges.txt."""

import json

import pytest

import wordsplit
from wordsplit.patterns.schemes import SCHEMES
from wordsplit.template import bert_pair
from wordsplit.training import BpeTrainer

TEXT = "It's 2024, DON'T cafe\u0301\n\n  x  12345 <|im_start|><|endoftext|> \u00e4\u00f6 \u4f60\u597d"


@pytest.mark.full
@pytest.mark.parametrize("name", ["qwen3", "r50k_base", "cl100k_base", "o200k_harmony"])
def test_round_trip(tmp_path, name):
    vocab = wordsplit.load_vocab(name)
    vocab.save_vocab_merges(tmp_path / name)
    again = wordsplit.load_vocab(tmp_path / name)
    assert (again.name, again.fingerprint) == (name, vocab.fingerprint)
    assert wordsplit.load_tokenizer(again).encode(TEXT) == wordsplit.load_tokenizer(vocab).encode(TEXT)
    for part in ("chat_templates", "role_ids", "special_tokens", "eos_token_id", "bos_token_id", "pad_token_id"):
        assert getattr(again, part) == getattr(vocab, part), part


def test_tokens_that_are_base_tokens_and_added_ones_come_back(tmp_path):
    """Of these, bytes without a token may need one."""
    tokens = {0: b"<unk>", 1: b"a", 2: b"b", 3: b"ab", 4: b"<s>"}
    vocab = wordsplit.Vocab(
        name="few bytes",
        tokens=tokens,
        merges=[(1, 2)],
        missing_bytes=wordsplit.MissingBytes(unk_id=0),
        added_tokens=[wordsplit.AddedToken("<unk>", 0), wordsplit.AddedToken("<s>", 4)],
    )
    vocab.save_vocab_merges(tmp_path)
    again = wordsplit.load_vocab(tmp_path)
    assert again == vocab
    assert wordsplit.load_tokenizer(again).encode("abc<s>") == [3, 0, 4]


def test_the_template_of_pairs_comes_back(tmp_path):
    vocab = BpeTrainer(300, pattern="gpt2", special_tokens=["<s>", "</s>"]).update(["a text"]).train()
    first, second = (vocab.special_tokens[name] for name in ("<s>", "</s>"))
    vocab = vocab.replace(pair_template=bert_pair(first, second))
    vocab.save_vocab_merges(tmp_path)
    assert wordsplit.load_vocab(tmp_path).pair_template == bert_pair(first, second)


@pytest.mark.parametrize("pattern", ["cl100k", "qwen2", "deepseek_v3", r"\w+|\W+"])
def test_a_trained_vocab_comes_back_with_its_pattern(tmp_path, pattern):
    """GPT-2's pattern was taken without a word."""
    trainer = BpeTrainer(400, pattern=pattern, normalizer="nfc", special_tokens=["<s>"])
    vocab = trainer.update(["It's 12345 words, and   more: don't\n\n" * 20]).train()
    vocab.save_vocab_merges(tmp_path)
    again = wordsplit.load_vocab(tmp_path)
    assert again == vocab
    assert (again.normalizer, again.special_tokens) == ("nfc", {"<s>": vocab.special_tokens["<s>"]})
    other = wordsplit.load_vocab(tmp_path, pattern="gpt2")
    assert other.pre_tokenizer == SCHEMES["gpt2"]
    assert other.normalizer == "nfc"


def bare_pair(folder, vocab, config=None):
    vocab.save_vocab_merges(folder)
    (folder / "wordsplit_rules.json").unlink()
    if config is not None:
        (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return folder


def small_vocab():
    return BpeTrainer(300).update(["some words, and some more words"]).train()


def test_an_unknown_pattern_is_not_guessed(tmp_path):
    bare_pair(tmp_path, small_vocab())
    with pytest.raises(wordsplit.UnsupportedVocabError, match=r"no wordsplit_rules\.json.*give pattern="):
        wordsplit.load_vocab(tmp_path)
    assert wordsplit.load_vocab(tmp_path, pattern="cl100k").pre_tokenizer == SCHEMES["cl100k"]
    bare_pair(tmp_path, small_vocab(), {"tokenizer_class": "LlamaTokenizer"})
    with pytest.raises(wordsplit.UnsupportedVocabError, match="names 'LlamaTokenizer': give pattern="):
        wordsplit.load_vocab(tmp_path)


@pytest.mark.parametrize(
    ("named", "pattern", "normalizer"),
    [("GPT2Tokenizer", "gpt2", None), ("RobertaTokenizerFast", "gpt2", None), ("Qwen2Tokenizer", "qwen2", "nfc")],
)
def test_classes_whose_pattern_is_known(tmp_path, named, pattern, normalizer):
    found = wordsplit.load_vocab(bare_pair(tmp_path, small_vocab(), {"tokenizer_class": named}))
    assert (found.pre_tokenizer, found.normalizer) == (SCHEMES[pattern], normalizer)


def test_merges_that_are_known(tmp_path):
    vocab = wordsplit.load_vocab(bare_pair(tmp_path, wordsplit.load_vocab("r50k_base")))
    assert vocab.pre_tokenizer == SCHEMES["gpt2"]


def test_a_vocab_that_the_pair_says_whole(tmp_path):
    tokens = {b: bytes([b]) for b in range(256)} | {256: b"ab", 300: b"abc"}
    vocab = wordsplit.Vocab(name="x", tokens=tokens, merges=[(97, 98), (256, 99)], pre_tokenizer=SCHEMES["gpt2"])
    vocab.save_vocab_merges(tmp_path)
    for file in ("", "vocab.json", "merges.txt"):
        assert wordsplit.load_vocab(tmp_path / file).fingerprint == vocab.fingerprint


def test_the_official_pair_of_qwen3(shared):
    vocab = wordsplit.load_vocab(shared / "vocabs/qwen3/vocab.json", pattern="qwen2")
    bundled = wordsplit.load_vocab("qwen3")
    assert vocab.tokens == bundled.tokens
    assert list(vocab.merges) == list(bundled.merges)
    assert vocab == bundled == wordsplit.load_vocab(shared / "vocabs/qwen3/vocab.json")
    assert [t.content for t in vocab.added_tokens] == [t.content for t in bundled.added_tokens]
    assert vocab.eos_token_id == 151645


def test_added_tokens_of_the_config(tmp_path):
    wordsplit.load_vocab("r50k_base").save_vocab_merges(tmp_path)
    flags = {"special": True, "lstrip": True, "rstrip": False, "single_word": False, "normalized": False}
    table = {"60000": {"content": "<m>", **flags}, "60001": {"content": "<n>"}}
    config = {"added_tokens_decoder": table, "eos_token": {"content": "<m>"}, "bos_token": "<n>"}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    vocab = wordsplit.load_vocab(tmp_path, special_tokens={"<o>": 60002})
    assert [(t.content, t.id, t.special, t.lstrip) for t in vocab.added_tokens] == [
        ("<|endoftext|>", 50256, True, False),
        ("<m>", 60000, True, True),
        ("<n>", 60001, False, False),
        ("<o>", 60002, True, False),
    ]
    assert (vocab.eos_token_id, vocab.bos_token_id) == (60000, 60001)
    assert wordsplit.load_tokenizer(vocab).encode("a  <m><n>") == [64, 60000, 60001]


def test_merges_that_no_text_leads_to_are_left_out(tmp_path):
    """Their tokens may have spaces in them, which merges.txt cannot hold."""
    tokens = {b: bytes([b]) for b in range(256)} | {256: "é é".encode(), 257: "é éa".encode(), 258: b"ab"}
    vocab = wordsplit.Vocab(name="x", tokens=tokens, merges=[(256, 97), (97, 98)], unreachable_ids={256, 257})
    vocab.save_vocab_merges(tmp_path)
    again = wordsplit.load_vocab(tmp_path)
    assert list(again.merges) == list(vocab.merges) == [(97, 98)]
    assert (again.tokens[257], again.unreachable_ids) == (tokens[257], {256, 257})
