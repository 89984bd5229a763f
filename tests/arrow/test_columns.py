"""Columns of texts from Arrow data of every kind, against what pyarrow reads; and from malformed data."""

import ctypes as c
import gc
import io

import pyarrow as pa
import pytest
from arrow_data import INDEX_TYPES, TEXT_TYPES, Produced, ProducedStream, array_of, dictionary_of, rows_of
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv

import wordsplit
from wordsplit import _native
from wordsplit.engine.columns import text_column

ROWS = [b"hello world", None, b"", "naïve 你好 🦜".encode(), None, b"x" * 50, b"twelve bytes", b"thirteen byte", b"end"]
KINDS = [*TEXT_TYPES, "dictionary"]
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20).map(str.encode)


def read(data, field=None):
    column = text_column(data, field)
    rows = [column[row] for row in range(len(column))]
    assert column.rows == len(column) == len(rows)
    assert column.nulls == rows.count(None)
    assert column.bytes == sum(len(row) for row in rows if row is not None)
    return rows


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind(kind):
    whole = array_of(kind, ROWS)
    assert read(whole) == rows_of(whole) == ROWS
    for start in range(len(ROWS) + 1):
        for stop in range(start, len(ROWS) + 1):
            part = whole[start:stop]
            assert read(part) == rows_of(part) == ROWS[start:stop]
    chunks = pa.chunked_array([whole[:2], whole[2:2], whole[5:], whole[2:5]])
    assert read(chunks) == rows_of(chunks)
    assert read(whole[:0]) == read(pa.chunked_array([], whole.type)) == []
    assert read(array_of(kind, [None, None])) == [None, None]


@pytest.mark.parametrize("index", INDEX_TYPES, ids=str)
@pytest.mark.parametrize("values", TEXT_TYPES)
def test_dictionaries_of_every_kind(index, values):
    array = dictionary_of(ROWS, index, values)
    assert array.dictionary.null_count == 1
    assert array.indices.null_count == 1
    assert read(array) == rows_of(array) == ROWS
    assert read(array[3:]) == ROWS[3:]
    sliced = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 1], index), array.dictionary[2:])
    assert read(sliced) == rows_of(sliced)


def test_fixed_size_binary_and_null():
    fixed = pa.array([b"abc", None, b"def"], pa.binary(3))
    assert read(fixed) == rows_of(fixed)
    assert read(fixed[1:]) == [None, b"def"]
    assert read(pa.array([b"", None], pa.binary(0))) == [b"", None]
    assert read(pa.nulls(3)) == [None] * 3


def test_an_extension_type_is_read_as_its_storage():
    array = pa.ExtensionArray.from_storage(pa.json_(), pa.array(['{"a": 1}', None]))
    assert read(array) == [b'{"a": 1}', None]


@pytest.mark.parametrize("kind", KINDS)
def test_a_field_of_structs(kind):
    texts = array_of(kind, ROWS)
    numbers = pa.array(range(len(ROWS)))
    table = pa.table({"n": numbers, "text": texts, "a.b": pa.array(["dotted"] * len(ROWS)), "": texts})
    assert read(table, "") == read(table, "text")
    assert read(table, "text") == ROWS
    assert read(table[2:5], "text") == ROWS[2:5]
    assert read(table, "a.b") == [b"dotted"] * len(ROWS)
    mask = pa.array([at % 3 == 0 for at in range(len(ROWS))])
    inner = pa.StructArray.from_arrays([numbers[1:], texts[1:]], ["n", "text"], mask=mask[1:])
    outer = pa.StructArray.from_arrays([inner[1:], numbers[2:]], ["a", "b"], mask=mask[:-2])
    for array in (outer, outer[2:], outer[1:4], pa.chunked_array([outer, outer[3:5]])):
        want = [row and row["a"] and row["a"]["text"] for row in array.to_pylist()]
        assert read(array, "a.text") == [row.encode() if isinstance(row, str) else row for row in want]
        assert None in want


@given(st.lists(st.none() | TEXTS, max_size=12), st.sampled_from(KINDS), st.data())
def test_random_columns(rows, kind, data):
    array = array_of(kind, rows)
    field = None
    if data.draw(st.booleans()):
        mask = pa.array([data.draw(st.booleans()) for _ in rows], pa.bool_())
        array, field = pa.StructArray.from_arrays([array], ["text"], mask=mask), "text"
    bounds = st.integers(0, len(rows))
    parts = [array[start:stop] for start, stop in data.draw(st.lists(st.tuples(bounds, bounds), max_size=4))]
    for given_data in (array, pa.chunked_array(parts, array.type)):
        want = given_data.to_pylist()
        if field:
            want = [row and row["text"] for row in want]
        assert read(given_data, field) == [row.encode() if isinstance(row, str) else row for row in want]


def test_texts_are_not_copied_and_stay_alive():
    array = pa.array(["a" * 1_000_000, "b"], pa.large_string())
    before = pa.total_allocated_bytes()
    column = text_column(pa.chunked_array([array, array]))
    del array
    gc.collect()
    assert pa.total_allocated_bytes() >= 1_000_000
    assert (column[0], column[-1]) == (b"a" * 1_000_000, b"b")
    assert pa.total_allocated_bytes() < before + 100_000
    del column
    assert pa.total_allocated_bytes() < 1_000_000


def test_rows_that_are_not_utf8():
    bad = [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe4\xbd", b"\x80", b"a" * 200 + b"\xe4"]
    rows = [row for text in bad for row in (text, b"fine" * 40, "你好🦜é".encode() * 30, None)]
    column = text_column(pa.array(rows, pa.binary()))
    wrong = list(range(0, len(rows), 4))
    assert column.invalid_utf8(100) == wrong
    assert column.invalid_utf8(2) == wrong[:2]
    assert column.invalid_utf8(0) == []


@given(st.binary(max_size=8).map(lambda tail: b"a" * 70 + tail) | st.binary(max_size=80) | TEXTS)
def test_utf8_is_recognized_as_python_does(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        valid = False
    else:
        valid = True
    assert (text_column(pa.array([data], pa.binary())).invalid_utf8(1) == []) == valid


def test_a_row_that_does_not_exist():
    column = text_column(pa.array(["a", "b"]))
    assert [column[-1], column[-2]] == [b"b", b"a"]
    for row in (2, -3):
        with pytest.raises(IndexError):
            column[row]


@pytest.mark.parametrize(
    ("data", "field", "message"),
    [
        (["a", "b"], None, r"not list; encode_batch_to_numpy\(\) takes a list of texts"),
        ("text", None, "not str"),
        (pa.array([1, 2]), None, "the data holds no texts: its type is int64"),
        (pa.array([["a"]]), None, "its type is list"),
        (pa.array([1.5]).dictionary_encode(), None, "its type is dictionary of float64"),
        (pa.table({"a": ["x"], "b": ["y"]}), None, "name the field that holds the texts; it has 'a', 'b'"),
        (pa.table({"a": ["x"], "b": ["y"]}), "c", "field 'c' does not exist; it has 'a', 'b'"),
        (pa.table({"a": ["x"]}), "a.b", "'b' would be a field of string"),
        (pa.table({"a": ["x"]}), "a.", "field 'a.' does not exist"),
        (pa.table({"a": ["x"]}), "", "field '' does not exist; it has 'a'"),
        (pa.array(["x"]), "", "field '' cannot be found: '' would be a field of string"),
        (pa.table([pa.array(["x"]), pa.array(["y"])], names=["a", "a"]), "a", "ambiguous"),
        (pa.array(["a"]), "text", "'text' would be a field of string"),
        (pa.table({"a": [1]}), "a", "field 'a' holds no texts: its type is int64"),
        (pa.table({"a": [1]}), 1, "field must be a str"),
        (pa.table({"a": ["x"]}), "\ud800", r"field=.\\ud800.: no field has a name with lone surrogates"),
        (pa.array([None], pa.decimal128(5)), None, "decimal"),
        (pa.array([None], pa.date32()), None, "date or time"),
    ],
)
def test_data_without_texts(data, field, message):
    with pytest.raises(wordsplit.InputTypeError, match=message):
        text_column(data, field)


def test_what_has_the_method_but_not_the_capsule():
    class Odd:
        def __init__(self, result):
            self.result = result

        def __arrow_c_array__(self):
            return self.result

    for result in (None, (1, 2), pa.array(["a"]).__arrow_c_array__()[::-1], ()):
        with pytest.raises(wordsplit.ArrowError):
            text_column(Odd(result))
    once = Odd(pa.array(["a"]).__arrow_c_array__())
    assert read(once) == [b"a"]
    with pytest.raises(wordsplit.ArrowError, match="has been consumed before"):
        text_column(once)


def setting(**fields):
    """Changes fields of the array."""

    def change(_, array):
        for name, value in fields.items():
            setattr(array, name, value)

    return change


def buffer(at, items):
    """Changes a buffer of the array; ``None`` for a null pointer."""

    def change(_, array):
        array.buffers[at] = c.addressof(items) if items else None
        return items

    return change


def in_child(change):
    return lambda schema, array: change(schema.children[0].contents, array.children[0].contents)


def in_dictionary(change):
    return lambda schema, array: change(schema.dictionary.contents, array.dictionary.contents)


def formatted(text):
    def change(schema, _):
        schema.format = text
        return text

    return change


STRINGS = pa.array(["one", "two", None])
VIEWS = pa.array(["one" * 20, "two" * 20, None], pa.string_view())
STRUCTS = pa.StructArray.from_arrays([STRINGS], ["a"], mask=pa.array([True, False, False]))
CODES = dictionary_of([b"one", b"two", None, None])
I32, I64 = c.c_int32, c.c_int64
VIEW = I32 * 12


@pytest.mark.parametrize(
    ("data", "change", "message"),
    [
        (STRINGS, setting(length=-1), "length -1"),
        (STRINGS, setting(offset=-1), "offset -1"),
        (STRINGS, setting(length=2**62, offset=2**62, null_count=0), r"above 2\^63"),
        (STRINGS, setting(null_count=-2), "null count -2"),
        (STRINGS, setting(null_count=4), "null count 4"),
        (STRINGS, setting(n_buffers=2), "2 buffers, but its type has 3"),
        (STRINGS, setting(n_buffers=-1), "-1 buffers"),
        (STRINGS, setting(buffers=None), "no list of buffers"),
        (STRINGS, buffer(0, None), "no validity bitmap"),
        (STRINGS, buffer(1, None), "no offsets"),
        (STRINGS, buffer(1, (I32 * 4)(0, 3, 2, 6)), "row 1: a text starts at offset 3 and ends at 2"),
        (STRINGS, buffer(1, (I32 * 4)(-1, 3, 6, 6)), "starts at offset -1"),
        (STRINGS, buffer(2, None), "a buffer that is missing"),
        (STRINGS.cast(pa.large_string()), buffer(1, (I64 * 4)(0, 2**40, 3, 6)), "ends at 3"),
        (VIEWS, setting(n_buffers=2), "2 buffers, but its type has 3 or more"),
        (VIEWS, setting(n_buffers=3), "in buffer 0 of 0"),
        (VIEWS, buffer(1, None), "no views"),
        (VIEWS, buffer(1, VIEW(-1)), "length -1"),
        (VIEWS, buffer(1, VIEW(60, 0, 1, 0)), "buffer 1 of 1"),
        (VIEWS, buffer(1, VIEW(60, 0, -1, 0)), "buffer -1"),
        (VIEWS, buffer(1, VIEW(60, 0, 0, -1)), "offset -1"),
        (VIEWS, buffer(1, VIEW(60, 0, 0, 70)), "60 bytes is at offset 70 of a buffer of 120"),
        (VIEWS, buffer(2, None), "a buffer that is missing"),
        (VIEWS, buffer(3, None), "no sizes"),
        (VIEWS, buffer(3, (I64 * 1)(-5)), "a buffer of -5"),
        (pa.array([b"abc"], pa.binary(3)), buffer(1, None), "no buffer of values"),
        (pa.array([b"abc"], pa.binary(3)), setting(offset=2**62), r"above 2\^63"),
        (pa.array([b"abc"], pa.binary(3)), formatted(b"w:-3"), "type is fixed_size_binary"),
        (pa.array([b"abc"], pa.binary(3)), formatted(b"w:99999999999"), "type is fixed_size_binary"),
        (STRINGS, formatted(None), "a schema has no format"),
        (STRINGS, formatted(b""), "its Arrow format"),
        (STRUCTS, setting(n_children=0), "0 children, fewer than its type"),
        (STRUCTS, setting(children=None), "fewer than its type"),
        (STRUCTS, setting(n_buffers=0), "0 buffers"),
        (STRUCTS, buffer(0, None), "no validity bitmap"),
        (STRUCTS, in_child(setting(length=2)), "length 2, less than its parent"),
        (STRUCTS, in_child(setting(offset=-1)), "offset -1"),
        (STRUCTS, setting(offset=1), "less than its parent"),
        (STRUCTS, lambda schema, _: setattr(schema, "children", None), "a schema lacks a child"),
        (CODES, setting(dictionary=None), "an array is missing"),
        (CODES, setting(n_buffers=1), "1 buffers"),
        (CODES, buffer(1, None), "no indices"),
        (CODES, buffer(1, (I32 * 4)(0, 3, 0, 0)), "row 1: index 3 of a dictionary of 3"),
        (CODES, buffer(1, (I32 * 4)(-1, 0, 0, 0)), "index -1"),
        (CODES, in_dictionary(setting(length=1)), "index 1 of a dictionary of 1"),
        (CODES, in_dictionary(setting(length=-1)), "length -1"),
        (CODES, in_dictionary(buffer(1, None)), "no offsets"),
        (CODES, formatted(b"f"), "indices are float32"),
    ],
)
def test_malformed_arrays(data, change, message):
    produced = Produced(data, change)
    with pytest.raises((wordsplit.ArrowError, wordsplit.InputTypeError), match=message):
        text_column(produced, "a" if data is STRUCTS else None)
    assert sorted(produced.released) == ["array", "schema"]


def test_what_is_unused_may_be_anything():
    garbage = (I32 * 12)(3, 0, 0, 0, 3, 0, 0, 0, 99, 0, 99, 99)  # the view of a null
    assert read(Produced(VIEWS, buffer(1, garbage)))[2] is None
    beyond = dictionary_of([b"one", b"two", None, None])
    indices = (I32 * 4)(0, 1, 99, 2)
    assert read(Produced(beyond, buffer(1, indices))) == [b"one", b"two", None, None]

    def no_pointers(_, array):
        for at in range(array.n_buffers):
            array.buffers[at] = None

    for array in (STRINGS, VIEWS, pa.array([b"abc"], pa.binary(3)), CODES):
        assert read(Produced(array[:0], no_pointers)) == []
    assert read(Produced(pa.array(["", ""]), buffer(2, None))) == [b"", b""]
    assert read(Produced(STRINGS[:2], setting(null_count=-1))) == [b"one", b"two"]


def test_everything_is_released_once():
    produced = Produced(STRINGS)
    column = text_column(produced)
    assert produced.released == ["schema"]
    assert column[0] == b"one"
    del column
    assert produced.released == ["schema", "array"]
    stream = ProducedStream([STRINGS, STRINGS[1:], STRINGS[:0]])
    column = text_column(stream)
    assert (stream.released, stream.arrays_released()) == (["stream"], [["schema"], [], []])
    assert len(column) == 5
    del column
    assert stream.released == ["stream"]
    assert stream.arrays_released() == [["schema", "array"], ["array"], ["array"]]


@pytest.mark.parametrize("fail_at", ["schema", 0, 1, 2])
def test_a_stream_that_fails(fail_at):
    stream = ProducedStream([STRINGS, STRINGS], fail_at)
    with pytest.raises(wordsplit.ArrowError, match="the stream failed: the disk is gone"):
        text_column(stream)
    taken = [] if fail_at == "schema" else [["schema", "array"], ["array"]][:fail_at]
    assert stream.released == ["stream"]
    assert stream.arrays_released()[: len(taken)] == taken
    with pytest.raises(wordsplit.ArrowError, match="Input/output error"):
        text_column(ProducedStream([STRINGS], 0, why=None))


def test_a_stream_whose_producer_waits_for_a_thread_that_needs_the_gil():
    lines = io.BytesIO(b"text\n" + b"".join(b"row %d\n" % at for at in range(500)))
    reader = csv.open_csv(lines, csv.ReadOptions(block_size=64))  # reads in a thread, from a file of Python's
    assert read(reader, "text") == [b"row %d" % at for at in range(500)]


def test_an_error_of_the_producer_itself():
    class Broken:
        def __arrow_c_stream__(self, requested_schema=None):
            raise RuntimeError("closed")

    with pytest.raises(RuntimeError, match="closed"):
        text_column(Broken())


def test_the_native_class_says_what_is_wrong():
    with pytest.raises(TypeError, match="neither"):
        _native.TextColumn.from_arrow(3)
