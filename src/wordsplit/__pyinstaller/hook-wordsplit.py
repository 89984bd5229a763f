"""What PyInstaller does not see: the data files, and modules that are imported by their names, such as encoders.

Packages that only some programs import are left out, since they would bring pyarrow, transformers and others along.
"""

from importlib.util import find_spec

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

_ON_DEMAND = ("__main__", "__pyinstaller", "cli", "compat", "corpus", "testing", "training", "transformers")

hiddenimports = collect_submodules("wordsplit", lambda name: name.split(".")[1:2] not in [[one] for one in _ON_DEMAND])
datas = collect_data_files("wordsplit")

_native = find_spec("wordsplit._native")  # which an editable install has elsewhere, and a pure-Python build has not
binaries = [(_native.origin, "wordsplit")] if _native else []
