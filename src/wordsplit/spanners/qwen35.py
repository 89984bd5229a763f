"""The scanner of scheme ``qwen35``: Qwen 3.5: marks go with letters."""

from wordsplit.spanners._scheme import SchemeSpanner

__all__ = ["Qwen35"]


class Qwen35(SchemeSpanner):
    """Qwen 3.5: marks go with letters.

    The kernel and its pattern: ``native/include/wordsplit/scanners/qwen35.hpp``.
    """

    scheme = "qwen35"


plugin = Qwen35
