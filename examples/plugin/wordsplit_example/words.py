"""A spanner: white space, and what stands between."""

from __future__ import annotations

import re
from collections.abc import Iterable

from wordsplit.spanners import TextSpanner


class Words(TextSpanner):
    """Cuts at white space; a run of it is a span of its own."""

    def pieces(self, text: str) -> Iterable[str]:
        """The spans of ``text``."""
        return re.findall(r"\s+|\S+", text)
