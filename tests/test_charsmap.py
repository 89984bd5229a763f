"""SentencePiece's character maps: the native core against Python, and what it makes of the keys against the keys."""

import base64
import random
import struct
import sys

import pytest
from charsmaps import charsmap
from depth import by_depth

from wordsplit.charsmap import CharacterMap

CHARACTERS = ["a", "b", "é", "\u0301", "\u2581", " ", "\u3000", "日", "😀"]
TEXTS = ["", "x", " ", "a b", "\u2581", "é\u2581", "\u3000\u3000", "日 本"]


def random_pairs(rng):
    keys = {"".join(rng.choices(CHARACTERS, k=rng.choice([1, 1, 2, 3, 5]))) for _ in range(rng.randint(1, 12))}
    pairs = {key: rng.choice(TEXTS) for key in keys}
    if rng.random() < 0.2:
        pairs["é".encode()[:1]] = "cut"
    return pairs


def result(encoded):
    """The keys of a map, or what is wrong with it."""
    try:
        return dict(CharacterMap(encoded).items())
    except ValueError as error:
        return str(error)


def test_damaged_maps_are_refused_alike(monkeypatch):
    rng = random.Random(4)
    cases = []
    for _ in range(by_depth(300, 1_000, 20_000)):
        data = bytearray(base64.b64decode(charsmap(random_pairs(rng))))
        units = struct.unpack_from("<I", data)[0] // 4
        used = [at for at in range(units) if struct.unpack_from("<I", data, 4 + 4 * at)[0]]
        for _ in range(rng.randint(0, 3)):
            at = rng.choice(used)
            bit = 1 << rng.randrange(32)
            unit = struct.unpack_from("<I", data, 4 + 4 * at)[0] ^ bit
            struct.pack_into("<I", data, 4 + 4 * at, unit)
        cases.append(base64.b64encode(data).decode())
    in_core = list(map(result, cases))
    monkeypatch.setitem(sys.modules, "wordsplit._native", None)  # as in a pure-Python build
    assert in_core == list(map(result, cases))
    assert len(set(map(type, in_core))) == 2  # some are damaged, and some are not


@pytest.mark.parametrize("most_bytes", [0, 5])
@pytest.mark.parametrize("marks_are_text", [False, True])
@pytest.mark.parametrize("spaces", [[], [" "], [" ", "\u3000"]])
def test_keys_for_the_core(spaces, most_bytes, marks_are_text):
    rng = random.Random(5)
    for _ in range(by_depth(60, 200, 2_000)):
        pairs = random_pairs(rng)
        keys = CharacterMap(charsmap(pairs)).keys(spaces, most_bytes=most_bytes, marks_are_text=marks_are_text)
        texts = {key: text for key, text in pairs.items() if isinstance(key, str)}
        several = [key for key in texts if len(key) > 1]
        clusters = [key for key in texts if (len(key.encode()) <= most_bytes if most_bytes else len(key) > 1)]

        def becomes(text):
            if "\u2581" in text and not marks_are_text:
                return None
            data = text.encode()
            for space in spaces:
                data = data.replace(space.encode(), b"\xfe")
            return data

        assert keys.characters == {ord(key): becomes(text) for key, text in texts.items() if len(key) == 1}
        assert keys.firsts == {ord(key[0]) for key in several}
        assert keys.others == {ord(char) for key in several for char in key[1:]}
        assert keys.most == max(map(len, texts), default=0)
        assert keys.ends_within == (len(texts) < len(pairs))
        assert keys.has_mark == any(becomes(texts[key]) is None for key in clusters)
