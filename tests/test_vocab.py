"""The checks of `Vocab` itself: parts that contradict each other."""

import pytest

import wordsplit
from wordsplit import AddedToken, VocabFormatError

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
        ({"tokens": {}}, "has no tokens"),
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
