"""The scanner of scheme ``tekken``: Mistral's tekken."""

from wordsplit.spanners._scheme import SchemeSpanner

__all__ = ["Tekken"]


class Tekken(SchemeSpanner):
    """Mistral's tekken.

    The kernel and its pattern: ``native/include/wordsplit/scanners/tekken.hpp``.
    """

    scheme = "tekken"


plugin = Tekken
