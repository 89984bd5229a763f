"""Damaged tokenizer.json files, and sound ones that ask for what is not supported."""

import copy
import json
import tracemalloc

import pytest
from hostile.refusal import loads_or_refused, refused

import wordsplit
from wordsplit.byte_level import to_byte_level

SINGLE = {to_byte_level(bytes([b])): b for b in range(256)}
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}


def added(content="<|end|>", token_id=260, **changes):
    flags = dict.fromkeys(("special", "lstrip", "rstrip", "single_word", "normalized"), False)
    return {"id": token_id, "content": content, **flags, **changes}


def base(single=True):
    """A small sound file; without the single bytes it is small enough to damage at every node."""
    first = SINGLE if single else {letter: SINGLE[letter] for letter in "helo"}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [added(special=True)],
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}]},
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "Split", "pattern": {"Regex": r"\w+|\W"}, "behavior": "Isolated", "invert": False},
                BYTE_LEVEL,
            ],
        },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [
                {"SpecialToken": {"id": "<|end|>", "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
            ],
            "pair": [],
            "special_tokens": {"<|end|>": {"id": "<|end|>", "ids": [260], "tokens": ["<|end|>"]}},
        },
        "decoder": BYTE_LEVEL,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {**first, "he": 256, "ll": 257, "hell": 258, "hello": 259},
            "merges": [["h", "e"], "l l", ["he", "ll"], "hell o"],
        },
    }


def put(path, value):
    """The base file with the value at a path of keys replaced; ``...`` takes it out."""
    document = base()
    node = document
    for key in path[:-1]:
        node = node[key]
    if value is ...:
        del node[path[-1]]
    else:
        node[path[-1]] = value
    return json.dumps(document).encode()


def text(old, new):
    """The base file's text with one thing replaced."""
    whole = json.dumps(base())
    assert whole.count(old) == 1, old
    return whole.replace(old, new).encode()


def test_the_base_file_is_sound(tmp_path):
    path = tmp_path / "base.json"
    path.write_bytes(json.dumps(base()).encode())
    assert wordsplit.load_tokenizer(path).encode("hello") == [260, 259]


def test_cut_short_at_every_byte(tmp_path):
    whole = json.dumps(base(single=False)).encode()
    for size in range(len(whole)):
        refused(tmp_path / "cut.json", whole[:size])


def nodes(value, path=()):
    yield path
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from nodes(value[key], (*path, key))


@pytest.mark.parametrize("value", [None, 0, -1, 1.5, "x", "", [], {}, True, [[]], {"type": "Sequence"}], ids=repr)
def test_any_value_at_any_node(tmp_path, value):
    document = base(single=False)
    for path in nodes(document):
        damaged = copy.deepcopy(document)
        node = damaged
        for key in path[:-1]:
            node = node[key]
        if path:
            node[path[-1]] = value
        else:
            damaged = value
        loads_or_refused(tmp_path / "fuzz.json", json.dumps(damaged).encode())


def test_any_key_left_out(tmp_path):
    document = base(single=False)
    for path in list(nodes(document))[1:]:
        damaged = copy.deepcopy(document)
        node = damaged
        for key in path[:-1]:
            node = node[key]
        del node[path[-1]]
        loads_or_refused(tmp_path / "fuzz.json", json.dumps(damaged).encode())


VOCAB = ("model", "vocab")
SYNTAX = {
    "empty": b"",
    "a BOM": b"\xef\xbb\xbf" + json.dumps(base()).encode(),
    "not UTF-8": b'{"model": "\xff"}',
    "UTF-16": json.dumps(base()).encode("utf-16"),
    "a list": b"[]",
    "a number": b"1",
    "two documents": json.dumps(base()).encode() * 2,
    "a key twice": text('"dropout": null', '"dropout": null, "dropout": null'),
    "a token twice": text('"he": 256', '"he": 256, "he": 256'),
    "a token twice by escape": text('"he": 256', '"he": 256, "h\\u0065": 260'),
    "NaN": text('"he": 256', '"he": NaN'),
    "NaN as dropout": text('"dropout": null', '"dropout": NaN'),
    "Infinity": text('"he": 256', '"he": Infinity'),
    "-Infinity": text('"he": 256', '"he": -Infinity'),
    "5,000 digits": text('"he": 256', '"he": ' + "9" * 5000),
    "100,000 lists deep": b"[" * 100_000,
    "100,000 objects deep": b'{"a":' * 100_000,
    "100,000 deep and closed": text('"truncation": null', '"truncation": ' + "[" * 100_000 + "]" * 100_000),
    "NUL": json.dumps(base()).encode() + b"\0",
}

IDS = {
    "twice": (put((*VOCAB, "he"), 257), "$.model.vocab.ll"),
    "of a float": (put((*VOCAB, "he"), 256.0), "$.model.vocab.he"),
    "negative": (put((*VOCAB, "he"), -1), "$.model.vocab.he"),
    "a bool": (put((*VOCAB, "he"), value=True), "$.model.vocab.he"),
    "a string": (put((*VOCAB, "he"), "256"), "$.model.vocab.he"),
    "null": (put((*VOCAB, "he"), None), "$.model.vocab.he"),
    **{
        f"{n}": (put((*VOCAB, "he"), n), "$.model.vocab.he")
        for n in (1 << 24, (1 << 32) - 1, 1 << 32, 1 << 64, 10**400)
    },
    "lone surrogate": (text('"he": 256', '"he\\ud800": 256'), "$.model.vocab"),
    "no vocab": (put(VOCAB, ...), "$.model.vocab"),
    "empty vocab": (put(VOCAB, {}), "merges"),
}

MERGES = ("model", "merges")
MERGE = {
    "of one part": "h",
    "of three parts": "h e l",
    "of no part": "",
    "of two empty parts": " ",
    "of one in a list": ["h"],
    "of three in a list": ["h", "e", "l"],
    "of none in a list": [],
    "of an unknown left part": "zz e",
    "of an unknown right part": ["h", "zz"],
    "that makes no token": "h o",
    "of numbers": [1, 2],
    "of lists": [["h"], ["e"]],
    "of null": ["h", None],
    "an object": {"h": 1, "e": 2},
    "a number": 5,
    "null": None,
    "true": True,
}

BYTE_FALLBACK = {
    "unk_token": "none",
    "byte_fallback": True,
    "vocab": {**base(single=False)["model"]["vocab"], "<0x41>": 261},
}
UNKNOWN = {
    "model of another name": (put(("model", "type"), "Markov"), "$.model.type"),
    "dropout": (put(("model", "dropout"), 0.1), "$.model.dropout"),
    "prefix": (put(("model", "continuing_subword_prefix"), "é"), "$.model.continuing_subword_prefix"),
    "prefix that the tokens lack": (put(("model", "continuing_subword_prefix"), "##"), "$.model.merges[0]"),
    "byte_fallback with an unk_token that is not in a vocab without all bytes": (
        json.dumps(base(single=False) | {"model": base(single=False)["model"] | BYTE_FALLBACK}).encode(),
        "$.model.unk_token",
    ),
    "normalizer": (put(("normalizer",), {"type": "BertNormalizer"}), "$.normalizer"),
    "normalizer in a sequence": (
        put(("normalizer", "normalizers", 0), {"type": "Precompiled"}),
        "$.normalizer.normalizers[0]",
    ),
    "pre-tokenizer": (put(("pre_tokenizer",), {"type": "Metaspace"}), "$.pre_tokenizer"),
    "pre-tokenizer in a sequence": (
        put(("pre_tokenizer", "pretokenizers", 0), {"type": "Cut"}),
        "$.pre_tokenizer.pretokenizers[0]",
    ),
    "a byte level after the byte level": (
        put(("pre_tokenizer", "pretokenizers"), [BYTE_LEVEL, BYTE_LEVEL]),
        "$.pre_tokenizer.pretokenizers[1]",
    ),
    "behavior": (
        put(("pre_tokenizer", "pretokenizers", 0, "behavior"), "Dropped"),
        "$.pre_tokenizer.pretokenizers[0].behavior",
    ),
    "decoder": (put(("decoder",), {"type": "Metaspace"}), "$.decoder"),
    "decoder in a sequence": (
        put(("decoder",), {"type": "Sequence", "decoders": [BYTE_LEVEL, {"type": "Strip"}]}),
        "$.decoder.decoders[1]",
    ),
    "post-processor": (put(("post_processor",), {"type": "Other"}), "$.post_processor"),
    "a template without the text": (put(("post_processor", "single"), []), "$.post_processor.single"),
    "a template of an unknown token": (
        put(("post_processor", "special_tokens"), {}),
        "$.post_processor.special_tokens",
    ),
    "a template of an unknown id": (
        put(("post_processor", "special_tokens", "<|end|>", "ids"), [9999]),
        "$.post_processor",
    ),
    "150 sequences deep": (
        put(
            ("normalizer",),
            json.loads('{"type":"Sequence","normalizers":[' * 150 + '{"type":"X"}' + "]}" * 150),
        ),
        "$.normalizer.normalizers[0]",
    ),
}

ADDED = {
    "an id twice": [added(), added("<b>")],
    "a literal twice": [added(), added(token_id=261)],
    "an empty literal": [added("")],
    "the id of a base token": [added(token_id=259)],
    "the literal of a base token": [added("hello", 261)],
    "a negative id": [added(token_id=-1)],
    "a float id": [added(token_id=1.0)],
    "a bool id": [added(token_id=True)],
    "a huge id": [added(token_id=1 << 32)],
    "no id": [{"content": "x"}],
    "a lone surrogate": [added("\ud800")],
    "a flag of a number": [added(lstrip=1)],
    "not an object": ["<|end|>"],
    "an object": {},
}


@pytest.mark.parametrize("what", SYNTAX)
def test_syntax(tmp_path, what):
    refused(tmp_path / "bad.json", SYNTAX[what], format="tokenizer_json")


@pytest.mark.parametrize("what", IDS)
def test_ids(tmp_path, what):
    data, place = IDS[what]
    assert place in refused(tmp_path / "bad.json", data)


@pytest.mark.parametrize("what", MERGE)
def test_merges(tmp_path, what):
    assert "$.model.merges[1]" in refused(tmp_path / "bad.json", put(MERGES, ["h e", MERGE[what]]))


@pytest.mark.parametrize("what", UNKNOWN)
def test_what_is_not_supported_is_named_with_its_path(tmp_path, what):
    data, place = UNKNOWN[what]
    assert place in refused(tmp_path / "bad.json", data)


@pytest.mark.parametrize("what", ADDED)
def test_added_tokens(tmp_path, what):
    assert "added_tokens" in refused(tmp_path / "bad.json", put(("added_tokens",), ADDED[what]))


CONFIGS = {
    "a list": b"[]",
    "not JSON": b"{",
    "a key twice": b'{"a": 1, "a": 1}',
    "not UTF-8": b"\xff",
    "a surrogate in the template": b'{"chat_template": "\\ud800"}',
}


@pytest.mark.parametrize("what", CONFIGS)
def test_the_config_beside_it(tmp_path, what):
    (tmp_path / "tokenizer.json").write_bytes(json.dumps(base()).encode())
    path = tmp_path / "tokenizer_config.json"
    path.write_bytes(CONFIGS[what])
    with pytest.raises(wordsplit.VocabFormatError, match=r"tokenizer_config\.json") as caught:
        wordsplit.load_vocab(tmp_path)
    assert caught.value.field


@pytest.mark.parametrize("template", [5, [], [5], [{"name": []}], [{"name": "default", "template": 5}], {}])
def test_odd_templates_are_none(tmp_path, template):
    (tmp_path / "tokenizer.json").write_bytes(json.dumps(base()).encode())
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"chat_template": template, "eos_token": [1]}))
    vocab = wordsplit.load_vocab(tmp_path)
    assert (vocab.chat_template, vocab.eos_token_id) == (None, None)


@pytest.mark.parametrize("what", ["100,000 objects deep", "100,000 deep and closed", "5,000 digits"])
def test_memory_is_bounded(tmp_path, what):
    path = tmp_path / "bad.json"
    path.write_bytes(SYNTAX[what])
    tracemalloc.start()
    try:
        with pytest.raises(wordsplit.VocabFormatError):
            wordsplit.load_vocab(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < (64 << 20) + 20 * len(SYNTAX[what])
