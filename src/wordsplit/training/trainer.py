"""Train a byte-pair encoding vocabulary on your own text."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from wordsplit import hints
from wordsplit.arguments import path_text
from wordsplit.corpus import files_of
from wordsplit.errors import InputTypeError
from wordsplit.text import each
from wordsplit.training import saved
from wordsplit.training.batches import Batch, batches_of_file, batches_of_texts, count_batches
from wordsplit.training.counting import Counts, counted_by
from wordsplit.training.counts_file import Run, read_counts, write_counts
from wordsplit.training.merging import make_merges
from wordsplit.training.progress import Counting, Progress, reporter
from wordsplit.training.result import (
    Merge,
    base_bytes,
    in_bytes,
    require_all_bytes,
    require_room,
    vocab_of,
    with_merges,
)
from wordsplit.training.settings import Settings, literals_of, normalizer_of, steps_of, threads_of
from wordsplit.vocab import Normalize, Split, Vocab

__all__ = ["BpeTrainer"]


class BpeTrainer:
    """Count the spans of texts, and build a vocab from the most frequent pairs in them.

    The vocab has the 256 single bytes, the merges and the special tokens. It depends only on the texts and the
    arguments, not on the order of the texts, or on how they are divided into calls, files, trainers or threads.

    Args:
        vocab_size: The number of tokens of the vocab: 256 bytes, merges and special tokens. The vocab has fewer if the
            texts have no more pairs.
        pattern: How to split texts into spans, which no token crosses: a scheme's name, a regular expression, or steps
            (`wordsplit.Split`) as in a vocab's ``pre_tokenizer``. Schemes that have a scanner are by far the
            fastest. ``""`` splits nothing.
        special_tokens: Literals that become special tokens. Texts are split at them, and they are not counted.
        min_frequency: Pairs that occur less often are not merged.
        max_token_bytes: The largest number of bytes in a token.
        tie_break: Which of equally frequent pairs is merged first: ``"ids"``, the one with the lowest left id, then
            right id; ``"lexicographic"``, the one whose tokens, in printable characters, come first in order of
            characters.
        count: How to count the frequency of a pair: ``"occurrences"``, all its positions (``aaa`` has two of
            ``a a``); ``"spans"``, the number of spans that contain it.
        compat: ``"tokenizers"`` gives the vocab and merges of that library's ``BpeTrainer`` with ``ByteLevel``: special
            tokens have the first ids, the bytes are in the order of their characters, and special tokens in texts are
            ordinary text. (Its ``max_token_length=n`` is ``max_token_bytes=n - 1``, but at least 2. Special tokens that
            are spelled like a byte, or that a merge would produce, are kept separate from these here.)
        normalizer: ``"nfc"``, ``None``, or steps, as in a vocab.
        threads: The largest number of threads; ``None`` for one per core.
        memory_limit: The limit in bytes for counting, and then for merging. Counts above it go to temporary files. If
            there is no room to merge all distinct spans, the rarest are left out, with a `TrainingWarning`.
        name: The vocab's name.

    Raises:
        OptionsError: An argument has an invalid value.
        UnknownNameError: The pattern looks like a scheme's name, but is not one.
        UnsupportedVocabError: The pattern does not compile.

    Example:
        >>> from wordsplit.training import BpeTrainer
        >>> trainer = BpeTrainer(260, special_tokens=["<|endoftext|>"])
        >>> vocab = trainer.update(["hello world", "hello there"]).train()
        >>> trainer.merges[0]
        Merge(left=b'h', right=b'e', frequency=3)
        >>> vocab.n_vocab, vocab.tokens[258], vocab.eos_token_id
        (260, b'hell', 259)
    """

    def __init__(
        self,
        vocab_size: int,
        pattern: str | Split | Sequence[Split] = "qwen2",
        *,
        special_tokens: Iterable[str] = (),
        min_frequency: int = 1,
        max_token_bytes: int | None = None,
        tie_break: str = "ids",
        count: str = "occurrences",
        compat: str | None = None,
        normalizer: str | Sequence[Normalize] | None = None,
        threads: int | None = None,
        memory_limit: int = 4 << 30,
        name: str = "trained",
    ) -> None:
        settings = Settings(
            vocab_size=vocab_size,
            steps=steps_of(pattern),
            special_tokens=literals_of(special_tokens),
            min_frequency=min_frequency,
            max_token_bytes=max_token_bytes,
            tie_break=tie_break,
            count=count,
            compat=compat,
            normalizer=normalizer_of(normalizer),
            threads=threads_of(threads),
            memory_limit=memory_limit,
            name=name,
        )
        self._begin(settings)

    @classmethod
    def extending(
        cls,
        vocab: Vocab,
        vocab_size: int,
        *,
        min_frequency: int = 1,
        max_token_bytes: int | None = None,
        tie_break: str = "ids",
        count: str = "occurrences",
        threads: int | None = None,
        memory_limit: int = 4 << 30,
        name: str | None = None,
    ) -> BpeTrainer:
        """Create a trainer that adds merges to a vocab. Its ids stay the same, and new ids follow the last one.

        Texts are split as the vocab splits them, and encoded with it, before pairs are counted. No merge produces a
        token that the vocab already has.

        Args:
            vocab: The vocab.
            vocab_size: The new `Vocab.n_vocab`.
            min_frequency: This and the following arguments are as for `BpeTrainer`.
            max_token_bytes: The largest number of bytes in a new token.
            tie_break: Which of equally frequent pairs is merged first.
            count: How to count the frequency of a pair.
            threads: The largest number of threads.
            memory_limit: The memory limit in bytes for counting and for merging.
            name: The new vocab's name; ``None`` for the same.

        Raises:
            OptionsError: An argument has an invalid value.
            UnsupportedVocabError: The vocab has no token for some byte.

        Example:
            >>> import wordsplit
            >>> from wordsplit.training import BpeTrainer
            >>> small = BpeTrainer(258).update(["low lower lowest"]).train()
            >>> larger = BpeTrainer.extending(small, 260).update(["slow slower slowest"]).train()
            >>> [larger.tokens[i] for i in range(256, 260)]
            [b'lo', b'low', b'slow', b' slow']
        """
        require_all_bytes(vocab)
        require_room(vocab, vocab_size)
        settings = Settings(
            vocab_size=vocab_size,
            steps=vocab.pre_tokenizer,
            special_tokens=tuple(token.content for token in vocab.added_tokens),
            min_frequency=min_frequency,
            max_token_bytes=max_token_bytes,
            tie_break=tie_break,
            count=count,
            compat=None,
            normalizer=vocab.normalizer,
            threads=threads_of(threads),
            memory_limit=memory_limit,
            name=vocab.name if name is None else name,
        )
        out = cls.__new__(cls)
        out._begin(settings, vocab)  # noqa: SLF001 - its own
        return out

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

    # Counting.

    def update(self, texts: Iterable[str | bytes], *, progress: Progress = False) -> BpeTrainer:
        """Count the spans of texts, and return the trainer.

        Args:
            texts: Any iterable; it is streamed. Bytes are read as UTF-8; invalid bytes are counted unchanged.
            progress: ``True`` shows the progress on a terminal or in a notebook; or a function that is called with
                `Counting` events.

        Raises:
            InputTypeError: The argument is a single text, or an item is not a text.
        """
        if isinstance(texts, (str, bytes, bytearray, memoryview)):
            raise InputTypeError("give an iterable of texts; put a single text into a list")
        self._count(batches_of_texts(each(texts, "texts"), self._counts), progress)
        return self

    def update_files(
        self,
        paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        column: str = "text",
        *,
        progress: Progress = False,
        resume: bool = False,
    ) -> BpeTrainer:
        """Count the spans of the texts in files, and return the trainer.

        A ``.jsonl`` file has one text per line, a ``.parquet`` file one per row; any other file is one text. ``.gz``
        and ``.zst`` are decompressed. See `wordsplit.corpus`.

        Args:
            paths: The files.
            column: The field of JSON Lines or the column of Parquet with the texts.
            progress: As in `update`.
            resume: Leave out the parts of these files that were already counted, for example before an interruption.

        Raises:
            CorpusError: A file cannot be read, or is damaged; the error says where.
        """
        files = files_of(paths)
        size = sum(file.size for file in files)
        before = 0

        def share() -> float | None:
            return (before + file.position) / size if size else None

        for file in files:
            key = str(Path(file.path).resolve())
            known = self._files.get(key) if resume else None
            if known is None or not known.done:
                after = known.mark if known else 0
                self._count(batches_of_file(file, key, column, self._counts, after), progress, share)
                mark = self._files.get(key, saved.Mark(0)).mark
                self._files[key] = saved.Mark(mark, done=True)
            before += file.size
        return self

    def _count(
        self, batches: Iterable[Batch], progress: Progress, share: Callable[[], float | None] = lambda: None
    ) -> None:
        report, end = reporter(progress)
        counts = self._counts
        self._merges = []
        try:
            for _ in count_batches(batches, counts, self._files):
                report(Counting(counts.n_bytes, counts.n_spans, share()))
        finally:
            end()

    def _take(self, runs: list[Run], totals: Mapping[str, int], files: Mapping[str, saved.Mark]) -> None:
        self._counts.take(runs, totals)
        self._files.update(files)

    # Adding counts, and writing them to a file and reading them.

    def __add__(self, other: hints.Self) -> hints.Self:
        """Return a trainer with the counts of both, and the arguments of the left one.

        Trainers can be pickled, so that counts may be made in several processes.

        Raises:
            OptionsError: They do not split texts into the same spans.
        """
        if not isinstance(other, BpeTrainer):
            return NotImplemented
        saved.check_same(self._counted_by, other._counted_by)
        out = type(self).__new__(type(self))
        out._begin(self._settings, self._extended)
        for trainer in (self, other):
            out._take(trainer._counts.as_runs(), trainer._counts.totals, trainer._files)
        return out

    def save_counts(self, path: str | os.PathLike[str]) -> None:
        """Write the counts to a file, which `from_counts` reads. Equal counts give equal files."""
        counts = self._counts
        header = saved.header(self._settings, self._counted_by, counts.totals, self._files)
        write_counts(Path(path_text(path, "a file of counts")), header, counts.write_run)

    @classmethod
    def from_counts(
        cls,
        path: str | os.PathLike[str],
        vocab_size: int | None = None,
        *,
        extended: Vocab | None = None,
        **changes: Any,
    ) -> hints.Self:
        """Create a trainer with the counts of a file.

        Args:
            path: A file written by `save_counts`.
            vocab_size: As in `BpeTrainer`; ``None`` for the saved one.
            extended: For counts of a trainer made by `extending`: its vocab, or one that splits texts in the same way.
            changes: Arguments of `BpeTrainer` to change. Those that determine the spans cannot be
                changed.

        Raises:
            VocabFormatError: It is not a counts file, or is damaged.
            OptionsError: The counts do not allow a change.
        """
        path = Path(path_text(path, "a file of counts"))
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

    # Merging.

    def train(self, progress: Progress = True) -> Vocab:
        """Build the vocab. The counts are kept, so more texts can be counted and `train` called again.

        Args:
            progress: ``True`` shows the progress on a terminal or in a notebook; or a function that is called with
                `Merging` events.

        Returns:
            The vocab. Its ids are those of the bytes, then of the merges in the order in which they were made, then of
            the special tokens, unless ``compat`` says otherwise.
        """
        settings, extended = self._settings, self._extended
        self._tokens = base_bytes(settings) if extended is None else list(extended.tokens.values())
        room = settings.n_merges if extended is None else settings.vocab_size - extended.n_vocab
        self._merges = make_merges(self._counts, settings, self._tokens, room, progress, extended)
        if extended is None:
            return vocab_of(settings, self._merges)
        return with_merges(extended, self._merges, settings.name)

    @property
    def merges(self) -> list[Merge]:
        """The merges of the last call of `train`, in order."""
        return in_bytes(self._tokens, self._merges)

    def __repr__(self) -> str:
        counts = self._counts
        return f"<BpeTrainer: {self._settings.vocab_size} tokens wanted, {counts.n_spans} spans counted>"

    def __reduce__(self) -> tuple[object, ...]:
        chunks: list[bytes] = []
        self._counts.write_run(chunks.append)
        state = (self._settings, self._extended, self._counts.totals, self._files, b"".join(chunks))
        return _rebuild, (type(self), *state)


def _rebuild(
    cls: type[BpeTrainer],
    settings: Settings,
    extended: Vocab | None,
    totals: Mapping[str, int],
    files: Mapping[str, saved.Mark],
    run: bytes,
) -> BpeTrainer:
    out = cls.__new__(cls)
    out._begin(settings, extended)  # noqa: SLF001 - this module's own
    out._take([run] if run else [], totals, files)  # noqa: SLF001 - as above
    return out
