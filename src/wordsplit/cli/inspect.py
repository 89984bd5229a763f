"""``wordsplit inspect``."""

from __future__ import annotations

import json
from typing import Any

import click

from wordsplit.cli._common import complete_vocab, file_options, vocab_of
from wordsplit.cli._json import emit_json, json_option
from wordsplit.cli._output import write_line
from wordsplit.palette import shortened
from wordsplit.vocab import Vocab, kind_of

__all__ = ["command"]


@click.command("inspect")
@click.argument("vocab", default="qwen3", metavar="[NAME|FILE]", shell_complete=complete_vocab)
@file_options
@json_option
def command(vocab: str, as_json: str | None, **how: str | None) -> None:
    """Describe a vocab: its sizes, pattern, normalizer and special tokens.

    \b
    Examples:
      wordsplit inspect qwen3
      wordsplit inspect ./tokenizer.json --json
      wordsplit inspect model.gguf --pre qwen2
      wordsplit inspect hf:owner/repo@main:model.Q4_K_M.gguf
    """
    facts = describe(vocab_of(vocab, **how))
    if as_json:
        emit_json(facts)
        return
    for key, value in facts.items():
        if key == "added_tokens":
            write_line(f"{key:<16}{len(value)}")
            for token in value[:40]:
                flags = " ".join(name for name, on in token.items() if on is True)
                write_line(f"{'':<16}{token['id']:>8}  {json.dumps(token['content'], ensure_ascii=False)}  {flags}")
            if len(value) > 40:
                write_line(f"{'':<16}… and {len(value) - 40} more (--json shows all)")
        elif key == "chat_template":
            write_line(f"{key:<16}{'none' if value is None else f'{len(value)} characters (--json shows it)'}")
        elif key == "decoder" and value is not None:
            write_line(f"{key:<16}{', '.join(map(_decoding, value)) or 'joins the spellings of tokens'}")
        elif key in ("model", "truncation", "padding") and value is not None:
            write_line(f"{key:<16}" + ", ".join(f"{name}={parameter!r}" for name, parameter in value.items()))
        elif key == "pre_tokenizer":
            write_line(f"{key:<16}" + f"\n{'':<16}".join(map(_step, value)))
        else:
            write_line(f"{key:<16}{'none' if value is None else value}")


def describe(vocab: Vocab) -> dict[str, Any]:
    """Return a description of a vocab, without its tokens and merges."""
    from dataclasses import asdict  # noqa: PLC0415 - --help must not wait for it

    from wordsplit.patterns.schemes import scheme_name  # noqa: PLC0415 - as above

    return {
        "name": vocab.name,
        "kind": kind_of(vocab),
        "source": vocab.source,
        "n_vocab": vocab.n_vocab,
        "tokens": len(vocab),
        "base_tokens": vocab.n_base,
        "merges": len(vocab.merges),
        "max_id": vocab.max_id,
        "scheme": scheme_name(vocab.pre_tokenizer),
        "pre_tokenizer": [asdict(step) for step in vocab.pre_tokenizer],
        "normalizer": _normalizer(vocab),
        "ignore_merges": vocab.ignore_merges,
        "model": _parameters(vocab) or None,
        "decoder": None if vocab.decoder is None else [asdict(step) for step in vocab.decoder],
        "prefix_ids": list(vocab.prefix_ids) or None,
        "suffix_ids": list(vocab.suffix_ids) or None,
        "bos_token_id": vocab.bos_token_id,
        "eos_token_id": vocab.eos_token_id,
        "pad_token_id": vocab.pad_token_id,
        "role_ids": vocab.role_ids or None,
        "chat_template": vocab.chat_template,
        "truncation": vocab.truncation and vocab.truncation.asdict(),
        "padding": vocab.padding and vocab.padding.asdict(),
        "fingerprint": vocab.fingerprint,
        "notes": list(vocab.notes) or None,
        "added_tokens": [asdict(token) for token in vocab.added_tokens],
    }


def _parameters(vocab: Vocab) -> dict[str, Any]:
    """Return the parameters of a model other than byte-level BPE, without its tables."""
    from dataclasses import fields  # noqa: PLC0415 - as above

    from wordsplit.model import ByteLevelBPE  # noqa: PLC0415 - as above

    if isinstance(vocab.model, ByteLevelBPE):
        return {}
    names = [each.name for each in fields(vocab.model) if each.name not in ("tokens", "explicit_merges", "scores")]  # type: ignore[arg-type]
    values = {name: getattr(vocab.model, name) for name in names}
    return {name: sorted(value) if isinstance(value, frozenset) else value for name, value in values.items()}


def _decoding(fields: dict[str, Any]) -> str:
    """Format a step of decoding with its arguments."""
    arguments = (repr(value) for name, value in fields.items() if name != "kind" and value)
    return " ".join([fields["kind"], *arguments])


def _step(fields: dict[str, Any]) -> str:
    """Format a pre-tokenization step on one line."""
    if "pattern" in fields:
        return f"{fields['behavior']}  {fields['pattern']}"
    return "  ".join(
        [
            fields["kind"],
            *(part for part in (fields["replacement"], fields["replacement"] and fields["prepend"]) if part),
        ]
    )


def _normalizer(vocab: Vocab) -> str | None:
    """Format the normalizer on one line: its steps with their arguments."""
    if vocab.normalizer is None or isinstance(vocab.normalizer, str):
        return vocab.normalizer
    return ", ".join(
        " ".join([step.kind, *(shortened(repr(part)) for part in (step.pattern, step.content) if part)])
        for step in vocab.normalizer
    )
