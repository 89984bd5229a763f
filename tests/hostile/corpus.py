"""A corpus of malformed vocab files, made from tables and a seed: (what is wrong, the bytes), always the same.

Every file is wrong by construction, so each has to be refused.
"""

import base64
import copy
import json
import random
import struct

from hostile.test_malformed_gguf import HUGE
from hostile.test_malformed_tiktoken import LINES, WHOLE
from hostile.test_malformed_tokenizer_json import added, base, nodes
from vocabs.formats.gguf_writer import (
    ARRAY,
    BOOL,
    F32,
    F64,
    I8,
    I32,
    I64,
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
)

ROLES = "bos eos eot eom unknown seperator padding cls mask fim_pre fim_suf fim_mid fim_pad fim_rep fim_sep".split()  # noqa: SIM905
VALUES = {
    "string": scalar(STRING, "1"),
    "bool": scalar(BOOL, 1),
    "float32": scalar(F32, 1.0),
    "float64": scalar(F64, 1.0),
    "uint8": scalar(U8, 1),
    "int64": scalar(I64, 1),
    "array of string": items(STRING, ["1"]),
    "array of bool": items(BOOL, [1]),
    "array of uint32": items(U32, [1]),
    "array of float64": items(F64, [1.0]),
    "array of int8": items(I8, [1]),
    "empty array of uint64": items(U64, []),
    "array of arrays": struct.pack("<IIQ", ARRAY, ARRAY, 1) + items(U8, [1])[4:],
}


def gguf_files(seed=0):
    """More than 400 GGUF files."""
    rng = random.Random(seed)
    whole = small()
    for at in sorted(rng.sample(range(len(whole)), 120)):
        yield f"cut at {at}", whole[:at]
    right = {name: {"string"} for name in ("model", "pre", "chat_template")}
    right |= {name: {"bool"} for name in ("add_bos_token", "add_eos_token")}
    right |= {f"{role}_token_id": {"uint8", "int64"} for role in ROLES}
    right |= {name: set() for name in ("tokens", "merges", "token_type", "scores")}
    for name, kinds in right.items():
        for kind, value in VALUES.items():
            if kind not in kinds:
                yield f"{name} is of {kind}", small(**{name: value})
    for role in ROLES:
        for kind, value in ((U32, len(TOKENS)), (I32, -1), (U64, 1 << 40), (I64, -(1 << 40))):
            yield f"{role} is {value}", small(**{f"{role}_token_id": scalar(kind, value)})
    for at, (key, _) in enumerate(fields()):
        for size in HUGE:
            pairs = fields()
            head = document(pairs[:at], n_keys=len(pairs))
            yield f"key {at} claims {size} bytes", head + struct.pack("<Q", size) + key.encode()
            yield f"{key} claims {size} items", head + pair(key, struct.pack("<IIQ", ARRAY, U32, size)) + b"\0" * 40
    for number in range(40):
        at = rng.randrange(len(MERGES))
        bad = rng.choice(["", " ", "he", " he", "he ", "zz e", "h zz", "h  e", "he he", "l h e", b"\xff e"])
        yield f"merge {number}: {bad!r}", small(merges=items(STRING, [*MERGES[:at], bad, *MERGES[at:]]))
        at = rng.randrange(len(TOKENS))
        bad = rng.choice(["", "he" if TOKENS[at] != "he" else "ll", b"\xff", b"\xed\xa0\x80", b"a\xc0\x80"])
        yield f"token {at}: {bad!r}", small(tokens=items(STRING, [*TOKENS[:at], bad, *TOKENS[at + 1 :]]))
        bad = rng.choice([7, -1, 1 << 30, -(1 << 31), 6])
        yield f"type of {at}: {bad}", small(token_type=items(I32, [*TYPES[:at], bad, *TYPES[at + 1 :]]))


def damaged(path, value):
    """The base file, less its single bytes, with a value at a path."""
    out = copy.deepcopy(base(single=False))
    node = out
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    return json.dumps(out).encode()


def json_files(seed=0):  # noqa: C901, PLR0912 - a table, spelled as loops
    """More than 350 tokenizer.json files."""
    rng = random.Random(seed)
    whole = json.dumps(base(single=False)).encode()
    for at in sorted(rng.sample(range(len(whole)), 100)):
        yield f"cut at {at}", whole[:at]
    ids = (None, 1.5, -1, True, "5", [], {}, 1 << 24, 1 << 32, 1 << 64, 10**300, 2.0)
    for token in ("h", "e", "he", "hello"):
        for value in ids:
            yield f"id of {token} is {value!r:.30}", damaged(("model", "vocab", token), value)
    for key in ("id", "content", "special", "lstrip", "rstrip", "single_word", "normalized"):
        for value in (1.5, [], {}, "\ud800", -1, [1]):
            yield f"added {key} is {value!r}", damaged(("added_tokens", 0, key), value)
    for at in range(4):
        for merge in ("", " ", "h", "h e l", [], ["h"], ["h", "e", "l"], "zz e", ["h", 5], {"h": 1, "e": 2}, 7, None):
            yield f"merge {at} is {merge!r}", damaged(("model", "merges", at), merge)
    kinds = (
        "",
        "Unigram",
        "Metaspace",
        "Precompiled",
        "Sequence",
        "X" * 5000,
        5,
        None,
        [],
        {},
        1.5,
    )
    places = (
        ("model",),
        ("normalizer", "normalizers", 0),
        ("pre_tokenizer", "pretokenizers", 0),
        ("pre_tokenizer", "pretokenizers", 1),
        ("post_processor",),
        ("decoder",),
    )
    for place in places:
        for kind in kinds:
            if (kind, place) not in ((None, ("model",)), ("Sequence", ("decoder",)), ("Sequence", ("post_processor",))):
                yield f"{place} is {kind!r:.20}", damaged((*place, "type"), kind)
    for path in [path for path in nodes(base(single=False)["model"]) if len(path) == 1]:
        if path[0] not in ("unk_token", "fuse_unk"):
            for value in (5, "x", ["x"], {"x": 1.5}, -1.5):
                yield f"model.{path[0]} is {value!r}", damaged(("model", *path), value)
    for number in range(60):
        key = rng.choice(sorted(base(single=False)["model"]))
        text = whole.decode()
        again = f'"{key}": null, "{key}":'
        twice = text.replace(f'"{key}":', again, 1) if rng.random() < 0.5 else text.replace('"he":', '"he": 260, "he":')
        nan = text.replace('"he": 256', f'"he": {rng.choice(["NaN", "Infinity", "-Infinity", "0x1", "01", "+1"])}')
        deep = text.replace('"truncation": null', '"truncation": ' + "[" * rng.randint(30_000, 90_000))
        yield f"syntax {number}", rng.choice([twice, nan, deep, text + "x", "\ufeff" + text]).encode()
    yield "two tokens of an id", json.dumps(base(single=False) | {"added_tokens": [added(), added("<b>")]}).encode()


def tiktoken_files(seed=0):
    """More than 150 .tiktoken files."""
    rng = random.Random(seed)
    first = WHOLE.index(LINES[256])
    for at in sorted(rng.sample(range(first - 4), 60)):
        yield f"cut at {at}", WHOLE[:at]
    forms = [
        b"",
        b"bGw=",
        b"bGw= 1 1",
        b"bGw=  1",
        b"bGw=\t1",
        b" bGw= 1",
        b"bGw= 1 ",
        b"== 1",
        b"bGw 1",
        b"bG!= 1",
        b"b 1",
    ]
    forms += [
        b"bGx= 1",
        b"bGw= -1",
        b"bGw= +1",
        b"bGw= 1.0",
        b"bGw= 1_0",
        b"bGw= 0x1",
        b"bGw= 16777216",
        b"bGw= " + b"9" * 40,
    ]
    for form in forms:
        for at in rng.sample(range(len(LINES)), 5):
            yield f"line {at + 1} is {form!r}", b"\n".join([*LINES[:at], form, *LINES[at + 1 :]]) + b"\n"
    for at in rng.sample(range(256), 10):
        other = (at + 1) % 256
        yield f"token {at} twice", b"\n".join([*LINES, base64.b64encode(bytes([at])) + b" 900"]) + b"\n"
        yield f"rank {at} twice", b"\n".join([*LINES, base64.b64encode(b"zz") + b" %d" % at]) + b"\n"
        yield f"byte {other} missing", b"\n".join(line for i, line in enumerate(LINES) if i != other) + b"\n"
