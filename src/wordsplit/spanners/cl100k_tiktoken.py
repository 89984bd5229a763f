"""The scanner of scheme ``cl100k_tiktoken``: cl100k_base, in tiktoken's spelling."""

from wordsplit.spanners._scheme import SchemeSpanner

__all__ = ["Cl100kTiktoken"]


class Cl100kTiktoken(SchemeSpanner):
    """cl100k_base, in tiktoken's spelling.

    The kernel and its pattern: ``native/include/wordsplit/scanners/cl100k_tiktoken.hpp``.
    """

    scheme = "cl100k_tiktoken"


plugin = Cl100kTiktoken
