"""Each format that can hold the rules of a vocab holds all of them."""

import json

import pytest
from charsmaps import charsmap
from click.testing import CliRunner

import wordsplit
from wordsplit.cli.inspect import command

NORMALIZER = [
    *map(wordsplit.Normalize, ("bert_clean_text", "bert_chinese_chars", "bert_strip_accents", "lowercase", "nmt")),
    *map(wordsplit.Normalize, ("strip_accents", "byte_level")),
    wordsplit.Normalize("precompiled", content=charsmap({chr(0x300 + at): "x" for at in range(40)})),
]
STEPS = [
    wordsplit.Rewrite("metaspace", "\u2581", "first"),
    wordsplit.Rewrite("unicode_scripts"),
    wordsplit.Split(r"\s+"),
]


@pytest.fixture
def vocab():
    return wordsplit.load_vocab("r50k_base").replace(normalizer=NORMALIZER, pre_tokenizer=STEPS)


@pytest.mark.parametrize(
    ("save", "name"),
    [
        ("save_tokenizer_json", "tokenizer.json"),
        ("save_compiled", "vocab.ws"),
        ("save_vocab_merges", "vocab.json"),
    ],
)
def test_a_saved_vocab_is_the_same(vocab, save, name, tmp_path):
    getattr(vocab, save)(tmp_path if save == "save_vocab_merges" else tmp_path / name)
    again = wordsplit.load_vocab(tmp_path / name)
    assert again.normalizer == vocab.normalizer
    assert again.pre_tokenizer == vocab.pre_tokenizer
    assert again.fingerprint == vocab.fingerprint
    assert wordsplit.load_tokenizer(again).encode("Éa 你") == wordsplit.load_tokenizer(vocab).encode("Éa 你")


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("normalizer", 0, "kind"), "upper"),
        (("pre_tokenizer", 0, "kind"), "cut"),
        (("pre_tokenizer", 0, "prepend"), "2"),
    ],
)
def test_unknown_kinds_are_named(vocab, place, value, tmp_path):
    vocab.save_vocab_merges(tmp_path)
    path = tmp_path / "wordsplit_rules.json"
    rules = json.loads(path.read_text())
    part, at, name = place
    rules[part][at][name] = value
    path.write_text(json.dumps(rules))
    with pytest.raises(wordsplit.VocabFormatError, match=rf"{part}\[{at}\].{name}: should be one of .*, found str"):
        wordsplit.load_vocab(tmp_path / "vocab.json")


@pytest.mark.parametrize(
    "changes", [{"normalizer": [wordsplit.Normalize("upper")]}, {"pre_tokenizer": [wordsplit.Rewrite("cut")]}]
)
def test_kinds_that_nothing_implements(changes):
    vocab = wordsplit.load_vocab("r50k_base").replace(**changes)
    with pytest.raises(wordsplit.UnsupportedVocabError, match="known: "):
        wordsplit.load_tokenizer(vocab)


def test_inspect_shows_them_on_short_lines(vocab, tmp_path):
    vocab.save_compiled(tmp_path / "vocab.ws")
    shown = CliRunner().invoke(command, [str(tmp_path / "vocab.ws")]).output
    assert "metaspace  \u2581  first" in shown
    assert "unicode_scripts  never" not in shown
    assert "bert_clean_text, bert_chinese_chars" in shown
    assert max(map(len, shown.splitlines())) < 500
