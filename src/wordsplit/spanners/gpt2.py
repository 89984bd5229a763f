"""The scanner of scheme ``gpt2``: GPT-2, r50k_base and p50k_base."""

from wordsplit.spanners._scheme import SchemeSpanner

__all__ = ["Gpt2"]


class Gpt2(SchemeSpanner):
    """GPT-2, r50k_base and p50k_base.

    The kernel and its pattern: ``native/include/wordsplit/scanners/gpt2.hpp``.
    """

    scheme = "gpt2"


plugin = Gpt2
