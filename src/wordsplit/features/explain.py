"""Explain step by step how a text is encoded: its spans, and how the model divides each.

For byte-pair encoding these are all merges with all candidate pairs. Each span is encoded again by the definition: of
all adjacent pairs with a rank, merge the one of lowest rank, the leftmost of equals, until no pair has a rank. For
Unigram they are the tokens of the best path with their scores, for WordPiece the longest matches.

The time and the size of the output grow with the square of a span's length. So spans of more than ``max_span`` bytes
are only encoded, without their passes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from html import escape
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, Literal

from wordsplit.encoders.base import TracedToken
from wordsplit.encoders.character_merge import CharacterMerge
from wordsplit.features.budgets import size_of
from wordsplit.model import ByteLevelBPE, CharacterBPE, Unigram, WordLevel, WordPiece
from wordsplit.palette import TOKEN_CSS, page_of, shortened, visible
from wordsplit.text import to_bytes
from wordsplit.vocab import Vocab

if TYPE_CHECKING:
    from wordsplit.engine import Engine

__all__ = ["Candidate", "Choice", "Explanation", "Pass", "Span", "explain"]

_MOST_PASSES = 40  # of a span
_MOST_IDS = 40  # of a span whose passes are omitted
_MOST_SPANS = 400

_NOTES = {
    "whole": "a token as a whole: this vocab looks that up before any merging (ignore_merges)",
    "added": "an added token, found as a literal before anything else",
    "template": "put around every text",
    "long": "too long to explain; its ids are",
    "path": "the tokens whose scores have the greatest sum",
    "matches": "the longest token at each position, from the left",
    "word": "a word is one token, or unknown",
}

_HEADING = "<h1>How a text is encoded</h1>"
_CSS = (
    TOKEN_CSS
    + ".ws .span{border:1px solid var(--line);border-radius:8px;margin:.8rem 0;overflow:hidden}"
    + ".ws .span>header{background:var(--soft);padding:.4rem .8rem;display:flex;gap:.8rem;align-items:baseline;"
    + "flex-wrap:wrap}.ws .span>header .tok{font-weight:600}"
    + ".ws .scroll{overflow-x:auto;padding:.5rem .8rem .7rem}"
    + ".ws table.passes{border-collapse:collapse;color:var(--fg);font-size:1em;margin:0}"
    + ".ws table.passes tr{background:var(--bg)}.ws table.passes tr>*{padding:.2rem .7rem .2rem 0;text-align:left;"
    + "vertical-align:top;white-space:nowrap;font-weight:400}"
    + ".ws .part,.ws .pair{display:inline-block;border-radius:4px;padding:0 .35em;margin:.1em .25em .1em 0}"
    + ".ws .pair{border:1px solid var(--line)}.ws .pair .rank{color:var(--dim);margin-left:.5em}"
    + ".ws .pair.win{border-color:var(--win);background:var(--winbg);color:var(--win);font-weight:600}"
    + ".ws .pair.win .rank{color:inherit}.ws .pair.none{border-style:dashed;color:var(--dim)}"
    + ".ws p{overflow-wrap:anywhere}.ws .ids{display:flex;flex-wrap:wrap;gap:.3rem;margin:.4rem 0 .1rem}"
    + ".ws .id{border-radius:4px;padding:.1rem .4rem;text-align:center}"
    + ".ws .id small{display:block;opacity:.75}"
)

Kind = Literal["merges", "whole", "long", "added", "template", "path", "matches", "word"]
_CHOOSING: dict[type, Kind] = {Unigram: "path", WordPiece: "matches", WordLevel: "word"}


@dataclass(frozen=True)
class Candidate:
    """An adjacent pair in a pass.

    Attributes:
        rank: The rank of their merge; ``None`` if they never merge.
        merged: The id that they merge to; ``None`` if they never merge.
    """

    rank: int | None
    merged: int | None


@dataclass(frozen=True)
class Pass:
    """One pass over a span.

    Attributes:
        parts: The ids at its beginning.
        candidates: The adjacent pairs from the left: one less than the parts.
        winner: The index of the pair that is merged; ``None`` in the last pass, where none has a rank.
    """

    parts: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    winner: int | None


@dataclass(frozen=True)
class Choice:
    """A token that a model without merges chose.

    Attributes:
        id: Its id.
        data: The bytes of the span that it covers.
        score: Its score on the best path of Unigram. Ids that together represent unknown text have one score, that of
            the first. ``None`` for other models.
        known: Whether the text is a token, and not unknown.
    """

    id: int
    data: bytes
    score: float | None
    known: bool


@dataclass(frozen=True)
class Span:
    """A span, and how its ids were found.

    Attributes:
        data: Its bytes, normalized.
        kind: ``"merges"``: see `passes`. ``"whole"``: the whole span is a token, which the vocab looks up first
            (``ignore_merges``). ``"long"``: by merges that are not shown, because it has more than ``max_span`` bytes.
            ``"added"``: it is an added token. ``"template"``: it is added before or after every text (bos, eos).
            ``"path"``, ``"matches"``, ``"word"``: see `choices`; by Unigram, WordPiece and WordLevel.
        ids: Its ids.
        passes: The passes, the last one without a winner; empty for kinds other than ``"merges"``.
        choices: The tokens that a model without merges chose.
    """

    data: bytes
    kind: Kind
    ids: tuple[int, ...]
    passes: tuple[Pass, ...] = ()
    choices: tuple[Choice, ...] = ()

    @property
    def score(self) -> float:
        """The sum of the scores."""
        return sum(choice.score or 0.0 for choice in self.choices)


@dataclass(frozen=True, repr=False)
class Explanation:
    """An explanation of the ids of a text.

    It prints as text and displays in notebooks. `html` returns a page, `to_dict` data for JSON.

    Attributes:
        vocab: The vocab.
        text: The text as given.
        data: Its bytes.
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
    data: bytes
    spans: tuple[Span, ...]

    @property
    def ids(self) -> list[int]:
        """The ids: those of `Tokenizer.encode`."""
        return [i for span in self.spans for i in span.ids]

    @property
    def normalized(self) -> bool:
        """Whether the spans' bytes differ from the text's, by normalization or an added space."""
        return self.data != b"".join(span.data for span in self.spans if span.kind != "template")

    def to_dict(self) -> dict[str, Any]:
        """Return everything as data for JSON. Bytes are given as text (invalid UTF-8 as U+FFFD) and in hex."""
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
        """Return a self-contained HTML page."""
        return _page(self)

    def __str__(self) -> str:
        return _as_text(self)

    def __repr__(self) -> str:
        return f"<Explanation of {len(self.spans)} spans, {len(self.ids)} ids>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002 - IPython's signature
        """Print the text in IPython's shell, and in notebooks that are displayed without HTML."""
        printer.text(str(self))

    def _repr_html_(self) -> str:
        return _fragment(self)

    def _mentioned(self) -> set[int]:
        """Return every id that occurs."""
        found = set(self.ids)
        for span in self.spans:
            for step in span.passes:
                found.update(step.parts)
                found.update(pair.merged for pair in step.candidates if pair.merged is not None)
        return found


def explain(engine: Engine, text: str | bytes, as_text: Collection[str], max_span: int) -> Explanation:
    """Explain the ids of a text.

    Args:
        engine: The engine, which also gives the ids of spans that are not explained.
        text: A text.
        as_text: Contents of the added tokens that remain text.
        max_span: Spans of more bytes are not explained.

    Raises:
        OptionsError: ``max_span`` is not a number of bytes.
    """
    max_span = size_of("max_span", max_span, of="bytes")
    vocab = engine.vocab
    if not isinstance(vocab.model, ByteLevelBPE):
        engine = engine.in_python
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
    return Explanation(vocab, shown, to_bytes(text, "replace"), tuple(spans))


def _explained(engine: Engine, data: bytes, max_span: int) -> Span:
    whole = engine.vocab.ids_by_bytes.get(data) if engine.vocab.ignore_merges else None
    if whole is not None:
        return Span(data, "whole", (whole,))
    if len(data) > max_span:
        return Span(data, "long", tuple(engine.encode_spans(data, [len(data)])))
    chosen = _CHOOSING.get(type(engine.vocab.model))
    if chosen is not None:
        choices = tuple(_choices(engine.vocab, engine.trace_span(data), data))
        return Span(data, chosen, tuple(choice.id for choice in choices), choices=choices)
    passes = tuple(_passes(engine, data))
    return Span(data, "merges", passes[-1].parts, passes)


def _choices(vocab: Vocab, found: Iterable[TracedToken], data: bytes) -> Iterator[Choice]:
    model, scored = vocab.model, None
    prefix = model.continuing_subword_prefix.encode() if isinstance(model, WordPiece) else b""
    for token_id, start, end in found:
        text = data[start:end]
        known = vocab.ids_by_bytes.get(prefix + text if start else text) == token_id
        score = None
        if isinstance(model, Unigram) and (known or scored != (start, end)):
            size = len(text.decode("utf-8", "surrogateescape"))
            score = model.path_scores[token_id] if known else model.unknown_score * size
        scored = start, end
        yield Choice(token_id, text, score, known)


def _passes(engine: Engine, data: bytes) -> Iterator[Pass]:
    model = engine.vocab.model
    if isinstance(model, CharacterBPE):
        merge_of = model.merge_of.get
        parts = [token_id for token_id, _ in CharacterMerge(engine.vocab).symbols(data)]
    else:
        tables = engine.vocab.merge_tables
        merge_of, parts = tables.merge_of.get, tables.ids_of_bytes(data)
    while True:
        found = [merge_of(pair) for pair in pairwise(parts)]
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
    out: dict[str, Any] = {"text": text, "hex": span.data.hex(), "kind": span.kind, "ids": span.ids}
    if span.kind == "merges":
        out["passes"] = [asdict(step) for step in span.passes]
    if span.choices:
        out["choices"] = [_choice(choice) for choice in span.choices]
    return out


def _choice(choice: Choice) -> dict[str, Any]:
    text = choice.data.decode("utf-8", "replace")
    return {"id": choice.id, "text": text, "hex": choice.data.hex(), "score": choice.score, "known": choice.known}


# Text and HTML. Very long parts are cut in the middle, with a note.


def _as_text(found: Explanation) -> str:
    """Format the explanation as plain text."""
    lines = [_summary(found)]
    lines += [f"  {note}" for note in _remarks(found)]
    for span in found.spans[:_MOST_SPANS]:
        lines += ["", *_lines(found.vocab, span)]
    if len(found.spans) > _MOST_SPANS:
        lines += ["", f"… and {len(found.spans) - _MOST_SPANS} more spans"]
    return "\n".join(lines)


def _page(found: Explanation) -> str:
    """Format the explanation as a self-contained HTML page."""
    return page_of(f"{escape(found.vocab.name)}: how a text is encoded", _CSS, f"{_HEADING}{_body(found)}")


def _fragment(found: Explanation) -> str:
    """Format the explanation as an HTML fragment for notebooks."""
    return f'<style>{_CSS}</style><div class="ws">{_body(found)}</div>'


def _summary(found: Explanation) -> str:
    counts = ((len(found.data), "byte"), (len(found.spans), "span"), (len(found.ids), "id"))
    return f"{found.vocab.name}: " + ", ".join(f"{n:,} {word}{'' if n == 1 else 's'}" for n, word in counts)


def _remarks(found: Explanation) -> list[str]:
    if not found.normalized:
        return []
    rule = "a space before it" if found.vocab.add_prefix_space else "other rules"
    how = found.vocab.normalizer.upper() if isinstance(found.vocab.normalizer, str) else rule
    spans = b"".join(span.data for span in found.spans[:_MOST_SPANS] if span.kind != "template")
    return [f'normalized ({how}): "{shortened(visible(spans), 400)}"']


# Text.


def _lines(vocab: Vocab, span: Span) -> list[str]:
    head = f'"{shortened(visible(span.data))}"'
    if span.kind != "merges":
        ids = [f"{visible(vocab.token_bytes(i))} {i}" for i in span.ids[:_MOST_IDS]]
        more = len(span.ids) - len(ids)
        tail = f"   … and {more} more" if more else ""
        chosen = [f"  {_described(span.choices[:_MOST_IDS])}"] if span.choices else []
        return [head, f"  {_note(span)}", *chosen, f"  ids      {'   '.join(ids)}{tail}"]
    lines = [head]
    for number, step in _shown(span.passes[:-1]):
        if step is None:
            lines.append(f"  … {number} more passes")
            continue
        parts = [visible(vocab.token_bytes(i)) for i in step.parts]
        pairs = [
            f"{left}+{right} {'-' if pair.rank is None else pair.rank}{' <-' if at == step.winner else ''}"
            for at, (left, right, pair) in enumerate(zip(parts, parts[1:], step.candidates, strict=False))
        ]
        lines.append("   ".join([f"  pass {number:<2}", " ".join(parts), *pairs]).replace("   ", "  ", 1))
    lines.append("  ids      " + "   ".join(f"{visible(vocab.token_bytes(i))} {i}" for i in span.ids))
    return lines


def _note(span: Span) -> str:
    return f"{_NOTES[span.kind]}, {span.score:.4f}" if span.kind == "path" else _NOTES[span.kind]


def _described(choices: Iterable[Choice]) -> str:
    """Return the text of each token, and its score."""
    parts = []
    for choice in choices:
        score = "" if choice.score is None else f" {choice.score:.4f}"
        parts.append(f"{visible(choice.data)}{'' if choice.known else ' (unknown)'}{score}")
    return "   ".join(parts)


def _shown(passes: Sequence[Pass]) -> list[tuple[int, Pass | None]]:
    """Return (number, pass) from 1, with (count, ``None``) for omitted passes."""
    numbered = list(enumerate(passes, 1))
    out = len(numbered) - _MOST_PASSES
    if out <= 1:
        return [*numbered]
    half = _MOST_PASSES // 2
    return [*numbered[:half], (out, None), *numbered[-half:]]


# HTML.


def _body(found: Explanation) -> str:
    spans = found.spans[:_MOST_SPANS]
    out = [f"<p class=dim>{escape(_summary(found))}</p>"]
    out += [f"<p>{escape(note)}</p>" for note in _remarks(found)]
    every = [(i, span.kind in ("added", "template")) for span in spans for i in span.ids[:_MOST_IDS]]
    out.append(f'<div class="ids">{"".join(_id(found.vocab, i, at, own) for at, (i, own) in enumerate(every))}</div>')
    out += [_section(found.vocab, span) for span in spans]
    if len(found.spans) > len(spans):
        out.append(f"<p class=dim>… and {len(found.spans) - len(spans):,} more spans</p>")
    return "\n".join(out)


def _id(vocab: Vocab, token_id: int, at: int, own: bool) -> str:
    colour = "s" if own else str(at % 6)
    return f'<span class="id tok t{colour}">{_tok(vocab, token_id)}<small>{token_id}</small></span>'


def _section(vocab: Vocab, span: Span) -> str:
    merges = len(span.passes) - 1
    how_many = f"{merges} merge{'' if merges == 1 else 's'}" if merges else "no merges"
    note = how_many if span.kind == "merges" else _note(span)
    text = escape(shortened(visible(span.data)))
    head = f'<header><span class="tok">{text}</span><span class="dim">{note}</span></header>'
    rows = [
        f"<tr><td class=dim colspan=3>… {number} more passes</td></tr>" if step is None else _row(vocab, number, step)
        for number, step in _shown(span.passes[:-1])
    ]
    ids = "".join(_id(vocab, i, at, span.kind in ("added", "template")) for at, i in enumerate(span.ids[:_MOST_IDS]))
    more = f"<span class=dim>… and {len(span.ids) - _MOST_IDS:,} more</span>" if len(span.ids) > _MOST_IDS else ""
    table = (
        "<table class=passes><tr class=dim><th>pass</th><th>tokens</th><th>pairs and their ranks</th></tr>"
        f"{''.join(rows)}</table>"
    )
    chosen = f"<p>{escape(_described(span.choices[:_MOST_IDS]))}</p>" if span.choices else ""
    inner = (table if rows else chosen) + f'<div class="ids">{ids}{more}</div>'
    return f'<section class="span">{head}<div class="scroll">{inner}</div></section>'


def _row(vocab: Vocab, number: int, step: Pass) -> str:
    parts = [_tok(vocab, i) for i in step.parts]
    merging = () if step.winner is None else (step.winner, step.winner + 1)
    tokens = "".join(
        f'<span class="part tok {"t2" if at in merging else "t0"}">{part}</span>' for at, part in enumerate(parts)
    )
    pairs = []
    for at, pair in enumerate(step.candidates):
        kind = " win" if at == step.winner else " none" if pair.rank is None else ""
        rank = "-" if pair.rank is None else f"{pair.rank:,}"
        pairs.append(f'<span class="pair tok{kind}">{parts[at]} {parts[at + 1]}<span class="rank">{rank}</span></span>')
    return "".join(chain((f"<tr><td class=dim>{number}</td><td>{tokens}</td><td>",), pairs, ("</td></tr>",)))


def _tok(vocab: Vocab, token_id: int) -> str:
    return escape(visible(vocab.token_bytes(token_id)))
