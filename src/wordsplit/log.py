"""The logger ``wordsplit`` reports which files are read, what is downloaded, and which cache is used.

    import logging
    logging.basicConfig(level=logging.INFO)
    logging.getLogger("wordsplit").setLevel(logging.DEBUG)

Downloads and retries are logged at level INFO, everything else at DEBUG. Nothing is printed unless a program enables
the logger.

`logging` is not imported here: it takes a sixth of the import time of wordsplit. If no module has imported it, no
handler is attached to the logger.
"""

from __future__ import annotations

import sys

__all__ = ["debug", "info"]

_DEBUG, _INFO = 10, 20


def debug(message: str, *arguments: object) -> None:
    """Log at level DEBUG; the message is a format for ``%``."""
    _log(_DEBUG, message, arguments)


def info(message: str, *arguments: object) -> None:
    """Log at level INFO."""
    _log(_INFO, message, arguments)


def _log(level: int, message: str, arguments: tuple[object, ...]) -> None:
    logging = sys.modules.get("logging")
    if logging is None:
        return
    logger = logging.getLogger("wordsplit")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    logger.log(level, message, *arguments, stacklevel=3)
