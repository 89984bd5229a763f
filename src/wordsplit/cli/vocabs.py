"""``wordsplit vocabs``."""

from __future__ import annotations

import click

from wordsplit.cli._common import emit_json, json_option

__all__ = ["command"]


@click.command("vocabs")
@click.option("--aliases", is_flag=True, help="Show the other names of each.")
@json_option
def command(aliases: bool, as_json: bool) -> None:
    """List the vocabs that have a name.

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
        if as_json:
            size = getattr(entry, "n_vocab", None)
            emit_json({"name": name, "n_vocab": size, "description": entry.description, "aliases": shown})
        else:
            size = getattr(entry, "n_vocab", "")
            click.echo(f"{name:<16}{size:>8}  {entry.description}" + (f"  ({', '.join(shown)})" if aliases else ""))
