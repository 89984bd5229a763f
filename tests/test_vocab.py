"""The checks of `Vocab` itself: parts that contradict each other."""

import dataclasses
import pickle

import pytest

import wordsplit
from wordsplit import AddedToken, VocabFormatError
from wordsplit.added_list import AddedTokenList
from wordsplit.vocab import writers

PARTS = {"name": "v", "tokens": {0: b"a", 5: b"b"}, "added_tokens": [AddedToken("<x>", 7)], "source": "here"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("prefix_ids", (1,)),
        ("prefix_ids", (7, 8)),
        ("suffix_ids", (6,)),
        ("suffix_ids", (-1,)),
        ("prefix_ids", ("a",)),
        ("bos_token_id", 1),
        ("eos_token_id", 8),
        ("pad_token_id", -1),
        ("role_ids", {"fim_pre": 2**40}),
    ],
)
def test_ids_that_no_token_has(field, value):
    with pytest.raises(VocabFormatError, match="which no token has") as caught:
        wordsplit.Vocab(**PARTS, **{field: value})
    assert caught.value.file == "here"
    assert caught.value.field.startswith("role_ids" if "_token_id" in field else field)


@pytest.mark.parametrize("i", [0, 5, 7])
def test_ids_that_a_token_has(i):
    vocab = wordsplit.Vocab(**PARTS, prefix_ids=(i,), suffix_ids=(i,), bos_token_id=i, role_ids={"fim_pre": i})
    assert wordsplit.TokenizerOptions().build(vocab).encode("ab") == [i, 0, 5, i]
    assert vocab.role_ids == {"bos": i, "fim_pre": i}


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        ({"tokens": {}, "added_tokens": ()}, "has no tokens"),
        ({"tokens": {2**24: b"a"}}, "above the limit"),
        ({"normalizer": "nfd"}, "normalizer 'nfd'"),
        ({"added_tokens": [AddedToken("", 9)]}, "is empty"),
        ({"added_tokens": [AddedToken("x", 9), AddedToken("x", 10)]}, "listed twice, as 9 and 10"),
        ({"added_tokens": [AddedToken("\ud800", 9)]}, "lone surrogate"),
    ],
)
def test_parts_that_contradict_each_other(parts, problem):
    with pytest.raises(VocabFormatError, match=problem):
        wordsplit.Vocab(**PARTS | parts)


def test_a_vocab_of_a_model_is_the_vocab_of_its_parts():
    tokens, merges = {0: b"a", 1: b"b", 2: b"ab", 3: b"c"}, [(0, 1)]
    model = wordsplit.ByteLevelBPE(tokens=tokens, explicit_merges=merges, ignore_merges=True, unreachable_ids=[3])
    of_model = wordsplit.Vocab(name="v", model=model)
    of_parts = wordsplit.Vocab(name="v", tokens=tokens, merges=merges, ignore_merges=True, unreachable_ids=[3])
    assert of_model == of_parts
    assert (of_model.ignore_merges, of_model.unreachable_ids, list(of_model.merges)) == (True, {3}, merges)
    with pytest.raises(TypeError, match="give model or tokens"):
        wordsplit.Vocab(name="v", model=model, tokens=tokens)


def test_a_string_is_no_sequence_of_steps():
    with pytest.raises(TypeError, match=r"scheme_steps\('gpt2'\)"):
        wordsplit.Vocab(name="mine", tokens={0: b"a"}, pre_tokenizer="gpt2")


def test_it_cannot_be_changed():
    vocab = wordsplit.Vocab(**PARTS, role_ids={"unk": 0}, chat_template="x")
    for field in dataclasses.fields(vocab):
        with pytest.raises(AttributeError):
            setattr(vocab, field.name, None)
    vocab.role_ids["unk"] = 5
    vocab.chat_templates["default"] = "y"
    assert (vocab.role_ids, vocab.chat_templates) == ({"unk": 0}, {"default": "x"})


def test_replace_changes_what_it_names_alone():
    vocab = wordsplit.Vocab(**PARTS, bos_token_id=0, eos_token_id=5, role_ids={"unk": 0}, chat_template="x")
    other = vocab.replace(name="w", eos_token_id=7, chat_template=None, merges=[])
    assert (other.name, other.role_ids, other.chat_templates) == ("w", {"bos": 0, "eos": 7, "unk": 0}, {})
    assert (other.tokens, other.has_explicit_merges, vocab.has_explicit_merges) == (vocab.tokens, True, False)
    assert (vocab.role_ids, vocab.chat_templates) == ({"bos": 0, "eos": 5, "unk": 0}, {"default": "x"})
    assert vocab.replace(bos_token_id=None).role_ids == {"eos": 5, "unk": 0}
    assert vocab.replace() == vocab
    with pytest.raises(VocabFormatError, match="which no token has"):
        vocab.replace(bos_token_id=3)
    with pytest.raises(TypeError):
        vocab.replace(nonsense=1)


def test_an_unknown_format_to_write():
    with pytest.raises(wordsplit.UnknownNameError, match="no vocab writer named 'tiktokn'.*'tiktoken'"):
        writers.get("tiktokn")
    assert writers.names() == ["gguf", "tiktoken", "tokenizer_json", "vocab_merges", "ws"]


def test_numbers_of_added_tokens_with_a_flag():
    tokens = [AddedToken("a", 1, special=False, lstrip=True), AddedToken("b", 2), AddedToken("c", 3, rstrip=True)]
    packed = AddedTokenList.pack(tokens)
    assert packed.numbers_of("special") == [1, 2]
    assert packed.numbers_of("lstrip", "rstrip") == [0, 2]
    assert packed.numbers_of("normalized") == []


def test_merges_are_equal_by_content():
    vocab = wordsplit.load_vocab("r50k_base")
    again = pickle.loads(pickle.dumps(vocab))  # noqa: S301 - our own bytes
    assert vocab.merges == again.merges == list(vocab.merges)
    assert vocab.merges == tuple(vocab.merges)
    assert hash(vocab.merges) == hash(again.merges) == hash(tuple(vocab.merges))
    assert vocab.merges != wordsplit.load_vocab("qwen3").merges
