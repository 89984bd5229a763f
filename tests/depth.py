"""How deep the tests go: ``WORDSPLIT_TESTS`` is ``quick``, ``full`` or ``long``.

* ``quick`` is what a newcomer waits for, and the default (``make test``).
* ``full`` is what a change must pass to be merged (``make test-all``).
* ``long`` are the campaigns that take hours (``make test-long``).

A test marked ``full`` or ``long`` is skipped at lesser depths.
"""

import os

LEVELS = ("quick", "full", "long")
LEVEL = os.environ.get("WORDSPLIT_TESTS", "quick")
assert LEVEL in LEVELS, f"WORDSPLIT_TESTS={LEVEL!r}: use one of {', '.join(LEVELS)}"


def by_depth(quick, full, long):
    """The value for the depth at hand, such as a number of random strings or a length."""
    return {"quick": quick, "full": full, "long": long}[LEVEL]
