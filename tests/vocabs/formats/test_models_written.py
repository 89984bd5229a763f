"""Vocabs of models that see characters, written as tokenizer.json: the same ids and text, or a refusal."""

import pytest
from depth import by_depth
from random_models import MODELS, random_model_vocab
from tokenizers import Tokenizer

import wordsplit
from wordsplit import AddedToken, UnsupportedVocabError, Vocab
from wordsplit.model import CharacterBPE, Unigram, WordLevel, WordPiece

TOKENS = {0: b"<unk>", 1: b"a", 2: b"b", 3: b"ab"}
SMALL = {
    "CharacterBPE": CharacterBPE(tokens=TOKENS, explicit_merges=[(1, 2)], unk_id=0),
    "Unigram": Unigram(tokens=TOKENS, scores=[0, -1, -2, -1.5], unk_id=0),
    "WordPiece": WordPiece(tokens=TOKENS, unk_id=0),
    "WordLevel": WordLevel(tokens=TOKENS, unk_id=0),
}


@pytest.mark.parametrize("kind", MODELS)
def test_random_models(kind, tmp_path):
    path = tmp_path / "tokenizer.json"
    for seed in range(by_depth(20, 200, 4000)):
        vocab, some = random_model_vocab(kind, seed)
        vocab.save_tokenizer_json(path)
        assert wordsplit.load_vocab(path) == vocab, seed
        tok, theirs = wordsplit.load_tokenizer(vocab), Tokenizer.from_file(str(path))
        for text in some:
            ids = tok.encode(text)
            assert theirs.encode(text).ids == ids, (seed, text)
            assert theirs.decode(ids, skip_special_tokens=False) == tok.decode(ids), (seed, text)


@pytest.mark.parametrize("kind", SMALL)
def test_no_decoder_and_no_unknown_token(kind, tmp_path):
    path = tmp_path / "tokenizer.json"
    Vocab(name="small", model=SMALL[kind]).save_tokenizer_json(path)
    assert Tokenizer.from_file(str(path)).decode([1, 3]) == wordsplit.load_tokenizer(path).decode([1, 3]) == "aab"
    fields = {"scores": [0, -1, -2, -1]} if kind == "Unigram" else {}
    Vocab(name="small", model=type(SMALL[kind])(tokens=TOKENS, **fields)).save_tokenizer_json(path)
    assert wordsplit.load_vocab(path).model.unk_id is None
    assert Tokenizer.from_file(str(path)).encode("a").ids == [1]


@pytest.mark.parametrize("kind", SMALL)
@pytest.mark.parametrize("writer", ["save_tiktoken", "save_gguf", "save_vocab_merges"])
def test_formats_of_byte_level_bpe_refuse_them(kind, writer, tmp_path):
    with pytest.raises(UnsupportedVocabError, match=f"is a {kind}"):
        getattr(Vocab(name="small", model=SMALL[kind]), writer)(tmp_path / "x")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"added_tokens": [AddedToken("<s>", 9)]}, "another id"),
        ({"added_tokens": [AddedToken("<s>", 2)]}, "another id"),
        ({"added_tokens": [AddedToken("<s>", 4), AddedToken("<t>", 4)]}, "share id"),
        ({"model": Unigram(tokens={**TOKENS, 7: b"x"}, scores=[0] * 5)}, "holes"),
        ({"model": Unigram(tokens=TOKENS, scores=[0] * 4, user_defined_ids=[1])}, "user-defined"),
        ({"model": WordLevel(tokens={0: b"a", 1: b"a"})}, "has id 0, too"),
        ({"model": WordLevel(tokens={0: b"\xff"})}, "UTF-8"),
        ({"decoder": [wordsplit.rules.Decode("join", content="-")]}, "'join'"),
    ],
)
def test_what_the_format_cannot_express(changes, problem, tmp_path):
    with pytest.raises(UnsupportedVocabError, match=problem):
        Vocab(name="small", model=SMALL["Unigram"]).replace(**changes).save_tokenizer_json(tmp_path / "x.json")
