"""``wordsplit inspect``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from wordsplit.cli._common import complete_vocab, file_options, vocab_of
from wordsplit.cli._json import emit_json, json_option
from wordsplit.cli._output import write, write_line
from wordsplit.errors import OptionsError, UnsupportedVocabError
from wordsplit.palette import shortened
from wordsplit.vocab import Split, Vocab, kind_of

if TYPE_CHECKING:
    from wordsplit.features.pattern_report import PatternReport

__all__ = ["command"]


@click.command("inspect")
@click.argument("vocab", default="qwen3", metavar="[NAME|FILE]", shell_complete=complete_vocab)
@file_options
@json_option
@click.option("--explain-pattern", is_flag=True, help="Explain the pattern, and show its compiled form.")
@click.option("--dot", is_flag=True, help="Print the automaton of each step as a graph for Graphviz.")
def command(vocab: str, as_json: str | None, explain_pattern: bool, dot: bool, **how: str | None) -> None:
    """Describe a vocab: its sizes, pattern, normalizer and special tokens.

    --explain-pattern shows which spanner finds the spans, and why; the automaton and character classes of each step;
    and the branches of its pattern in order of preference, in English, with examples from a small text.

    --dot prints a digraph of each automaton in Graphviz's language. Bold edges end a match before the character that
    they consume; $ is the end of the text.

    \b
    Examples:
      wordsplit inspect qwen3
      wordsplit inspect ./tokenizer.json --json
      wordsplit inspect model.gguf --pre qwen2
      wordsplit inspect hf:owner/repo@main:model.Q4_K_M.gguf
      wordsplit inspect --explain-pattern gpt-4o
      wordsplit inspect --explain-pattern --json ./tokenizer.json
      wordsplit inspect --dot qwen3 | dot -Tsvg -o pattern.svg
    """
    if dot and (explain_pattern or as_json):
        raise OptionsError("--dot prints graphs only: leave out --explain-pattern and --json")
    described = vocab_of(vocab, **how)
    if dot:
        _write_graphs(_report(described))
    elif as_json:
        emit_json(_report_as_json(_report(described)) if explain_pattern else describe(described))
    elif explain_pattern:
        _write_report(_report(described))
    else:
        _write_facts(describe(described))


def _report(vocab: Vocab) -> PatternReport:
    from wordsplit.features.pattern_report import pattern_report  # noqa: PLC0415 - --help must not wait for it

    return pattern_report(vocab)


def _write_added_tokens(tokens: list[dict[str, Any]]) -> None:
    write_line(f"{'added_tokens':<16}{len(tokens)}")
    for token in tokens[:40]:
        flags = " ".join(name for name, on in token.items() if on is True)
        write_line(f"{'':<16}{token['id']:>8}  {json.dumps(token['content'], ensure_ascii=False)}  {flags}")
    if len(tokens) > 40:
        write_line(f"{'':<16}… and {len(tokens) - 40} more (--json shows all)")


def _write_facts(facts: dict[str, Any]) -> None:
    reason = facts.pop("not_compiled")
    for key, value in facts.items():
        if key == "added_tokens":
            _write_added_tokens(value)
        elif key == "chat_template":
            write_line(f"{key:<16}{'none' if value is None else f'{len(value)} characters (--json shows it)'}")
        elif key == "decoder" and value is not None:
            write_line(f"{key:<16}{', '.join(map(_decoding, value)) or 'joins the spellings of tokens'}")
        elif key in ("model", "truncation", "padding") and value is not None:
            write_line(f"{key:<16}" + ", ".join(f"{name}={parameter!r}" for name, parameter in value.items()))
        elif key == "pair_template" and value is not None:
            write_line(f"{key:<16}{' '.join(map(_pair_part, value))}")
        elif key == "spanner":
            write_line(f"{key:<16}{_spanner(value, reason)}")
        elif key == "pre_tokenizer":
            write_line(f"{key:<16}" + f"\n{'':<16}".join(map(_step, value)))
        else:
            write_line(f"{key:<16}{'none' if value is None else value}")


def _pair_part(part: dict[str, Any]) -> str:
    return f"{part['text'] or ','.join(map(str, part['ids']))}:{part['type_id']}"


def _write_graphs(report: PatternReport) -> None:
    """Write the graph of each step.

    Raises:
        UnsupportedVocabError: A step has none.
    """
    for step in report.steps:
        if step.obstacle:
            raise UnsupportedVocabError(f"no graph of step {step.number}: {step.obstacle}")
    for step in report.steps:
        write(step.dot())


def _report_as_json(report: PatternReport) -> dict[str, Any]:
    from dataclasses import asdict, replace  # noqa: PLC0415 - as above

    # The tables are not for readers.
    facts = asdict(replace(report, steps=tuple(replace(step, automaton=None) for step in report.steps)))
    for step in facts["steps"]:
        del step["automaton"]
    return facts


def _spanner(name: str | None, reason: str | None) -> str:
    return f"{name or 'none'}{f': {reason}' if reason else ''}"


def _on_a_line(pattern: str) -> str:
    return pattern.replace("\n", "\\n").replace("\r", "\\r")


def _write_report(report: PatternReport) -> None:
    write_line(f"{'name':<16}{report.name}")
    write_line(f"{'spanner':<16}{_spanner(report.spanner, report.reason)}")
    for step in report.steps:
        notes = [step.behavior, *(name for name in ("invert", "literal", "byte_level") if getattr(step, name))]
        write_line()
        write_line(f"step {step.number:<11}{_on_a_line(step.pattern)}")
        write_line(f"{'behavior':<16}{', '.join(notes)}")
        write_line(f"{'dialect':<16}{step.dialect}")
        if step.obstacle:
            write_line(f"{'automaton':<16}none: {step.obstacle}")
        else:
            ahead = ", and a walk back that looks ahead by several characters" if step.looks_ahead else ""
            write_line(f"{'automaton':<16}{step.states} states, {len(step.classes)} character classes{ahead}")
        for each in step.classes:
            more = " …" if each.size > len(each.examples) else ""
            write_line(f"{'':<10}{each.number:>4}  {each.size:>9,}  {'  '.join(each.examples)}{more}")
        write_line("branches, the preferred first")
        for number, branch in enumerate(step.branches, 1):
            spelling = "(no spelling)" if branch.pattern is None else _on_a_line(branch.pattern)
            write_line(f"{number:>14}  {spelling}{'' if branch.as_written else '  (from the syntax tree)'}")
            write_line(f"{'':<16}{branch.description}")
            if branch.examples:
                examples = (json.dumps(text, ensure_ascii=False) for text in branch.examples)
                write_line(f"{'':<16}{'  '.join(examples)}")


def describe(vocab: Vocab) -> dict[str, Any]:
    """Return a description of a vocab, without its tokens and merges."""
    from dataclasses import asdict  # noqa: PLC0415 - --help must not wait for it

    from wordsplit.features.pattern_report import spanner_of  # noqa: PLC0415 - as above
    from wordsplit.patterns.schemes import scheme_name  # noqa: PLC0415 - as above

    has_pattern = any(isinstance(step, Split) for step in vocab.pre_tokenizer)
    spanner, reason = spanner_of(vocab) if has_pattern else (None, None)
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
        "spanner": spanner,
        "not_compiled": reason,
        "pre_tokenizer": [asdict(step) for step in vocab.pre_tokenizer],
        "normalizer": _normalizer(vocab),
        "ignore_merges": vocab.ignore_merges,
        "model": _parameters(vocab) or None,
        "decoder": None if vocab.decoder is None else [asdict(step) for step in vocab.decoder],
        "prefix_ids": list(vocab.prefix_ids) or None,
        "suffix_ids": list(vocab.suffix_ids) or None,
        "pair_template": vocab.pair_template and [asdict(part) for part in vocab.pair_template],
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
    """Format a decoding step with its arguments."""
    arguments = (repr(value) for name, value in fields.items() if name != "kind" and value)
    return " ".join([fields["kind"], *arguments])


def _step(fields: dict[str, Any]) -> str:
    """Format a pre-tokenization step on one line."""
    if "pattern" in fields:
        return f"{fields['behavior']}  {_on_a_line(fields['pattern'])}"
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
