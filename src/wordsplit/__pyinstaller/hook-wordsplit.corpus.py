"""Modules of `wordsplit.corpus` that are imported by their names."""

from PyInstaller.utils.hooks import collect_submodules

hiddenimports = collect_submodules("wordsplit.corpus")
