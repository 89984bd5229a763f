"""BERT's vocab.txt, against `tokenizers`."""

import json
import random

import pytest
import tokenizers
from generated import BROKE_OTHERS

import wordsplit
from wordsplit.errors import UnsupportedVocabError, VocabFormatError, WordsplitError

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = [*"abcdefghijklmnopqrstuvwxyzABCéü東京.,!?'-0123456789"]
WORDS = [
    "the",
    "hello",
    "world",
    "##ing",
    "##sed",
    "##es",
    "wor",
    "##ld",
    "un",
    "##able",
    "東京",
    "##tokyo",
    "Größe",
    "grosse",
]
TOKENS = [*SPECIAL, *LETTERS, *(f"##{letter}" for letter in LETTERS), *WORDS]
TEXTS = [
    *(text[:2000] for text in BROKE_OTHERS),
    "Hello, WORLD! unable things",
    "  [MASK] the[SEP]x [cls]",
    "Größe GRÖSSE über éé e\u0301",
    "東京タワー 東",
    "don't\tdo\u00a0that\u200b \x00 ok",
    "a" * 101,
]


def write(folder, tokens=TOKENS, **config):
    path = folder / "vocab.txt"
    path.write_bytes("\n".join([*tokens, ""]).encode())
    if config:
        (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return path


def assert_equal(vocab, oracle):
    rng = random.Random(1)
    texts = [*TEXTS, *("".join(rng.choices([*LETTERS, *" \t\u0301ßİ中", "the ", "hello"], k=12)) for _ in range(300))]
    for engine in ("native", "python"):
        tokenizer = wordsplit.TokenizerOptions(engine=engine).build(vocab)
        for text in texts:
            found = oracle.encode(text)
            assert tokenizer.encode(text) == found.ids, text
            assert tokenizer.decode(found.ids, skip_special=True) == oracle.decode(found.ids), text


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("accents", [None, True, False])
@pytest.mark.parametrize("chinese", [True, False])
def test_settings(tmp_path, lowercase, accents, chinese):
    path = write(
        tmp_path,
        do_lower_case=lowercase,
        strip_accents=accents,
        tokenize_chinese_chars=chinese,
        tokenizer_class="BertTokenizer",
        never_split=None,
    )
    oracle = tokenizers.BertWordPieceTokenizer(
        str(path), lowercase=lowercase, strip_accents=accents, handle_chinese_chars=chinese
    )
    assert_equal(wordsplit.load_vocab(path), oracle)


def test_without_settings(tmp_path):
    vocab = wordsplit.load_vocab(write(tmp_path))
    assert_equal(vocab, tokenizers.BertWordPieceTokenizer(str(tmp_path / "vocab.txt")))
    assert wordsplit.load_vocab(tmp_path) == vocab
    assert vocab.role_ids == {"pad": 0, "unk": 1, "sep": 3, "cls": 2, "mask": 4}
    assert vocab.special_tokens == dict(zip(SPECIAL, range(5), strict=True))
    assert (vocab.prefix_ids, vocab.suffix_ids, vocab.name) == ((2,), (3,), tmp_path.name)


def test_other_special_tokens(tmp_path):
    names = {"unk_token": "<unk>", "cls_token": {"content": "<s>"}, "sep_token": "</s>"}
    path = write(tmp_path, ["<unk>", "<s>", "</s>", *LETTERS], **names)
    oracle = tokenizers.BertWordPieceTokenizer(str(path), **names | {"cls_token": "<s>"})
    assert_equal(wordsplit.load_vocab(path), oracle)


def test_lines(tmp_path):
    """Line ends of Windows, white space, empty lines, and a token that is there twice."""
    path = write(tmp_path, [*(f"{token}\r" for token in TOKENS), "twice", "", "x  ", "twice"])
    assert_equal(wordsplit.load_vocab(path), tokenizers.BertWordPieceTokenizer(str(path)))


@pytest.mark.parametrize(
    ("config", "found"),
    [
        (
            {"tokenizer_class": "PhobertTokenizer"},
            r"\$.tokenizer_class: not supported: a vocab.txt for 'PhobertTokenizer'",
        ),
        ({"never_split": ["a"]}, r"\$.never_split: not supported: words that are never split"),
        ({"do_basic_tokenize": False}, r"\$.do_basic_tokenize: not supported"),
    ],
)
def test_what_is_refused(tmp_path, config, found):
    with pytest.raises(UnsupportedVocabError, match=found):
        wordsplit.load_vocab(write(tmp_path, **config))


def test_damaged_files(tmp_path):
    with pytest.raises(VocabFormatError, match=r"lacks '\[UNK\]', the unk token"):
        wordsplit.load_vocab(write(tmp_path, ["a", "b"]))
    path = write(tmp_path)
    whole = path.read_bytes()
    rng = random.Random(2)
    for _ in range(100):
        data = bytearray(whole[: rng.randrange(len(whole))])
        for _ in range(rng.randint(0, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(data)
        try:
            wordsplit.load_vocab(path)
        except WordsplitError:
            continue
    path.write_bytes(b"\xff" + whole)
    with pytest.raises(VocabFormatError, match="offset 0: is not UTF-8"):
        wordsplit.load_vocab(path)
