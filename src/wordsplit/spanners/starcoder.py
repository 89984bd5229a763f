"""The scanner of scheme ``starcoder``: StarCoder and others: each digit alone, then GPT-2."""

from wordsplit.spanners._scheme import SchemeSpanner

__all__ = ["StarCoder"]


class StarCoder(SchemeSpanner):
    """StarCoder and others: each digit alone, then GPT-2.

    The kernel and its pattern: ``native/include/wordsplit/scanners/starcoder.hpp``.
    """

    scheme = "starcoder"


plugin = StarCoder
