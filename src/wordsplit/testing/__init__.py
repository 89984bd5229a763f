"""Conformance checks for those who write a spanner or a span encoder of their own.

    >>> import wordsplit.testing
    >>> wordsplit.testing.check_spanner("gpt2", "gpt2", length=2) > 1000
    True
    >>> wordsplit.testing.check_encoder("heap_merge", seeds=range(3)) > 1000
    True

Each compares with what defines the right answer, and raises an `AssertionError` that shows the shortest input that
differs, and both answers; so they fit into any test framework, or none. wordsplit's own tests are made of them.
"""

from __future__ import annotations

from wordsplit.testing.cells import cells, representatives
from wordsplit.testing.encoders import check_encoder
from wordsplit.testing.spanners import check_spanner, steps_of
from wordsplit.testing.vocabs import random_spans, random_vocab

__all__ = ["cells", "check_encoder", "check_spanner", "random_spans", "random_vocab", "representatives", "steps_of"]
