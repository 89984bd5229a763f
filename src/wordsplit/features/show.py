"""Show text coloured by token with its ids, in terminals, notebooks, HTML and SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import islice
from typing import Any, NamedTuple

from wordsplit.features.budgets import size_of
from wordsplit.palette import (
    ANSI,
    CHIP_CSS,
    NOTEBOOK_TOKENS,
    TOKEN_CSS,
    chip,
    chips,
    colour_of,
    page_of,
    shortened,
    tokens_fragment,
    visible,
    width,
)
from wordsplit.vocab import Vocab

__all__ = ["Shown", "ShownToken"]

_LONGEST_IN_NOTEBOOK = 200  # characters of a token
_COLUMNS = 100
_ROW, _CHAR, _MARGIN = 40, 8.6, 16  # of a picture, in pixels


class ShownToken(NamedTuple):
    """A displayed token.

    Attributes:
        id: Its id.
        data: Its bytes.
        special: Whether it is an added token.
    """

    id: int
    data: bytes
    special: bool


class Shown:
    """A text split into coloured tokens. It prints as text, displays in notebooks, and exports ANSI, HTML and SVG.

    White space is shown as symbols, and tokens that split a character in hex.

    Attributes:
        tokens: The tokens.

    Example:
        >>> import wordsplit
        >>> print(wordsplit.load_tokenizer("qwen3").show("Hello, world! 🦜"))
        Hello|, |␣world|!|<20 F0 9F>|<A6>|<9C>
        9707 |11|1879  |0|11162     |99  |250
    """

    def __init__(self, vocab: Vocab, ids: Iterable[int]) -> None:
        added = {token.id for token in vocab.added_tokens}
        self._name = vocab.name
        self.tokens: tuple[ShownToken, ...] = tuple(ShownToken(i, vocab.token_bytes(i), i in added) for i in ids)

    def text(self, columns: int = _COLUMNS) -> str:
        """Format as plain text: for each row a line of tokens, separated by bars, and a line of ids."""
        return _text(_rows(self.tokens, columns))

    def ansi(self, columns: int = _COLUMNS) -> str:
        """Format in colour for terminals with 256 colours."""
        lines = []
        at = 0
        for row in _rows(self.tokens, columns):
            texts, ids = [], []
            for token in row:
                text, number = _cell(token)
                texts.append(f"\x1b[{'7' if token.special else f'38;5;16;{ANSI[at % len(ANSI)]}'}m{text}\x1b[0m")
                ids.append(number)
                at += 1
            lines.append(f"{' '.join(texts)}\n\x1b[2m{' '.join(ids).rstrip()}\x1b[0m")
        return "\n".join(lines)

    def html(self) -> str:
        """Return a self-contained HTML page."""
        counts = f"{len(self.tokens):,} token{'' if len(self.tokens) == 1 else 's'}, {self._bytes():,} bytes"
        head = f"<h1>{escape(self._name)}</h1><p class=dim>{counts}</p>"
        return page_of(f"{escape(self._name)}: tokens", CHIP_CSS, head + chips(self._chips(most=None)))

    def svg(self, columns: int = _COLUMNS) -> str:
        """Return a self-contained SVG picture, with colours for light and dark backgrounds."""
        parts, high, wide, at = [], 0, 0.0, 0
        for number, row in enumerate(_rows(self.tokens, columns)):
            x, y = float(_MARGIN), _MARGIN + number * (_ROW + 10)
            for token in row:
                text = visible(token.data)
                box = max(width(text) * _CHAR, len(str(token.id)) * 6.6) + 10
                colour = colour_of(at, token.special)
                ink = "var(--tsf)" if token.special else "var(--fg)"
                parts.append(
                    f'<rect class="t{colour}" x="{x:.1f}" y="{y}" width="{box:.1f}" height="{_ROW}" rx="4" '
                    f'fill="var(--t{colour})"/>'
                    f'<text x="{x + 5:.1f}" y="{y + 17}" fill="{ink}" class="tok" font-size="14">{_xml(text)}</text>'
                    f'<text x="{x + 5:.1f}" y="{y + 33}" fill="{ink}" class="tok" fill-opacity=".7" font-size="11">'
                    f"{token.id}</text>"
                )
                x += box + 3
                at += 1
            high, wide = y + _ROW, max(wide, x - 3)
        size = f'width="{wide + _MARGIN:.0f}" height="{high + _MARGIN}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="ws" {size}><style>{TOKEN_CSS}</style>'
            f'<rect width="100%" height="100%" fill="var(--bg)"/>{"".join(parts)}</svg>\n'
        )

    def _repr_html_(self) -> str:
        return tokens_fragment(list(islice(self._chips(_LONGEST_IN_NOTEBOOK), NOTEBOOK_TOKENS)), len(self.tokens))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002 - IPython's signature
        """Print the text in IPython's shell, and in notebooks that are displayed without HTML."""
        more = len(self.tokens) - NOTEBOOK_TOKENS
        printer.text(_text(_rows(self.tokens[:NOTEBOOK_TOKENS], _COLUMNS)))
        if more > 0:
            printer.text(f"\n\n… and {more:,} more")

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Shown of {len(self.tokens)} tokens>"

    def _bytes(self) -> int:
        return sum(len(token.data) for token in self.tokens)

    def _chips(self, most: int | None) -> Iterator[str]:
        """Yield each token as HTML, with at most ``most`` characters."""
        for at, token in enumerate(self.tokens):
            text = visible(token.data)
            text = text if most is None else shortened(text, most)
            line_end = '<span class="break"></span>' if token.data.endswith(b"\n") else ""
            yield chip(text, str(token.id), colour_of(at, token.special)) + line_end


def _rows(tokens: Sequence[ShownToken], columns: int) -> Iterator[Sequence[ShownToken]]:
    """Split tokens into rows, which end at the last column or at a line end."""
    columns = size_of("columns", columns, of="columns")
    row: list[ShownToken] = []
    used = 0
    for token in tokens:
        size = max(width(visible(token.data)), len(str(token.id))) + 1
        if row and used + size > columns + 1:
            yield row
            row, used = [], 0
        row.append(token)
        used += size
        if token.data.endswith(b"\n"):
            yield row
            row, used = [], 0
    if row:
        yield row


def _text(rows: Iterable[Sequence[ShownToken]]) -> str:
    """Format rows as plain text."""
    return "\n\n".join(
        "\n".join("|".join(line).rstrip() for line in zip(*map(_cell, row), strict=True)) for row in rows
    )


def _cell(token: ShownToken) -> tuple[str, str]:
    """Return the text and the id, padded to one width."""
    text, number = visible(token.data), str(token.id)
    size = max(width(text), len(number))
    return text + " " * (size - width(text)), number.ljust(size)


def _xml(text: str) -> str:
    return escape(text, quote=False)
