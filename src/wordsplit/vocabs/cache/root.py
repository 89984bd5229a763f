"""The default cache folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from wordsplit.arguments import absolute_path
from wordsplit.errors import OptionsError

__all__ = ["default_root"]


def default_root() -> Path:
    """Return the user's cache folder: ``WORDSPLIT_CACHE_DIR``, or else the platform's folder for caches.

    Raises:
        OptionsError: The user has no home folder.
        FileNotFoundError: The variable is a relative path, and the working folder has been deleted.
    """
    named = os.environ.get("WORDSPLIT_CACHE_DIR")
    if named:
        # Where there is no home folder, ``~`` remains.
        return Path(absolute_path(os.path.expanduser(named)))  # noqa: PTH111
    home = os.environ.get("HOME", "")
    if sys.platform == "linux" and home.startswith("/") and not {"XDG_CACHE_HOME", "ANDROID_DATA"} & os.environ.keys():
        return Path(home, ".cache", "wordsplit")  # the same as platformdirs, whose import takes 5 ms
    from platformdirs import user_cache_path  # noqa: PLC0415 - as above

    try:
        return user_cache_path("wordsplit", appauthor=False)
    except RuntimeError as error:
        raise OptionsError(f"there is no place for a cache ({error}); name one with WORDSPLIT_CACHE_DIR") from None
