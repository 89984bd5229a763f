# ruff: noqa: E501
"""Arguments of wrong types and extreme values: every error is a `WordsplitError`, and none ends the process."""

import asyncio
import itertools

import numpy as np
import pyarrow as pa
import pytest
from depth import by_depth

import wordsplit
from wordsplit import corpus
from wordsplit.training import BpeTrainer


class Odd:
    """Fails at whatever is asked of it."""

    def __index__(self):
        return "no"  # noqa: PLE0305

    def __iter__(self):
        return iter([self])

    def __repr__(self):
        return "<odd>"


WRONG = {
    "none": None, "int": 5, "negative": -1, "huge": 2**70, "minus huge": -(2**70), "float": 1.5, "nan": float("nan"), "true": True,
    "text": "a b", "surrogate": "\ud83d", "literal": "<|im_end|>", "bytes": b"z", "not utf-8": b"\xff", "list": [1, 2], "texts": ["a", "b"],
    "lists": [[1], [2]], "mixed": ["a", 1, None], "surrogates": ["a", "\udc00"], "dict": {"a": 1}, "set": {1, "a"}, "empty": [],
    "object": object(), "type": int, "function": len, "odd": Odd(), "odd list": [Odd()], "array": np.arange(3),
    "0-d array": np.array(3), "float array": np.ones(2), "memoryview": memoryview(b"ab"), "strided": memoryview(b"abcd")[::2],
    "nested tuples": ((("a",),),), "pairs": [("a", True)], "odd pairs": [("a", 1)], "messages": [{"role": "user", "content": "x"}],
}  # fmt: skip
METHODS = {
    "encode": (["a"], ["special"]),
    "encode_batch": ([["a"]], ["special", "threads", "output"]),
    "encode_to_numpy": (["a"], ["special", "dtype"]),
    "encode_batch_to_numpy": ([["a"]], ["special", "threads", "dtype"]),
    "encode_arrow": ([pa.array(["a"])], ["special", "threads", "field", "arrow_type"]),
    "count": (["a"], ["special", "limit"]),
    "count_batch": ([["a"]], ["special", "threads"]),
    "spans": (["a"], ["special"]),
    "decode": ([[1]], ["errors", "skip_special"]),
    "decode_bytes": ([[1]], ["skip_special"]),
    "decode_batch": ([[[1]]], ["errors", "skip_special"]),
    "decode_bytes_batch": ([[[1]]], ["skip_special"]),
    "token_bytes": ([1], []),
    "ids_to_tokens": ([[1]], []),
    "token_id": (["a"], []),
    "encode_segments": ([[("a", True)]], ["untrusted"]),
    "decode_stream": ([], ["skip_special", "errors", "stop"]),
    "encoder_stream": ([], ["special"]),
    "truncate": (["a", 3], ["side", "special"]),
    "pack": ([[("a", True)], 3], ["drop", "special"]),
    "split": (["a", 3], ["overlap", "special"]),
    "encode_with_offsets": (["a"], ["special"]),
    "encode_pair": (["a", "b"], ["special"]),
    "encode_for_model": (
        [["a"]],
        ["text_pairs", "padding", "truncation", "truncation_strategy", "max_length", "pad_to_multiple_of", "padding_side", "add_bos", "add_eos", "special", "return_type", "threads"],
    ),
    "pad": ([[1]], ["length", "multiple_of", "side", "pad_id", "return_type"]),
    "is_valid": ([1], []),
    "all_token_bytes": ([], []),
    "tokens_with_prefix": (["a"], []),
    "tokens_that_are_prefixes_of": (["a"], []),
    "aencode": (["a"], ["special"]),
    "acount": (["a"], ["special", "limit"]),
    "aencode_batch": ([["a"]], ["special", "threads"]),
    "explain": (["a"], ["special", "max_span"]),
    "show": (["a"], ["special"]),
    "apply_chat_template": (
        [[{"role": "user", "content": "x"}]],
        ["tools", "add_generation_prompt", "tokenize", "template", "untrusted", "continue_final_message", "documents", "enable_thinking"],
    ),
    "encode_chat_with_mask": ([[{"role": "user", "content": "x"}]], ["tools", "template", "untrusted"]),
}  # fmt: skip
TOO_LARGE = {
    ("pad", "length"),
    ("pad", "multiple_of"),
    ("encode_for_model", "pad_to_multiple_of"),
    ("encode_for_model", "max_length"),
}


def used(found):
    """What a call gives, worked through."""
    if asyncio.iscoroutine(found):
        return asyncio.run(found)
    if isinstance(found, wordsplit.DecodeStream):
        found.push([1, 2])
        return found.finish()
    if isinstance(found, wordsplit.EncoderStream):
        return found.append("a<|im_end|>")
    return str(found)


def calls(name):
    """Arguments with one or two of them wrong."""
    right, named = METHODS[name]
    values = [*WRONG.values()]
    for at, wrong in itertools.product(range(len(right)), values):
        yield [*right[:at], wrong, *right[at + 1 :]], {}
    for key, wrong in itertools.product(named, values):
        yield right, {key: wrong}
    for (at, first), (key, second) in itertools.product(
        itertools.product(range(len(right)), values[::3]), itertools.product(named, values[::5])
    ):
        yield [*right[:at], first, *right[at + 1 :]], {key: second}


def test_every_method_is_tried():
    public = {
        name
        for name in dir(wordsplit.Tokenizer)
        if not name.startswith("_") and callable(getattr(wordsplit.Tokenizer, name))
    }
    assert public - set(METHODS) == {"cache_clear", "cache_info"}


@pytest.mark.parametrize("engine", ["native", "python"])
@pytest.mark.parametrize("name", list(METHODS)[:: by_depth(4, 1, 1)])
def test_errors_are_typed(name, engine):
    tok = wordsplit.load_tokenizer("qwen3", engine=engine, errors="strict")
    untyped = []
    for args, named in calls(name):
        if any((name, key) in TOO_LARGE and value == 2**70 for key, value in named.items() if isinstance(value, int)):
            continue
        if any(isinstance(value, np.ndarray) for value in named.values()):
            continue  # an array has no truth value, and says so itself
        try:
            used(getattr(tok, name)(*args, **named))
        except wordsplit.WordsplitError as error:
            assert str(error)
        except Exception as error:  # noqa: BLE001
            untyped.append(f"{name}({args!r:.80}, {named!r:.80}): {type(error).__name__}: {error}"[:300])
    assert untyped == []


def _functions(folder):
    """Functions of one argument that are not methods of a tokenizer."""
    texts = folder / "a.txt"
    texts.write_text("hello")
    ids = folder / "ids"
    corpus.encode(texts, ids, progress=False)

    def vocab(name):
        return lambda value: wordsplit.load_vocab(texts, **{name: value})

    def encode(name):
        return lambda value: corpus.encode(texts, folder / "out", progress=False, fresh=True, **{name: value})

    return {
        "load_vocab": lambda value: wordsplit.load_vocab(value, offline=True),
        "load_vocab from a cache": lambda value: wordsplit.load_vocab("hf:a/b", cache=value, offline=True),
        **{f"load_vocab {name}": vocab(name) for name in ("pattern", "pre", "format", "sha256", "revision", "special_tokens")},
        "load_vocab_bytes": wordsplit.load_vocab_bytes,
        "load_tokenizer": wordsplit.load_tokenizer,
        "spanners.get": wordsplit.spanners.get,
        "encoders.get": wordsplit.encoders.get,
        "corpus.encode": lambda value: corpus.encode(value, folder / "out", progress=False),
        **{f"corpus.encode {name}": encode(name) for name in ("tokenizer", "engine", "workers", "memory", "kind", "format", "shuffle")},
        "corpus.open": corpus.open,
        "corpus.status": corpus.status,
        "corpus.verify": corpus.verify,
        "windows": lambda value: corpus.open(ids).windows(value),
        "windows seed": lambda value: corpus.open(ids).windows(1, seed=value),
        "BpeTrainer": BpeTrainer,
        "BpeTrainer special_tokens": lambda value: BpeTrainer(300, special_tokens=value),
        "BpeTrainer.update": lambda value: BpeTrainer(300).update(value),
    }  # fmt: skip


def test_errors_of_functions_are_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, call in _functions(tmp_path).items():
        for kind, value in WRONG.items():
            if kind not in ("array", "0-d array", "float array"):  # NumPy's errors are clear
                try:
                    call(value)
                except wordsplit.WordsplitError:
                    pass
                except Exception as error:  # noqa: BLE001 - the error of the test
                    pytest.fail(f"{name}({kind}): {error!r}")


def test_what_is_no_vocab():
    for wrong in ("qwen3", None, 5):
        with pytest.raises(wordsplit.InputTypeError, match="load_tokenizer"):
            wordsplit.TokenizerOptions().build(wrong)
    for wrong in (None, 5, b"qwen3", ["qwen3"]):
        with pytest.raises(wordsplit.InputTypeError, match=f"not {type(wrong).__name__}"):
            wordsplit.load_vocab(wrong)
    for wrong in (None, 5, -1, "text", [1]):  # bytes(5) would be five bytes
        with pytest.raises(wordsplit.InputTypeError, match=f"not {type(wrong).__name__}"):
            wordsplit.load_vocab_bytes(wrong)


def test_options_out_of_range():
    for name, value in itertools.product(("long_span", "cache_bytes"), (2**63, 2**70, -1, True, 1.5)):
        with pytest.raises(wordsplit.OptionsError, match=name):
            wordsplit.TokenizerOptions(**{name: value})
    with pytest.raises(wordsplit.OptionsError, match="not JSON"):
        wordsplit.TokenizerOptions.from_json(None)


def test_numbers_of_numpy():
    tok = wordsplit.load_tokenizer("qwen3")
    four = np.int64(4)
    text = "one two three four five six"
    assert tok.truncate(text, four) == tok.truncate(text, 4)
    assert tok.split(text, four, overlap=np.uint8(1)) == tok.split(text, 4, overlap=1)
    assert tok.count(text, limit=four) == 5
    rows = [tok.encode(text)]
    assert tok.pad(rows, multiple_of=four) == tok.pad(rows, multiple_of=4)
    for wrong in (np.float64(4), np.array([4, 5]), np.bool_(True)):
        with pytest.raises(wordsplit.OptionsError, match="max_tokens"):
            tok.truncate(text, wrong)
    assert tok.encode("<|im_end|>", special=np.array(["<|im_end|>"])) == tok.encode("<|im_end|>")


def test_an_iterator_is_no_set_of_literals():
    """It is used up by the first of two texts."""
    tok = wordsplit.load_tokenizer("qwen3")
    with pytest.raises(wordsplit.OptionsError, match="set of literals"):
        tok.encode_pair("<|im_end|>", "<|im_end|>", special=iter(["<|im_end|>"]))


def test_what_are_no_ids():
    tok = wordsplit.load_tokenizer("qwen3")
    for wrong in ([1, 2], {1}, {}, bytearray(b"a"), memoryview(bytearray(b"a")), np.arange(2)):
        with pytest.raises(wordsplit.InvalidTokenIdError):
            tok.vocab.token_bytes(wrong)
    stream = tok.decode_stream()
    assert stream.push(np.array(9707)) == "Hello"  # an array without dimensions
    for wrong in (None, 5, 1.5, "text"):
        with pytest.raises(wordsplit.InputTypeError):
            list(stream.over(wrong))
    with pytest.raises(wordsplit.InvalidTokenIdError, match="64 bits"):
        tok.pad([[2**63]], return_type="np")


def test_sizes_of_what():
    tok = wordsplit.load_tokenizer("qwen3")
    with pytest.raises(wordsplit.OptionsError, match="max_span=-1: give a number of bytes"):
        tok.explain("a", max_span=-1)
    for form in (tok.show("a").text, tok.show("a").ansi, tok.show("a").svg):
        with pytest.raises(wordsplit.OptionsError, match="columns=None: give a number of columns"):
            form(None)
