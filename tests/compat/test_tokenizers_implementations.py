"""The ready-made tokenizers of `tokenizers`: the same with the same vocab."""

import json

import pytest
import tokenizers as theirs

import wordsplit.compat.tokenizers as ours

TEXTS = ["Hello, world! hello  wörld 中文", "", "lower lowest\tunaffable", "\u00bd hellos, <unk> [MASK]"]
WORDS = ["hello", "world", "low", "##s", "##er", "##est", ",", "!", "中", "w", "##o", "##r", "##l", "##d"]
BERT = {token: i for i, token in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS])}
CHARS = sorted({*"helo,wrd!stu", "▁"})
PAIRS = [("l", "o"), ("h", "e"), ("he", "l"), ("▁", "w")]
MERGED = {token: i for i, token in enumerate(["<unk>", *CHARS, *(a + b for a, b in PAIRS)])}
ENDED = {token: i for i, token in enumerate(["<unk>", *CHARS, *(f"{c}</w>" for c in CHARS), "lo", "lo</w>", "he"])}
ENDS = [("l", "o"), ("l", "o</w>"), ("h", "e")]
SCORES = [("<unk>", 0.0), *((char, -5.0) for char in CHARS), ("▁hel", -2.0), ("lo", -2.5), ("▁w", -3.0)]


def both(name, *given, **options):
    return [getattr(library, name)(*given, **options) for library in (ours, theirs)]


@pytest.mark.parametrize(
    ("name", "given", "options"),
    [
        ("BertWordPieceTokenizer", (BERT,), {}),
        ("BertWordPieceTokenizer", (BERT,), {"lowercase": False, "strip_accents": True, "handle_chinese_chars": False}),
        ("CharBPETokenizer", (ENDED, ENDS), {}),
        ("CharBPETokenizer", (ENDED, ENDS), {"lowercase": True, "unicode_normalizer": "nfkc"}),
        ("CharBPETokenizer", (ENDED, ENDS), {"bert_normalizer": False, "split_on_whitespace_only": True}),
        ("SentencePieceBPETokenizer", (MERGED, PAIRS), {}),
        ("SentencePieceBPETokenizer", (MERGED, PAIRS), {"add_prefix_space": False, "fuse_unk": True}),
    ],
)
def test_same(name, given, options):
    mine, other = both(name, *given, **options)
    assert json.loads(mine.to_str()) == json.loads(other.to_str())
    for text in TEXTS:
        found, expected = mine.encode(text, "hello"), other.encode(text, "hello")
        for field in ("ids", "tokens", "offsets", "type_ids", "special_tokens_mask"):
            assert getattr(found, field) == getattr(expected, field), (text, field)
        assert mine.decode(found.ids) == other.decode(found.ids)


def test_unigram():
    """Theirs takes no unknown token; the components are the same."""
    mine, other = both("SentencePieceUnigramTokenizer")
    assert json.loads(mine.to_str()) == json.loads(other.to_str())
    mine, other = both("SentencePieceUnigramTokenizer", SCORES, add_prefix_space=False)
    assert json.loads(mine.to_str()) == json.loads(other.to_str())
    for tok, library in ((mine, ours), (other, theirs)):
        tok.model = library.models.Unigram(SCORES, 0)
    for text in TEXTS:
        assert mine.encode(text).ids == other.encode(text).ids
        assert mine.encode(text).offsets == other.encode(text).offsets


@pytest.mark.parametrize("name", ["BertWordPieceTokenizer", "CharBPETokenizer", "SentencePieceBPETokenizer"])
def test_without_a_vocab(name):
    mine, other = both(name)
    assert json.loads(mine.to_str()) == json.loads(other.to_str())
    assert mine.get_vocab_size() == other.get_vocab_size() == 0
    assert mine.token_to_id("a") is mine.id_to_token(0) is None


def test_files(tmp_path):
    mine, other = both("BertWordPieceTokenizer", BERT)
    (tmp_path / "theirs").mkdir()
    assert mine.save_model(tmp_path) == [str(tmp_path / "vocab.txt")]
    other.save_model(str(tmp_path / "theirs"))
    assert (tmp_path / "vocab.txt").read_bytes() == (tmp_path / "theirs" / "vocab.txt").read_bytes()
    again = ours.BertWordPieceTokenizer.from_file(tmp_path / "vocab.txt", lowercase=False)
    assert again.get_vocab() == mine.get_vocab()
    assert ours.BertWordPieceTokenizer(str(tmp_path / "vocab.txt")).to_str() == mine.to_str()
    mine = ours.CharBPETokenizer(ENDED, ENDS)
    paths = mine.save_model(tmp_path, "x")
    assert ours.CharBPETokenizer.from_file(*paths).get_vocab() == mine.get_vocab()
    assert ours.CharBPETokenizer(*paths).get_vocab() == mine.get_vocab()
    assert ours.models.WordLevel(paths[0]).vocab == mine.get_vocab()


def test_refused():
    with pytest.raises(TypeError, match="cls_token"):
        ours.BertWordPieceTokenizer({"[UNK]": 0, "[SEP]": 1})
    with pytest.raises(ours.NotSupportedError, match="dropout"):
        ours.CharBPETokenizer(ENDED, ENDS, dropout=0.1)
    for tok in (ours.BertWordPieceTokenizer(BERT), ours.SentencePieceUnigramTokenizer()):
        with pytest.raises(ours.NotSupportedError, match="cannot be trained"):
            tok.train_from_iterator(["a"], vocab_size=30, show_progress=False)
        with pytest.raises(ours.NotSupportedError, match="cannot be trained"):
            tok.train("text.txt", vocab_size=30)
