"""The counts of a trainer: sum them, add them up, save them and load them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordsplit.training import saved
from wordsplit.training.counting import Counts, counted_by
from wordsplit.training.counts_file import Run, read_counts, write_counts
from wordsplit.training.result import require_room, vocab_of
from wordsplit.training.settings import Settings, literals_of
from wordsplit.vocab import Vocab

if TYPE_CHECKING:
    from typing_extensions import Self  # typing has it from Python 3.11 on

__all__ = ["Keeping"]


class Keeping:
    """The counts and settings of a `BpeTrainer`."""

    def _begin(self, settings: Settings, extended: Vocab | None = None) -> None:
        self._settings, self._extended = settings, extended
        vocab = extended or settings.byte_vocab()
        self._counted_by = counted_by(vocab)
        self._counts = Counts(vocab, settings.threads, settings.memory_limit)
        self._files: dict[str, saved.Mark] = {}
        self._tokens: list[bytes] = []
        self._merges: list[tuple[int, int, int]] = []

    @property
    def settings(self) -> Settings:
        """The arguments of the trainer."""
        return self._settings

    @property
    def base_vocab(self) -> Vocab:
        """The vocab before the first merge: bytes and special tokens, or the vocab to extend."""
        return self._extended or vocab_of(self._settings, ())

    @property
    def n_texts(self) -> int:
        """The number of texts counted."""
        return self._counts.n_texts

    @property
    def n_bytes(self) -> int:
        """The number of UTF-8 bytes counted, without special tokens."""
        return self._counts.n_bytes

    @property
    def n_spans(self) -> int:
        """The number of spans counted."""
        return self._counts.n_spans

    @property
    def n_distinct(self) -> int:
        """The number of distinct spans counted."""
        return self._counts.n_distinct

    def __add__(self, other: Self) -> Self:
        """Return a trainer with the counts of both, and the arguments of the left one.

        Trainers can be pickled, so that counts may be made in several processes.

        Raises:
            OptionsError: They do not split texts into the same spans.
        """
        if not isinstance(other, Keeping):
            return NotImplemented
        saved.check_same(self._counted_by, other._counted_by)
        out = type(self).__new__(type(self))
        out._begin(self._settings, self._extended)
        for each in (self, other):
            out._take(each._counts.as_runs(), each._counts.totals, each._files)
        return out

    def save_counts(self, path: str | os.PathLike[str]) -> None:
        """Write the counts to a file, which `from_counts` reads. Equal counts give equal files."""
        counts = self._counts
        header = saved.header(self._settings, self._counted_by, counts.totals, self._files)
        write_counts(Path(path), header, counts.write_run)

    @classmethod
    def from_counts(
        cls,
        path: str | os.PathLike[str],
        vocab_size: int | None = None,
        *,
        extended: Vocab | None = None,
        **changes: Any,
    ) -> Self:
        """Make a trainer with the counts of a file.

        Args:
            path: A file written by `save_counts`.
            vocab_size: As in `BpeTrainer`; ``None`` for the saved one.
            extended: For counts of a trainer made by `extending`: its vocab, or one that splits texts in the same way.
            changes: Arguments of `BpeTrainer` to change. Those that decide the spans cannot be
                changed.

        Raises:
            VocabFormatError: It is not a counts file, or is damaged.
            OptionsError: The counts do not allow a change.
        """
        path = Path(path)
        header, run = read_counts(path)
        if vocab_size is not None:
            changes["vocab_size"] = vocab_size
        if "special_tokens" in changes:
            changes["special_tokens"] = literals_of(changes["special_tokens"])
        settings = saved.settings_of(header, path, changes)
        if extended is not None:
            require_room(extended, settings.vocab_size)
        out = cls.__new__(cls)
        out._begin(settings, extended)  # noqa: SLF001 - its own
        saved.check_same(dict(header.get("counted_by") or {}), out._counted_by)  # noqa: SLF001 - as above
        out._take([run], saved.totals_of(header, path), saved.marks_of(header, path))  # noqa: SLF001 - as above
        return out

    def __reduce__(self) -> tuple[object, ...]:
        chunks: list[bytes] = []
        self._counts.write_run(chunks.append)
        state = (self._settings, self._extended, self._counts.totals, self._files, b"".join(chunks))
        return _rebuild, (type(self), *state)

    def _take(self, runs: list[Run], totals: Mapping[str, int], files: Mapping[str, saved.Mark]) -> None:
        self._counts.take(runs, totals)
        self._files.update(files)


def _rebuild(
    cls: type[Keeping],
    settings: Settings,
    extended: Vocab | None,
    totals: Mapping[str, int],
    files: Mapping[str, saved.Mark],
    run: bytes,
) -> Keeping:
    out = cls.__new__(cls)
    out._begin(settings, extended)  # noqa: SLF001 - this module's own
    out._take([run] if run else [], totals, files)  # noqa: SLF001 - as above
    return out
