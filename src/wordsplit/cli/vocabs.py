"""``wordsplit vocabs``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wordsplit.cli._json import emit_json, json_option
from wordsplit.cli._output import write_line

if TYPE_CHECKING:
    from wordsplit.vocabs.catalog import CatalogEntry, RemoteEntry

__all__ = ["command"]


@click.command("vocabs")
@click.option("--aliases", is_flag=True, help="Show the aliases of each.")
@json_option
def command(aliases: bool, as_json: str | None) -> None:
    """List the named vocabs.

    \b
    Examples:
      wordsplit vocabs
      wordsplit vocabs --aliases
      wordsplit vocabs --json
    """
    from wordsplit.vocabs import catalog  # noqa: PLC0415 - --help must not wait for it

    for name in catalog.names():
        entry = catalog.find(name)
        shown = [*entry.aliases, *(f"{p}*" for p in getattr(entry, "prefixes", ()))]
        where = _where(entry)
        if as_json:
            size = getattr(entry, "n_vocab", None)
            row = {"name": name, "n_vocab": size, "description": entry.description, "aliases": shown, "where": where}
            emit_json(row)
        else:
            size = getattr(entry, "n_vocab", "")
            others = f"  ({', '.join(shown)})" if aliases else ""
            write_line(f"{name:<29}{size:>7}  {entry.description}{'' if where == 'package' else f', {where}'}{others}")


def _where(entry: CatalogEntry | RemoteEntry) -> str:
    """Return where a vocab comes from."""
    from wordsplit.vocabs.catalog import BundledEntry, RemoteEntry  # noqa: PLC0415 - as above

    if isinstance(entry, RemoteEntry):
        notes = [name for name, on in (("gated", entry.gated), ("unpinned", not entry.pinned)) if on]
        return f"hf:{entry.repo}" + (f" [{', '.join(notes)}]" if notes else "")
    return "package" if isinstance(entry, BundledEntry) else "plug-in"
