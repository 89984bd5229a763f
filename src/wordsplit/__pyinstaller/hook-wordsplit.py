"""What PyInstaller does not see: the data files, and modules that are imported by their names, such as encoders.

Packages that only some programs import are left out, since they would bring pyarrow, transformers and others along.
"""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

_ON_DEMAND = ("__main__", "__pyinstaller", "cli", "compat", "corpus", "testing", "training", "transformers")

hiddenimports = collect_submodules("wordsplit", lambda name: name.split(".")[1:2] not in [[one] for one in _ON_DEMAND])
datas = collect_data_files("wordsplit")
