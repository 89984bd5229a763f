"""One tokenizer for many threads and for event loops."""

import asyncio
import concurrent.futures
import time

import pytest
from depth import by_depth
from features.toks import tokenizer

import wordsplit

TEXTS = [f"It's text {i}, naïve and 你好 e\u0301 <|endoftext|>\n" * (1 + i % 40) for i in range(by_depth(45, 200, 200))]


def everything(tok, text):
    stream = tok.encoder_stream()
    for at in range(0, len(text), 97):
        stream.append(text[at : at + 97])
    ids = tok.encode(text)
    found = tok.encode_with_offsets(text)
    return (
        ids,
        stream.ids,
        found.byte_spans,
        found.char_spans,
        tok.truncate(text, 20),
        tok.count(text, limit=30),
        "".join(tok.decode_stream().over(ids)),
        tok.split(text, 30, overlap=4),
        tok.tokens_with_prefix(text[:2]),
        tok.encode_for_model([text, "a"], return_type="list"),
    )


@pytest.mark.parametrize("engine", ["native", "python"])
def test_all_methods_at_once_from_many_threads(engine):
    texts = TEXTS if engine == "native" else TEXTS[:30]
    want = [everything(tokenizer("qwen3", engine), text) for text in texts]
    fresh = wordsplit.load_tokenizer("qwen3", engine=engine)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda text: everything(fresh, text), texts)) == want


@pytest.mark.parametrize("engine", ["native", "python"])
def test_awaited_ids_are_those_of_encode(engine):
    tok = tokenizer("qwen3", engine)
    long = TEXTS[39] * 3

    async def run():
        return await asyncio.gather(
            tok.aencode("short"),
            tok.aencode(long),
            tok.aencode("<|im_end|>", special="text"),
            tok.aencode_batch(TEXTS[:20], threads=2),
            tok.acount(long),
            tok.acount(long, limit=5),
        )

    assert asyncio.run(run()) == [
        tok.encode("short"),
        tok.encode(long),
        tok.encode("<|im_end|>", special="text"),
        tok.encode_batch(TEXTS[:20]),
        tok.count(long),
        6,
    ]
    with pytest.raises(wordsplit.InputTypeError):
        asyncio.run(tok.aencode(3))


def test_awaited_ids_under_trio():
    """Short texts, which need no thread, were encoded, and long ones failed."""
    trio = pytest.importorskip("trio")
    tok = tokenizer("qwen3")
    long = TEXTS[39] * 30

    async def run():
        return (
            await tok.aencode("short"),
            await tok.aencode(long),
            await tok.acount(long),
            await tok.aencode_batch(["a"]),
        )

    want = (tok.encode("short"), tok.encode(long), tok.count(long), [tok.encode("a")])
    assert len(long) > 4096
    assert trio.run(run) == want
    assert asyncio.run(run()) == want  # Trio stays imported


def test_the_loop_runs_on():
    tok = tokenizer("qwen3")
    text = "".join(TEXTS) * 400

    async def run():
        ticks, start = [], time.perf_counter()
        task = asyncio.ensure_future(tok.acount(text))
        while not task.done():
            await asyncio.sleep(0.001)
            ticks.append(time.perf_counter() - start)
        return ticks, await task

    ticks, count = asyncio.run(run())
    assert count == tok.count(text)
    assert len(ticks) > 3
    # The loop had its turns all along, not only at the end.
    assert ticks[len(ticks) // 2] < 0.9 * ticks[-1]
