"""The first phase of training: count how often each span occurs.

    texts -> cut at added tokens -> normalize -> span -> counted, in memory
                                                              -> on disk, when that is full

Batches of texts go to the native core, which splits them into spans and counts these on all cores. If the pattern has
neither a scanner nor an automaton, the normalization is not NFC, or texts contain special tokens, an engine processes
them first. The counts do not depend on the order of the texts or the number of threads, because counts add up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from wordsplit import spanners
from wordsplit.engine.simd import simd_level
from wordsplit.errors import OptionsError
from wordsplit.features.cuts import Cuts
from wordsplit.rules import canonical, rewriting_steps
from wordsplit.spanners import require_native
from wordsplit.text import check, to_bytes
from wordsplit.tokenizer import TokenizerOptions
from wordsplit.training.counts_file import Run, spill

if TYPE_CHECKING:
    from wordsplit import _native
    from wordsplit.engine import Engine
    from wordsplit.vocab import Vocab

__all__ = ["Counts", "counted_by"]

_PART = 1 << 18  # characters of a long text that are counted at a time
_LONGEST = 1 << 30  # bytes of a text without cuts


class Counts:
    """Counted spans.

    Args:
        vocab: The vocab whose rules split the texts; only its added tokens matter, not its base tokens.
        threads: The number of threads.
        memory_limit: Bytes of memory. A sixth of them is for the tables of counts, which
            need the same amount again when they grow or are written to disk.

    Attributes:
        cuts: The positions where texts can be cut.
        memory_limit: The memory limit.
        n_texts: Texts counted.
        n_bytes: Their UTF-8 bytes, without added tokens.
        n_spans: Their spans.
    """

    def __init__(self, vocab: Vocab, threads: int, memory_limit: int) -> None:
        require_native(otherwise="")
        from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it

        self._literals = tuple(token.content for token in vocab.added_tokens)
        self._engine: Engine = TokenizerOptions().build(vocab)._engine  # noqa: SLF001 - what a tokenizer cuts with
        native = (
            vocab.normalizer in (None, "nfc")
            and not vocab.add_prefix_space
            and not rewriting_steps(vocab.pre_tokenizer)
            and not any(token.normalized for token in vocab.added_tokens)
        )
        spanner = spanners.get(self._engine.options.spanner)(vocab)
        self._finder = spanner.finder(simd_level()) if native else None
        self._nfc = vocab.normalizer == "nfc"
        self.cuts: Cuts = Cuts(vocab, self._engine.options.spanner)
        self.memory_limit = memory_limit
        self._most = memory_limit // 6  # a growing table needs the same amount again, and so does writing it to disk
        self._counter = _native.SpanCounter(threads)
        self._runs: list[Run] = []
        self.n_texts: int = 0
        self.n_bytes: int = 0
        self.n_spans: int = 0

    # Counting.

    def add(self, parts: list[str | bytes], n_texts: int) -> None:
        """Count parts of texts.

        Args:
            parts: The parts; a text may have several, cut at `cuts`.
            n_texts: The number of texts that begin in them.
        """
        if self._literals or self._finder is None:
            self._add_pieces(parts)
        else:
            self._add_native(parts, nfc=self._nfc)
        self.n_texts += n_texts
        if self._counter.memory > self._most:
            self._spill()

    def _add_native(self, parts: list[str | bytes], *, nfc: bool) -> None:
        assert self._finder is not None  # noqa: S101 - the callers have seen it
        try:
            found = self._counter.count_texts(self._finder, nfc, parts)
        except ValueError:  # one has lone surrogates, is too long, or is not a text
            parts = [to_bytes(check(part, "replace"), "replace") for part in parts]
            if max(map(len, parts)) >= _LONGEST:
                raise OptionsError(
                    "a text of 1 GiB or more has no position where it can be cut; pass it in parts"
                ) from None
            found = self._counter.count_texts(self._finder, nfc, parts)
        self.n_spans += found[0]
        self.n_bytes += found[1]

    def _add_pieces(self, parts: list[str | bytes]) -> None:
        plain: list[str | bytes] = []
        for part in parts:
            if self._finder is not None and not self._has_literal(part):
                plain.append(part)
                continue
            for piece in self._engine.pieces(check(part, "replace"), ()):
                if piece.token_id is None and piece.data:
                    self._add_piece(piece.data)
        if plain:
            self._add_native(plain, nfc=self._nfc)

    def _add_piece(self, data: bytes) -> None:
        if self._finder is not None:
            self._add_native([data], nfc=False)
            return
        ends = self._engine.span_ends(data)
        self._counter.add_spans(data, ends)
        self.n_spans += len(ends)
        self.n_bytes += len(data)

    def _has_literal(self, part: str | bytes) -> bool:
        if isinstance(part, bytes):
            return any(literal.encode() in part for literal in self._literals)
        return any(literal in part for literal in self._literals)

    def in_parts(self, texts: list[str | bytes]) -> list[str | bytes]:
        """Return texts, with long ones split into parts."""
        try:
            if max(map(len, texts)) <= 2 * _PART:
                return texts
        except TypeError:
            texts = [check(text, "replace") for text in texts]  # finds the item that is not a text
        return [part for text in texts for part in self.parts(text)]

    def parts(self, text: str | bytes) -> Iterator[str | bytes]:
        """Split a text into parts that can be counted separately, so that all threads can work on it."""
        start, size = 0, _PART
        while self.cuts.known and len(text) - start > 2 * size:
            cut = self.cuts.last(text, start, start + size)
            if cut is None:
                size *= 2
                continue
            yield text[start:cut]
            start, size = cut, _PART
        yield text[start:] if start else text

    # Results.

    @property
    def n_distinct(self) -> int:
        """Return the number of distinct spans. If counts are on disk, all of them are read."""
        if not self._runs:
            return len(self._counter)
        from wordsplit import _native  # noqa: PLC0415 - as above

        return _native.count_distinct(self.all_runs())

    def write_run(self, write: Callable[[bytes], Any]) -> None:
        """Write all counts as one run, by calls of ``write``."""
        from wordsplit import _native  # noqa: PLC0415 - as above

        if self._runs:
            _native.merge_runs(self.all_runs(), write)
        else:
            self._counter.write_run(write)

    @property
    def totals(self) -> dict[str, int]:
        """Return the numbers of texts, bytes and spans."""
        return {"n_texts": self.n_texts, "n_bytes": self.n_bytes, "n_spans": self.n_spans}

    def all_runs(self) -> list[Run]:
        """Return all counts as runs; counts in memory are moved to disk."""
        if len(self._counter):
            self._spill()
        return self._runs

    def as_runs(self) -> list[Run]:
        """Return all counts as runs; counts in memory also stay there."""
        return [*self._runs, *([spill(self._counter.write_run)] if len(self._counter) else [])]

    def take(self, runs: list[Run], totals: Mapping[str, int]) -> None:
        """Add counts that are on disk."""
        self._runs += runs
        self.n_texts += totals["n_texts"]
        self.n_bytes += totals["n_bytes"]
        self.n_spans += totals["n_spans"]

    def feed(self, merger: _native.Merger, most_bytes: int) -> tuple[int, int]:
        """Give the spans to a merger.

        Returns:
            The number of spans left out because the others take ``most_bytes``, and the highest count among them.
        """
        if not self._runs and self._counter.n_bytes <= most_bytes:
            merger.take_counts(self._counter)
            return 0, 0
        return merger.take_runs(self.all_runs(), most_bytes)

    def _spill(self) -> None:
        self._runs.append(spill(self._counter.write_run))
        self._counter.clear()


def counted_by(vocab: Vocab) -> dict[str, Any]:
    """Return the parts of a vocab that determine the spans, as JSON values. If they are equal, counts can be added."""
    normalizer = vocab.normalizer
    cutting = sorted((asdict(token) | {"id": 0} for token in vocab.added_tokens), key=itemgetter("content"))
    return {
        "pattern": [canonical(step) for step in vocab.pre_tokenizer],
        "normalizer": [asdict(step) for step in normalizer] if isinstance(normalizer, tuple) else normalizer,
        "added tokens": cutting,
        "prefix space": vocab.add_prefix_space,
    }
