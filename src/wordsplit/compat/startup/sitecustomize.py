# ruff: noqa: INP001 - a folder for PYTHONPATH, not a package
"""Install stand-ins in a child process of one that has them; see `wordsplit.compat.aliases`.

Python imports it at startup, because the parent put this folder on ``PYTHONPATH``.
"""

import importlib.machinery
import importlib.util
import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib takes 5 ms in every child
sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != _here]  # noqa: PTH100 - as above

if importlib.util.find_spec("wordsplit") is not None:  # not in a child that has another environment
    from wordsplit.compat.aliases import install_in_child

    install_in_child()

# The one that this one hides.
_spec = importlib.machinery.PathFinder.find_spec("sitecustomize")
if _spec is not None and _spec.loader is not None:
    _module = importlib.util.module_from_spec(_spec)
    sys.modules["sitecustomize"] = _module
    _spec.loader.exec_module(_module)
