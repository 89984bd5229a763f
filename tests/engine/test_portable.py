"""What portable files have for other programs: the settings of the core, and its maps of characters as bytes."""

import json
import random
from contextlib import suppress

import pytest
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

import wordsplit
from wordsplit import _native
from wordsplit.engine import build_engine, resolve_options
from wordsplit.engine.core_rules import CoreRules
from wordsplit.engine.native import NativeWordEngine
from wordsplit.engine.portable import core_settings
from wordsplit.options import EngineOptions
from wordsplit.rules import Normalize, Split

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


def test_bytes_that_are_no_map():
    data = build_engine(vocab := word_vocab("steps"), resolve_options(vocab, EngineOptions())).word_maps()[0].to_bytes()
    for wrong in (b"", data[:-1], data + b"\0", b"\xff" * 4 + data[4:], bytes(len(data))):
        with pytest.raises(ValueError, match=r"damaged rules of text|does not fit together"):
            _native.WordMap.from_bytes(wrong)


def test_settings():
    bpe = models.BPE(VOCAB, [("a", "b")], unk_token=UNK)
    mark = normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")])
    settings, maps, *others = core_settings(vocab_of(bpe, mark))
    assert others == [None, None]
    assert (settings["cuts"], settings["space_mark"], settings["prepend"], maps) == (True, "\u2581", "stretch", [])
    assert (settings["encoder"], settings["long_encoder"]) == ("priority_merge", "heap_merge")
    added = {"content": "\u00c9b", "id": 11, "normalized": True, "special": False}
    added |= dict.fromkeys(("lstrip", "rstrip", "single_word"), False)
    normalizer, pre_tokenizer = WORDS["bert"]
    settings, maps, *_ = core_settings(
        vocab_of(models.WordPiece(VOCAB, unk_token=UNK), normalizer, pre_tokenizer, added_tokens=[added])
    )
    assert (settings["literals"], settings["spellings"], len(maps)) == ({0: "eb"}, {11: "eb"}, 1)


def test_none_where_there_is_nothing_to_say():
    qwen3 = wordsplit.load_vocab("qwen3")
    assert core_settings(qwen3) is None
    in_python = Split(r"(a)\1", "removed")
    assert core_settings(qwen3.replace(pre_tokenizer=[in_python])) is None


STEPS = {
    "bytes": (normalizers.Replace(Regex(r"\s+"), " "), pre_tokenizers.ByteLevel(add_prefix_space=False)),
    "scripts": (None, pre_tokenizers.Sequence([pre_tokenizers.UnicodeScripts(), pre_tokenizers.Metaspace()])),
    "removed": (
        normalizers.Sequence([normalizers.Strip(), normalizers.NFKC(), normalizers.Replace("``", '"')]),
        pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(Regex(r"[!\"]+(?=\s)"), "removed"),
                pre_tokenizers.Split("'", "merged_with_next"),
                pre_tokenizers.Metaspace(prepend_scheme="first"),
            ]
        ),
    ),
}


def vocab_in_steps(name):
    if name == "before the spelling of spaces":
        mark = [normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]
        before = [normalizers.NFKC(), normalizers.Replace("``", '"')]
        return vocab_of(models.BPE(VOCAB, [("a", "b")], unk_token=UNK), normalizers.Sequence([*before, *mark]))
    normalizer, pre_tokenizer = STEPS[name]
    return vocab_of(models.WordPiece(VOCAB, unk_token=UNK), normalizer, pre_tokenizer)


def in_core(core, text):
    """The ids; ``None`` if the core leaves the text to Python."""
    with suppress(_native.NotInCore):
        return core.encode(text, None)


@pytest.mark.parametrize("name", [*STEPS, "before the spelling of spaces"])
def test_rules_in_steps_read_from_bytes_give_the_same_ids(name):
    vocab = vocab_in_steps(name)
    options = resolve_options(vocab, EngineOptions())
    engine = build_engine(vocab, options)
    data = core_settings(vocab).rules
    read = engine.arguments
    spans = read.spans
    read.spans = read.normalizer = read.rewriting = None
    assert _native.write_text_rules(read) is None
    _native.read_text_rules(data, read)
    assert _native.write_text_rules(read) == data
    read.spans = read.spans or spans  # a scanner is not among them
    again = _native.Engine(vocab.native_tables, read)
    rng = random.Random(name)
    texts = ["".join(rng.choices(PIECES, k=rng.randint(0, 9))) for _ in range(400)]
    found = [in_core(again, text) for text in texts]
    assert found == [in_core(engine.core, text) for text in texts]
    assert found.count(None) < 100
    for wrong in (b"", data[:-1], data + b"\0", b"\xff" * 4 + data[4:]):
        with pytest.raises(ValueError, match="damaged rules of text"):
            _native.read_text_rules(wrong, read)


def test_scanners_are_named_where_others_work_on_their_spans():
    letters = vocab_of(models.WordPiece(VOCAB, unk_token=UNK), None, pre_tokenizers.ByteLevel(add_prefix_space=False))
    _, maps, rules, scheme = core_settings(letters)
    assert (len(maps), rules, scheme) == (2, None, "gpt2")
    qwen3 = wordsplit.load_vocab("qwen3")
    _, maps, rules, scheme = core_settings(qwen3.replace(normalizer=[Normalize("lowercase")]))
    assert (maps, bool(rules), scheme) == ([], True, "qwen2")
    _, maps, rules, scheme = core_settings(qwen3.replace(pre_tokenizer=[Split("[a-m]+")]))
    assert (maps, bool(rules), scheme) == ([], True, None)


def test_files_are_the_same_each_time(tmp_path):
    for name in WORDS:
        for at in range(2):
            word_vocab(name).save_compiled(tmp_path / f"{at}.ws")
        assert (tmp_path / "0.ws").read_bytes() == (tmp_path / "1.ws").read_bytes()
        read = wordsplit.load_vocab(tmp_path / "0.ws")
        assert read == word_vocab(name).replace(name=read.name)
