"""Run a program with the stand-ins instead of the originals.

    python -m wordsplit.compat [--only NAME] PROGRAM ARGUMENTS...
    python -m wordsplit.compat [--only NAME] -m MODULE ARGUMENTS...

Python starts again, with its own options and all arguments as they are, so that the program runs as without this
module; see `wordsplit.compat.aliases` for what it finds there.
"""

from __future__ import annotations

import os
import subprocess
import sys

from wordsplit.compat.aliases import chosen, pass_to_children, summary
from wordsplit.errors import WordsplitError

_MODULE = "wordsplit.compat"
_USAGE = f"""\
usage: python -m {_MODULE} [--only NAME] PROGRAM ARGUMENTS...
       python -m {_MODULE} [--only NAME] -m MODULE ARGUMENTS...

Run a Python program in which imports of tiktoken and tokenizers give wordsplit's
stand-ins for them. --only NAME: for one of the two.
"""


def main(arguments: list[str]) -> int:
    """Run the program; return only if there is none, or on Windows, its exit code."""
    names = []
    while arguments[:1] == ["--only"] and len(arguments) > 1:
        names.append(arguments[1])
        arguments = arguments[2:]
    if not arguments or arguments[0] in ("-h", "--help") or arguments[0].startswith("--"):
        sys.stderr.write(_USAGE)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    if sys.flags.ignore_environment or sys.flags.no_site:
        sys.stderr.write(f"{_MODULE}: Python's options -I, -E and -S disable features that this module needs\n")
        return 2
    try:
        found = chosen(names)
    except WordsplitError as error:
        sys.stderr.write(f"{_MODULE}: {error}\n")
        return 2
    pass_to_children(found)
    sys.stderr.write(summary(found, children=True) + "\n")
    sys.stderr.flush()
    command = [sys.executable, *own_options(sys.orig_argv, len(sys.argv) - 1), *arguments]
    if sys.platform == "win32":  # exec returns to the shell at once there
        return subprocess.call(command)  # noqa: S603 - the user's own program
    return os.execv(sys.executable, command)  # noqa: S606 - as above


def own_options(command: list[str], arguments: int) -> list[str]:
    """Return Python's own options of a command that runs this module, as ``-X dev``.

    Args:
        command: The command, with the interpreter.
        arguments: How many arguments follow the module's name.

    Example:
        >>> own_options(["python", "-W", "error", "-um", "wordsplit.compat", "program.py"], 1)
        ['-W', 'error', '-u']
    """
    *options, last = command[1 : len(command) - arguments]
    flags = options.pop() if last == _MODULE else last.removesuffix(_MODULE)
    return options if flags == "-m" else [*options, flags.removesuffix("m")]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
