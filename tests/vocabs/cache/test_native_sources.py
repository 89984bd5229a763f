"""The digest that binds compiled files to the native sources covers all that decide the tables."""

import hashlib
import re
from pathlib import Path

from wordsplit import _native

ROOT = Path(__file__).resolve().parents[3]
INCLUDE = ROOT / "native/include"
# As in CMakeLists.txt.
HASHED = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (*INCLUDE.rglob("*.hpp"), *(ROOT / "native/bindings").iterdir())
    if path.is_file()
)


def included_by(paths):
    """The sources that these include, and so on."""
    found, ahead = set(), list(paths)
    while ahead:
        path = ahead.pop()
        for name in re.findall(r'^#include "(.+)"', path.read_text(), re.MULTILINE):
            one = INCLUDE / name if (INCLUDE / name).exists() else path.parent / name
            assert one.exists(), f"{path} includes {name}"
            if one not in found:
                found.add(one)
                ahead.append(one)
    return found


def test_all_that_the_tables_depend_on_is_hashed():
    makers = [*(INCLUDE / "wordsplit/tables").glob("*.hpp"), *(ROOT / "native/bindings").glob("bind_*compiled.cpp")]
    makers += (ROOT / "native/bindings").glob("bind_vocab_tables.cpp")
    needed = {path.relative_to(ROOT).as_posix() for path in {*makers, *included_by(makers)}}
    assert "native/include/wordsplit/encoders/heap_merge.hpp" in needed  # it decides which tokens are made
    assert needed <= set(HASHED)


def test_the_digest_is_that_of_these_sources():
    rows = "".join(f"{name} {hashlib.sha256((ROOT / name).read_bytes()).hexdigest()}\n" for name in HASHED)
    digest = hashlib.sha256(rows.encode()).hexdigest()
    assert _native.layout_build() == int(digest[:15], 16), "the sources have changed: build the package again"
