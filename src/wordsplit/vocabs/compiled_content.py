"""The content of a compiled file: the tables of a vocab, to be used in place, and a description in JSON.

A file of the compiled cache belongs to one build of wordsplit. A portable one, with the extension ``.ws``, can be read
by all with the same version of the format, on any machine, and by the JavaScript package.

A model other than byte-level BPE is also described in the JSON. Its own tables follow, after at least one byte 0 as
padding to the next multiple of 64. A portable file also has everything that the core needs to encode texts of such a
vocab (`wordsplit.engine.portable`): the character maps and the rules in steps, after those tables.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

from wordsplit import _native
from wordsplit.added_list import AddedTokenList
from wordsplit.errors import UnsupportedVocabError
from wordsplit.missing_bytes import MissingBytes
from wordsplit.model import ByteLevelBPE
from wordsplit.model.native import native_tables_and_merges
from wordsplit.patterns.components import splits_by_character
from wordsplit.rules import Decode, Normalize, Split, Step, rewriting_steps, step_of
from wordsplit.tables import MergeList, TokenTable
from wordsplit.vocab import Vocab
from wordsplit.vocabs.compiled_model import ALIGN, padded, read_model, write_model
from wordsplit.vocabs.json_tree import Node
from wordsplit.vocabs.lengths import read_padding, read_truncation, written_padding, written_truncation
from wordsplit.vocabs.pair_template import read_pair_template, written_pair_template

__all__ = ["CompiledContent", "compiled"]

# The fields of a vocab that are stored as arrays, or derived from these.
_PACKED = frozenset({"model", "tokens", "merges", "added_tokens"})
_OF_BYTE_LEVEL = frozenset({"ignore_merges", "unreachable_ids", "merges_are_live", "missing_bytes"})
# Written only if there is something, as files did without them.
_SELDOM = frozenset({"pair_template", "truncation", "padding", "notes"})
_END = re.compile(b"\0")


def compiled(vocab: Vocab, more: dict[str, Any], *, portable: bool = False) -> bytes:
    """Return the content of a compiled file.

    Args:
        vocab: The vocab.
        more: Additional fields of the description.
        portable: Whether every build must be able to read it. Such a file does not say where the vocab came from.

    Raises:
        VocabFormatError: The merges do not fit the tokens.
        UnsupportedVocabError: There are no native tables of the model.
    """
    values = _to_json(vocab.replace(source="", notes=()) if portable else vocab)
    description = more | {"vocab": values, "has_explicit_merges": vocab.has_explicit_merges}
    added, own = vocab.added_tokens, b""
    if not vocab.has_native_model:
        raise UnsupportedVocabError(
            f"the native core cannot run this {type(vocab.model).__name__}, and a compiled file holds its tables",
            file=vocab.source,
            field="model",
        )
    if isinstance(vocab.model, ByteLevelBPE):
        tables, merges = vocab.native_tables, vocab.merges
    else:
        tables, merges = native_tables_and_merges(vocab.model, vocab.space_mark.mark if vocab.space_mark else "")
        description["model"], own = write_model(vocab.model)
    if portable:
        from wordsplit.engine.portable import core_settings  # noqa: PLC0415 - the compiled cache does not need it

        if core := core_settings(vocab):
            # Readers that do not know rules must not find the settings without them.
            key = "core" if core.rules is None and core.scheme is None else "core_with_rules"
            parts = [*core.maps, *([] if core.rules is None else [core.rules])]
            places = _places(parts, len(own))
            description[key] = core.values | {"maps": places[: len(core.maps)]}
            if key == "core_with_rules":
                description[key] |= {"scheme": core.scheme, "rules": places[len(core.maps) :]}
            own += b"".join(map(padded, parts))
    elif automata := _automata(vocab):
        description["automata"] = automata
    text = json.dumps(description).encode()
    if own:
        text += bytes(ALIGN - len(text) % ALIGN) + own
    return _native.write_compiled(
        text,
        merges.flat,
        (added.blob, added.ends, added.ids, added.flags, None),
        tables,
        portable,
    )


def _places(parts: Sequence[bytes], at: int) -> list[list[int]]:
    """Return the place and the size of each of several parts, the first of which is at ``at``."""
    out = []
    for part in parts:
        out.append([at, len(part)])
        at += len(padded(part))
    return out


class CompiledContent:
    """The content of a compiled file, checked.

    Args:
        view: The file in memory that is aligned to 64 bytes and never changes.
        portable: Whether it is a portable file.

    Raises:
        ValueError: The file is damaged, or of another build.
    """

    def __init__(self, view: memoryview, *, portable: bool = False) -> None:
        self._file = _native.Compiled(view, portable)
        self._parts: list[memoryview] = [view[at : at + size] for at, size in self._file.ranges]

    @property
    def description(self) -> bytes:
        """The description, which is JSON."""
        end = _END.search(self._parts[0])
        return bytes(self._parts[0][: end and end.start()])

    def vocab(self, description: dict[str, Any], **changes: Any) -> Vocab:
        """Return the vocab, whose tables are views of the file.

        Args:
            description: The parsed description.
            **changes: Arguments of `Vocab`, instead of those in the description.
        """
        merges, blob, ends, ids, *added = self._parts[1:]
        added_tokens = AddedTokenList(added[0], added[1].cast("I"), added[2].cast("I"), added[3], added[4].cast("I"))
        values = _from_json(description["vocab"])
        if "automata" in description:
            _remember(description["automata"], values["pre_tokenizer"])
        values |= changes
        if "model" in description:
            model = read_model(description["model"], self._own_tables())
            own_ids = model.token_table.ids.tobytes()
            if ids[: len(own_ids)] != own_ids:
                raise ValueError("has tables of another model")
            vocab = Vocab(model=model, added_tokens=added_tokens, **values)
            vars(vocab)["has_native_model"] = True  # a cached property
        else:
            flat = MergeList(merges.cast("I"))
            vocab = Vocab(
                tokens=TokenTable(blob, ends.cast("I"), ids.cast("I")),
                merges=flat if description["has_explicit_merges"] else None,
                added_tokens=added_tokens,
                **values,
            )
            vars(vocab.model)["merges"] = flat
        vocab.model.native_tables[vocab.space_mark.mark if vocab.space_mark else ""] = self._file.tables
        return vocab

    def _own_tables(self) -> memoryview:
        """Return the tables of the model that follow the description."""
        end = _END.search(self._parts[0])
        if end is None:
            raise ValueError("lacks the tables of the model")
        return self._parts[0][end.start() + ALIGN - end.start() % ALIGN :]


def _automata(vocab: Vocab) -> list[tuple[int, dict[str, Any]]]:
    """Return the automata of a vocab's pattern, each with the number of its step.

    None if it has a scanner, or splits at single characters: few texts need those, and to read them takes longer than
    to make them. None of steps that join matches, for which the core has others
    (`wordsplit.patterns.compiled.runs_of`).
    """
    if splits_by_character(vocab.pre_tokenizer):
        return []
    from wordsplit.patterns.compiled import automaton_of  # noqa: PLC0415 - few vocabs need the compiler
    from wordsplit.patterns.stored import automaton_to  # noqa: PLC0415 - as above
    from wordsplit.spanners import scanner_of  # noqa: PLC0415 - a load from the cache does not need it

    begin = rewriting_steps(vocab.pre_tokenizer)
    steps = [(at, step) for at, step in enumerate(vocab.pre_tokenizer) if at >= begin and isinstance(step, Split)]
    if scanner_of(vocab) is not None or any(step.byte_level for _, step in steps):
        return []
    try:
        return [
            (at, automaton_to(automaton_of(step, vocab.source))) for at, step in steps if step.behavior != "contiguous"
        ]
    except UnsupportedVocabError:
        return []  # the regex package is used


def _remember(automata: list[tuple[int, dict[str, Any]]], steps: Sequence[Step]) -> None:
    from wordsplit.patterns.compiled import remember  # noqa: PLC0415 - as above
    from wordsplit.patterns.stored import automaton_from  # noqa: PLC0415 - as above

    for at, automaton in automata:
        step = steps[at]
        if isinstance(step, Split):
            remember(step, automaton_from(automaton))


def _to_json(vocab: Vocab) -> dict[str, Any]:
    """Return the fields of a vocab, except tokens, merges and added tokens, as plain values."""
    normalizer, decoder = vocab.normalizer, vocab.decoder
    left_out = _PACKED if isinstance(vocab.model, ByteLevelBPE) else _PACKED | _OF_BYTE_LEVEL
    values = {field.name: getattr(vocab, field.name) for field in fields(vocab)}
    values |= {
        "pre_tokenizer": [asdict(step) for step in vocab.pre_tokenizer],
        "normalizer": [asdict(step) for step in normalizer] if isinstance(normalizer, tuple) else normalizer,
        "decoder": None if decoder is None else [asdict(step) for step in decoder],
        "unreachable_ids": sorted(vocab.unreachable_ids),
        "pair_template": written_pair_template(vocab.pair_template),
        "truncation": written_truncation(vocab.truncation),
        "padding": written_padding(vocab.padding),
        "missing_bytes": None if vocab.missing_bytes is None else asdict(vocab.missing_bytes),
    }
    left_out |= {name for name in _SELDOM if values[name] in (None, ())}
    return {name: value for name, value in values.items() if name not in left_out}


def _from_json(values: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `Vocab` that `_to_json` wrote."""
    normalizer, decoder = values["normalizer"], values["decoder"]
    missing = values.get("missing_bytes")
    of_byte_level = {} if missing is None else {"missing_bytes": MissingBytes(**missing)}
    return (
        values
        | of_byte_level
        | {
            "decoder": None if decoder is None else [Decode(**step) for step in decoder],
            "pre_tokenizer": [step_of(step) for step in values["pre_tokenizer"]],
            "normalizer": [Normalize(**step) for step in normalizer] if isinstance(normalizer, list) else normalizer,
            "pair_template": read_pair_template(Node(values.get("pair_template"), "", "pair_template")),
            "truncation": read_truncation(Node(values.get("truncation"), "", "truncation")),
            "padding": read_padding(Node(values.get("padding"), "", "padding")),
        }
    )
