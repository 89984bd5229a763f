"""Adapt docstrings for the API reference: an extension of griffe, named in mkdocs.yml."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^( *)Example:$", re.MULTILINE)


class ExampleSections(griffe.Extension):
    """Read ``Example:`` as a section of examples; griffe knows the plural alone."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rename the section of one docstring."""
        if obj.docstring:
            obj.docstring.value = _EXAMPLE.sub(r"\1Examples:", obj.docstring.value)
