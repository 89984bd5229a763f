"""Models that see characters give the ids, offsets and decoded texts of `tokenizers`, whatever their options."""

import itertools

import pytest
from depth import by_depth
from random_models import BYTES, MODELS, random_oracle, texts
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

import wordsplit
from wordsplit.compat.tokenizers import Tokenizer as Stand

SEEDS = range(by_depth(15, 150, 6000))
ROWS = ("ids", "offsets", "tokens", "word_ids")


def compare(path, text_list, why, rows=ROWS):
    """Compare all that an encoding says, and what it is decoded to."""
    theirs, ours = Tokenizer.from_file(str(path)), Stand.from_file(path)
    toks = [
        wordsplit.load_tokenizer(path, engine=engine, add_bos=False, add_eos=False) for engine in ("native", "python")
    ]
    for text in text_list:
        want, found = theirs.encode(text, add_special_tokens=False), ours.encode(text, add_special_tokens=False)
        assert [getattr(found, row) for row in rows] == [getattr(want, row) for row in rows], (why, text)
        assert ours.decode(want.ids) == theirs.decode(want.ids), (why, text)
        for tok in toks:
            traced = tok.encode_with_offsets(text)
            assert tok.encode(text) == traced.ids == want.ids, (why, text)
            assert tok.decode(want.ids) == theirs.decode(want.ids, skip_special_tokens=False), (why, text)
            if "offsets" in rows:
                assert traced.char_spans == want.offsets, (why, text)


@pytest.mark.parametrize("kind", MODELS)
def test_random_models(kind, tmp_path):
    for seed in SEEDS:
        oracle, rng, tokens = random_oracle(kind, seed)
        model = oracle.model
        affixed = kind == "character_bpe" and bool(model.continuing_subword_prefix or model.end_of_word_suffix)
        path = tmp_path / "tokenizer.json"
        path.write_text(oracle.to_str())
        # The oracle counts the bytes of affixes in byte fallback, too, and its offsets run out of the text.
        rows = ROWS[:1] if affixed and model.byte_fallback else ROWS
        compare(path, texts(rng, tokens), (seed, oracle.normalizer, oracle.pre_tokenizer, oracle.decoder), rows)


@pytest.mark.parametrize("tokens", [("xx",), ("xx", "z"), ("xy", "yx"), ("xxx", "zx", "y")])
@pytest.mark.parametrize("byte_fallback", [False, True])
def test_unknown_runs_of_unigram(tokens, byte_fallback, tmp_path):
    """A token may begin with what is unknown by itself, so that it is not obvious where a run of that ends."""
    names = ["<unk>", "\u2581", *tokens, *(BYTES if byte_fallback else ())]
    oracle = Tokenizer(models.Unigram([(name, -1.0 - at) for at, name in enumerate(names)], 0, byte_fallback))
    oracle.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="never")
    path = tmp_path / "tokenizer.json"
    path.write_text(oracle.to_str())
    tok = wordsplit.load_tokenizer(path)
    for length in range(1, by_depth(5, 7, 8)):
        for chars in itertools.product("xyz ", repeat=length):
            text = "".join(chars)
            want, found = oracle.encode(text), tok.encode_with_offsets(text)
            assert (found.ids, found.char_spans) == (want.ids, want.offsets), text


def test_unknown_tokens_of_unigram_in_text(tmp_path):
    """The text of the unknown token is unknown, also where its characters are tokens and have none for their bytes."""
    names = ["<unk>", "<", "a", *(name for name in BYTES if name != "<0x3C>")]
    oracle = Tokenizer(models.Unigram([(name, -float(at)) for at, name in enumerate(names)], 0, True))
    oracle.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    path = tmp_path / "tokenizer.json"
    path.write_text(oracle.to_str())
    parts = ["<unk>", "<", "a", "b", " "]
    text_list = ["".join(each) for n in range(1, 5) for each in itertools.product(parts, repeat=n)]
    compare(path, text_list, "unknown tokens")


def test_unknown_tokens_of_unigram_beside_unknown_characters(tmp_path):
    """They are one token, also in a long span, which is encoded in pieces, and where their last character is known."""
    names = ["<unk>", "<", ">", "a"]
    oracle = Tokenizer(models.Unigram([(name, -float(at)) for at, name in enumerate(names)], 0, False))
    path = tmp_path / "tokenizer.json"
    path.write_text(oracle.to_str())
    parts = ["<unk>", "<", ">", "a", "b", "é"]
    text_list = ["a" * 70 + "".join(each) for n in range(1, 4) for each in itertools.product(parts, repeat=n)]
    compare(path, text_list, "unknown tokens")


BERT_TEXTS = [
    "Hello, Wörld! unbelievably ÄÖÜ",
    "中文 and 🦜 e\u0301 don't  \t stop\n",
    "a" * 101 + " zzz qqq\u00ad x",
    "ﬁ Å \u0000\ufffd [MASK]  [mask]",
    "",
    " ",
]


def test_trained_word_piece(tmp_path):
    oracle = Tokenizer(models.WordPiece(unk_token="[UNK]"))  # noqa: S106 - a token of text
    oracle.normalizer, oracle.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    oracle.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(vocab_size=120, special_tokens=["[UNK]", "[MASK]"], show_progress=False)
    oracle.train_from_iterator(["Hello unbelievable world, don't stop and believe in words"] * 3, trainer)
    path = tmp_path / "tokenizer.json"
    path.write_text(oracle.to_str())
    compare(path, BERT_TEXTS, "trained")
