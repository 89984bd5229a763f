"""Display of tokens: printable forms of their bytes, and colours that distinguish neighbours."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from html import escape

__all__ = [
    "ANSI",
    "BARS",
    "CHIP_CSS",
    "NOTEBOOK_TOKENS",
    "PAGE_CSS",
    "TOKEN_CSS",
    "chip",
    "chips",
    "colour_of",
    "facts_fragment",
    "page_of",
    "shortened",
    "tokens_fragment",
    "visible",
    "width",
]

_SIGNS = {" ": "␣", "\n": "↵", "\t": "⇥", "\r": "␍"}

# Backgrounds for black text, six that can be told apart with most kinds of colour blindness.
_LIGHT = ("#cfe3ff", "#ffe2b8", "#cdeed0", "#f9d0dc", "#e0d7fb", "#f3efb0")
_DARK = ("#1f4172", "#6a4512", "#1f5a35", "#6f2a42", "#46367e", "#58541a")
ANSI = ("48;5;153", "48;5;223", "48;5;157", "48;5;218", "48;5;183", "48;5;229")
BARS = ("#3b78c3", "#d9822b", "#3f9b57", "#c2476d", "#7a60c9", "#99912a")

_ON_LIGHT = (
    "--bg:#fff;--fg:#1a1c20;--dim:#646a75;--line:#dadde3;--soft:#f5f6f8;--win:#12713a;--winbg:#d8f3e0;"
    + "".join(f"--t{at}:{colour};" for at, colour in enumerate(_LIGHT))
    + "--ts:#1a1c20;--tsf:#fff"
)
_ON_DARK = (
    "--bg:#15171b;--fg:#e6e8ec;--dim:#9aa1ad;--line:#343841;--soft:#1d2026;--win:#7ee2a2;--winbg:#153d26;"
    + "".join(f"--t{at}:{colour};" for at, colour in enumerate(_DARK))
    + "--ts:#e6e8ec;--tsf:#15171b"
)
# Pages of notebooks have themes of their own, which need not be the system's: JupyterLab and its exports, VS Code,
# Colab, marimo, and Sphinx.
_LIGHT_THEMES = "[data-jp-theme-light=true] .ws,.vscode-light .ws,[theme=light] .ws,[data-theme=light] .ws"
_DARK_THEMES = "[data-jp-theme-light=false] .ws,.vscode-dark .ws,[theme=dark] .ws,[data-theme=dark] .ws"

TOKEN_CSS = (
    f".ws{{{_ON_LIGHT};color:var(--fg);background:var(--bg);"
    "font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}"
    f"@media(prefers-color-scheme:dark){{.ws{{{_ON_DARK}}}}}"
    f"{_LIGHT_THEMES}{{{_ON_LIGHT}}}{_DARK_THEMES}{{{_ON_DARK}}}"
    + "".join(f".ws .t{at}{{background:var(--t{at})}}" for at in range(len(_LIGHT)))
    + ".ws .ts{background:var(--ts);color:var(--tsf)}"
    + ".ws code,.ws .tok{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}"
    + ".ws .dim{color:var(--dim)}"
)
CHIP_CSS = (
    TOKEN_CSS
    + ".ws .text{display:flex;flex-wrap:wrap;gap:.35rem .2rem;margin:1rem 0}.ws .text>.break{flex-basis:100%;height:0}"
    + ".ws .text>.tok{border-radius:4px;padding:.1rem .35rem;white-space:pre;text-align:left}"
    + ".ws .text small{display:block;font-size:.72em;opacity:.75}"
)
_FACTS_CSS = (
    TOKEN_CSS
    + ".ws table.facts{border-collapse:collapse;color:var(--fg);font-size:.9em;margin:.2rem 0}"
    + ".ws table.facts caption{text-align:left;font-weight:600;color:var(--fg);padding:.2rem .6rem}"
    + ".ws table.facts tr{background:var(--bg)}.ws table.facts td{overflow-wrap:anywhere}"
    + ".ws table.facts tr>*{text-align:left;vertical-align:top;padding:.1rem .6rem}"
    + ".ws table.facts th{color:var(--dim);font-weight:400;white-space:nowrap}"
)
NOTEBOOK_TOKENS = 1000
"""The most tokens that are displayed in a notebook, whose file keeps all output."""

PAGE_CSS = (
    "html{color-scheme:light dark}body{margin:0}"
    ".ws.page{max-width:70rem;min-height:100vh;margin:0 auto;padding:2rem 1.5rem 4rem;box-sizing:border-box}"
    "@media(prefers-color-scheme:dark){body{background:#15171b}}"
    ".ws h1{font-size:1.35rem;margin:0 0 .2rem}.ws h2{font-size:1.05rem;margin:2rem 0 .5rem}"
)


def visible(data: bytes) -> str:
    """Return a printable form of bytes: blanks as symbols; bytes that are not text, or are invisible, in hex.

    Example:
        >>> visible(" né\\n".encode()), visible("🦜".encode()[:2])
        ('␣né↵', '<F0 9F>')
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return f"<{data.hex(' ').upper()}>"
    return "".join(_SIGNS.get(char) or (char if _seen(char) else f"<U+{ord(char):04X}>") for char in text)


def shortened(text: str, most: int = 72) -> str:
    """Shorten a long text by leaving out its middle.

    Example:
        >>> shortened("a" * 100, 11)
        'aaaaa…aaaaa'
    """
    half = most // 2
    return text if len(text) <= most else f"{text[:half]}…{text[-half:]}"


def width(text: str) -> int:
    """Estimate how many columns of a terminal a text takes.

    Example:
        >>> width("abc"), width("你好"), width("e\\u0301")
        (3, 4, 1)
    """
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def page_of(title: str, css: str, body: str) -> str:
    """Return a complete HTML page around the content of a ``.ws`` block."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{PAGE_CSS}{css}</style>\n</head>\n<body>\n"
        f'<main class="ws page">\n{body}\n</main>\n</body>\n</html>\n'
    )


def colour_of(at: int, special: bool = False) -> str:
    """Return the name of the colour of the token or span at an index."""
    return "s" if special else str(at % len(_LIGHT))


def chip(text: str, note: str, colour: str) -> str:
    """Return a token as HTML, with a note below it such as its id."""
    return f'<span class="tok t{colour}">{escape(text)}<small>{escape(note)}</small></span>'


def chips(tokens: Iterable[str]) -> str:
    """Return a line of tokens that `chip` made."""
    return f'<div class="text">{"".join(tokens)}</div>'


def tokens_fragment(tokens: Sequence[str], total: int) -> str:
    """Return tokens for a notebook.

    Args:
        tokens: Made by `chip`, at most `NOTEBOOK_TOKENS`.
        total: How many there are.
    """
    more = f"<p class=dim>… and {total - len(tokens):,} more</p>" if total > len(tokens) else ""
    return f'<style>{CHIP_CSS}</style><div class="ws">{chips(tokens)}{more}</div>'


def facts_fragment(title: str, facts: Iterable[tuple[str, object]]) -> str:
    """Return a table for a notebook.

    Example:
        >>> "<th>tokens</th><td>3</td>" in facts_fragment("mine", [("tokens", 3)])
        True
    """
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(shortened(str(value), 500))}</td></tr>" for name, value in facts
    )
    caption = f"<caption>{escape(shortened(title, 200))}</caption>"
    return f'<style>{_FACTS_CSS}</style><div class="ws"><table class="facts">{caption}{rows}</table></div>'


def _seen(char: str) -> bool:
    return char.isprintable() or bool(unicodedata.combining(char))
