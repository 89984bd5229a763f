"""The .tiktoken format: one line per token, with its bytes in base64 and its rank, which is its id.

The file holds neither a pattern nor special tokens. Both come from the catalog, if the file has
the name of a vocab there, or from the caller.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from wordsplit.atomic_file import write_atomically
from wordsplit.errors import UnsupportedVocabError, VocabFormatError
from wordsplit.model import ByteLevelBPE
from wordsplit.patterns.schemes import SCHEMES, pattern_steps
from wordsplit.tables import TokenTable
from wordsplit.vocab import MAX_ID, AddedToken, Split, Vocab
from wordsplit.vocabs.formats.base import (
    Loader,
    Overrides,
    Source,
    refuse_missing_bytes,
    require_byte_level,
    require_plain_decoder,
)

__all__ = ["TiktokenLoader", "parse_ranks", "save", "sorted_ranks", "steps_of"]

_LINE = re.compile(rb"([A-Za-z0-9+/]+={0,2}) ([0-9]{1,10})")


class TiktokenLoader(Loader):
    """Reader of .tiktoken files."""

    models: ClassVar[tuple[type, ...]] = (ByteLevelBPE,)

    def recognizes(self, source: Source) -> bool:
        """Check the extension, or the form of the first line."""
        return source.name.endswith(".tiktoken") or (
            _LINE.fullmatch(source.head(4096).split(b"\n")[0].rstrip(b"\r")) is not None
        )

    def load(self, source: Source, overrides: Overrides) -> Vocab:
        """Read a .tiktoken file; see `Loader.load`."""
        steps, added = _rules(source, overrides)
        tokens = parse_ranks(source.read(), source.label)
        taken = sorted(token.id for token in added if token.id in tokens)
        if taken:
            raise VocabFormatError("is already a token's id", file=source.label, field=f"special token id {taken[0]}")
        return Vocab(
            name=overrides.name or source.stem,
            tokens=tokens,
            merges=None,
            pre_tokenizer=steps,
            added_tokens=added,
            ignore_merges=True,
            eos_token_id=next((t.id for t in added if t.content == "<|endoftext|>"), None),
            source=source.label,
        )


def steps_of(pattern: str, source: str) -> tuple[Split, ...]:
    """Return the steps of a scheme or a regular expression, of which `tiktoken` drops the text between matches."""
    from wordsplit.patterns.coverage import matches_every_character  # noqa: PLC0415 - most files have a known pattern
    from wordsplit.patterns.syntax import parse  # noqa: PLC0415 - as above

    steps = pattern_steps(pattern, dialect="tiktoken")
    if steps != (Split(pattern, dialect="tiktoken"),) or matches_every_character(
        parse(pattern, "tiktoken", source=source)
    ):
        return steps
    return (Split(pattern, "removed", invert=True, dialect="tiktoken"),)


def _rules(source: Source, overrides: Overrides) -> tuple[tuple[Split, ...], list[AddedToken]]:
    from wordsplit.vocabs import catalog  # noqa: PLC0415 - the catalog reads a file that most loads do not need

    entry = catalog.find_bundled(source.path.stem) if source.path is not None else None
    added = [AddedToken(content, i) for content, i in overrides.special_tokens.items()]
    if overrides.pattern is not None:
        return steps_of(overrides.pattern, source.label), added
    if entry is None:
        raise UnsupportedVocabError(
            "a .tiktoken file holds no pattern: give pattern= a scheme's name "
            f"({', '.join(SCHEMES)}) or a regular expression",
            file=source.label,
            field="pattern",
        )
    return entry.steps, [*entry.added_tokens, *added]


def parse_ranks(data: bytes, label: str) -> Mapping[int, bytes]:
    """Return the tokens of a .tiktoken file by rank.

    Raises:
        VocabFormatError: A line is not base64 and a rank; a token or a rank occurs twice; or one of the 256
            single bytes is missing.
    """
    return sorted_ranks(data) or _ranks_by_line(data, label)


def sorted_ranks(data: bytes) -> TokenTable | None:
    """Return the tokens of a sound file in ascending order of ranks, read natively.

    For any other file, and in builds without the native module, return ``None``.
    """
    try:
        from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it
    except ImportError:
        return None
    found = _native.read_ranks(data, MAX_ID)
    return None if found is None else TokenTable.of_bytes(*found)


def _ranks_by_line(data: bytes, label: str) -> dict[int, bytes]:
    if data.startswith(b"\xef\xbb\xbf"):
        raise VocabFormatError("begins with a byte-order mark; save it without", file=label, field="line 1")
    tokens: dict[int, bytes] = {}
    lines = data.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, 1):
        rank, token = _entry(line.removesuffix(b"\r"), label, number)
        if rank in tokens:
            raise VocabFormatError(f"rank {rank} occurs twice", file=label, field=f"line {number}")
        tokens[rank] = token
    seen = set(tokens.values())
    if len(seen) < len(tokens):
        counted: dict[bytes, int] = {}
        for number, (rank, token) in enumerate(tokens.items(), 1):
            if token in counted:
                raise VocabFormatError(
                    f"token {token!r:.60} occurs twice, as rank {counted[token]} and {rank}",
                    file=label,
                    field=f"line {number}",
                )
            counted[token] = rank
    lacking = [byte for byte in range(256) if bytes([byte]) not in seen]
    if lacking:
        raise VocabFormatError(
            f"{len(lacking)} of the 256 single bytes are missing, 0x{lacking[0]:02X} the first; the file is cut short "
            "or not a byte-level vocab",
            file=label,
            field=f"line {len(tokens) + 1}",
        )
    return tokens


def _entry(line: bytes, label: str, number: int) -> tuple[int, bytes]:
    """Parse the rank and the token of a line."""
    field = f"line {number}"
    match = _LINE.fullmatch(line)
    if match is None:
        raise VocabFormatError(f"not 'base64 rank': {line[:60]!r}", file=label, field=field)
    try:
        token = base64.b64decode(match[1], validate=True)
    except binascii.Error as error:
        raise VocabFormatError(f"not base64 ({error}): {match[1][:60]!r}", file=label, field=field) from None
    if base64.b64encode(token) != match[1]:
        raise VocabFormatError(
            f"not base64 as it is written (bits left over): {match[1][:60]!r}", file=label, field=field
        )
    rank = int(match[2])
    if rank > MAX_ID:
        raise VocabFormatError(f"rank {rank} is above {MAX_ID}", file=label, field=field)
    return rank, token


def save(vocab: Vocab, path: str | os.PathLike[str]) -> None:
    """Write the base tokens of a vocab as a .tiktoken file. Added tokens and the pattern are not in the format.

    Raises:
        UnsupportedVocabError: The vocab's ranks are not its ids, so the file would give other ids; or it is decoded in
            steps.
    """
    require_byte_level(vocab, path, ".tiktoken")
    require_plain_decoder(vocab, path, ".tiktoken")
    refuse_missing_bytes(vocab, path, ".tiktoken")
    from wordsplit.merges import derive_merges  # noqa: PLC0415 - few programs write files

    if vocab.has_explicit_merges:
        derived = list(derive_merges(vocab.tokens, vocab.unreachable_ids))
        whole = vocab.ignore_merges or len(derived) + 256 == vocab.n_base
        if not whole or derived != vocab.merge_tables.live_merges(vocab.ids_by_bytes):
            raise UnsupportedVocabError(
                f"{vocab.name}'s merges are not those that its ids imply, which .tiktoken cannot express; "
                "use save_tokenizer_json",
                file=str(path),
            )
    lines = [base64.b64encode(token) + b" %d\n" % i for i, token in vocab.tokens.items()]
    write_atomically(Path(path), b"".join(lines))


plugin = TiktokenLoader
