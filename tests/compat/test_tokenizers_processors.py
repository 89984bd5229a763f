"""Post-processors in every order give what they give in `tokenizers`."""

import contextlib
import copy
import json
import random
from itertools import product

import pytest
import tokenizers as original
from depth import by_depth
from post_processors import KINDS, NAMES, ORDERS, TOLD_BY_FIELDS, document

import wordsplit
import wordsplit.compat.tokenizers as ours

FIELDS = (
    "ids",
    "type_ids",
    "tokens",
    "offsets",
    "word_ids",
    "attention_mask",
    "special_tokens_mask",
    "sequence_ids",
    "n_sequences",
)
TEXTS = (("a  b", None), ("a  b", " c a"), ("", "b"), (" a b c a  b", "a b c a b"), (["a", " b"], ["c"]))
LENGTHS: list[dict | None] = [
    None,
    {"max_length": 8, "stride": 0, "strategy": "longest_first", "direction": "right"},
    {"max_length": 9, "stride": 1, "strategy": "longest_first", "direction": "left"},
    {"max_length": 7, "stride": 0, "strategy": "only_first", "direction": "right"},
    {"max_length": 10, "stride": 1, "strategy": "only_second", "direction": "right"},
]


def byte_level(order):
    """The processors behind a model whose tokens have white space, as have the special tokens of its templates."""
    made = copy.deepcopy(document(order))
    names = [*NAMES, "a", "b", "c", "Ġ", "Ġa", "ĠĠ"]
    made["model"] = {
        "type": "BPE",
        "vocab": {name: i for i, name in enumerate(names)},
        "merges": [["Ġ", "a"], ["Ġ", "Ġ"]],
    }
    made["pre_tokenizer"] = KINDS["byte_level"] | {"add_prefix_space": False}
    text = json.dumps(made).replace('"tokens": ["[X]"]', '"tokens": ["\\u0120[X] "]')
    assert text != json.dumps(made) or "TemplateProcessing" not in text
    return text


def told(encoding):
    return [{name: getattr(encoding, name) for name in FIELDS}, *map(told, encoding.overflowing)]


def outcome(tok, lengths, first, second, special):
    """What an encoding says; None if it fails."""
    try:
        tok.no_truncation()
        if lengths is not None:
            tok.enable_truncation(**lengths)
        found = tok.encode(first, second, is_pretokenized=isinstance(first, list), add_special_tokens=special)
        return told(found)
    except wordsplit.WordsplitError:
        return None
    except BaseException:  # noqa: BLE001 - pyo3's panic is no Exception
        assert isinstance(tok, original.Tokenizer)
        return None


@pytest.mark.parametrize("order", ORDERS[:: by_depth(7, 1, 1)], ids=lambda order: "-".join(order or ("none",)))
def test_every_order(order):
    data = byte_level(order)
    mine, theirs = ours.Tokenizer.from_str(data), original.Tokenizer.from_str(data)
    assert mine.post_processor == ours.Tokenizer.from_str(theirs.to_str()).post_processor
    for is_pair in (False, True):
        assert mine.num_special_tokens_to_add(is_pair) == theirs.num_special_tokens_to_add(is_pair)
    found = []
    for lengths in LENGTHS:
        if lengths is not None and lengths["max_length"] < mine.num_special_tokens_to_add(is_pair=True):
            continue  # which `tokenizers` takes for a length without end, and we refuse
        for case in product(TEXTS, (True, False)):
            (first, second), special = case
            expected = outcome(theirs, lengths, first, second, special)
            assert outcome(mine, lengths, first, second, special) == expected, (lengths, case)
            found.append(expected)
    assert any(found)


@pytest.mark.parametrize(("fields", "kind"), TOLD_BY_FIELDS)
def test_the_kind_is_told_by_the_fields(fields, kind):
    made = document(None) | {"post_processor": fields}
    data = json.dumps(made)
    mine, theirs = ours.Tokenizer.from_str(data), original.Tokenizer.from_str(data)
    assert type(mine.post_processor).__name__ == type(theirs.post_processor).__name__ == kind
    vocab = wordsplit.load_vocab_bytes(data.encode())
    found = wordsplit.load_tokenizer(vocab).encode_pair("a b", "c")
    for tok in (mine, theirs):
        encoding = tok.encode("a b", "c")
        assert (encoding.ids, encoding.type_ids) == tuple(found)


def paths(node, path=()):
    """The places in a JSON value."""
    for key in node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ():
        yield (*path, key)
        yield from paths(node[key], (*path, key))


@pytest.mark.parametrize("seed", range(by_depth(100, 1000, 10000)))
def test_damaged(seed):
    """What is read works, or raises an error of the package; what is not is refused."""
    rng = random.Random(f"damaged {seed}")
    made = copy.deepcopy(document(rng.choices(list(KINDS), k=rng.choice((1, 2)))))
    place = rng.choice(list(paths(made["post_processor"])))
    node = made["post_processor"]
    for key in place[:-1]:
        node = node[key]
    if rng.random() < 0.4:
        del node[place[-1]]
    else:
        node[place[-1]] = rng.choice([None, 5, -1, "x", "A", "", [], {}, [1, 2], {"a": 1}, 1.5, True, 1 << 40])
    with contextlib.suppress(wordsplit.WordsplitError):
        tok = ours.Tokenizer.from_str(json.dumps(made))
        tok.num_special_tokens_to_add(True)
        for texts in (("a b",), ("a b", "c")):
            with contextlib.suppress(wordsplit.WordsplitError):
                encoding = tok.encode(*texts)
                assert len(encoding.offsets) == len(encoding.ids)


def test_what_a_template_lacks():
    made = copy.deepcopy(document(("template",)))
    made["post_processor"]["special_tokens"].pop("two")
    with pytest.raises(wordsplit.WordsplitError, match="two"):
        ours.Tokenizer.from_str(json.dumps(made))
