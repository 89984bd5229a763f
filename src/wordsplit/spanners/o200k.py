"""The scanner of scheme ``o200k``: o200k_base and o200k_harmony."""

from wordsplit.spanners._scheme import SchemeSpanner

__all__ = ["O200k"]


class O200k(SchemeSpanner):
    """o200k_base and o200k_harmony.

    The kernel and its pattern: ``native/include/wordsplit/scanners/o200k.hpp``.
    """

    scheme = "o200k"


plugin = O200k
