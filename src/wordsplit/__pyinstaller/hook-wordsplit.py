"""What PyInstaller does not see: the data files, and modules that are imported by their names, such as encoders.

Packages that only some programs import are left out, since they would bring pyarrow, transformers and others along.
"""

from importlib.util import find_spec

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

_NAMES = ("__main__", "__pyinstaller", "cli", "compat", "corpus", "testing", "training", "transformers")
_ON_DEMAND = tuple(f"wordsplit.{name}" for name in _NAMES)

hiddenimports = collect_submodules("wordsplit", lambda name: not name.startswith(_ON_DEMAND))
datas = collect_data_files("wordsplit")

_native = find_spec("wordsplit._native")  # which an editable install has elsewhere, and a pure-Python build has not
binaries = [(_native.origin, "wordsplit")] if _native else []
