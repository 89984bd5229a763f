"""Hooks for PyInstaller, which finds them by the entry point ``pyinstaller40``: frozen programs need no options."""

from __future__ import annotations

__all__ = ["get_hook_dirs"]


def get_hook_dirs() -> list[str]:
    """Return the folders with hooks."""
    return __path__
