"""Check that the API reference is complete: `make docs` fails on a public name that is left out or undocumented.

    python tools/check_api_reference.py

Public are the names in ``__all__`` of the packages below. Each has a directive in ``docs/api``, such as
``::: wordsplit.Vocab``, and then a docstring of its own and for each of its public members; or, for what cannot have a
docstring, a description on one of these pages that gives its full name in backquotes. Nothing is imported: griffe reads
the sources, as it does for the site.
"""

from __future__ import annotations

import pathlib
import re
import sys
from collections.abc import Iterator

import griffe

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = (
    "wordsplit",
    "wordsplit.spanners",
    "wordsplit.encoders",
    "wordsplit.vocabs",
    "wordsplit.vocabs.catalog",
    "wordsplit.vocabs.cache",
    "wordsplit.vocabs.download",
    "wordsplit.features.compare",
    "wordsplit.training",
    "wordsplit.training.report",
    "wordsplit.corpus",
    "wordsplit.corpus.exports",
    "wordsplit.corpus.formats",
    "wordsplit.testing",
    "wordsplit.compat",
    "wordsplit.compat.errors",
    "wordsplit.compat.tiktoken",
    "wordsplit.compat.tiktoken.load",
    "wordsplit.compat.tokenizers",
    "wordsplit.transformers",
)


def faults() -> Iterator[str]:
    """What is missing, a line each."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs/api").glob("*.md")))
    generated = set(re.findall(r"^::: ([\w.]+)$", text, re.MULTILINE))
    described = set(re.findall(r"`([\w.]+)[^`\n]*`", text))
    root = griffe.load("wordsplit", search_paths=[ROOT / "src"], resolve_aliases=True)
    for package in PACKAGES:
        module = root[package.removeprefix("wordsplit").lstrip(".")] if package != "wordsplit" else root
        for name in module.exports or ():
            path, part = f"{package}.{name}", module[str(name)]
            if path in generated:
                yield from (f"{missing} has no docstring" for missing in _undocumented(path, part))
            elif path not in described and not (part.is_module and part.canonical_path in PACKAGES):
                yield f"{path} is missing from docs/api: add `::: {path}` to a page"


def _undocumented(path: str, part: griffe.Object | griffe.Alias) -> Iterator[str]:
    """The names among a part and its public members that have no docstring."""
    if not part.has_docstring:
        yield path
    if part.is_class:
        for name, member in part.all_members.items():
            # Fields are described in the docstring of their class.
            if not name.startswith("_") and not member.is_attribute and not member.has_docstring:
                yield f"{path}.{name}"


def main() -> int:
    """Print what is missing."""
    found = list(faults())
    print(*(found or [f"API reference: complete for {len(PACKAGES)} packages"]), sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
