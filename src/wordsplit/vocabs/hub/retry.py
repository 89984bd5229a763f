"""Retry with exponential backoff and jitter."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from wordsplit import log
from wordsplit.errors import DownloadError, WordsplitError
from wordsplit.vocabs.hub.download import TransientError

__all__ = ["with_retries"]

T = TypeVar("T")

TRIES = 5
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 60.0
"""The longest ``Retry-After`` of a server that is accepted, in seconds."""


def with_retries(work: Callable[[], T]) -> T:
    """Do the work, up to five times if it fails for transient reasons.

    If the server cannot be reached at all on the first try, there is no retry: the network is down or the name is
    wrong, and neither changes within seconds.

    Raises:
        DownloadError: It failed permanently.
    """
    for number in range(TRIES):
        after: float | None = None
        try:
            return work()
        except TransientError as error:
            failure: Exception = error
            after = error.after
            if error.unreachable and number == 0:
                raise
        except WordsplitError:
            raise
        except OSError as error:  # from a user's fetcher
            failure = error
        if number + 1 < TRIES:
            log.info("try %d of %d failed: %s", number + 1, TRIES, failure)
            pause = FIRST_PAUSE * 2**number * random.uniform(0.5, 1.5) if after is None else after  # noqa: S311
            time.sleep(min(pause, LONGEST_PAUSE))
    raise DownloadError(f"{failure} (tried {TRIES} times)") from failure
