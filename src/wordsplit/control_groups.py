"""The limits that Linux's control groups set for this process, as containers and batch systems use them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

__all__ = ["limits"]

_GROUPS = Path("/proc/self/cgroup")
_MOUNT = Path("/sys/fs/cgroup")


def limits(controller: str, names: Sequence[str], first_names: Sequence[str]) -> Iterator[list[int]]:
    """Yield the numbers that each group of this process has in some files; nothing on other systems.

    Args:
        controller: What is limited, such as ``cpu``.
        names: The files. A group without a limit has a word there, and is left out.
        first_names: The same for the first version of control groups.
    """
    with suppress(OSError):  # not Linux
        for line in _GROUPS.read_text(errors="replace").splitlines():
            _, controllers, group = line.split(":", 2)
            if not controllers:
                folder, files = _MOUNT / group[1:], names
            elif controller in controllers.split(","):
                folder, files = _MOUNT / controller / group[1:], first_names
            else:
                continue
            for parent in (folder, *folder.parents):  # within a container, only a parent may be there
                with suppress(OSError, ValueError):  # no such file; or "max", which is no number
                    numbers = [int(word) for name in files for word in (parent / name).read_text().split()]
                    if numbers:
                        yield numbers
