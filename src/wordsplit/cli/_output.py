"""Standard output.

Files and pipes get exact bytes, in UTF-8 whatever the locale. On a terminal, control characters are shown as
symbols, so that untrusted text cannot move the cursor, set colours or write to the clipboard.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Iterable

__all__ = [
    "Writer",
    "flush",
    "on_terminal",
    "visible_controls",
    "write",
    "write_blocks",
    "write_line",
    "write_raw",
]

_CONTROLS = re.compile(r"[^\x20-\x7e\n\t\xa0-\U0010ffff]")


def visible_controls(text: str) -> str:
    """Replace control characters with visible symbols, except line feeds and tabs.

    Example:
        >>> visible_controls("a\\tb\\x1b[31m\\x7f\\x9b")
        'a\\tb␛[31m␡<U+009B>'
    """
    return _CONTROLS.sub(_sign, text)


def on_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout.isatty()


def write(text: str, *, styled: bool = False) -> None:
    """Write text.

    Args:
        text: The text.
        styled: Whether its control characters are this program's own, such as colours.
    """
    if on_terminal():
        sys.stdout.write(text if styled else visible_controls(text))
        flush()
    else:
        write_raw([text.encode("utf-8", "replace")])


def write_line(text: object = "", *, styled: bool = False) -> None:
    """Write text and a line feed."""
    write(f"{text}\n", styled=styled)


def write_blocks(blocks: Iterable[bytes]) -> None:
    """Write bytes unchanged, or on a terminal as UTF-8 text with U+FFFD for invalid bytes."""
    if not on_terminal():
        write_raw(blocks)
        return
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for block in blocks:
        write(decoder.decode(block))
    write(decoder.decode(b"", final=True))


def write_raw(blocks: Iterable[bytes]) -> None:
    """Write bytes unchanged, also to a terminal.

    Raises:
        OSError: They cannot be written; it names standard output.
    """
    for block in blocks:
        try:
            sys.stdout.buffer.write(block)
        except OSError as error:
            raise _named(error) from error


class Writer:
    """The output file for `csv`."""

    def write(self, text: str) -> None:
        """See `write`."""
        write(text)


def flush() -> None:
    """Flush the output, at the end and before an operation that may take long.

    Raises:
        OSError: It cannot be written; the error names standard output.
    """
    try:
        sys.stdout.flush()
    except OSError as error:
        raise _named(error) from error


def _named(error: OSError) -> OSError:
    return OSError(error.errno, error.strerror, "standard output")


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"<U+{code:04X}>"
