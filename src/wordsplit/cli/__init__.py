"""The command line. Each command is a module of this package with a `click` command named ``command``.

Exit codes: 0 success; 1 the input, the vocab or a name is invalid (the message says why); 2 the command line is
invalid; 130 interrupted; 141 the reader of the output has exited, as ``head`` does, which is not an error and
prints no message. Data go to standard output, messages to standard error.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
import warnings
from typing import Any

import click

from wordsplit.cli._json import finish_json
from wordsplit.cli._logging import with_verbose
from wordsplit.cli._messages import one_line
from wordsplit.cli._output import flush
from wordsplit.errors import WordsplitError
from wordsplit.registry import nearest, quoted
from wordsplit.status_line import clear_line

__all__ = ["main"]

_COMMANDS = (
    *("encode", "decode", "count", "spans", "explain", "show", "compare", "chat"),
    *("inspect", "vocabs", "prefetch", "cache", "verify", "bench", "train", "compile", "corpus", "playground"),
)


class _Commands(click.Group):
    """Import a command's module when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002 - as above
        if name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"wordsplit.cli.{name}").command
        return with_verbose(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest names for an unknown one: click itself suggests only commands that are imported."""
        if args[0] not in _COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            ctx.fail(f"No such command {quoted(args[0])}. {nearest(args[0], _COMMANDS)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; click itself prints an empty line for Ctrl-C, and exits with 1 for a closed pipe."""
        try:
            found = super().invoke(ctx)
            finish_json(ctx, done=True)
            flush()
        except KeyboardInterrupt:
            raise _Stopped(130) from None
        except BrokenPipeError:
            raise _Stopped(141) from None
        except click.exceptions.Exit:
            finish_json(ctx, done=True)
            raise
        except BaseException:
            finish_json(ctx, done=False)
            raise
        return found


class _Stopped(BaseException):
    """Stopped by a signal. It has the exit code that shells use for the signal."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, 1 input or vocab refused, 2 wrong usage, 130 interrupted, 141 output closed.",
)
@click.version_option(package_name="wordsplit", prog_name="wordsplit")
def _group() -> None:
    """Convert text to token ids and back, exactly as the models do.

    \b
    Examples:
      wordsplit encode "hello world"                 14990 1879
      wordsplit decode 14990 1879                    hello world
      wordsplit count --vocab gpt-4o README.md       count a file's tokens
      wordsplit explain "hello world"                every merge, step by step
      wordsplit chat messages.json --count           a chat, with the model's own template
      wordsplit inspect tokenizer.json               the content of a vocab file
      wordsplit train --vocab-size 8000 -o my.tiktoken corpus/*.txt

    \b
    Every command parses special tokens in texts, as the models' own tokenizers do; --special text and
    --special error change that. In chats they come only from the template.

    \b
    Completion of commands, options and vocab names:
      eval "$(_WORDSPLIT_COMPLETE=bash_source wordsplit)"      in .bashrc; or zsh_source, in .zshrc
      _WORDSPLIT_COMPLETE=fish_source wordsplit | source       in config.fish
    """


with_verbose(_group)


def main() -> None:
    """Run the command line."""
    _prepare_streams()
    warnings.showwarning = _show_warning
    try:
        code = _group(prog_name="wordsplit", standalone_mode=False)  # None, or an exit code from click.Exit
        flush()
    except _Stopped as stopped:
        code = stopped.code
        if code == 130:
            _say("interrupted")
        _drop_output()  # nobody reads the rest
    except (click.exceptions.Abort, KeyboardInterrupt):
        _say("interrupted")
        code = 130
    except click.UsageError as error:
        _say_usage(error)
        code = error.exit_code
    except click.ClickException as error:
        _say(error.format_message())
        code = error.exit_code
    except BrokenPipeError:
        code = 141
    except (WordsplitError, OSError, MemoryError, RuntimeError) as error:
        _say(_reason(error))
        code = 1
    try:
        sys.stdout.flush()
    except OSError:
        _drop_output()
    sys.exit(code)


def _drop_output() -> None:
    """Drop buffered output, because Python would report an error when it flushes it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _prepare_streams() -> None:
    """Replace standard streams that the caller has closed: data fail as with any closed file, messages are lost.

    A terminal gets escapes for characters that its encoding lacks.
    """
    for name, mode, access in (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY)):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, access), mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - for good
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _say(message: object) -> None:
    clear_line()
    click.echo(f"wordsplit: {one_line(message)}", err=True)


def _reason(error: Exception) -> str:
    """Return the message of an error that is no bug; raise others again."""
    if isinstance(error, WordsplitError):
        return str(error)
    if isinstance(error, OSError):
        named = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, (str, bytes)) else ""
        return f"{named}{error.strerror or error}"
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    if "start new thread" in str(error):
        return "the system starts no more threads (ulimit -u, or the limit of a container)"
    raise error


def _say_usage(error: click.UsageError) -> None:
    message = error.format_message()
    if error.ctx and message == error.ctx.get_help():  # a group without a command
        click.echo(message, err=True)
        return
    path = error.ctx.command_path if error.ctx else "wordsplit"
    _say(f"{message}{'' if message.endswith(('.', '?')) else '.'} Try '{path} --help'.")


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Show a warning without its position in the code."""
    _say(message)
