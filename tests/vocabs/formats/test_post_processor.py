"""The ids around texts and pairs are those of `tokenizers`, for post-processors in every order."""

import copy
import json
import time

import pytest
import tokenizers
from depth import by_depth
from oracles import unless_panic
from post_processors import KINDS, ORDERS, document, special, text

import wordsplit
from wordsplit.template import TemplatePart


def expected(oracle, *texts, **options):
    found = unless_panic(oracle.encode, *texts, **options)
    return found and (found.ids, found.type_ids)


def found(vocab, **options):
    return tuple(wordsplit.TokenizerOptions(**options).build(vocab).encode_pair("a b", "c"))


BARE = {"add_bos": False, "add_eos": False}


@pytest.mark.parametrize("order", ORDERS[:: by_depth(5, 1, 1)], ids=lambda order: "-".join(order or ("none",)))
def test_every_order(order, tmp_path):
    data = json.dumps(document(order))
    oracle = tokenizers.Tokenizer.from_str(data)
    single, pair = expected(oracle, "a b"), expected(oracle, "a b", "c")
    try:
        vocab = wordsplit.load_vocab_bytes(data.encode())
    except wordsplit.UnsupportedVocabError as error:
        twice = sum(KINDS[kind]["type"] == "TemplateProcessing" for kind in order) > 1
        assert twice
        assert "post_processor" in str(error)
        assert pair is None or "with the text in it" in str(error)
        return
    assert wordsplit.load_tokenizer(vocab).encode("a b") == single[0]
    assert found(vocab) == pair
    assert found(vocab, **BARE) == expected(oracle, "a b", "c", add_special_tokens=False)
    vocab.save_tokenizer_json(tmp_path / "saved.json")
    saved = tokenizers.Tokenizer.from_file(str(tmp_path / "saved.json"))
    assert (expected(saved, "a b")[0], expected(saved, "a b", "c")) == (single[0], pair)
    assert wordsplit.load_vocab(tmp_path / "saved.json").pair_template == vocab.pair_template
    vocab.save_compiled(tmp_path / "saved.ws")
    assert wordsplit.load_vocab(tmp_path / "saved.ws").pair_template == vocab.pair_template


def test_what_stands_around_each_text_needs_no_template_of_its_own():
    around = wordsplit.load_vocab_bytes(json.dumps(document(("byte_level",))).encode())
    assert around.pair_template is None
    first, second = TemplatePart(text="first"), TemplatePart(text="second", type_id=1)
    assert around.pair_parts == (first, second)
    assert around.replace(prefix_ids=[0]).pair_parts == (
        TemplatePart((0,)),
        first,
        TemplatePart((0,), type_id=1),
        second,
    )


def test_a_template_for_single_texts_alone_says_nothing_of_pairs():
    made = copy.deepcopy(document(("template",)))
    del made["post_processor"]["pair"]
    vocab = wordsplit.load_vocab_bytes(json.dumps(made).encode())
    assert (vocab.prefix_ids, vocab.pair_template) == ((2,), None)


@pytest.mark.parametrize(
    ("pair", "field"),
    [
        ([text("C", 0)], "pair"),
        ([text("AB", 0)], "pair"),
        ([text("", 0)], "pair"),
        ([special("[Y]", 0)], "special_tokens.[Y]"),
        ([{}], "SpecialToken.id"),
        ([{"Sequence": {"id": "A", "type_id": -1}}], "Sequence.type_id"),
        ("A B", "pair"),
    ],
)
def test_damaged_pairs(pair, field):
    made = document(("template",))
    made["post_processor"] = made["post_processor"] | {"pair": pair}
    with pytest.raises((wordsplit.VocabFormatError, wordsplit.UnsupportedVocabError)) as caught:
        wordsplit.load_vocab_bytes(json.dumps(made).encode())
    assert "post_processor" in str(caught.value)
    assert field in str(caught.value)


def test_a_template_of_many_pieces_is_read_in_time():
    made = document(("template",))
    made["post_processor"] = made["post_processor"] | {"pair": [special("[X]", 0)] * 100_000}
    begin = time.process_time()
    assert wordsplit.load_vocab_bytes(json.dumps(made).encode()).pair_template == (TemplatePart((2,) * 100_000),)
    assert time.process_time() - begin < 5


def test_parts():
    for wrong in ({"text": "third"}, {"text": "first", "ids": (1,)}):
        with pytest.raises(wordsplit.OptionsError):
            TemplatePart(**wrong)
    with pytest.raises(wordsplit.VocabFormatError, match=r"pair_template\[0\]"):
        wordsplit.load_vocab("r50k_base").replace(pair_template=[TemplatePart((1 << 20,))])
