"""Adapt what griffe reads from the sources for the API reference: an extension, named in mkdocs.yml."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^( *)Example:$", re.MULTILINE)
_DESCRIPTORS = frozenset({"Converted", "OfModel"})  # of wordsplit.fields


class PublicView(griffe.Extension):
    """Show what a user of the package sees, rather than how it is declared."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Read ``Example:`` as a section of examples; griffe knows the plural alone."""
        if obj.docstring:
            obj.docstring.value = _EXAMPLE.sub(r"\1Examples:", obj.docstring.value)

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """Show fields that are descriptors with their types: the constructor's given, the attribute's kept."""
        members = [member for member in cls.members.values() if isinstance(member, griffe.Attribute)]
        fields = [member for member in members if member.annotation and "property" not in member.labels]
        if not any(_descriptor(field) for field in fields):
            return
        parameters = [griffe.Parameter("self", kind=griffe.ParameterKind.positional_or_keyword)]
        for field in fields:
            given, default = field.annotation, field.value
            found = _descriptor(field)
            if found:
                (given, field.annotation), default = found
            parameters.append(
                griffe.Parameter(field.name, annotation=given, default=default, kind=griffe.ParameterKind.keyword_only)
            )
        cls.set_member("__init__", griffe.Function("__init__", parameters=griffe.Parameters(*parameters)))


def _descriptor(field: griffe.Attribute) -> tuple[list[Any], Any] | None:
    """The types given and kept, and the default, of a field that is a descriptor."""
    annotation, value = field.annotation, field.value
    if not (isinstance(annotation, griffe.ExprSubscript) and str(annotation.left) in _DESCRIPTORS):
        return None
    types = annotation.slice.elements if isinstance(annotation.slice, griffe.ExprTuple) else []
    arguments = value.arguments if isinstance(value, griffe.ExprCall) else []
    default = arguments[1] if str(annotation.left) == "Converted" and len(arguments) > 1 else "..."
    return list(types), default
