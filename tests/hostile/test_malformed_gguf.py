"""Damaged GGUF files: each class that is known to have broken a parser."""

import struct
import tracemalloc

import pytest
from depth import by_depth
from hostile.refusal import refused
from vocabs.formats.gguf_writer import (
    ARRAY,
    BOOL,
    BYTES,
    F32,
    F64,
    I32,
    MERGES,
    STRING,
    TOKENS,
    TYPES,
    U8,
    U32,
    U64,
    document,
    fields,
    items,
    pair,
    scalar,
    small,
    string,
)

import wordsplit

HUGE = (1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, (1 << 64) - 8, (1 << 61) + 1, 1 << 40)
N = len(TOKENS)


def test_the_base_file_is_sound(tmp_path):
    path = tmp_path / "base.gguf"
    path.write_bytes(small())
    assert wordsplit.load_tokenizer(path).encode("hello") == [TOKENS.index("hello")]


def test_cut_short_at_every_byte(tmp_path):
    whole = small()
    path = tmp_path / "cut.gguf"
    for size in range(0, len(whole), by_depth(3, 1, 1)):
        refused(path, whole[:size])


def raw_array(kind, count, body=b""):
    return struct.pack("<IIQ", ARRAY, kind, count) + body


HEADERS = {
    "magic": document(fields(), magic=b"GGML"),
    "magic of lower case": document(fields(), magic=b"gguf"),
    "junk": bytes(range(256)) * 10,
    "text": b'{"model": {}}' * 10,
    **{f"version {v}": document(fields(), version=v) for v in (0, 1, 4, 0x03000000, 0xFFFFFFFF)},
    **{f"{n} keys": document(fields(), n_keys=n) for n in HUGE},
    "one key too many": document(fields(), n_keys=len(fields()) + 1),
    "minus one tensor": b"GGUF" + struct.pack("<IQQ", 3, (1 << 64) - 1, 0),
    "no keys": document([]),
    "keys and nothing behind them": b"GGUF" + struct.pack("<IQQ", 3, 0, 70_000) + b"\0" * 20,
    "70,000 keys": document([(f"k{i}", scalar(U8, 0)) for i in range(70_000)]),
}

KEYS = {
    "empty": document([("", scalar(U8, 0)), *fields()]),
    "NUL": document([("a\0b", scalar(U8, 0)), *fields()]),
    "not UTF-8": document([(b"a\xffb", scalar(U8, 0)), *fields()]),
    "surrogate": document([(b"a\xed\xa0\x80", scalar(U8, 0)), *fields()]),
    "twice": document([*fields(), fields()[2]]),
    "twice, not wanted": document([("x", scalar(U8, 0)), ("x", scalar(U8, 0)), *fields()]),
    "70,000 bytes": document([("k" * 70_000, scalar(U8, 0)), *fields()]),
    **{f"length {n}": document(fields(), n_keys=9, tail=struct.pack("<Q", n) + b"abcdefghijklmnopqrst") for n in HUGE},
}

VALUES = {
    **{f"type {kind}": document([("x", struct.pack("<IQ", kind, 1)), *fields()]) for kind in (13, 255, 1 << 31)},
    **{f"item type {kind}": document([("x", raw_array(kind, 1, b"\0" * 8)), *fields()]) for kind in (13, 1 << 31)},
    "bool of 2": small(add_bos_token=scalar(BOOL, 2)),
    **{f"string of {n}": document([("x", struct.pack("<IQ", STRING, n)), *fields()]) for n in HUGE},
    **{f"{n} items": document([("x", raw_array(U64, n)), *fields()]) for n in HUGE},
    **{f"{n} floats": document([("x", raw_array(F64, n)), *fields()]) for n in HUGE},
    **{f"{n} strings": small(tokens=raw_array(STRING, n, string("a"))) for n in HUGE},
    **{f"{n} merges": small(merges=raw_array(STRING, n, string("a b"))) for n in HUGE},
    "a string in an array too long": small(tokens=raw_array(STRING, 2, string("a") + struct.pack("<Q", 1 << 62))),
    "an array of arrays": document([("x", raw_array(ARRAY, 1, raw_array(U8, 0))), *fields()]),
    "20,000 arrays deep": document([("x", struct.pack("<I", ARRAY) + struct.pack("<IQ", ARRAY, 1) * 20_000)]),
    "49 bytes that claim 2^63 items": (
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + pair("x", raw_array(U64, 1 << 63))
    ).ljust(49, b"\0"),
}

wrong = scalar(U32, 1)
CONTENT = {
    **{f"no {name}": small(**{name: None}) for name in ("model", "tokens", "merges")},
    **{f"{name} is a number": small(**{name: wrong}) for name in ("model", "pre", "tokens", "merges", "token_type")},
    **{f"{name} is a string": small(**{name: scalar(STRING, "x")}) for name in ("tokens", "merges", "scores")},
    "tokens are numbers": small(tokens=items(U32, range(N))),
    "merges are numbers": small(merges=items(U32, range(9))),
    "template is a number": small(chat_template=wrong),
    "template is not UTF-8": small(chat_template=scalar(STRING, b"\xff")),
    "model is not UTF-8": small(model=scalar(STRING, b"\xff")),
    "pre is not UTF-8": small(pre=scalar(STRING, b"\xff")),
    "no tokens": small(tokens=items(STRING, []), token_type=None, merges=items(STRING, [])),
    "a token twice": small(tokens=items(STRING, [*TOKENS[:-1], "he"])),
    "an empty token": small(tokens=items(STRING, [*TOKENS[:-1], ""])),
    "a token not UTF-8": small(tokens=items(STRING, [*TOKENS[:-1], b"\xff\xfe"])),
    "types of the wrong type": small(token_type=items(F32, [1.0] * N)),
    "types unsigned": small(token_type=items(U32, TYPES)),
    "types too few": small(token_type=items(I32, TYPES[:-1])),
    "types too many": small(token_type=items(I32, [*TYPES, 1])),
    "type 7": small(token_type=items(I32, [*TYPES[:-1], 7])),
    "type -1": small(token_type=items(I32, [*TYPES[:-1], -1])),
    "scores of the wrong type": small(scores=items(U8, [0] * N)),
    "scores too few": small(scores=items(F32, [0] * (N - 1))),
    "scores too many": small(scores=items(F32, [0] * (N + 1))),
    **{
        f"byte token {name}": small(tokens=items(STRING, [*TOKENS[:-1], name]), token_type=items(I32, [*TYPES[:-1], 6]))
        for name in ("<0x-1>", "<0x0A>", "<0x100>", "<0x>", "<0x+1>", "<0x 1>", "0A", "<0xGG>")
    },
    **{
        f"merge {merge!r}": small(merges=items(STRING, [*MERGES, merge]))
        for merge in (
            "",
            " ",
            "he",
            "he ll o",
            " he",
            "he ",
            "zz zz",
            "he zz",
            "zz he",
            "a b",
            "h e",
            b"\xff \xfe",
        )
    },
    **{
        f"{name} {value}": small(**{f"{name}_token_id": scalar(kind, value)})
        for name in ("bos", "eos", "unknown", "padding")
        for kind, value in (
            (U32, N),
            (U32, 0xFFFFFFFF),
            (I32, -1),
            (U64, 1 << 63),
            (F32, 1),
            (BOOL, 1),
            (STRING, "1"),
        )
    },
    "add_bos is a number": small(add_bos_token=wrong),
    "add_bos without bos": small(add_bos_token=scalar(BOOL, 1)),
}


@pytest.mark.parametrize("group", [HEADERS, KEYS, VALUES, CONTENT], ids=["headers", "keys", "values", "content"])
def test_malformed(tmp_path, group):
    path = tmp_path / "bad.gguf"
    for what, data in group.items():
        message = refused(path, data)
        if group is CONTENT:
            assert "tokenizer." in message, what


def test_every_byte_of_the_head_changed(tmp_path):
    """Whatever one damaged byte does, it is one of wordsplit's errors or a sound vocab."""
    whole = small()
    path = tmp_path / "bit.gguf"
    for at in [*range(330), *range(len(whole) - 400, len(whole))]:
        for value in (whole[at] ^ 0x80, whole[at] ^ 1, 0xFF):
            damaged = bytearray(whole)
            damaged[at] = value
            try:
                wordsplit.load_vocab_bytes(bytes(damaged), format="gguf")
            except (wordsplit.WordsplitError, wordsplit.VocabWarning):  # a key by another name is a missing one
                continue
    assert path.parent.is_dir()


@pytest.mark.parametrize("what", ["2^63 strings", "20,000 deep", "200,000 equal tokens", "500,000 equal keys"])
def test_memory_is_bounded(tmp_path, what):
    data = {
        "2^63 strings": VALUES[f"{1 << 63} strings"],
        "20,000 deep": VALUES["20,000 arrays deep"],
        "200,000 equal tokens": small(tokens=raw_array(STRING, 200_000, string("") * 200_000)),
        "500,000 equal keys": document([("x", scalar(U8, 0))], n_keys=60_000, tail=pair("x", scalar(U8, 0)) * 500_000),
    }[what]
    path = tmp_path / "bad.gguf"
    path.write_bytes(data)
    tracemalloc.start()
    try:
        with pytest.raises(wordsplit.VocabFormatError if "deep" not in what else wordsplit.UnsupportedVocabError):
            wordsplit.load_vocab(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < (64 << 20) + 20 * len(data)


def test_no_quadratic_step(tmp_path):
    tokens = [*BYTES, *(f"t{i}" for i in range(100_000))]
    refused(tmp_path / "many.gguf", small(tokens=items(STRING, [*tokens, "t0"]), token_type=None))


def test_empty_and_missing_and_folder(tmp_path):
    refused(tmp_path / "empty.gguf", b"")
    with pytest.raises(wordsplit.UnknownNameError):
        wordsplit.load_vocab(tmp_path / "none.gguf")
    with pytest.raises(wordsplit.VocabFormatError):
        wordsplit.load_vocab_bytes(b"", format="gguf")
