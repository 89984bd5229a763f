"""Conformance checks for your own spanners and span encoders.

    >>> import wordsplit.testing
    >>> wordsplit.testing.check_spanner("gpt2", "gpt2", length=2) > 1000
    True
    >>> wordsplit.testing.check_encoder("heap_merge", seeds=range(3)) > 1000
    True

Each compares with the reference, and raises an `AssertionError` that shows the shortest failing input
and both results; so they work in any test framework, or none. wordsplit's own tests use them.
"""

from __future__ import annotations

from wordsplit.testing.cells import cells, representatives
from wordsplit.testing.encoders import check_encoder
from wordsplit.testing.spanners import check_spanner, steps_of
from wordsplit.testing.vocabs import random_spans, random_vocab

__all__ = ["cells", "check_encoder", "check_spanner", "random_spans", "random_vocab", "representatives", "steps_of"]
