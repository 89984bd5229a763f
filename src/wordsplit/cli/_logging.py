"""``--verbose`` and ``WORDSPLIT_LOG``: the library's log on standard error."""

from __future__ import annotations

import os
from typing import TypeVar

import click

__all__ = ["with_verbose"]

_LEVELS = ("debug", "info", "warning", "error")


C = TypeVar("C", bound=click.Command)

_DONE = "wordsplit.log"


def with_verbose(command: C) -> C:
    """Add the option ``--verbose``, allowed before and after the command's name; ``-v`` is short for --vocab."""
    if not any(parameter.name == "verbose" for parameter in command.params):
        option = click.Option(
            ["--verbose"],
            is_flag=True,
            expose_value=False,
            callback=_set_up,
            help="Log to standard error what is read, downloaded and cached.",
        )
        command.params.append(option)
    return command


def _set_up(ctx: click.Context, _: click.Parameter, verbose: bool) -> None:
    level = "debug" if verbose else os.environ.get("WORDSPLIT_LOG", "").lower()
    if not level or ctx.meta.get(_DONE):
        return
    if level not in _LEVELS:
        raise click.UsageError(f"WORDSPLIT_LOG={level}: use one of {', '.join(_LEVELS)}.")
    ctx.meta[_DONE] = True
    import logging  # noqa: PLC0415 - only if requested

    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("wordsplit: %(levelname)s: %(message)s"))
    logger = logging.getLogger("wordsplit")
    logger.addHandler(handler)
    logger.setLevel(level.upper())
