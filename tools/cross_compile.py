"""Compiles the native module for other systems, by clang and the C and C++ libraries that PyPI's `ziglang` holds.

    python tools/cross_compile.py [--no-link] [TARGET ...]

This shows that the sources compile and link there; nothing runs. The headers of Python are those of the running one,
whose pyconfig.h describes this system: `pyconfig_of_windows` corrects what differs on Windows, and there the names that
the module uses are put into an import library in place of Python's own. Warnings are errors. Results are in
build/cross.
"""

import argparse
import os
import re
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nanobind

ROOT = Path(__file__).parent.parent
TARGETS = {
    "aarch64-linux-gnu.2.28": [],
    "aarch64-linux-musl": [],
    # Python's symbols are found when the module is loaded.
    "aarch64-macos": ["-undefined", "dynamic_lookup"],
    "x86_64-macos": ["-undefined", "dynamic_lookup"],
    "x86_64-windows-gnu": [],
}


def zig(*arguments: object) -> None:
    command = [sys.executable, "-m", "ziglang", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")


def pyconfig_of_windows(folder: Path) -> Path:
    """Write a pyconfig.h that corrects this system's where Windows differs; return its path."""
    own = Path(sysconfig.get_config_h_filename())
    values = {"SIZEOF_LONG": "4", "ALIGNOF_LONG": "4", "SIZEOF_WCHAR_T": "2", "SIZEOF_PID_T": "4"}
    values |= dict.fromkeys(("MS_WINDOWS", "MS_WIN32", "MS_WIN64", "NT_THREADS", "HAVE_DECLSPEC_DLL"), "")
    values |= {"Py_ENABLE_SHARED": "1"}  # imports what is Python's
    absent = re.findall(r"^#define (HAVE_\w+|_POSIX_THREADS|Py_DEBUG)\b", own.read_text(), re.MULTILINE)
    lines = [f'#include "{own}"']
    lines += [f"#undef {name}" for name in (*values, *absent)]
    lines += [f"#define {name} {value}".rstrip() for name, value in values.items()]
    corrected = folder / "pyconfig.h"
    corrected.write_text("\n".join(lines) + "\n")
    return corrected


def import_library(objects: list[Path], folder: Path) -> Path:
    """Make an import library of the names that the objects import from Python."""
    names = sorted({name for path in objects for name in re.findall(rb"__imp_(_?Py\w+)", path.read_bytes())})
    dll = f"python{sys.version_info.major}{sys.version_info.minor}"
    definitions = folder / f"{dll}.def"
    definitions.write_text(f"LIBRARY {dll}.dll\nEXPORTS\n" + "".join(f"  {name.decode()}\n" for name in names))
    library = folder / f"lib{dll}.a"
    zig("dlltool", "-m", "i386:x86-64", "-d", definitions, "-l", library)
    return library


def compile_sources(target: str, pool: ThreadPoolExecutor) -> list[Path]:
    """Compile the module's sources for a target; return the objects."""
    windows = "windows" in target
    folder = ROOT / "build/cross" / target
    folder.mkdir(parents=True, exist_ok=True)
    bound = Path(nanobind.__file__).parent
    headers = [bound / "include", bound / "ext/robin_map/include", sysconfig.get_path("include")]
    flags = ["-target", target, "-std=c++20", "-fvisibility=hidden", "-g0", "-fno-sanitize=all"]
    flags += [] if windows else ["-fPIC"]
    flags += [f"-isystem{path}" for path in headers]
    if windows:
        flags += ["-include", str(pyconfig_of_windows(folder))]  # before Python's own, which is then skipped
    strict = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-command-line-argument"]  # zig passes some of its own
    own = [*strict, "-DWORDSPLIT_BUILD=0", f"-I{ROOT / 'native/include'}"]
    foreign = ["-w", "-fno-strict-aliasing"]  # as nanobind compiles itself

    def compile_one(source: Path) -> Path:
        made = folder / f"{source.stem}.o"
        zig("c++", *flags, *(own if ROOT in source.parents else foreign), "-c", source, "-o", made)
        return made

    sources = [bound / "src/nb_combined.cpp", *sorted((ROOT / "native/bindings").glob("*.cpp"))]
    return list(pool.map(compile_one, sources))


def link_module(target: str, objects: list[Path]) -> Path:
    """Link the objects to the module; return its path. First, zig compiles the target's C and C++ libraries."""
    folder = objects[0].parent
    windows = "windows" in target
    libraries = [import_library(objects, folder)] if windows else []
    module = folder / ("_native.pyd" if windows else "_native.so")
    zig("c++", "-target", target, "-shared", *TARGETS[target], *objects, *libraries, "-o", module)
    return module


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--no-link", action="store_true", help="only compile")
    arguments = parser.parse_args()
    chosen = arguments.targets or list(TARGETS)
    if unknown := set(chosen) - set(TARGETS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    os.environ.setdefault("ZIG_GLOBAL_CACHE_DIR", str(ROOT / "build/cross/cache"))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for target in chosen:
            objects = compile_sources(target, pool)
            made = f"{len(objects)} objects" if arguments.no_link else link_module(target, objects).relative_to(ROOT)
            print(f"{target}: {made}", flush=True)


if __name__ == "__main__":
    main()
