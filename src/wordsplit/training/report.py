"""The report of a training run."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from wordsplit.palette import shortened, visible, width
from wordsplit.tokenizer import TokenizerOptions
from wordsplit.training.result import Merge
from wordsplit.training.trainer import BpeTrainer
from wordsplit.vocab import Vocab

__all__ = ["HeldOut", "Report", "report_of"]

_COLUMNS = 4
_WIDTH = 16


@dataclass(frozen=True)
class HeldOut:
    """The compression of a vocab on held-out text.

    Attributes:
        n_lines: Number of lines; each is encoded separately.
        n_bytes: Number of bytes in UTF-8.
        n_tokens: Number of ids.
    """

    n_lines: int
    n_bytes: int
    n_tokens: int

    @property
    def bytes_per_token(self) -> float | None:
        """Bytes per token (more is better); ``None`` if there are no lines."""
        return self.n_bytes / self.n_tokens if self.n_tokens else None


@dataclass(frozen=True)
class Report:
    """The report of a training run. ``str()`` returns a readable summary, `to_dict` data for programs.

    Attributes:
        n_texts: Number of texts counted.
        n_bytes: Number of their bytes.
        n_spans: Number of their spans.
        n_distinct: Number of distinct spans.
        n_vocab: Number of tokens of the vocab.
        n_special: Number of special tokens among them.
        n_base: Number of base tokens before the merges: 256 bytes, or those of the extended vocab.
        merges: The merges, in order.
        held_out: The results on held-out lines; ``None`` if there are none.
    """

    n_texts: int
    n_bytes: int
    n_spans: int
    n_distinct: int
    n_vocab: int
    n_special: int
    n_base: int
    merges: list[Merge]
    held_out: HeldOut | None

    @property
    def lowest_frequency(self) -> int | None:
        """The frequency of the rarest merge; ``None`` if there are no merges."""
        return min((merge.frequency for merge in self.merges), default=None)

    @property
    def longest(self) -> bytes:
        """The longest new token; the first one of several."""
        return max((merge.left + merge.right for merge in self.merges), key=len, default=b"")

    def most_frequent(self, n: int = 20) -> list[tuple[bytes, int]]:
        """Return the most frequent new tokens with their frequency when made; some became parts of longer tokens."""
        made = heapq.nlargest(n, self.merges, key=lambda merge: merge.frequency)
        return [(merge.left + merge.right, merge.frequency) for merge in made]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON values, with printable tokens."""
        held_out = self.held_out and {**asdict(self.held_out), "bytes_per_token": self.held_out.bytes_per_token}
        return {
            **{name: getattr(self, name) for name in ("n_texts", "n_bytes", "n_spans", "n_distinct")},
            "n_vocab": self.n_vocab,
            "n_special": self.n_special,
            "n_merges": len(self.merges),
            "lowest_frequency": self.lowest_frequency,
            "longest": visible(self.longest),
            "most_frequent": [{"token": visible(token), "frequency": times} for token, times in self.most_frequent()],
            "held_out": held_out,
        }

    def __str__(self) -> str:
        specials = f", {self.n_special:,} special" if self.n_special else ""
        base = "bytes" if self.n_base == 256 else "before"
        spans = f"{self.n_spans:,} spans, {self.n_distinct:,} different"
        lines = [
            f"counted        {self.n_bytes:,} bytes in {self.n_texts:,} texts: {spans}",
            f"tokens         {self.n_vocab:,}: {self.n_base:,} {base}, {len(self.merges):,} merges{specials}",
        ]
        if self.merges:
            first, last = self.merges[0], self.merges[-1]
            lines += [
                f"first merge    {_shown(first.left + first.right)}, {first.frequency:,} times",
                f"last merge     {_shown(last.left + last.right)}, {last.frequency:,} times",
                f"longest token  {_shown(self.longest)}, {len(self.longest):,} bytes",
            ]
        if self.held_out and self.held_out.bytes_per_token:
            lines.append(
                f"held out       {self.held_out.bytes_per_token:.3f} bytes per token "
                f"({self.held_out.n_bytes:,} bytes, {self.held_out.n_lines:,} lines)"
            )
        frequent = [_cell(token, times) for token, times in self.most_frequent()]
        rows = ["".join(frequent[at : at + _COLUMNS]) for at in range(0, len(frequent), _COLUMNS)]
        heads = ["most frequent  ", *[" " * 15] * (len(rows) - 1)]
        return "\n".join([*lines, *((head + row).rstrip() for head, row in zip(heads, rows, strict=False))])


def report_of(trainer: BpeTrainer, vocab: Vocab, held_out: Iterable[str | bytes] | None = None) -> Report:
    """Create the report of a trainer after `BpeTrainer.train`.

    Args:
        trainer: The trainer.
        vocab: The vocab that it returned last.
        held_out: Lines to evaluate the vocab on; bytes are decoded as UTF-8, with invalid bytes replaced. Special
            tokens in them are parsed.

    Example:
        >>> from wordsplit.training import BpeTrainer
        >>> trainer = BpeTrainer(259).update(["aabaa aab"])
        >>> report = report_of(trainer, trainer.train(), held_out=["aabaa"])
        >>> report.lowest_frequency, report.most_frequent(2), report.held_out
        (1, [(b'aa', 3), (b'aab', 2)], HeldOut(n_lines=1, n_bytes=5, n_tokens=2))
    """
    return Report(
        n_texts=trainer.n_texts,
        n_bytes=trainer.n_bytes,
        n_spans=trainer.n_spans,
        n_distinct=trainer.n_distinct,
        n_vocab=vocab.n_vocab,
        n_special=len(vocab.special_tokens),
        n_base=trainer.base_vocab.n_base,
        merges=trainer.merges,
        held_out=None if held_out is None else _held_out(vocab, held_out),
    )


def _held_out(vocab: Vocab, lines: Iterable[str | bytes]) -> HeldOut:
    tok = TokenizerOptions().build(vocab)
    n_lines = n_bytes = n_tokens = 0
    for line in lines:
        text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
        n_lines += 1
        n_bytes += len(text.encode("utf-8", "replace"))
        n_tokens += tok.count(text)
    return HeldOut(n_lines, n_bytes, n_tokens)


def _shown(token: bytes) -> str:
    return shortened(visible(token), 60)


def _cell(token: bytes, times: int) -> str:
    text = f"{shortened(visible(token), _WIDTH - 6)} {times:,}"
    return text + " " * max(1, _WIDTH + 4 - width(text))
