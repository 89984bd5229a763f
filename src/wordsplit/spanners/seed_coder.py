"""The scanner of scheme ``seed_coder``: Seed-Coder."""

from wordsplit.spanners._scheme import SchemeSpanner

__all__ = ["SeedCoder"]


class SeedCoder(SchemeSpanner):
    """Seed-Coder.

    The kernel and its pattern: ``native/include/wordsplit/scanners/seed_coder.hpp``.
    """

    scheme = "seed_coder"


plugin = SeedCoder
