"""``wordsplit chat``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Literal

import click

from wordsplit.cli._common import tokenizer_of, tokenizer_options
from wordsplit.cli._json import emit_json, json_option
from wordsplit.cli._output import write, write_line
from wordsplit.cli._texts import ask_for_input
from wordsplit.errors import ChatTemplateError, InputTypeError
from wordsplit.registry import nearest

__all__ = ["command"]

_GIVEN_BY = {
    "messages": "FILE",
    "tools": "--tools",
    "add_generation_prompt": "--generate",
    "template": "--template",
    "tokenize": "--text",
    "untrusted": "--untrusted",
}
"""Arguments of `Tokenizer.apply_chat_template` that are no variables."""


@click.command("chat")
@click.argument("file", default="-", metavar="[FILE]", type=click.Path())
@tokenizer_options
@click.option("--tools", metavar="FILE", help="JSON schemas of the tools.")
@click.option(
    "--template", metavar="NAME|FILE", help="Another template: the name of one in the vocab, or a Jinja file."
)
@click.option("--generate/--no-generate", default=False, help="End with the beginning of the assistant's answer.")
@click.option(
    "--untrusted",
    type=click.Choice(["no_added", "no_special"]),
    default="no_added",
    show_default=True,
    help="In messages, treat all added tokens as text, or only the special ones.",
)
@click.option(
    "--continue", "continued", is_flag=True, help="Leave the last message open so that the model continues it."
)
@click.option(
    "--set", "variables", multiple=True, metavar="NAME=VALUE", help="A template variable; the value is JSON or text."
)
@click.option("--text", "output", flag_value="text", help="Print the rendered text.")
@click.option("--ids", "output", flag_value="ids", default=True, help="Print the ids (the default).")
@click.option("--count", "output", flag_value="count", help="Print the number of ids.")
@json_option
def command(
    file: str,
    tools: str | None,
    template: str | None,
    generate: bool,
    untrusted: Literal["no_added", "no_special"],
    continued: bool,
    variables: tuple[str, ...],
    output: str,
    as_json: str | None,
    **named: str,
) -> None:
    """Render a chat with the model's template and print its ids. Added tokens come only from the template.

    FILE is JSON: a list of messages, or an object with "messages" and optionally "tools". '-' is standard input.
    Literals of added tokens in messages are text; see --untrusted.

    \b
    Examples:
      wordsplit chat messages.json
      wordsplit chat messages.json --count --generate
      wordsplit chat messages.json --text --tools tools.json --set enable_thinking=false
      echo '[{"role": "user", "content": "Hi"}]' | wordsplit chat
    """
    data = _json(file)
    chat: dict[str, Any] = data if isinstance(data, dict) else {"messages": data}
    messages: Any = chat.get("messages")
    given: Any = _json(tools) if tools else chat.get("tools")
    tok = tokenizer_of(**named)
    template = None if template is None else _template(template, tok.vocab.chat_templates)
    more: dict[str, Any] = dict(_variable(item) for item in variables)
    if continued:
        more["continue_final_message"] = True
    text = tok.apply_chat_template(messages, given, generate, tokenize=False, template=template, **more)
    if output == "text" and not as_json:
        write(text)
        return
    ids = tok.apply_chat_template(messages, given, generate, template=template, untrusted=untrusted, **more)
    if as_json:
        emit_json({"vocab": tok.vocab.name, "text": text, "count": len(ids), "ids": ids})
    else:
        write_line(len(ids) if output == "count" else " ".join(map(str, ids)))


def _json(name: str) -> Any:
    if name == "-":
        ask_for_input()
    text = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    try:
        return json.loads(text)
    except ValueError as error:
        raise InputTypeError(f"{name}: not JSON: {error}") from None
    except RecursionError:
        raise InputTypeError(f"{name}: JSON that is nested too deeply") from None


def _template(named: str, known: dict[str, str]) -> str:
    """Return a template by its name in the vocab, or from a file.

    Raises:
        ChatTemplateError: There is no such template or file.
    """
    if named in known:
        return known[named]
    try:
        return Path(named).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        has = nearest(named, known) if known else "The vocab has none."
        why = f" ({error.strerror})" if isinstance(error, PermissionError) else ""
        raise ChatTemplateError(f"no template and no file named {named!r:.200}{why}. {has}") from None


def _variable(item: str) -> tuple[str, Any]:
    name, equals, value = item.partition("=")
    if not equals:
        raise click.BadParameter(f"{item!r}: write NAME=VALUE", param_hint="--set")
    if name in _GIVEN_BY:
        raise click.BadParameter(f"{name!r} is given by {_GIVEN_BY[name]}", param_hint="--set")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
