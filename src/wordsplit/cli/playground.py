"""``wordsplit playground``."""

from __future__ import annotations

import contextlib
import errno
import functools
import webbrowser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import click

from wordsplit.cli._output import flush, write_line
from wordsplit.errors import OptionsError, WordsplitError

__all__ = ["command"]

_HOST = "127.0.0.1"
_PORT = 8765
_PACKAGE = Path(__file__).resolve().parents[1]
_FOLDERS = (_PACKAGE / "playground", _PACKAGE.parents[1] / "build" / "playground")
"""The places of the built page: in a wheel, and in a checkout."""


@click.command("playground")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=_PORT,
    show_default=True,
    help="The port on this machine; 0 for any that is free.",
)
@click.option("--browser/--no-browser", default=True, help="Whether to open the page in a browser.")
@click.option("--folder", metavar="FOLDER", type=click.Path(), help="The built page, if it is elsewhere.")
def command(port: int, browser: bool, folder: str | None) -> None:
    """Serve the playground, a page that shows how text becomes tokens, until Ctrl-C.

    Only this machine can reach it. The page also works without a server: open index.html in its folder. It sends no
    data anywhere.

    \b
    Examples:
      wordsplit playground
      wordsplit playground --no-browser --port 0
    """
    with _server(_built(folder), port) as server:
        address = f"http://{_HOST}:{server.server_port}/"
        write_line(address)
        flush()
        if browser:
            webbrowser.open(address)
        with contextlib.suppress(KeyboardInterrupt):  # the normal way to end it
            server.serve_forever()


class _Page(SimpleHTTPRequestHandler):
    """Serve the files of the folder, without a log."""

    def end_headers(self) -> None:
        """Add headers: a page that was rebuilt is loaded again."""
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Print nothing."""


def _built(folder: str | None) -> Path:
    """Return the folder with the built page.

    Raises:
        WordsplitError: There is none.
    """
    folders = _FOLDERS if folder is None else (Path(folder),)
    for found in folders:
        if (found / "index.html").is_file():
            return found
    if folder is not None:
        raise WordsplitError(f"{folder}: there is no index.html: give the folder that 'make playground' created")
    raise WordsplitError(
        "the playground is not built: run 'make playground' in a checkout of wordsplit, or 'pip install' a wheel of "
        "wordsplit that has it"
    )


def _server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server that listens on the loopback.

    Raises:
        OptionsError: The port cannot be used.
    """
    try:
        return ThreadingHTTPServer((_HOST, port), functools.partial(_Page, directory=str(folder)))
    except OSError as error:
        if error.errno not in {errno.EADDRINUSE, errno.EACCES}:
            raise
        raise OptionsError(f"--port {port}: {error.strerror}; give another, or 0 for any that is free") from None
