"""Arrow data as it may come: of every kind, by any producer, and malformed."""

import ctypes as c

import pyarrow as pa


class Schema(c.Structure):
    pass


class Array(c.Structure):
    pass


class Stream(c.Structure):
    pass


RELEASE = {kind: c.CFUNCTYPE(None, c.POINTER(kind)) for kind in (Schema, Array, Stream)}
Schema._fields_ = [
    ("format", c.c_char_p),
    ("name", c.c_char_p),
    ("metadata", c.c_char_p),
    ("flags", c.c_int64),
    ("n_children", c.c_int64),
    ("children", c.POINTER(c.POINTER(Schema))),
    ("dictionary", c.POINTER(Schema)),
    ("release", RELEASE[Schema]),
    ("private_data", c.c_void_p),
]
Array._fields_ = [
    ("length", c.c_int64),
    ("null_count", c.c_int64),
    ("offset", c.c_int64),
    ("n_buffers", c.c_int64),
    ("n_children", c.c_int64),
    ("buffers", c.POINTER(c.c_void_p)),
    ("children", c.POINTER(c.POINTER(Array))),
    ("dictionary", c.POINTER(Array)),
    ("release", RELEASE[Array]),
    ("private_data", c.c_void_p),
]
GET_SCHEMA = c.CFUNCTYPE(c.c_int, c.POINTER(Stream), c.POINTER(Schema))
GET_NEXT = c.CFUNCTYPE(c.c_int, c.POINTER(Stream), c.POINTER(Array))
GET_ERROR = c.CFUNCTYPE(c.c_void_p, c.POINTER(Stream))  # a char *
Stream._fields_ = [
    ("get_schema", GET_SCHEMA),
    ("get_next", GET_NEXT),
    ("get_last_error", GET_ERROR),
    ("release", RELEASE[Stream]),
    ("private_data", c.c_void_p),
]

_new = c.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = c.py_object, [c.c_void_p, c.c_char_p, c.c_void_p]


class Produced:
    """What pyarrow exports of an array, which ``change(schema, array)`` may make malformed. It counts releases.

    The structs are not released by their capsules, so each must be taken by the consumer.
    """

    def __init__(self, data, change=lambda _schema, _array: None):
        self.released = []
        self.schema, self.array = Schema(), Array()
        data._export_to_c(c.addressof(self.array), c.addressof(self.schema))
        given = [bytes(item) for item in (self.schema, self.array)]
        self._kept = change(self.schema, self.array)  # memory that must live
        self._counted = [
            self._count(item, name, before)
            for item, name, before in zip((self.schema, self.array), ("schema", "array"), given, strict=True)
        ]

    def _count(self, item, name, before):
        def counted(moved):
            self.released.append(name)
            c.memmove(moved, before, len(before))  # pyarrow releases what it made, not what that was changed to
            moved.contents.release(moved)

        callback = RELEASE[type(item)](counted)
        item.release = callback
        return callback

    def __arrow_c_array__(self, requested_schema=None):
        return _new(c.addressof(self.schema), b"arrow_schema", None), _new(
            c.addressof(self.array), b"arrow_array", None
        )


class ProducedStream:
    """A stream of arrays written in Python, which may fail. It counts releases."""

    def __init__(self, arrays, fail_at=None, why=b"the disk is gone"):
        self.released, self.taken = [], 0
        self._produced = [Produced(array) for array in arrays]
        self._why = c.create_string_buffer(why) if why else None
        self._callbacks = (
            GET_SCHEMA(self._schema),
            GET_NEXT(self._next),
            GET_ERROR(lambda _: c.addressof(self._why) if why else None),
            RELEASE[Stream](self._release),
        )
        self._fail_at = fail_at
        self.stream = Stream(*self._callbacks)

    def _schema(self, _, out):
        if self._fail_at == "schema":
            return 5
        c.memmove(out, c.addressof(self._produced[0].schema), c.sizeof(Schema))
        return 0

    def _next(self, _, out):
        at, self.taken = self.taken, self.taken + 1
        if at == self._fail_at:
            return 5
        if at < len(self._produced):
            c.memmove(out, c.addressof(self._produced[at].array), c.sizeof(Array))
        else:
            c.memset(out, 0, c.sizeof(Array))
        return 0

    def _release(self, stream):
        self.released.append("stream")
        stream.contents.release = RELEASE[Stream]()

    def arrays_released(self):
        return [produced.released for produced in self._produced]

    def __arrow_c_stream__(self, requested_schema=None):
        return _new(c.addressof(self.stream), b"arrow_array_stream", None)


TEXT_TYPES = {
    "string": pa.string(),
    "large_string": pa.large_string(),
    "string_view": pa.string_view(),
    "binary": pa.binary(),
    "large_binary": pa.large_binary(),
    "binary_view": pa.binary_view(),
}
INDEX_TYPES = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]


def array_of(kind, rows):
    """An array of a kind of `TEXT_TYPES`, or "dictionary", from texts (``bytes``) and ``None``."""
    if kind == "dictionary":
        return dictionary_of(rows)
    return pa.array([row if row is None or "binary" in kind else row.decode() for row in rows], TEXT_TYPES[kind])


def dictionary_of(rows, index=None, values="string"):
    """A dictionary array. Half of the nulls are in the dictionary."""
    distinct = [*dict.fromkeys(row for row in rows if row is not None), None]
    indices = [distinct.index(row) if row is not None or at % 2 else None for at, row in enumerate(rows)]
    return pa.DictionaryArray.from_arrays(pa.array(indices, index or pa.int32()), array_of(values, distinct))


def rows_of(data):
    """The texts of pyarrow data as bytes, as it reads them itself."""
    return [row.encode() if isinstance(row, str) else row for row in data.to_pylist()]
