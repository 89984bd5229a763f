"""Sound files changed where their structure says: each loads, or is refused in words, and what loads can be used.

Random bytes are refused by the first check of a parser. Here a value is replaced by another of its kind, a key or an
item is taken out, doubled or moved, so that at least a third of the files are taken, and used.
"""

import base64
import copy
import json
import random
import time
from contextlib import suppress

import pytest
from depth import by_depth
from vocabs.formats import gguf_writer as gguf
from vocabs.formats.test_tokenizer_json import BYTE_LEVEL, added, document

import wordsplit

FILES = by_depth(100, 250, 10_000)  # of each format
STRINGS = (
    "",
    "a",
    "he",
    " ",
    "Ġ",
    "é",
    "\u0301",
    "\ud800",
    "\0",
    "<|end|>",
    "x" * 3000,
    "h e",
    "BPE",
    "NFC",
    "ByteLevel",
)
NUMBERS = (0, 1, -1, 2, 255, 256, 259, 260, 261, 300, 65_536, 1 << 24, 1 << 31, 1 << 32, 1 << 63, 1.5, 1e308)


def json_base():
    rules = json.loads(document(added_tokens=[added("<|end|>", 260, special=True), added("<b>", 261, lstrip=True)]))
    split = {"type": "Split", "pattern": {"Regex": r"\p{L}+|\s+|."}, "behavior": "Isolated", "invert": False}
    rules["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [split, dict(BYTE_LEVEL, use_regex=False)]}
    rules["normalizer"] = {"type": "Sequence", "normalizers": [{"type": "NFC"}]}
    rules["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<|end|>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"<|end|>": {"id": "<|end|>", "ids": [260], "tokens": ["<|end|>"]}},
    }
    # Few of the 256 single bytes, so that changes hit what else there is.
    return rules


def places(node, path=()):
    """The path of every value, but only of some single-byte tokens."""
    if path:
        yield path
    if isinstance(node, dict):
        for key, value in list(node.items()):
            if path != ("model", "vocab") or value >= 250:
                yield from places(value, (*path, key))
    elif isinstance(node, list):
        for i, value in enumerate(node):
            yield from places(value, (*path, i))


def other(value, rng):  # noqa: PLR0911 - a table by kind
    """Another value, mostly of the same kind."""
    if rng.random() < 0.1:
        return rng.choice([None, True, [], {}, "x", 7])
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return rng.choice([*NUMBERS, value + 1, value - 1])
    if isinstance(value, str):
        return rng.choice([*STRINGS, value + "x", value[:-1], value * 2])
    if isinstance(value, list):
        changed = copy.deepcopy(value)
        rng.shuffle(changed)
        return rng.choice([changed, changed[:-1], changed + changed[:1]])
    if isinstance(value, dict):
        return dict(rng.sample(list(value.items()), max(len(value) - 1, 0)))
    return rng.choice([None, False, "x", 0])


def json_files(rng):
    whole = json_base()
    every = list(places(whole))
    while True:
        rules = copy.deepcopy(whole)
        for _ in range(rng.choice([1, 1, 1, 2])):
            path = rng.choice(every)
            with suppress(KeyError, IndexError, TypeError):
                node = rules
                for key in path[:-1]:
                    node = node[key]
                action = rng.random()
                if action < 0.75:
                    node[path[-1]] = other(node[path[-1]], rng)
                elif action < 0.9:
                    del node[path[-1]]
                elif isinstance(node, list):
                    node.insert(rng.randrange(len(node) + 1), copy.deepcopy(node[path[-1]]))
                else:
                    node[rng.choice(STRINGS)] = node.pop(path[-1])
        yield json.dumps(rules).encode()


def tiktoken_files(rng):
    tokens = [bytes([b]) for b in range(256)] + [b"he", b"ll", b"hell", b"hello", b" h", b"\xe4\xbd", b"xy"]
    while True:
        rows = [[token, rank] for rank, token in enumerate(tokens)]
        for _ in range(rng.randint(1, 2)):
            at_ = rng.randrange(0 if rng.random() < 0.1 else 256, len(rows))
            action = rng.random()
            if action < 0.3:
                rows[at_][1] = rng.choice([300, 301, 5000, 65_535, rows[at_][1] + 100, 1 << 24, -1])
            elif action < 0.6:
                rows[at_][0] = rng.choice([b"lo", b"el", b"\xff\xfe", b"h" * 500, b"", rng.randbytes(5)])
            elif action < 0.7:
                rows.append([rng.choice([b"zz", b"he"]), rng.choice([900, 256])])
            elif action < 0.85:
                rng.shuffle(rows)
            else:
                del rows[at_]
        ends = rng.choice([b"\n", b"\n", b"\n", b"\r\n", b"\n\n"])
        yield ends.join(
            (base64.b64encode(token) if isinstance(token, bytes) else str(token).encode()) + b" %s" % str(rank).encode()
            for token, rank in rows
        )


def gguf_files(rng):
    while True:
        tokens, types, merges = list(gguf.TOKENS), list(gguf.TYPES), list(gguf.MERGES)
        changes = {}
        for _ in range(rng.randint(1, 3)):
            action = rng.randrange(8)
            if action == 0:
                tokens[rng.randrange(200, len(tokens))] = rng.choice(
                    [*[t for t in STRINGS if t != "\ud800"], "new", "Ġnew"]
                )
            elif action == 1:
                types[rng.randrange(len(types))] = rng.choice([1, 2, 3, 4, 5, 6])
            elif action == 2:
                merges.insert(rng.randrange(len(merges) + 1), rng.choice([*merges, "e l", "l o", "Ġ h"]))
            elif action == 3:
                del merges[rng.randrange(len(merges))]
            elif action == 4:
                tokens.append(rng.choice(["more", "Ġmore", "<more>"]))
                types.append(rng.choice([1, 3, 4]))
            elif action == 5:
                name = rng.choice(["bos", "eos", "padding", "unknown", "eot"]) + "_token_id"
                changes[name] = gguf.scalar(gguf.U32, rng.choice([0, 1, len(tokens) - 1, len(tokens)]))
            elif action == 6:
                changes["pre"] = gguf.scalar(gguf.STRING, rng.choice(["gpt-2", "llama-bpe", "qwen2", "nosuch"]))
            else:
                name = rng.choice(["add_bos_token", "add_eos_token", "add_space_prefix"])
                changes[name] = gguf.scalar(gguf.BOOL, rng.randrange(2))
        changes |= {
            "tokens": gguf.items(gguf.STRING, tokens),
            "token_type": gguf.items(gguf.I32, types),
            "merges": gguf.items(gguf.STRING, merges),
        }
        yield gguf.small(**changes)


FORMATS = {"json": json_files, "tiktoken": tiktoken_files, "gguf": gguf_files}
TEXTS = ["hello <|end|> hello", "h\u00e9llo <b>\u4f60\n\t", "he" * 200, "", "\ud83d", "1 2  3"]


def use(vocab):
    tok = wordsplit.load_tokenizer(vocab)
    slow = wordsplit.load_tokenizer(vocab, engine="python", encoder="reference", cache_bytes=0)
    for text in TEXTS:
        try:
            ids = tok.encode(text)
        except wordsplit.WordsplitError as error:
            with pytest.raises(type(error)):
                slow.encode(text)
            continue
        assert ids == slow.encode(text), ascii(text)
        assert tok.decode(ids) == slow.decode(ids)
        tok.spans(text)
        with suppress(wordsplit.UnsupportedVocabError):
            tok.encode_with_offsets(text)


@pytest.mark.parametrize("ending", FORMATS)
def test_mutated_files(tmp_path, ending):
    rng = random.Random(ending)
    files = FORMATS[ending](rng)
    path = tmp_path / f"mutated.{ending}"
    options = {"pattern": "cl100k"} if ending == "tiktoken" else {}
    taken = 0
    for number in range(FILES):
        data = next(files)
        path.write_bytes(data)
        begin = time.process_time()
        try:
            vocab = wordsplit.load_vocab(path, **options)
            use(vocab)
        except wordsplit.WordsplitError as error:
            assert path.name in str(error) or len(str(error)) > 10
        except Exception as error:
            raise AssertionError(f"file {number} of {ending}: {data[:200]!r}") from error
        else:
            taken += 1
        assert time.process_time() - begin < 5, number
    assert taken > FILES // 3, f"{taken} of {FILES} were taken"
