"""What portable files have for other programs: the settings of the core, and its maps of characters as bytes."""

import json
import random

import pytest
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

import wordsplit
from wordsplit import _native
from wordsplit.engine import build_engine, resolve_options
from wordsplit.engine.core_rules import CoreRules
from wordsplit.engine.native import NativeWordEngine
from wordsplit.engine.portable import core_settings
from wordsplit.options import EngineOptions

UNK = "<unk>"
TOKENS = [UNK, "a", "b", "##a", "ab", "\u2581", "\u2581a", "\u00e9", "!", '"', "\u2581ab"]
VOCAB = {token: i for i, token in enumerate(TOKENS)}
WORDS = {
    "bert": (normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()),
    "signs": (normalizers.Lowercase(), pre_tokenizers.Whitespace()),
    "steps": (
        normalizers.Sequence([normalizers.Strip(), normalizers.NFKC(), normalizers.Replace("``", '"')]),
        pre_tokenizers.BertPreTokenizer(),
    ),
    "metaspace": (normalizers.Replace(Regex(" {2,}"), " "), pre_tokenizers.Metaspace()),
    "digits": (
        None,
        pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.Metaspace()]),
    ),
}
PIECES = ["a", "b", "ab", " ", "  ", "!", "``", "e\u0301", "\u00c9", "\ufb01", "'s", "1", "\u4f60", "\n", "\u0301"]


def vocab_of(model, normalizer=None, pre_tokenizer=None, **more):
    tok = Tokenizer(model)
    if normalizer is not None:
        tok.normalizer = normalizer
    if pre_tokenizer is not None:
        tok.pre_tokenizer = pre_tokenizer
    data = json.loads(tok.to_str()) | more
    return wordsplit.load_vocab_bytes(json.dumps(data).encode(), format="tokenizer_json")


def word_vocab(name):
    normalizer, pre_tokenizer = WORDS[name]
    return vocab_of(models.WordPiece(VOCAB, unk_token=UNK), normalizer, pre_tokenizer)


@pytest.mark.parametrize("name", WORDS)
def test_a_map_read_from_bytes_gives_the_same_ids(name):
    vocab = word_vocab(name)
    options = resolve_options(vocab, EngineOptions())
    engine = build_engine(vocab, options)
    assert isinstance(engine, NativeWordEngine)
    rng = random.Random(name)
    texts = ["".join(rng.choices(PIECES, k=rng.randint(0, 9))) for _ in range(400)]

    def refuse():
        raise AssertionError("a text that the map does not have")

    for each in engine.word_maps():
        data = each.to_bytes()
        read = _native.WordMap.from_bytes(data)
        assert read.to_bytes() == data
        again = NativeWordEngine(vocab, options, CoreRules(words=read), refuse)
        assert [again.encode(text, ()) for text in texts] == [engine.encode(text, ()) for text in texts]


def test_a_map_before_the_spelling_of_spaces():
    bpe = models.BPE(VOCAB, [("a", "b")], unk_token=UNK)
    mark = [normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]
    vocab = vocab_of(bpe, normalizers.Sequence([normalizers.NFKC(), normalizers.Replace("``", '"'), *mark]))
    settings, maps = core_settings(vocab)
    assert (settings["cuts"], settings["space_mark"], settings["prepend"]) == (True, "\u2581", "stretch")
    read = _native.WordMap.from_bytes(maps[0])
    assert read.to_bytes() == maps[0]
    options = resolve_options(vocab, EngineOptions())
    engine, again = build_engine(vocab, options), NativeWordEngine(vocab, options, CoreRules(words=read), lambda: None)
    rng = random.Random(1)
    texts = ["".join(rng.choices(PIECES, k=rng.randint(0, 9))) for _ in range(400)]
    assert [again.encode(text, ()) for text in texts] == [engine.encode(text, ()) for text in texts]


def test_bytes_that_are_no_map():
    data = build_engine(vocab := word_vocab("steps"), resolve_options(vocab, EngineOptions())).word_maps()[0].to_bytes()
    for wrong in (b"", data[:-1], data + b"\0", b"\xff" * 4 + data[4:], bytes(len(data))):
        with pytest.raises(ValueError, match=r"damaged map of characters|does not fit together"):
            _native.WordMap.from_bytes(wrong)


def test_settings():
    bpe = models.BPE(VOCAB, [("a", "b")], unk_token=UNK)
    mark = normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")])
    settings, maps = core_settings(vocab_of(bpe, mark))
    assert (settings["cuts"], settings["space_mark"], settings["prepend"], maps) == (True, "\u2581", "stretch", [])
    assert (settings["encoder"], settings["long_encoder"]) == ("priority_merge", "heap_merge")
    added = {"content": "\u00c9b", "id": 11, "normalized": True, "special": False}
    added |= dict.fromkeys(("lstrip", "rstrip", "single_word"), False)
    normalizer, pre_tokenizer = WORDS["bert"]
    settings, maps = core_settings(
        vocab_of(models.WordPiece(VOCAB, unk_token=UNK), normalizer, pre_tokenizer, added_tokens=[added])
    )
    assert (settings["literals"], settings["spellings"], len(maps)) == ({0: "eb"}, {11: "eb"}, 1)


def test_none_where_there_is_nothing_to_say():
    assert core_settings(wordsplit.load_vocab("qwen3")) is None
    scripts = pre_tokenizers.Sequence([pre_tokenizers.UnicodeScripts(), pre_tokenizers.Metaspace()])
    unigram = models.Unigram([("<unk>", 0.0), ("a", -1.0)], unk_id=0)
    assert core_settings(vocab_of(unigram, None, scripts)) is None  # in Python


def test_files_are_the_same_each_time(tmp_path):
    for name in WORDS:
        for at in range(2):
            word_vocab(name).save_compiled(tmp_path / f"{at}.ws")
        assert (tmp_path / "0.ws").read_bytes() == (tmp_path / "1.ws").read_bytes()
        read = wordsplit.load_vocab(tmp_path / "0.ws")
        assert read == word_vocab(name).replace(name=read.name)
