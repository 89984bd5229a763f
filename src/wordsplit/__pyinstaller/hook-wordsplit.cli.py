"""Modules of `wordsplit.cli` that are imported by their names."""

from PyInstaller.utils.hooks import collect_submodules

hiddenimports = collect_submodules("wordsplit.cli")
