"""Tables of a tokenizer.json that the core reads and spells: the same as in Python."""

import json
import random
import sys
from array import array
from operator import itemgetter

import pytest

import wordsplit
from wordsplit import byte_level
from wordsplit.byte_level import from_byte_level, spell_all, to_byte_level
from wordsplit.errors import VocabFormatError
from wordsplit.model.native import native_tables
from wordsplit.tables import MAX_ID, MergeList, TokenTable
from wordsplit.vocabs.formats.tokenizer_json import bpe, loader
from wordsplit.vocabs.json_tree import Node

_native = pytest.importorskip("wordsplit._native")
SPELLED = {"a": 0, "Ġb": 7, "<|end|>": 3, "Ã©": 4, "aĠb": 5, "": 6, "ł": 9}


def test_table_of_spellings():
    expected = {i: from_byte_level(spelled) for spelled, i in sorted(SPELLED.items(), key=itemgetter(1))}
    assert list(TokenTable.of_bytes(*_native.table_of_spellings(SPELLED, MAX_ID)).items()) == list(expected.items())
    in_order = dict(sorted(SPELLED.items(), key=itemgetter(1)))
    assert _native.table_of_spellings(in_order, MAX_ID) == _native.table_of_spellings(SPELLED, MAX_ID)
    assert _native.table_of_spellings({}, MAX_ID) == (b"", b"", b"")


@pytest.mark.parametrize(
    "more",
    [
        *({"a b": 1}, {"你": 1}, {"\xad": 1}, {"\u0144": 1}, {"\ud800": 1}, {"z": 0}, {"z": -1}, {"z": MAX_ID + 1}),
        *({"z": True}, {"z": 1.0}, {"z": None}, {"z": 1 << 70}, {1: 1}),
    ],
    ids=str,
)
def test_what_is_unusual_is_left_to_python(more):
    assert _native.table_of_spellings(SPELLED | more, MAX_ID) is None


def test_ids_of_pairs():
    found = memoryview(_native.ids_of_pairs(["a Ġb", ["a", "Ġb"], ("a", "Ġb")], SPELLED)).cast("I")
    assert found.tolist() == [0, 7] * 3
    pairs = [("a", "Ġb"), "a Ġb"]
    assert bpe.read_merges(Node(pairs, "file"), SPELLED | {"\ud800": 1}).flat.tolist() == [0, 7] * 2  # in Python
    assert _native.ids_of_pairs([], SPELLED) == b""


def test_ids_of_pairs_of_bytes():
    spelled = {b"a": 0, b" ": 1, b" b": 2, b"a b": 3, b"  b": 4, b" a b": 5, b"a ": 6}
    found = memoryview(_native.ids_of_pairs([b"a  b", b"   b", b"a  "], spelled)).cast("I")
    assert found.tolist() == [0, 2, 1, 2, 0, 1]  # split at the first space after the first byte
    for merge in (b"ab", b" a", b"a c", b"", b"a"):
        assert _native.ids_of_pairs([merge], spelled) is None


def test_ids_of_pairs_of_a_vocab_that_is_left_to_python():
    for more in ({"z": -1}, {"z": True}, {"z": 1 << 32}, {"\ud800": 1}, {7: 7}):
        assert _native.ids_of_pairs(["a Ġb"], SPELLED | more) is None
    assert bpe.read_merges(Node(["a Ġb"], "file"), SPELLED | {"\ud800": 1}).flat.tolist() == [0, 7]


@pytest.mark.parametrize(
    "pairs",
    [
        *(
            ["a"],
            ["a Ġb a"],
            [["a"]],
            [["a", "Ġb", "a"]],
            [["a", 7]],
            [None],
            [{"a": 1, "Ġb": 2}],
            "a Ġb",
        ),
        *(["Ġb a"], ["a x"], ["x a"], [["a", "\ud800"]]),
    ],
    ids=str,
)
def test_what_is_no_merge_is_left_to_python(pairs):
    assert _native.ids_of_pairs(pairs, SPELLED) is None
    with pytest.raises(VocabFormatError):
        bpe.read_merges(Node(pairs, "file", "$.merges"), SPELLED)


def test_same_as_in_python(monkeypatch):
    vocab = wordsplit.load_vocab("r50k_base")
    table = vocab.tokens
    spelled = spell_all(table)
    node = Node(dict(zip(spelled, table.ids, strict=True)), "file")
    merges = Node([[spelled[left], spelled[right]] for left, right in vocab.merges[:5000]], "file")
    found = table.ids_by_bytes(), bpe.read_tokens(node), list(bpe.read_merges(merges, node.value))
    monkeypatch.setitem(sys.modules, "wordsplit._native", None)
    monkeypatch.setattr(bpe, "table_of_spellings", None)
    monkeypatch.setattr(bpe, "ids_of_pairs", None)
    assert spelled == spell_all(table)
    table = TokenTable(table.blob, table.ends, table.ids)  # which has made nothing yet
    assert found == (table.ids_by_bytes(), bpe.read_tokens(node), list(bpe.read_merges(merges, node.value)))


@pytest.mark.parametrize(
    ("ends", "ids", "is_sound"),
    [
        *(([2, 2, 5], [0, 7, 9], True), ([5], [MAX_ID], True)),
        *(([2, 2, 4], [0, 7, 9], False), ([2, 2, 6], [0, 7, 9], False)),  # of another blob
        *(([3, 2, 5], [0, 7, 9], False), ([2, 2, 5], [0, 9, 9], False), ([2, 2, 5], [7, 0, 9], False)),
        *(([2, 5], [0, 7, 9], False), ([2, 2, 5], [0, 7], False), ([5], [MAX_ID + 1], False)),
        ([], [], False),
    ],
)
def test_a_sound_table(ends, ids, is_sound):
    assert _native.is_sound_table(b"abcde", array("I", ends), array("I", ids), MAX_ID) is is_sound


def test_parts_of_merges():
    # 0x010000 and 0x0100 stand across words, too.
    merges = MergeList.pack([(1, 0x010000), (0x01000000 >> 8, 7), (0x0203, 0x0302), (0xFFFFFF, 0)])
    for asked in (set(), {1}, {7, 8}, {0x0100, 0x03, 0x02, 0x0302, 0xFF}, set(merges.flat), set(range(1000))):
        assert merges.parts_among(asked) == asked & set(merges.flat)
    assert MergeList.pack([]).parts_among({0, 1}) == set()


def test_the_longest_token(monkeypatch):
    tables = [
        TokenTable.pack(tokens) for tokens in ({}, {4: b""}, {4: b"abc", 5: b"", 9: b"ab"}, {1: b"a", 2: b"abcd"})
    ]
    found = [table.longest for table in tables]
    monkeypatch.setitem(sys.modules, "wordsplit._native", None)
    assert found == [0, 0, 3, 4] == [table.longest for table in tables]


def test_ids_by_bytes_of_two_with_the_same():
    table = TokenTable.pack({3: b"x", 5: b"", 9: b"x"})
    assert table.ids_by_bytes() == {b"x": 9, b"": 5}
    assert list(table.each()) == [b"x", b"", b"x"]
    assert table.longest == 1


@pytest.mark.parametrize("engine", ["native", "python"])
def test_a_token_is_found_by_its_bytes(engine, monkeypatch):
    if engine == "python":
        monkeypatch.setitem(sys.modules, "wordsplit._native", None)
    table = TokenTable.pack({3: b"x", 5: b"", 9: b"x", 70: b"xy", 71: b"\0"})
    for _ in range(50):  # by search at first, then in a dict
        assert [table.id_of(token) for token in (b"x", b"", b"xy", b"\0", b"y", b"xyz")] == [9, 5, 70, 71, None, None]
    assert TokenTable.pack({}).id_of(b"") is None


def test_a_vocab_finds_tokens_that_text_can_produce():
    vocab = wordsplit.load_vocab("qwen3")
    few = random.Random(2).sample(range(151643), 30)
    assert [vocab.model.id_of(vocab.tokens[i]) for i in few] == few
    base = {i: bytes([i]) for i in range(256)} | {256: b"ab", 257: b"ab"}
    model = wordsplit.ByteLevelBPE(tokens=base, explicit_merges=[(97, 98)], unreachable_ids={257})
    assert (model.id_of(b"ab"), model.id_of(b"a"), model.id_of(b"abc")) == (256, 97, None)
    model = wordsplit.ByteLevelBPE(tokens=base | {258: b"", 259: b"a" * 99}, explicit_merges=[(97, 98)])
    asked = [*(bytes([i]) for i in range(256)), b"ab", b"", b"a" * 99, b"a" * 98, b"abc"]
    found = [model.id_of(token) for token in asked]
    assert native_tables(model, "").has(b"ab")
    assert found == [model.id_of(token) for token in asked] == [*range(256), 257, 258, 259, None, None]


def test_every_byte_is_spelled():
    data = bytes(random.Random(1).sample(range(256), 256))
    table = TokenTable.pack({0: data, 1: data[:3]})
    assert spell_all(table) == [byte_level.to_byte_level(data), byte_level.to_byte_level(data[:3])]


def test_ends_outside_the_blob():
    for function in (_native.spellings_of, lambda blob, ends: _native.ids_by_bytes(blob, ends, ends)):
        with pytest.raises(ValueError, match="fit"):
            function(b"abc", memoryview(b"\x04\0\0\0").cast("I"))


def many_merges(*more):
    """A tokenizer.json with so many merges that the core reads them, and its ids; the merges are JSON."""
    ids = {to_byte_level(bytes([byte])): byte for byte in range(256)}
    merges = []
    for left in "abcdefghABCDEFGH":
        for right in "ijklmnopIJKLMNOP":
            ids[left + right] = len(ids)
            merges.append(f'"{left} {right}"' if len(merges) % 2 else f'["{left}", "{right}"]')
    ids |= {'"\\': len(ids), "Ġa": len(ids) + 1, "\ufffd": len(ids) + 2, "a\ufffd": len(ids) + 3, "😀": len(ids) + 4}
    ids |= {"a😀": len(ids)}
    for at, merge in more:
        merges.insert(at, merge)
    byte_level_step = '{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false, "use_regex": true}'
    parts = f'"vocab": {json.dumps(ids)}, "merges": [{",".join(merges)}]'
    return f'{{"added_tokens": [], "pre_tokenizer": {byte_level_step}, "model": {{"type": "BPE", {parts}}}}}'


@pytest.mark.parametrize(
    "merge",
    [
        *(
            '"\\u0120 a"',
            '["\\u0120", "a"]',
            '["\\"", "\\\\"]',
            '"\\" \\\\"',
            '["a", "\\ud83d\\ude00"]',
            '[ "a" ,\n"😀" ]',
        ),
        *(
            '["a", "\\ud83d"]',
            '["a", "\\ufffd"]',
            '"a b c"',
            '"ab"',
            '["a"]',
            '["a", "i", "j"]',
            '["a", 1]',
            '["a", null]',
        ),
        *(
            '{"a": "i"}',
            '[["a"], "i"]',
            "null",
            "NaN",
            "1e999",
            '"a i',
            "'a i'",
            '"a i",',
            '["a", "zz"]',
            '["zz", "a"]',
        ),
        *(
            '["i", "a"]',
            '"a\ti"',
            '""',
            '" "',
            '"a  i"',
            "[]",
            '"a i"], "merges": ["a i"',
            '"a i"], "vocab": {}, "x": ["a"',
        ),
    ],
)
@pytest.mark.parametrize("at", [0, 30, 256])
def test_merges_in_a_file_are_read_as_by_python(merge, at, monkeypatch):
    def result():
        try:
            vocab = wordsplit.load_vocab_bytes(data)
        except VocabFormatError as error:
            return str(error)
        return vocab, list(vocab.model.explicit_merges)

    data = many_merges((at, merge)).encode()
    in_core = result()
    monkeypatch.setattr(loader, "json_outline", None)
    assert in_core == result()


def test_many_merges_in_a_file_are_read_by_the_core():
    data = many_merges((0, '["a", "\ufffd"]'), (9, '["\\"", "\\\\"]')).encode()
    _, places = _native.json_outline(data, "model", ["merges"])
    words = _native.ids_of_json_pairs(data, *places["merges"], json.loads(data)["model"]["vocab"])
    assert array("I", words) == wordsplit.load_vocab_bytes(data).model.explicit_merges.flat
    assert len(words) == 258 * 8


def test_merges_that_are_not_utf_8():
    data = many_merges((3, '["a", "é"]')).encode().replace("é".encode(), b"\xe9")
    with pytest.raises(VocabFormatError, match=f"offset {data.index(0xE9)}.*is not UTF-8"):
        wordsplit.load_vocab_bytes(data)


def test_merges_that_are_no_list():
    data = many_merges().replace('"merges": [', '"merges": {"a": [').replace("]}}", "]}}}")
    with pytest.raises(VocabFormatError, match=r"\$\.model\.merges: should be a list of merges, found dict"):
        wordsplit.load_vocab_bytes(data.encode())
