"""The scanner of scheme ``qwen2``: Qwen 2, 2.5 and 3."""

from wordsplit.spanners._scheme import SchemeSpanner

__all__ = ["Qwen2"]


class Qwen2(SchemeSpanner):
    """Qwen 2, 2.5 and 3.

    The kernel and its pattern: ``native/include/wordsplit/scanners/qwen2.hpp``.
    """

    scheme = "qwen2"


plugin = Qwen2
