"""Training by `wordsplit.compat.tokenizers`: the vocab, merges and ids of the original."""

import json
import pathlib

import pytest
import tokenizers as original
from depth import by_depth
from training.corpora import corpora

import wordsplit
import wordsplit.compat.tokenizers as ours

TEXTS = [
    "low lower lowest, new newer newest; wide wider widest",
    "Ünïcode wörds, 各种 words — and 🦜🦜 parrots 12345",
    "  spaces\tand\nlines  ",
    "<s> is text",
    "",
] * 3
ROOT = pathlib.Path(__file__).resolve().parents[2]


def both(make):
    """The tokenizer that ``make`` trains, by each package."""
    return make(ours), make(original)


def assert_same(pair, texts=TEXTS):
    mine, theirs = pair
    assert mine.get_vocab() == theirs.get_vocab()
    assert json.loads(mine.to_str()) == json.loads(theirs.to_str())
    for text in texts:
        assert mine.encode(text).ids == theirs.encode(text).ids
        assert mine.encode(text).offsets == theirs.encode(text).offsets


def trained(package, texts=TEXTS, pre_tokenizer=None, normalizer=None, model=None, **options):
    tok = package.Tokenizer(package.models.BPE(**(model or {})))
    tok.pre_tokenizer = (pre_tokenizer or (lambda p: p.ByteLevel(add_prefix_space=False)))(package.pre_tokenizers)
    if normalizer:
        tok.normalizer = normalizer(package.normalizers)
    tok.decoder = package.decoders.ByteLevel()
    options = {"vocab_size": 320, "show_progress": False} | options
    if options.get("initial_alphabet") is True:
        options["initial_alphabet"] = package.pre_tokenizers.ByteLevel.alphabet()
    special = options.get("special_tokens", [])
    options["special_tokens"] = [each if isinstance(each, str) else package.AddedToken(**each) for each in special]
    tok.train_from_iterator(texts, package.trainers.BpeTrainer(**options))
    return tok


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"initial_alphabet": True},
        {"initial_alphabet": ["z", "Ġx"]},
        {"vocab_size": 60},
        {"vocab_size": 3},
        {"min_frequency": 4},
        {"max_token_length": 4},
        {"max_token_length": 2},
        {"max_token_length": 0},
        {"special_tokens": ["<s>", "<pad>"], "initial_alphabet": True},
        {"special_tokens": ["[UNK]", {"content": "<m>", "lstrip": True}], "model": {"unk_token": "[UNK]"}},
        {"pre_tokenizer": lambda p: p.ByteLevel()},
        {"pre_tokenizer": lambda p: p.Sequence([p.Digits(individual_digits=True), p.ByteLevel(False)])},
        {"pre_tokenizer": lambda p: p.ByteLevel(add_prefix_space=False, use_regex=False)},
        {
            "pre_tokenizer": lambda p: p.Sequence([p.Split(" ", "removed"), p.ByteLevel(False)]),
            "initial_alphabet": True,
        },
        {"normalizer": lambda n: n.NFC(), "texts": [text + " e\u0301" for text in TEXTS]},
        {"normalizer": lambda n: n.Sequence([n.NFD(), n.Lowercase(), n.StripAccents()])},
        {"texts": [TEXTS[:4], TEXTS[4:]]},
    ],
)
def test_the_vocab_of_the_original(options):
    assert_same(both(lambda package: trained(package, **options)))


def test_files(tmp_path):
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for path in paths:
        path.write_text("\n".join(TEXTS) + "\r\nlast  ", encoding="utf-8", newline="")

    def make(package):
        tok = package.Tokenizer(package.models.BPE())
        tok.pre_tokenizer = package.pre_tokenizers.ByteLevel()
        tok.train(list(map(str, paths)), package.trainers.BpeTrainer(vocab_size=90, show_progress=False))
        return tok

    assert_same(both(make))
    for package in (ours, original):
        with pytest.raises(TypeError):
            package.Tokenizer(package.models.BPE()).train(str(paths[0]))


def test_texts_of_documentation():
    pages = sorted((ROOT / "docs").glob("*.md"))[:: by_depth(8, 1, 1)]
    texts = [page.read_text(encoding="utf-8") for page in pages]
    assert_same(both(lambda package: trained(package, texts, vocab_size=by_depth(800, 2500, 20000))), texts[:2])


@pytest.mark.full
def test_random_corpora():
    for at, texts in enumerate(corpora()):
        options = {
            "vocab_size": 20 + 37 * (at % 8),
            "min_frequency": at % 3,
            "initial_alphabet": [True, [], ["b", "Ġ"]][at % 3] if any(texts) else ["a"],  # a vocab has tokens
            "special_tokens": ["<|end|>", "<pad>"][: at % 3],
        }
        if at % 4 == 3:
            options["normalizer"] = lambda n: n.Sequence([n.NFKC(), n.Lowercase()])
        assert_same(both(lambda package, texts=texts, options=options: trained(package, texts, **options)), texts[:3])


def test_training_again():
    """Added tokens get new ids here, and those of tokens of the new vocab there."""
    tok = trained(ours, special_tokens=["<s>"])
    tok.add_special_tokens(["<new>"])
    tok.train_from_iterator(["dog dog"] * 3, ours.trainers.BpeTrainer(vocab_size=20, show_progress=False))
    model = original.Tokenizer(original.models.BPE())
    model.pre_tokenizer = original.pre_tokenizers.ByteLevel(add_prefix_space=False)
    model.train_from_iterator(["dog dog"] * 3, original.trainers.BpeTrainer(vocab_size=20, show_progress=False))
    assert tok.get_vocab(with_added_tokens=False) == model.get_vocab()
    assert tok.encode("dog<new><s>").tokens == ["dog", "<new>", "<s>"]
    assert original.Tokenizer.from_str(tok.to_str()).encode("dog<new><s>").ids == tok.encode("dog<new><s>").ids


@pytest.mark.parametrize(
    "options",
    [
        {"special_tokens": ["a"]},
        {"initial_alphabet": ["é", "世"]},
        {"pre_tokenizer": lambda p: p.Sequence([p.Split(" ", "removed"), p.ByteLevel(False)])},
        {"limit_alphabet": 10},
        {"continuing_subword_prefix": "##"},
        {"end_of_word_suffix": "</w>"},
    ],
)
def test_what_is_refused(options):
    named = [name for name in (*options, "initial_alphabet") if name != "pre_tokenizer"]
    with pytest.raises(ours.NotSupportedError, match=named[0]):
        trained(ours, **options)


def test_what_cannot_be_trained():
    with pytest.raises(ours.NotSupportedError, match="WordPiece"):
        ours.Tokenizer(ours.models.WordPiece()).train_from_iterator(["a"])
    tok = ours.Tokenizer(ours.models.BPE())
    with pytest.raises(TypeError):
        tok.train_from_iterator(["a"], trainer=3)
    with pytest.raises(wordsplit.UnsupportedVocabError, match="ByteLevel"):
        tok.train_from_iterator(["a"])
    for name in ("UnigramTrainer", "WordLevelTrainer", "WordPieceTrainer"):  # which transformers imports
        with pytest.raises(ours.NotSupportedError, match="use BpeTrainer"):
            getattr(ours.trainers, name)(vocab_size=5)
    assert repr(ours.models.BPE().get_trainer()) == repr(ours.trainers.BpeTrainer())
    with pytest.raises(ours.NotSupportedError):
        ours.models.WordLevel().get_trainer()


@pytest.mark.parametrize(
    "options",
    [{}, {"add_prefix_space": True, "lowercase": True, "unicode_normalizer": "nfkc", "trim_offsets": True}],
)
def test_byte_level_bpe_tokenizer(options, tmp_path):
    def make(package):
        tok = package.ByteLevelBPETokenizer(**options)
        tok.train_from_iterator(TEXTS, vocab_size=300, special_tokens=["<s>"], show_progress=False)
        return tok

    mine, theirs = both(make)
    assert_same((mine, theirs))
    names = mine.save_model(str(tmp_path))
    assert [name.rpartition("/")[2] for name in names] == ["vocab.json", "merges.txt"]
    mine.save(str(tmp_path / "tokenizer.json"))
    assert original.Tokenizer.from_file(str(tmp_path / "tokenizer.json")).get_vocab() == theirs.get_vocab()
    assert_same(both(lambda package: package.ByteLevelBPETokenizer.from_file(*names, **options)))
    (tmp_path / "a.txt").write_text("one one two\ntwo two", encoding="utf-8")

    def from_files(package):
        tok = package.ByteLevelBPETokenizer(**options)
        tok.train(str(tmp_path / "a.txt"), vocab_size=262, show_progress=False)
        return tok

    assert_same(both(from_files))
    assert isinstance(mine.model, ours.models.BPE)
    bundled = ours.ByteLevelBPETokenizer.from_pretrained("gpt2")
    assert (type(bundled), bundled.get_vocab_size()) == (ours.ByteLevelBPETokenizer, 50257)
    with pytest.raises(ours.NotSupportedError, match="dropout"):
        ours.ByteLevelBPETokenizer(dropout=0.1)
    assert_same(both(lambda package: package.ByteLevelBPETokenizer(*names, **options)))
