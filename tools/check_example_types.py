"""Check the types of the documentation's examples: `mypy --strict` on a program made of each page.

    python tools/check_example_types.py

A page's doctest examples, in order, are the program; there is no second copy of them. An example that is there to
fail is left out. Exits with what mypy does.
"""

from __future__ import annotations

import doctest
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/*.md", "docs/api/*.md", "docs/cookbook/*.md")
# A page uses a name for one thing after another, and shows values by naming them. pyarrow has no types.
OPTIONS = (
    "--strict",
    "--allow-redefinition",
    "--disable-error-code=redundant-expr",
    "--disable-error-code=import-untyped",
    "--config-file=",
)


def program(page: pathlib.Path) -> str:
    """The examples of a page, as a module; line numbers are those of the page."""
    lines: list[str] = []
    for example in doctest.DocTestParser().get_examples(page.read_text(encoding="utf-8"), str(page)):
        if example.exc_msg is not None:
            continue
        lines += [""] * (example.lineno - len(lines))
        lines += example.source.splitlines()
    return "\n".join(lines) + "\n"


def main() -> int:
    """Check every page with examples."""
    with tempfile.TemporaryDirectory() as folder:
        made: list[str] = []
        for page in sorted({page for pattern in PAGES for page in ROOT.glob(pattern)}):
            source = program(page)
            if source.strip():
                name = "_".join(page.relative_to(ROOT).with_suffix("").parts).replace("-", "_")
                path = pathlib.Path(folder, f"{name}.py")
                path.write_text(source, encoding="utf-8")
                made.append(str(path))
        print(f"{len(made)} pages", flush=True)
        command = [sys.executable, "-m", "mypy", *OPTIONS, f"--cache-dir={ROOT / '.mypy_cache/examples'}", *made]
        return subprocess.run(command, cwd=ROOT / "src", check=False).returncode  # noqa: S603 - our own


if __name__ == "__main__":
    sys.exit(main())
