"""Blocks of whole documents: ranges that tile a text share its documents out, wherever they are cut."""

import io
import itertools

import pytest
from depth import by_depth
from hypothesis import given, settings
from hypothesis import strategies as st

from wordsplit import CorpusError
from wordsplit.corpus.blocks import blocks_of, can_be_ranged


def documents_of(data, terminator):
    found = data.split(terminator)
    return found[:-1] if found[-1] == b"" else found


class Trickle:
    """A stream that gives few bytes at a time."""

    def __init__(self, data, at, sizes):
        self._file = io.BytesIO(data)
        self._file.seek(at)
        self._sizes = sizes

    def readinto(self, view):
        return self._file.readinto(view[: next(self._sizes)])


@settings(max_examples=by_depth(40, 300, 30000))
@given(
    terminator=st.sampled_from([b"\n", b"ab", b"<|>", b"\r\n"]),
    units=st.lists(st.sampled_from(["t", b"x", b"y", b"\n", b"a", b"<", b"|", b"\r"]), max_size=40),
    cuts=st.lists(st.integers(0, 80), max_size=4),
    size=st.integers(1, 9),
    data=st.data(),
)
def test_ranges_share_documents_out(terminator, units, cuts, size, data):
    text = b"".join(terminator if unit == "t" else unit for unit in units)
    bounds = [0, *sorted({cut for cut in cuts if 0 < cut < len(text)}), len(text)]
    found = []
    for begin, end in zip(bounds, bounds[1:], strict=False):
        last = None if end == len(text) and data.draw(st.booleans()) else end
        sizes = iter(lambda: data.draw(st.integers(1, 7)), 0)
        stream = Trickle(text, max(begin - len(terminator), 0), sizes)
        for block in blocks_of(stream, terminator, begin, last, size=size, most=1 << 20, path="a"):
            part = bytes(block.view())
            assert part == text[block.offset : block.offset + len(part)]
            found += documents_of(part, terminator)
    assert found == documents_of(text, terminator)


@pytest.mark.parametrize("terminator", [b"aa", b"aba", b"aaa"])
@pytest.mark.parametrize("step", [1, 2, 3, 9])
def test_terminators_that_overlap_are_found_from_left_to_right(terminator, step):
    for text in (bytes(letters) for n in range(8) for letters in itertools.product(b"ab", repeat=n)):
        for size in (1, 3, 8):
            stream = Trickle(text, 0, itertools.repeat(step))
            found = []
            for block in blocks_of(stream, terminator, 0, None, size=size, most=1 << 20, path="a"):
                found += documents_of(bytes(block.view()), terminator)
            assert found == documents_of(text, terminator)


@pytest.mark.parametrize(
    ("terminator", "fits"), [(b"\n", True), (b"\n\n", False), (b"aba", False), (b"<|endoftext|>", True), (b"aab", True)]
)
def test_a_terminator_must_not_overlap_itself(terminator, fits):
    assert can_be_ranged(terminator) is fits


def test_a_document_beyond_the_limit_is_refused():
    stream = io.BytesIO(b"a\n" + b"b" * 5000)
    with pytest.raises(CorpusError, match="a document of more than"):
        list(blocks_of(stream, b"\n", 0, None, size=16, most=1000, path="a"))
