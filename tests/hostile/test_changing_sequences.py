"""Sequences that change while they are read: by their own items, or by another thread."""

import contextlib
import threading

import pytest

import wordsplit


class Index:
    """An id that does something when it is asked for its value."""

    def __init__(self, action, value=1000):
        self.action = action
        self.value = value

    def __index__(self):
        self.action()
        return self.value


def fill(items, action):
    items[:] = [1000, 1001, Index(lambda: action(items)), *range(2000, 2600)]


ACTIONS = {
    "clear": list.clear,
    "shrink": lambda items: items.__delitem__(slice(3, None)),
    "grow": lambda items: items.extend([1000] * 5000) if len(items) < 9000 else None,
    "replace": lambda items: items.__setitem__(slice(None), [1] * 10),
    "sort away": lambda items: items.__setitem__(slice(None), [object()]),
}
CALLS = {
    "decode": lambda tok, ids: tok.decode(ids),
    "decode_bytes": lambda tok, ids: tok.decode_bytes(ids),
    "decode_batch": lambda tok, ids: tok.decode_batch([ids, ids]),
    "a batch that is its own item": lambda tok, ids: tok.decode_batch(iter([ids])),
    "a stream": lambda tok, ids: list(tok.decode_stream().over(ids)),
}


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("call", CALLS)
def test_a_list_that_its_items_change(call, action, engine):
    tok = wordsplit.load_tokenizer("r50k_base", engine=engine)
    for _ in range(5):
        ids = []
        fill(ids, ACTIONS[action])
        with contextlib.suppress(wordsplit.WordsplitError):
            CALLS[call](tok, ids)
    assert tok.decode([15496, 995]) == "Hello world"


def test_the_items_that_are_there_in_turn_are_decoded():
    tok = wordsplit.load_tokenizer("r50k_base")
    ids = [15496, Index(lambda: ids.__delitem__(slice(2, None)), 995), 0, 0, 0]
    assert tok.decode(ids) == "Hello world"


def test_an_error_of_an_item():
    def fail():
        raise ZeroDivisionError

    with pytest.raises((wordsplit.WordsplitError, ZeroDivisionError)):
        wordsplit.load_tokenizer("r50k_base").decode([15496, Index(fail)])


@pytest.mark.parametrize(
    "call",
    [
        lambda tok, texts: tok.encode_batch(texts),
        lambda tok, texts: tok.encode_batch(texts, threads=1),
        lambda tok, texts: tok.count_batch(texts),
        lambda tok, texts: tok.encode_batch_to_numpy(texts),
    ],
)
def test_a_batch_that_another_thread_changes(call):
    tok = wordsplit.load_tokenizer("r50k_base")
    texts, stop = [], threading.Event()

    def change():
        number = 0
        while not stop.is_set():
            number += 1
            texts[:] = [f"text {number} " * 3000 for _ in range(number % 7)]

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(60):
            call(tok, texts)
    finally:
        stop.set()
        thread.join()
    assert tok.encode("Hello world") == [15496, 995]


def test_a_buffer_that_changes_size_while_it_is_encoded():
    tok = wordsplit.load_tokenizer("r50k_base")
    data = bytearray(b"some text " * 50_000)
    stop = threading.Event()

    def change():
        while not stop.is_set():
            with contextlib.suppress(BufferError):  # the encoder may hold it
                data.extend(b"more text ")
                del data[500_000:]

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(30):
            assert len(tok.encode(data)) > 90_000
    finally:
        stop.set()
        thread.join()
