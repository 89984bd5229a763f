"""Pairs of texts: ids, types, truncation and padding are those of `tokenizers`."""

import pytest
import tokenizers
from features.toks import TEXT, tokenizer
from hypothesis import given
from hypothesis import strategies as st

import wordsplit
from wordsplit.compat.tokenizers import Tokenizer
from wordsplit.lengths import DIRECTIONS, STRATEGIES, Padding, Truncation
from wordsplit.template import TEXTS, TemplatePart, bert_pair

NAMES = ["like llama2", "like bert", "like t5"]
TYPES = st.integers(0, 2)
OWN = st.builds(TemplatePart, ids=st.lists(st.integers(0, 2), max_size=2).map(tuple), type_id=TYPES)
TEMPLATES = st.one_of(
    st.none(),
    st.just(bert_pair(1, 2)),
    st.lists(OWN | st.builds(TemplatePart, text=st.sampled_from(TEXTS), type_id=TYPES), max_size=6),
)
TRUNCATIONS = st.builds(
    Truncation, st.integers(1, 14), strategy=st.sampled_from(STRATEGIES), direction=st.sampled_from(DIRECTIONS)
)
PADDINGS = st.builds(
    Padding,
    length=st.none() | st.integers(1, 16),
    pad_to_multiple_of=st.none() | st.integers(1, 8),
    pad_id=st.just(1),
    pad_type_id=TYPES,
    direction=st.sampled_from(DIRECTIONS),
)


def rows(encodings):
    """The columns of a batch of `tokenizers`, as `encode_for_model` returns them."""
    columns = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
    return {name: [getattr(each, own) for each in encodings] for name, own in columns.items()}


def or_refused(call, *args):
    """What a call returns; ``None`` where the text to truncate is too short, or there is no room."""
    try:
        return call(*args)
    except Exception as error:  # noqa: BLE001 - theirs is a plain Exception
        assert isinstance(error, wordsplit.OptionsError) or type(error) is Exception, error
        return None


@pytest.mark.parametrize("name", NAMES)
@given(
    pairs=st.lists(st.tuples(TEXT, TEXT), max_size=3),
    template=TEMPLATES,
    truncation=st.none() | TRUNCATIONS,
    padding=st.none() | PADDINGS,
)
def test_batches(name, pairs, template, truncation, padding, tmp_path_factory):
    path = tmp_path_factory.mktemp("pairs") / "tokenizer.json"
    vocab = tokenizer(name).vocab.replace(pair_template=template)
    if truncation is not None and truncation.max_length < sum(len(part.ids) for part in vocab.pair_parts):
        truncation = None  # `tokenizers` does not refuse such a length in every case
    vocab = vocab.replace(truncation=truncation, padding=padding, pad_token_id=1)
    vocab.save_tokenizer_json(path)
    oracle = tokenizers.Tokenizer.from_file(str(path))
    expected = or_refused(oracle.encode_batch, pairs)
    wanted = None if expected is None else rows(expected)
    if wanted and not any(part.type_id for part in vocab.pair_parts):
        del wanted["token_type_ids"]

    def batch():
        firsts, seconds = zip(*pairs, strict=True) if pairs else ((), ())
        how = "max_length" if padding and padding.length is not None else padding is not None
        return wordsplit.load_tokenizer(vocab).encode_for_model(
            firsts, seconds, truncation=truncation is not None, padding=how, return_type="list"
        )

    assert or_refused(batch) == wanted
    if truncation is None and padding is None:
        for (first, second), encoding in zip(pairs, expected, strict=True):
            assert wordsplit.load_tokenizer(vocab).encode_pair(first, second) == (encoding.ids, encoding.type_ids)
            assert rows([Tokenizer(vocab).encode(first, second)]) == rows([encoding])


def test_special_tokens_in_a_pair():
    tok = tokenizer("like bert")
    found = []
    for special in ("parse", "no_added", {"<r>"}):
        first, second = tok.encode("<l>", special), tok.encode("a<r>", special)
        assert tok.encode_pair("<l>", "a<r>", special).ids == first + second
        assert len(first) > 2
        found.append(first + second)
    assert found[0] != found[1] != found[2] != found[0]
    with pytest.raises(wordsplit.SpecialTokenError):
        tok.encode_pair("a", "<l>", special="error")


def test_bos_and_eos_of_pairs():
    vocab = tokenizer("like bert").vocab
    for options in ({"add_bos": False, "add_eos": False}, {"add_bos": True, "add_eos": True}):
        tok = wordsplit.load_tokenizer(vocab, **options)
        around = [1, 2] * options["add_bos"]
        assert [i for i in tok.encode_pair("a", "t").ids if i in (1, 2)] == around * 2
        assert tok.encode_for_model(["a"], ["t"])["input_ids"].tolist() == [tok.encode_pair("a", "t").ids]
    with pytest.raises(wordsplit.OptionsError, match="all ids of its template or none"):
        wordsplit.load_tokenizer(vocab, add_bos=False).encode_pair("a", "t")


@pytest.mark.parametrize(
    ("texts", "options", "match"),
    [
        ((["a"], ["a", "t"]), {}, "there are 2 for 1"),
        ((["a"], ["t"]), {"truncation_strategy": "second"}, "truncation_strategy='second'"),
        ((["a"], ["t"]), {"truncation": True, "max_length": 3}, "no room besides the 4"),
        ((["a"], ["t"]), {"truncation": True}, "needs max_length"),
        (
            (["a a a"], ["t"]),
            {"truncation": True, "max_length": 6, "truncation_strategy": "only_second"},
            "has 1 tokens, but 2",
        ),
    ],
)
def test_what_is_refused(texts, options, match):
    with pytest.raises(wordsplit.OptionsError, match=match):
        tokenizer("like bert").encode_for_model(*texts, **options)
