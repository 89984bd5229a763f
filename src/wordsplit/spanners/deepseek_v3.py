"""The scanner of scheme ``deepseek_v3``: DeepSeek V3 and R1: three splits, each within the former's."""

from wordsplit.spanners._scheme import SchemeSpanner

__all__ = ["DeepSeekV3"]


class DeepSeekV3(SchemeSpanner):
    """DeepSeek V3 and R1: three splits, each within the former's.

    The kernel and its pattern: ``native/include/wordsplit/scanners/deepseek_v3.hpp``.
    """

    scheme = "deepseek_v3"


plugin = DeepSeekV3
