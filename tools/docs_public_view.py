"""Adapt what griffe reads from the sources for the API reference: an extension, named in mkdocs.yml."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^( *)Example:$", re.MULTILINE)
_IMPORTING = frozenset({"features", "hints"})
_DESCRIPTORS = frozenset({"Converted", "OfModel"})  # of wordsplit.fields


class PublicView(griffe.Extension):
    """Show what a user of the package sees, rather than how it is declared."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Read ``Example:`` as a section of examples; griffe knows the plural alone."""
        if obj.docstring:
            obj.docstring.value = _EXAMPLE.sub(r"\1Examples:", obj.docstring.value)

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """Show types by their own names."""
        for annotation in (func.returns, *(parameter.annotation for parameter in func.parameters)):
            _shorten(annotation)

    def on_attribute(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """The same."""
        _shorten(attr.annotation)

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


def _shorten(annotation: str | griffe.Expr | None) -> None:
    """Leave out of an annotation the modules that import its types at run time (`wordsplit.hints`)."""
    if isinstance(annotation, griffe.ExprAttribute) and str(annotation.first) in _IMPORTING:
        kept = slice(1, None) if str(annotation.first) == "hints" else slice(-1, None)
        annotation.values[:] = annotation.values[kept]
    elif isinstance(annotation, griffe.Expr) and not isinstance(annotation, griffe.ExprName):
        for part in annotation.iterate(flat=False):
            _shorten(part)


def _descriptor(field: griffe.Attribute) -> tuple[list[Any], Any] | None:
    """The types given and kept, and the default, of a field that is a descriptor."""
    annotation, value = field.annotation, field.value
    if not (isinstance(annotation, griffe.ExprSubscript) and str(annotation.left) in _DESCRIPTORS):
        return None
    types = annotation.slice.elements if isinstance(annotation.slice, griffe.ExprTuple) else []
    arguments = value.arguments if isinstance(value, griffe.ExprCall) else []
    default = arguments[1] if str(annotation.left) == "Converted" and len(arguments) > 1 else "..."
    return list(types), default
