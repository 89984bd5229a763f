"""The scanner of scheme ``cl100k``: GPT-4 and Llama 3, in the spelling of tokenizer.json files."""

from wordsplit.spanners._scheme import SchemeSpanner

__all__ = ["Cl100k"]


class Cl100k(SchemeSpanner):
    """GPT-4 and Llama 3, in the spelling of tokenizer.json files.

    The kernel and its pattern: ``native/include/wordsplit/scanners/cl100k.hpp``.
    """

    scheme = "cl100k"


plugin = Cl100k
