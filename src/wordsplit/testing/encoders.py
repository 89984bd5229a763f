"""Check a span encoder against the reference, ``buffer_sweep``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain

from wordsplit import encoders
from wordsplit.encoders import SpanEncoder
from wordsplit.errors import OptionsError, UnsupportedVocabError
from wordsplit.testing.shortest import shortest
from wordsplit.testing.vocabs import random_spans, random_vocab
from wordsplit.tokenizer import TokenizerOptions
from wordsplit.vocab import Vocab

__all__ = ["check_encoder"]

Run = Callable[[bytes], list[int]]

_BEFORE = -7  # is in the list before: an encoder appends


class _ChangedError(Exception):
    """An encoder changed items that were in the list before."""


def check_encoder(
    encoder: str | type[SpanEncoder] | SpanEncoder,
    vocab: Vocab | None = None,
    spans: Iterable[bytes] | None = None,
    *,
    seeds: Iterable[int] = range(40),
) -> int:
    """Compare a span encoder with the reference on spans of random vocabs, or of one vocab.

    Given a name, the ids of a tokenizer built with that name are compared, too. For encoders with a native
    kernel, these are the kernel's.

    Args:
        encoder: A registered name, a class, or an instance (which brings its vocab).
        vocab: The vocab; if ``None`` a random one for each seed, and one that lacks bytes.
        spans: The spans to encode; those of `random_spans` if ``None``.
        seeds: The seeds of vocabs and spans.

    Returns:
        The number of spans compared.

    Raises:
        AssertionError: The encoder differs; the message has the shortest span found on which it does.
        UnknownNameError: There is no encoder of that name.
        UnsupportedVocabError: The encoder refuses the vocab. (It may refuse some random vocabs, but not all.)
        OptionsError: There is nothing to compare, or ``vocab`` is not the vocab of an instance.

    Example:
        >>> import wordsplit
        >>> class Shortest(wordsplit.encoders.SpanEncoder):
        ...     def encode_span(self, span, out):
        ...         out += self.tables.ids_of_bytes(span)
        >>> check_encoder(Shortest, wordsplit.load_vocab("qwen3"), [b"a", b"hello"])
        Traceback (most recent call last):
        AssertionError: Shortest gives [75, 78] for b'lo' with qwen3, and the reference [385]
    """
    if isinstance(encoder, SpanEncoder):
        if vocab is not None and vocab is not encoder.vocab:
            raise OptionsError(f"this {type(encoder).__name__} was built for {encoder.vocab.name}; leave vocab out")
        vocab = encoder.vocab
    count = 0
    for chosen, todo in _cases(vocab, spans, seeds):
        try:
            runs = list(_runs(encoder, chosen))
        except UnsupportedVocabError:
            if vocab is None:
                continue
            raise
        reference = partial(_appended, encoders.get("reference")(chosen))
        for span in todo:
            count += 1
            want = _outcome(reference, span)
            for label, run in runs:
                if _outcome(run, span) != want:
                    raise AssertionError(_difference(label, run, reference, span, chosen))
    if not count:
        raise OptionsError("nothing was compared: no spans, no seeds, or an encoder that refused every vocab")
    return count


def _cases(
    vocab: Vocab | None, spans: Iterable[bytes] | None, seeds: Iterable[int]
) -> Iterator[tuple[Vocab, Iterable[bytes]]]:
    if vocab is not None:
        yield vocab, chain.from_iterable(random_spans(vocab, seed) for seed in seeds) if spans is None else spans
        return
    given = None if spans is None else list(spans)
    for seed in seeds:
        vocab = random_vocab(seed)
        yield vocab, random_spans(vocab, seed) if given is None else given
    yield Vocab(name="a, b, ab", tokens={0: b"a", 1: b"b", 2: b"ab"}), (b"abba", b"c", b"abc")


def _runs(encoder: str | type[SpanEncoder] | SpanEncoder, vocab: Vocab) -> Iterator[tuple[str, Run]]:
    """Yield the functions by which the encoder encodes a span, each with a name."""
    if isinstance(encoder, SpanEncoder):
        part = encoder
    else:
        part = (encoders.get(encoder) if isinstance(encoder, str) else encoder)(vocab)
    yield type(part).__name__, partial(_appended, part)
    if isinstance(encoder, str):
        # Only merges: no other rule of the vocab may change the bytes.
        bare = Vocab(name=vocab.name, tokens=vocab.tokens, merges=vocab.merges, unreachable_ids=vocab.unreachable_ids)
        options = TokenizerOptions(encoder=encoder, long_encoder=encoder, cache_bytes=0)
        yield f"a tokenizer with encoder {encoder!r}", options.build(bare).encode


def _appended(encoder: SpanEncoder, span: bytes) -> list[int]:
    out = [_BEFORE]
    encoder.encode_span(span, out)
    if out[:1] != [_BEFORE]:
        raise _ChangedError
    return out[1:]


def _outcome(run: Run, span: bytes) -> list[int] | str:
    try:
        return run(span)
    except Exception as error:  # noqa: BLE001 - an error is a result like any other
        return type(error).__name__


def _difference(label: str, run: Run, reference: Run, span: bytes, vocab: Vocab) -> str:
    least = shortest(span, lambda part: _outcome(run, part) != _outcome(reference, part))
    ours, theirs = _outcome(run, least), _outcome(reference, least)
    return f"{label} gives {ours} for {least!r} with {vocab.name}, and the reference {theirs}"
