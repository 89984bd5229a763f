"""``wordsplit explain``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from wordsplit.cli._common import (
    html_option,
    sources,
    special_option,
    text_options,
    tokenizer_of,
    tokenizer_options,
    write_page,
)
from wordsplit.cli._json import emit_json, json_option
from wordsplit.cli._output import write_line
from wordsplit.cli._texts import of_each, whole

if TYPE_CHECKING:
    from wordsplit.features.explain import Explanation

__all__ = ["command"]

_MOST = 1 << 16
"""Bytes of a text. English text takes a second and 90 MB, with --json 3 seconds and 200 MB."""


@click.command("explain")
@text_options
@tokenizer_options
@special_option
@json_option
@html_option
@click.option(
    "--max-span",
    type=click.IntRange(0),
    default=256,
    show_default=True,
    help="Show no merges for longer spans (in bytes).",
)
def command(special: str, as_json: str | None, html: str | None, max_span: int, **options: Any) -> None:
    """Explain the ids of TEXT: its spans, and in each span every merge with all candidate pairs.

    A text may have up to 64 KiB. The first 400 spans are shown; --json prints all.

    \b
    Examples:
      wordsplit explain "hello world"
      wordsplit explain --vocab gpt2 --json "hello world"
      wordsplit explain --html hello.html "hello world"
    """
    given = sources(options)
    tok = tokenizer_of(**options)
    explained: Iterator[Explanation] = of_each(
        given, lambda text: tok.explain(whole(text, "explain", _MOST), special=special, max_span=max_span)
    )
    if html:
        found = list(explained)
        write_page(html, [one.html() for one in found])
        explained = iter(found)
    for one in explained:
        if as_json:
            emit_json(one.to_dict())
        elif not html:
            write_line(one)
