"""Byte-pair encoding as a textbook works it out: spans, and in each every merge with all that could have been merged.

Each span is encoded once more, by the definition: of all adjacent pairs that have a rank, the one with the lowest, the
leftmost of equals, until none has one. That takes time with the square of a span's length, and as much room to read;
spans of more than ``max_span`` bytes are therefore only encoded, and their passes are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from wordsplit.engine import Engine
    from wordsplit.vocab import Vocab

__all__ = ["Candidate", "Explanation", "Pass", "Span", "explain"]

Kind = Literal["merges", "whole", "long", "added", "template"]


@dataclass(frozen=True)
class Candidate:
    """Two neighbours in a pass.

    Attributes:
        rank: The rank of their merge; ``None`` if they never merge.
        merged: The id that they merge to; ``None`` likewise.
    """

    rank: int | None
    merged: int | None


@dataclass(frozen=True)
class Pass:
    """One look at a span.

    Attributes:
        parts: The ids at its beginning.
        candidates: The pairs of neighbours from the left: one less than the parts.
        winner: Which of the pairs is merged; ``None`` in the last pass, where none has a rank.
    """

    parts: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    winner: int | None


@dataclass(frozen=True)
class Span:
    """A span, and how it came to its ids.

    Attributes:
        data: Its bytes, normalized.
        kind: ``"merges"``: by `passes`. ``"whole"``: it is a token as a whole, and the vocab looks that up first
            (``ignore_merges``). ``"long"``: by merges that are left out, since it has more than ``max_span`` bytes.
            ``"added"``: it is an added token. ``"template"``: it stands before or after every text (bos, eos).
        ids: Its ids.
        passes: The passes, the last one without a winner; none but for ``"merges"``.
    """

    data: bytes
    kind: Kind
    ids: tuple[int, ...]
    passes: tuple[Pass, ...] = ()


@dataclass(frozen=True)
class Explanation:
    """How a text comes to its ids.

    It prints as text, and shows itself in notebooks; `html` makes a page of it, `to_dict` data for JSON.

    Attributes:
        vocab: The vocab.
        text: The text as given.
        spans: Its spans.

    Example:
        >>> import wordsplit
        >>> found = wordsplit.load_tokenizer("qwen3").explain("hello")
        >>> print(found)
        qwen3: 5 bytes, 1 span, 1 id
        <BLANKLINE>
        "hello"
          pass 1   h e l l o   h+e 127   e+l 45 <-   l+l 398   l+o 129
          pass 2   h el l o   h+el 48866   el+l 357   l+o 129 <-
          pass 3   h el lo   h+el 48866   el+lo 4535 <-
          pass 4   h ello   h+ello 14734 <-
          ids      hello 14990
        >>> [p.winner for p in found.spans[0].passes], found.ids
        ([1, 2, 1, 0, None], [14990])
    """

    vocab: Vocab
    text: str
    spans: tuple[Span, ...]

    @property
    def ids(self) -> list[int]:
        """The ids: those of `Tokenizer.encode`."""
        return [i for span in self.spans for i in span.ids]

    @property
    def normalized(self) -> bool:
        """Whether the spans have other bytes than the text: normalization, or a space put before it."""
        data = b"".join(span.data for span in self.spans if span.kind != "template")
        return data != self.text.encode("utf-8", "replace")

    def to_dict(self) -> dict[str, Any]:
        """All of it for JSON; bytes are given as text (what is no UTF-8 as U+FFFD) and in hex."""
        return {
            "vocab": self.vocab.name,
            "text": self.text,
            "normalizer": self.vocab.normalizer if isinstance(self.vocab.normalizer, str) else None,
            "normalized": self.normalized,
            "spans": [_span(span) for span in self.spans],
            "ids": self.ids,
            "tokens": {str(i): self.vocab.token_bytes(i).hex() for i in sorted(self._mentioned())},
        }

    def html(self) -> str:
        """A page that needs nothing but itself."""
        from wordsplit.everyday.explain_views import page  # noqa: PLC0415 - the views know what they show

        return page(self)

    def __str__(self) -> str:
        from wordsplit.everyday.explain_views import as_text  # noqa: PLC0415 - as above

        return as_text(self)

    def _repr_html_(self) -> str:
        from wordsplit.everyday.explain_views import fragment  # noqa: PLC0415 - as above

        return fragment(self)

    def _mentioned(self) -> set[int]:
        """Every id that occurs."""
        found = set(self.ids)
        for span in self.spans:
            for step in span.passes:
                found.update(step.parts)
                found.update(pair.merged for pair in step.candidates if pair.merged is not None)
        return found


def explain(engine: Engine, text: str | bytes, as_text: Collection[str], max_span: int) -> Explanation:
    """How a text comes to its ids.

    Args:
        engine: The engine; what it says is the ids of spans that are not worked out.
        text: A text.
        as_text: Contents of the added tokens that are text.
        max_span: How many bytes of a span are worked out.
    """
    vocab = engine.vocab
    spans = [Span(vocab.token_bytes(i), "template", (i,)) for i in engine.prefix]
    for data, token_id, _ in engine.pieces(text, as_text):
        if token_id is not None:
            spans.append(Span(data, "added", (token_id,)))
            continue
        start = 0
        for end in engine.span_ends(data):
            spans.append(_explained(engine, data[start:end], max_span))
            start = end
    spans += [Span(vocab.token_bytes(i), "template", (i,)) for i in engine.suffix]
    shown = text if isinstance(text, str) else text.decode("utf-8", "replace")
    return Explanation(vocab, shown, tuple(spans))


def _explained(engine: Engine, data: bytes, max_span: int) -> Span:
    whole = engine.vocab.ids_by_bytes.get(data) if engine.vocab.ignore_merges else None
    if whole is not None:
        return Span(data, "whole", (whole,))
    if len(data) > max_span:
        return Span(data, "long", tuple(engine.encode_spans(data, [len(data)])))
    passes = tuple(_passes(engine.vocab, data))
    return Span(data, "merges", passes[-1].parts, passes)


def _passes(vocab: Vocab, data: bytes) -> Iterator[Pass]:
    tables = vocab.merge_tables
    parts = tables.ids_of_bytes(data)
    while True:
        found = [tables.merge_of.get(pair) for pair in pairwise(parts)]
        ranked = [(rank[0], at) for at, rank in enumerate(found) if rank is not None]
        winner = min(ranked)[1] if ranked else None
        candidates = tuple(Candidate(*(pair or (None, None))) for pair in found)
        yield Pass(tuple(parts), candidates, winner)
        if winner is None:
            return
        merged = candidates[winner].merged
        assert merged is not None  # noqa: S101 - the winner has a rank
        parts[winner : winner + 2] = [merged]


def _span(span: Span) -> dict[str, Any]:
    text = span.data.decode("utf-8", "replace")
    return {"text": text, "hex": span.data.hex(), "kind": span.kind, "ids": span.ids} | (
        {"passes": [asdict(step) for step in span.passes]} if span.kind == "merges" else {}
    )
