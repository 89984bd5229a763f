"""The truncation and padding that a tokenizer.json saves, against `tokenizers`."""

import copy
import json
import pickle

import pytest
import tokenizers
from cli.run import run
from hypothesis import given
from hypothesis import strategies as st
from vocabs.formats.test_tokenizer_json import added, document

import wordsplit
from wordsplit.compat.tokenizers import Tokenizer

TRUNCATION = {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0}
PADDING = {
    "strategy": {"Fixed": 6},
    "direction": "Left",
    "pad_to_multiple_of": 4,
    "pad_id": 260,
    "pad_type_id": 1,
    "pad_token": "<pad>",
}
BOTH = {"truncation": TRUNCATION, "padding": PADDING}
TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {"<s>": {"id": "<s>", "ids": [261], "tokens": ["<s>"]}},
}
TEXTS = ["", "hello", "hello he ll", "hell o hello he hello ll hello", "<pad> a"]


def made(**changes):
    return document(added_tokens=[added("<pad>", 260, special=True), added("<s>", 261, special=True)], **changes)


LENGTHS = st.integers(0, 12)
SAVED = {
    "truncation": st.none()
    | st.fixed_dictionaries(
        {
            "direction": st.sampled_from(["Left", "Right"]),
            "max_length": st.integers(1, 12),
            "strategy": st.sampled_from(["LongestFirst", "OnlyFirst", "OnlySecond"]),
            "stride": st.integers(0, 2),
        }
    ),
    "padding": st.none()
    | st.fixed_dictionaries(
        {
            "strategy": st.just("BatchLongest") | LENGTHS.map(lambda length: {"Fixed": length}),
            "direction": st.sampled_from(["Left", "Right"]),
            "pad_to_multiple_of": st.none() | st.integers(0, 8),
            "pad_id": st.just(260),
            "pad_type_id": st.integers(0, 1),
            "pad_token": st.just("<pad>"),
        }
    ),
}


def told(encoding):
    names = ("ids", "type_ids", "tokens", "offsets", "attention_mask", "special_tokens_mask")
    return [{name: getattr(each, name) for name in names} for each in (encoding, *encoding.overflowing)]


def outcome(call):
    try:
        return call()
    except BaseException as error:  # noqa: BLE001 - `tokenizers` panics where a stride leaves no room
        assert isinstance(error, Exception) or "stride" in str(error)
        return "refused"


@given(saved=st.fixed_dictionaries(SAVED), template=st.booleans(), texts=st.lists(st.sampled_from(TEXTS), min_size=1))
def test_the_stand_in_does_as_the_original(saved, template, texts):
    data = made(**saved, **({"post_processor": TEMPLATE} if template else {})).decode()
    mine, theirs = Tokenizer.from_str(data), tokenizers.Tokenizer.from_str(data)
    for again in (mine, Tokenizer.from_str(theirs.to_str()), tokenizers.Tokenizer.from_str(mine.to_str())):
        assert (again.truncation, again.padding) == (theirs.truncation, theirs.padding)
    calls = [
        lambda tok: [told(tok.encode(text)) for text in texts],
        lambda tok: [told(tok.encode(texts[0], text)) for text in texts],
        lambda tok: [told(each) for each in tok.encode_batch(texts)],
        lambda tok: [told(each) for each in tok.encode_batch([(text, texts[0]) for text in texts])],
        lambda tok: [each.ids for each in tok.encode_batch_fast(texts, add_special_tokens=False)],
    ]
    for call in calls:
        assert outcome(lambda call=call: call(mine)) == outcome(lambda call=call: call(theirs))


@given(saved=st.fixed_dictionaries(SAVED), template=st.booleans(), texts=st.lists(st.sampled_from(TEXTS), min_size=1))
def test_batches_for_models_take_what_the_call_leaves_out(saved, template, texts):
    data = made(**saved, **({"post_processor": TEMPLATE} if template else {}))
    tok = wordsplit.TokenizerOptions().build(wordsplit.load_vocab_bytes(data))
    theirs = tokenizers.Tokenizer.from_str(data.decode())
    padding, truncation = tok.vocab.padding, tok.vocab.truncation
    whole = [tok.encode(text) for text in texts]
    way = "max_length" if padding and padding.length is not None else padding is not None
    found = tok.encode_for_model(texts, truncation=truncation is not None, padding=way, return_type="list")
    if truncation is None or (truncation.strategy, truncation.stride) == ("longest_first", 0):
        expected = theirs.encode_batch(texts)
        assert found["input_ids"] == [each.ids for each in expected]
        assert found["attention_mask"] == [each.attention_mask for each in expected]
    asked = tok.encode_for_model(texts, padding=False, return_type="list")
    assert asked["input_ids"] == whole  # nothing is truncated unasked
    theirs.no_truncation()
    theirs.no_padding()
    assert whole == [theirs.encode(text).ids for text in texts]
    if padding is not None:
        theirs.enable_padding(**padding.asdict() | {"length": None})
        assert tok.pad(whole)["input_ids"] == [each.ids for each in theirs.encode_batch(texts)]


def test_what_a_call_says_comes_first():
    tok = wordsplit.TokenizerOptions().build(wordsplit.load_vocab_bytes(made(**BOTH)))
    assert tok.encode_for_model(["hello he"], padding=False, truncation=True, max_length=2, return_type="list") == {
        "input_ids": [tok.encode("hello he")[:2]],
        "attention_mask": [[1, 1]],
    }
    found = tok.encode_for_model(["a"], padding_side="right", pad_to_multiple_of=1, padding="max_length", max_length=3)
    assert found["attention_mask"].tolist() == [[1, 0, 0]]
    assert tok.pad([[1], [2, 3]], multiple_of=1, side="right")["attention_mask"] == [[1, 0], [1, 1]]
    assert tok.pad([1])["input_ids"] == [260, 260, 260, 1]


def test_the_vocab_has_them_and_every_file_of_a_whole_vocab_keeps_them(tmp_path):
    source = tmp_path / "made" / "tokenizer.json"
    source.parent.mkdir()
    source.write_bytes(made(**BOTH))
    vocab = wordsplit.load_vocab(source)
    assert vocab.truncation == wordsplit.Truncation(4)
    assert vocab.padding == wordsplit.Padding(6, 4, 260, "<pad>", 1, "left")
    assert vocab.pad_token_id == 260
    vocab.save_tokenizer_json(tmp_path / "tokenizer.json")
    vocab.save_compiled(tmp_path / "saved.ws")
    vocab.save_vocab_merges(tmp_path)
    written = json.loads((tmp_path / "tokenizer.json").read_bytes())
    assert {name: written[name] for name in BOTH} == BOTH
    others = [tmp_path / name for name in ("tokenizer.json", "saved.ws", "vocab.json")]
    copies = [*map(wordsplit.load_vocab, others), wordsplit.load_vocab(source), pickle.loads(pickle.dumps(vocab))]  # noqa: S301
    for again in (*copies, copy.deepcopy(vocab), vocab.replace(name="other")):
        assert (again, again.truncation, again.padding) == (vocab, vocab.truncation, vocab.padding)
    shown = run("inspect", str(source)).stdout
    assert "max_length=4" in shown
    assert "pad_token='<pad>'" in shown


def test_the_padding_token_of_the_configuration_comes_first(tmp_path):
    (tmp_path / "tokenizer.json").write_bytes(made(**BOTH))
    (tmp_path / "tokenizer_config.json").write_text('{"pad_token": "<s>"}')
    assert wordsplit.load_vocab(tmp_path).pad_token_id == 261
    other = made(padding=PADDING | {"pad_id": 12})
    assert wordsplit.load_vocab_bytes(other).pad_token_id is None  # the id is another token's


@pytest.mark.parametrize(
    ("part", "change", "field"),
    [
        ("truncation", {"max_length": -1}, "max_length"),
        ("truncation", {"max_length": 4.0}, "max_length"),
        ("truncation", {"max_length": 1 << 64}, "max_length"),
        ("truncation", {"stride": None}, "stride"),
        ("truncation", {"strategy": "Longest"}, "strategy"),
        ("truncation", {"direction": "right"}, "direction"),
        ("padding", {"strategy": "Fixed"}, "strategy"),
        ("padding", {"strategy": {"Fixed": "x"}}, "strategy.Fixed"),
        ("padding", {"direction": None}, "direction"),
        ("padding", {"pad_id": 1 << 32}, "pad_id"),
        ("padding", {"pad_token": 5}, "pad_token"),
        ("padding", {"pad_type_id": True}, "pad_type_id"),
        ("padding", {"pad_to_multiple_of": "8"}, "pad_to_multiple_of"),
    ],
)
def test_what_is_damaged(part, change, field):
    data = made(**{part: BOTH[part] | change})
    with pytest.raises(Exception, match="line 1 column"):
        tokenizers.Tokenizer.from_str(data.decode())
    with pytest.raises(wordsplit.VocabFormatError) as error:
        wordsplit.load_vocab_bytes(data)
    assert error.value.field == f"$.{part}.{field}"


def test_what_may_be_missing():
    data = made(
        truncation={key: value for key, value in TRUNCATION.items() if key != "direction"},
        padding={key: value for key, value in PADDING.items() if key != "pad_to_multiple_of"},
    )
    mine, theirs = Tokenizer.from_str(data.decode()), tokenizers.Tokenizer.from_str(data.decode())
    assert (mine.truncation, mine.padding) == (theirs.truncation, theirs.padding)
    for value in (5, False, "x"):
        for part in BOTH:
            with pytest.raises(wordsplit.VocabFormatError, match="should be an object"):
                wordsplit.load_vocab_bytes(made(**{part: value}))
