"""Damaged .tiktoken files."""

import base64

import pytest
from hostile.refusal import refused

import wordsplit

LINES = [b"%s %d" % (base64.b64encode(bytes([b])), b) for b in range(256)]
LINES += [base64.b64encode(token) + b" %d" % rank for rank, token in enumerate([b"he", b"ll", b"hell", b"hello"], 256)]
WHOLE = b"\n".join(LINES) + b"\n"


def line(number, new):
    """The base file with a line replaced (counted from 1)."""
    return b"\n".join([*LINES[: number - 1], new, *LINES[number:]]) + b"\n"


def test_the_base_file_is_sound(tmp_path):
    path = tmp_path / "base.tiktoken"
    sound = [WHOLE, WHOLE[:-1], WHOLE.replace(b"\n", b"\r\n"), WHOLE[:-1].replace(b"\n", b"\r\n")]
    sound += [b"\n".join(reversed(LINES)), line(257, LINES[256].replace(b"256", b"1256"))]
    for data in sound:
        path.write_bytes(data)
        tok = wordsplit.load_tokenizer(wordsplit.load_vocab(path, pattern="cl100k"))
        assert tok.encode("hello") == [259]


BAD = {
    "empty": (b"", "line 1"),
    "one line feed": (b"\n", "line 1"),
    "a BOM": (b"\xef\xbb\xbf" + WHOLE, "line 1"),
    "UTF-16": (WHOLE.decode().encode("utf-16"), "line 1"),
    "binary junk": (bytes(range(256)) * 40, "line 1"),
    "NULs": (bytes(10_000), "line 1"),
    "a line of a million bytes": (b"A" * 1_000_000, "line 1"),
    "JSON": (b'{"a": 1}', "line 1"),
    "a line without a rank": (line(258, b"bGw="), "line 258"),
    "an empty line": (line(258, b""), "line 258"),
    "two empty lines at the end": (WHOLE + b"\n\n", "line 261"),
    "three parts": (line(258, b"bGw= 257 1"), "line 258"),
    "two spaces": (line(258, b"bGw=  257"), "line 258"),
    "a tab": (line(258, b"bGw=\t257"), "line 258"),
    "a space before": (line(258, b" bGw= 257"), "line 258"),
    "a space behind": (line(258, b"bGw= 257 "), "line 258"),
    "a lone CR": (line(258, b"bGw= 257\r\r"), "line 258"),
    "a NUL": (line(258, b"bGw= 257\0"), "line 258"),
    "an empty token": (line(258, b" 257"), "line 258"),
    "padding alone": (line(258, b"== 257"), "line 258"),
    "no padding": (line(258, b"bGw 257"), "line 258"),
    "too much padding": (line(258, b"bGw== 257"), "line 258"),
    "padding in the middle": (line(258, b"bG=w 257"), "line 258"),
    "a letter of no base64": (line(258, b"bG!= 257"), "line 258"),
    "the URL alphabet": (line(258, b"bG-_ 257"), "line 258"),
    "one letter": (line(258, b"b 257"), "line 258"),
    "bits left over": (line(258, b"bGx= 257"), "line 258"),
    "a negative rank": (line(258, b"bGw= -257"), "line 258"),
    "a plus": (line(258, b"bGw= +257"), "line 258"),
    "a float": (line(258, b"bGw= 257.0"), "line 258"),
    "an underscore": (line(258, b"bGw= 2_57"), "line 258"),
    "other digits": (line(258, "bGw= ٢٥٧".encode()), "line 258"),
    "hexadecimal": (line(258, b"bGw= 0x101"), "line 258"),
    "a rank of 2^24": (line(258, b"bGw= 16777216"), "line 258"),
    "a rank of 2^32": (line(258, b"bGw= 4294967296"), "line 258"),
    "a rank of 30 digits": (line(258, b"bGw= " + b"9" * 30), "line 258"),
    "a rank twice": (line(258, b"bGw= 256"), "line 258"),
    "a token twice": (line(258, b"aGU= 257"), "line 258"),
    "a single byte missing": (line(11, b"enp6eg== 10"), "0x0A"),
    "single bytes alone missing": (b"\n".join(LINES[256:]), "0x00"),
}


@pytest.mark.parametrize("what", BAD)
def test_malformed(tmp_path, what):
    data, place = BAD[what]
    assert place in refused(tmp_path / "bad.tiktoken", data, pattern="cl100k")


def test_cut_short_at_every_byte(tmp_path):
    """Cut where a line ends it is a smaller file, and sound only if every single byte is in it."""
    path = tmp_path / "cut.tiktoken"
    first = WHOLE.index(LINES[256])
    for size in range(0, first - 4, 3):
        refused(path, WHOLE[:size], pattern="cl100k")
    for size in range(first - 4, len(WHOLE)):
        path.write_bytes(WHOLE[:size])
        try:
            assert wordsplit.load_vocab(path, pattern="cl100k").n_base >= 256
        except wordsplit.VocabFormatError as error:
            assert "line" in error.field


def test_without_a_pattern(tmp_path):
    message = refused(tmp_path / "base.tiktoken", WHOLE)
    assert "pattern=" in message


@pytest.mark.parametrize("special", [{"<e>": 5}, {"": 300}, {"<e>": 1 << 24}, {"<e>": 1 << 40}])
def test_special_tokens_that_do_not_fit(tmp_path, special):
    refused(tmp_path / "base.tiktoken", WHOLE, pattern="cl100k", special_tokens=special)
