"""Compare texts under several vocabs: number of tokens, bytes per token, tokens per word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Literal, Protocol

from wordsplit.errors import InputTypeError, OptionsError
from wordsplit.palette import BARS, TOKEN_CSS, shortened, width
from wordsplit.text import Special, Text, check, each, to_bytes

if TYPE_CHECKING:
    from wordsplit.vocab import Vocab

__all__ = ["METRICS", "Measure", "Metric", "compare", "plot", "table"]

Metric = Literal["tokens", "bytes_per_token", "fertility", "tokens_per_char"]
METRICS: dict[Metric, str] = {
    "tokens": "tokens",
    "bytes_per_token": "bytes per token",
    "fertility": "tokens per word",
    "tokens_per_char": "tokens per character",
}

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CSS = ".ws text{fill:var(--fg)}.ws text.dim{fill:var(--dim)}"


class Counts(Protocol):
    """The methods of a `wordsplit.Tokenizer` that are used here."""

    @property
    def vocab(self) -> Vocab:
        """The tokenizer's vocab."""

    def count(self, text: Text, special: Special) -> int:
        """Count the ids of a text."""


@dataclass(frozen=True)
class Measure:
    """One text under one vocab.

    Attributes:
        text: The text's name.
        vocab: The vocab's name.
        tokens: Number of tokens.
        bytes: Number of bytes in UTF-8.
        chars: Number of characters.
        words: Number of words, which are separated by white space. Languages written without spaces have few; compare
            them by `tokens_per_char`.
    """

    text: str
    vocab: str
    tokens: int
    bytes: int
    chars: int
    words: int

    @property
    def bytes_per_token(self) -> float | None:
        """Bytes per token; ``None`` for no tokens."""
        return self.bytes / self.tokens if self.tokens else None

    @property
    def fertility(self) -> float | None:
        """Tokens per word; ``None`` for no words."""
        return self.tokens / self.words if self.words else None

    @property
    def tokens_per_char(self) -> float | None:
        """Tokens per character; ``None`` for no text."""
        return self.tokens / self.chars if self.chars else None

    def to_dict(self) -> dict[str, Any]:
        """Return all values as a dict, ratios to four places."""
        ratios = {name: getattr(self, name) for name in ("bytes_per_token", "fertility", "tokens_per_char")}
        counts = {name: getattr(self, name) for name in ("text", "vocab", "tokens", "bytes", "chars", "words")}
        return counts | {name: None if value is None else round(value, 4) for name, value in ratios.items()}


def compare(texts: Mapping[str, Text], tokenizers: Iterable[Counts]) -> list[Measure]:
    """Count each text under each vocab, with special tokens as text.

    Args:
        texts: Texts by name, such as a file or a language.
        tokenizers: Tokenizers.

    Returns:
        For each text, in order, one measure per vocab.

    Raises:
        InputTypeError: The texts have no names, one is not a text, or a tokenizer is something else, such as a name.

    Example:
        >>> import wordsplit
        >>> from wordsplit.features.compare import compare, table
        >>> toks = [wordsplit.load_tokenizer(name) for name in ("qwen3", "gpt2")]
        >>> print(table(compare({"en": "Some words of English", "fr": "Un été à Paris"}, toks)))
        text  vocab      tokens  bytes/token  tokens/word  tokens/char
        en    qwen3           4         5.25         1.00        0.190
        en    r50k_base       4         5.25         1.00        0.190
        fr    qwen3           4         4.25         1.00        0.286
        fr    r50k_base       6         2.83         1.50        0.429
    """
    if not isinstance(texts, Mapping):
        raise InputTypeError(f"give texts by name, such as {{'en': 'a text'}}, not {type(texts).__name__}")
    tokenizers = list(each(tokenizers, "tokenizers"))
    for tok in tokenizers:
        if not hasattr(tok, "vocab"):
            raise InputTypeError(f"give tokenizers, not {type(tok).__name__}: load one with wordsplit.load_tokenizer")
    out = []
    for name, text in texts.items():
        data = to_bytes(check(text, "replace"), "replace")
        string = data.decode("utf-8", "replace")
        sizes = len(data), len(string), sum(1 for _ in re.finditer(r"\S+", string))
        out += [Measure(name, tok.vocab.name, tok.count(text, special="text"), *sizes) for tok in tokenizers]
    return out


def table(measures: Iterable[Measure]) -> str:
    """Format the measures as a plain-text table."""
    rows = [("text", "vocab", "tokens", "bytes/token", "tokens/word", "tokens/char")]
    for m in measures:
        ratios = _number(m.bytes_per_token), _number(m.fertility), _number(m.tokens_per_char, 3)
        rows.append((shortened(m.text, 40), m.vocab, f"{m.tokens:,}", *ratios))
    wide = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(_padded, row, wide, (False, False, True, True, True, True))) for row in rows)


def plot(measures: Iterable[Measure], metric: Metric = "bytes_per_token") -> str:
    """Draw the measures as a bar chart in self-contained SVG, with one group of bars per text.

    Args:
        measures: From `compare`.
        metric: The metric that the bars show: one of `METRICS`.

    Raises:
        OptionsError: There is no such metric.
    """
    if metric not in list(METRICS):
        raise OptionsError(f"metric={metric!r:.100}: use one of {', '.join(map(repr, METRICS))}")
    measures = list(measures)
    vocabs = list(dict.fromkeys(m.vocab for m in measures))
    values = [getattr(m, metric) or 0 for m in measures]
    left, bar, long = 200, 18, 560
    scale = long / (max(values, default=0) or 1)
    parts, x, y = [], 16, 52
    for at, name in enumerate(vocabs):
        label = shortened(name, 28)
        parts.append(f'<rect x="{x}" y="34" width="12" height="12" rx="2" fill="{_colour(at)}"/>')
        parts.append(_label(x + 18, 44, label))
        x += 18 + 8 * len(label) + 24
    before = None
    for m, value in zip(measures, values, strict=True):
        if m.text != before:
            before = m.text
            y += 14
            parts.append(_label(left - 10, y + 13, shortened(m.text, 20), 'text-anchor="end"'))
        length = value * scale
        title = f"<title>{_xml(f'{m.text}, {m.vocab}: {value:,.4g}')}</title>"
        parts.append(
            f'<rect x="{left}" y="{y}" width="{length:.1f}" height="{bar - 3}" rx="2" '
            f'fill="{_colour(vocabs.index(m.vocab))}">{title}</rect>'
        )
        shown = f"{value:,}" if metric == "tokens" else _number(value, 3 if metric == "tokens_per_char" else 2)
        parts.append(_label(left + length + 6, y + 12, shown, 'class="dim" font-size="12"'))
        y += bar
    high, across = y + 20, max(left + long + 90, x)
    heading = _label(16, 22, METRICS[metric].capitalize(), 'font-weight="600"')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ws" width="{across}" height="{high}" '
        f'viewBox="0 0 {across} {high}"><style>{TOKEN_CSS}{_CSS}</style>'
        f'<rect width="100%" height="100%" fill="var(--bg)"/>{heading}{"".join(parts)}</svg>\n'
    )


def _padded(cell: str, size: int, right: bool) -> str:
    blanks = " " * (size - width(cell))
    return blanks + cell if right else cell + blanks


def _label(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y}" {more}>{_xml(text)}</text>'


def _xml(text: str) -> str:
    """Escape a name, which may be that of a file: with control characters, or bytes that are not UTF-8."""
    return escape(_NOT_IN_XML.sub("\ufffd", text))


def _colour(at: int) -> str:
    return BARS[at % len(BARS)]


def _number(value: float | None, places: int = 2) -> str:
    return "-" if value is None else f"{value:.{places}f}"
