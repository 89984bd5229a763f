"""The native reader of JSON Lines against Python's json: the same texts and keys, the same lines refused."""

import json

from hypothesis import given
from hypothesis import strategies as st

from wordsplit import _native
from wordsplit.text import to_bytes


def read(data, *, keep_empty=True, keep_null=True, key="id"):
    lines = _native.JsonLines("text", key, keep_empty, keep_null)
    column, count = lines.read(data, 0, len(data))
    texts = [column[i] for i in range(len(column))]
    blob, ends = lines.keys()
    bounds = [0, *memoryview(ends).cast("q")]
    keys = [blob[a:b] for a, b in zip(bounds, bounds[1:], strict=False)]
    return texts, keys if key else None, [data[a:b] for a, b, _ in lines.problems()], count


def expected(data):
    texts, keys, problems, count = [], [], [], 0
    for line in data.split(b"\n"):
        if not line.strip(b" \t\r"):
            continue
        count += 1
        key = value = None
        try:
            value = json.loads(line.decode())
            is_object = isinstance(value, dict)
            if is_object:
                value, key = value["text"], value.get("id")
            is_text = isinstance(value, str) or (is_object and value is None)
        except (ValueError, KeyError):
            is_text = False
        if not is_text:
            problems.append(line)
            continue
        texts.append(b"" if value is None else to_bytes(value, "replace"))
        keys.append(key)
    return texts, keys, problems, count


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
texts = st.text(st.characters() | st.sampled_from('"\\/\b\f\n\r\t\x00\x1f\x7f\ud83d\ude00é你🫨 {}[],:'), max_size=60)
rows = st.fixed_dictionaries(
    {}, optional={"text": texts | st.none() | values, "id": texts, "a": values, "tex": values, 'te"xt': values}
)


@given(st.lists(st.tuples(rows | texts | values, st.booleans(), st.sampled_from(["", "\r", " ", "\n"])), max_size=8))
def test_as_python_reads_it(items):
    data = b"".join(
        (json.dumps(value, ensure_ascii=as_ascii) + end + "\n").encode("utf-8", "replace")
        for value, as_ascii, end in items
    )
    found, keys, problems, count = read(data)
    wanted, wanted_keys, wanted_problems, wanted_count = expected(data)
    assert found == wanted
    assert problems == wanted_problems
    assert count == wanted_count
    assert keys == [to_bytes(key, "replace") if key is not None else b"" for key in wanted_keys]


@given(
    st.lists(
        st.sampled_from(
            [*'{}[]",:\\ \t01-+.eE/bfnrtu', '"text"', '"id"', "true", "null", "NaN", "Infinity", "-", "\\u", "d83d"]
        )
        | st.sampled_from(['{"text":', '"a"', '"text":"', "\\ud83d\\ude00", '"}', "\x00", "\x1f", "é", "\n"]),
        max_size=24,
    )
)
def test_damaged_lines_are_refused_as_python_refuses_them(parts):
    data = "".join(parts).encode()
    found, _, problems, count = read(data, key="")
    wanted, _, wanted_problems, wanted_count = expected(data)
    assert (found, problems, count) == (wanted, wanted_problems, wanted_count)


def test_every_escape_and_every_character():
    for first in [*range(0x300), *range(0xD700, 0xE100), *range(0xFFF0, 0x10010)]:
        text = chr(first)
        line = json.dumps({"text": f"a{text}b"}).encode()
        assert read(line)[0] == [to_bytes(f"a{text}b", "replace")]


def test_strings_of_every_length_around_the_width_of_a_register():
    for length in range(70):
        for special in ('"', "\\", "\n", "é", ""):
            for at in range(length + 1):
                text = "x" * at + special + "y" * (length - at)
                assert read(json.dumps([1]).encode() + b"\n" + json.dumps(text).encode())[0] == [text.encode()]


def test_empty_and_null_are_left_out_with_their_keys():
    data = b'{"text": "", "id": "a"}\n{"text": null, "id": "b"}\n{"id": "c", "text": "x"}\n\n  \n'
    assert read(data, keep_empty=False, keep_null=False) == ([b"x"], [b"c"], [], 3)
    assert read(data, keep_empty=True, keep_null=False) == ([b"", b"x"], [b"a", b"c"], [], 3)
    assert read(data) == ([b"", b"", b"x"], [b"a", b"b", b"c"], [], 3)


def test_keys_that_are_no_strings_are_as_they_are_written():
    data = b'{"id": 12.50, "text": "a"}\n{"text": "b", "id": {"x": [1, 2]}}\n{"text": "c"}\n"d"\n'
    assert read(data)[1] == [b"12.50", b'{"x": [1, 2]}', b"", b""]


def test_the_last_of_duplicate_fields_counts():
    assert read(b'{"text": "a", "id": 1, "text": "b", "id": "2"}')[:2] == ([b"b"], [b"2"])
    assert read(b'{"text": "a", "text": 1}')[2] == [b'{"text": "a", "text": 1}']
    assert read(b'{"text": 1, "\\u0074ext": "a"}')[0] == [b"a"]


def test_deep_nesting_is_refused_without_recursion():
    for depth, problems in ((1024, 0), (1025, 1), (1_000_000, 1)):
        for brackets in ("[]", None):
            inner = "[" * depth + "]" * depth if brackets else '{"a":' * depth + "1" + "}" * depth
            data = f'{{"a": {inner}, "text": "b"}}'.encode()
            assert len(read(data)[2]) == problems


def test_bytes_that_are_not_utf8_are_kept():
    assert read(b'{"text": "a\xff\xfe"}')[0] == [b"a\xff\xfe"]


def test_a_column_outlives_the_next_read():
    lines = _native.JsonLines("text", "", True, True)
    first, _ = lines.read(b'"first"', 0, 7)
    second, _ = lines.read(b'"second"', 0, 8)
    assert (first[0], second[0]) == (b"first", b"second")


def test_parts_of_a_buffer():
    data = b'"a"\n"b"\n"c"\n{'
    lines = _native.JsonLines("text", "", True, True)
    column, count = lines.read(data, 4, 13)
    assert [column[i] for i in range(count - 1)] == [b"b", b"c"]
    assert lines.problems() == [(12, 13, 2)]
    assert lines.line_ends == 3
