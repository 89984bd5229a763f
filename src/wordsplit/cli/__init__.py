"""The command line. One file a command: a module of this package with a `click` command named ``command``.

Exit codes: 0 done; 1 the input, the vocab or a name was refused (the message says why); 2 the command line was
not understood; 130 interrupted. Data go to standard output, messages to standard error. A reader that goes away, as
``head`` does, is no error and gets no message.
"""

from __future__ import annotations

import importlib
import os
import sys
import warnings

import click

from wordsplit.errors import WordsplitError

__all__ = ["main"]

_COMMANDS = (
    *("encode", "decode", "count", "spans", "explain", "show", "compare", "chat"),
    *("inspect", "vocabs", "prefetch", "cache", "verify", "bench", "train"),
)


class _Commands(click.Group):
    """Imports a command's module when it is called for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002 - as above
        if name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"wordsplit.cli.{name}").command
        return command


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, 1 input or vocab refused, 2 wrong usage, 130 interrupted.",
)
@click.version_option(package_name="wordsplit", prog_name="wordsplit")
def _group() -> None:
    """Text to token ids and back, exactly as the models do it.

    \b
    Examples:
      wordsplit encode "hello world"                 14990 1879
      wordsplit decode 14990 1879                    hello world
      wordsplit count --vocab gpt-4o README.md       count a file's tokens
      wordsplit explain "hello world"                every merge, as in a textbook
      wordsplit chat messages.json --count           a chat, by the model's own template
      wordsplit inspect tokenizer.json               what is in a vocab file
      wordsplit train --vocab-size 8000 -o my.tiktoken corpus/*.txt

    \b
    Completion of commands, options and vocab names:
      eval "$(_WORDSPLIT_COMPLETE=bash_source wordsplit)"      in .bashrc; or zsh_source, in .zshrc
      _WORDSPLIT_COMPLETE=fish_source wordsplit | source       in config.fish
    """


def main() -> None:
    """Run the command line."""
    warnings.showwarning = _show_warning
    try:
        code = _group(prog_name="wordsplit", standalone_mode=False)  # nothing, or by way of click.Exit a code
        sys.stdout.flush()
        sys.exit(code)
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo("wordsplit: interrupted", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except WordsplitError as error:
        click.echo(f"wordsplit: {error}", err=True)
        sys.exit(1)
    except BrokenPipeError:
        # The reader has gone, which is its right. Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except OSError as error:
        click.echo(f"wordsplit: {error.filename or ''}: {error.strerror or error}", err=True)
        sys.exit(1)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """A warning as a user of the command line wants it: without a place in the code."""
    click.echo(f"wordsplit: {message}", err=True)
