"""The scanner of scheme ``kimi_k2``: Kimi K2."""

from wordsplit.spanners._scheme import SchemeSpanner

__all__ = ["KimiK2"]


class KimiK2(SchemeSpanner):
    """Kimi K2.

    The kernel and its pattern: ``native/include/wordsplit/scanners/kimi_k2.hpp``.
    """

    scheme = "kimi_k2"


plugin = KimiK2
