"""``wordsplit verify``: compare the ids of a vocab with those of the engine that defines them."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import click

from wordsplit.cli._common import complete_vocab, file_options
from wordsplit.cli._json import emit_json, json_option
from wordsplit.cli._oracle import Oracle, oracle_of
from wordsplit.cli._output import write_line
from wordsplit.cli._texts import Reading, Text, files_as_sources, given_as_sources, reading_options

if TYPE_CHECKING:
    from wordsplit.tokenizer import Tokenizer

__all__ = ["command"]

_BUILT_IN = (
    "Hello, world! It's 2024, and we'll count to 1234567.",
    "def f(x):\n\treturn x ** 2  # squared\n\n\n    if x:  pass\r\n",
    "naïve façade — „Anführung“ … ½ café cafe\u0301 Việt Nam Japón",
    "東京タワー 你好\uff0c世界\uff01 안녕하세요 สวัสดี नमस्ते क्षत्रिय مرحبا שלום Привет Γειά",
    "🫨 👩‍👩‍👧‍👦 🇩🇪 ❤️ a\u1df6\u0301 \u0085 \u200b \ufeff \u2028 \x00 \x1c",
    "x'\u017f I'LL DON'T it's' 's ''t CamelCase snake_case https://example.org/?q=1&r=%20 <|endoftext|> <|im_start|>",
    " " * 300 + "x" + "\n" * 300 + "^" * 3000 + "a" * 3000 + "Z9" * 1500,
    '{"key": [1, 2.5e-3, null, true], "nested": {"a": "b\\n"}}\t\t;;;===>>>',
)


@click.command("verify")
@click.argument("vocab", default="qwen3", metavar="[NAME|FILE]", shell_complete=complete_vocab)
@click.option("--text", "-t", "given", multiple=True, metavar="TEXT", help="Compare on this text.")
@click.option(
    "--file", "-f", "files", multiple=True, metavar="FILE", help="Compare on this file; '-' for standard input."
)
@reading_options
@file_options
@click.option(
    "--special",
    type=click.Choice(["parse", "text"]),
    default="parse",
    show_default=True,
    help="Special tokens in the text: parse them, or treat them as text.",
)
@json_option
def command(
    vocab: str,
    given: tuple[str, ...],
    files: tuple[str, ...],
    kind: str | None,
    column: str,
    special: str,
    as_json: str | None,
    **how: str | None,
) -> None:
    """Compare ids with those of the vocab's own engine, and show the first difference.

    The engine is tiktoken for OpenAI's vocabs and other .tiktoken files, tokenizers for all others: with the
    tokenizer.json itself if there is one, else with one written from the vocab. Without --text and --file, the
    texts are a built-in set of difficult ones. Exit code 1 if ids differ.

    \b
    Examples:
      wordsplit verify qwen3
      wordsplit verify gpt-4o --file README.md
      wordsplit verify ./tokenizer.json --text "It's 2024"
    """
    from wordsplit.api import load_tokenizer  # noqa: PLC0415 - --help must not wait for it
    from wordsplit.vocabs.formats.base import Overrides  # noqa: PLC0415 - as above
    from wordsplit.vocabs.resolve import load_located, locate  # noqa: PLC0415 - as above

    found = locate(vocab, Overrides(pattern=how["pattern"], pre=how["pre"]), how["format"])
    tok = load_tokenizer(load_located(found, how["format"]))
    oracle = oracle_of(tok.vocab, found, special)
    reading = Reading(kind, column)
    sources = chain(given_as_sources(given or (() if files else _BUILT_IN), reading), files_as_sources(files, reading))
    compared = n_texts = 0
    for number, item in enumerate(text for source in sources for text in source.texts):
        n_texts += 1
        text = _as_str(item)
        ours, theirs = tok.encode(text, special), oracle.encode(text)
        if ours != theirs:
            _report(tok, oracle, number, ours, theirs, as_json)
            raise click.exceptions.Exit(1)
        compared += len(ours)
    row = {"vocab": tok.vocab.name, "oracle": oracle.name, "texts": n_texts, "ids": compared, "same": True}
    if as_json:
        emit_json(row)
    else:
        write_line(f"{tok.vocab.name}: the same {compared:,} ids as {oracle.name}, in {n_texts} texts")


def _as_str(text: Text) -> str:
    if isinstance(text, str):
        return text
    return (text if isinstance(text, bytes) else b"".join(text)).decode("utf-8", "replace")


def _report(
    tok: Tokenizer, oracle: Oracle, number: int, ours: list[int], theirs: list[int], as_json: str | None
) -> None:
    """Print the first difference and its context."""
    same = next(
        (at for at, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other),
        min(len(ours), len(theirs)),
    )
    before, after = tok.decode(ours[max(0, same - 8) : same]), tok.decode(ours[same : same + 8])
    sides = {"wordsplit": ours[same : same + 8], oracle.name: theirs[same : same + 8]}
    if as_json:
        emit_json(
            {
                "vocab": tok.vocab.name,
                "oracle": oracle.name,
                "same": False,
                "text": number,
                "index": same,
                "before": before,
                "after": after,
                "ours": sides["wordsplit"],
                "theirs": sides[oracle.name],
            }
        )
        return
    write_line(f"{tok.vocab.name}: text {number + 1} differs from {oracle.name} at id {same + 1}")
    write_line(f"  after {before!r}, before {after!r}")
    for name, ids in sides.items():
        write_line(f"  {name:<24}{' '.join(map(str, ids))}  {tok.decode(ids)!r}")
