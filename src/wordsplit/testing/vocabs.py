"""Small random vocabs with many unusual properties, and spans to encode with any vocab."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from wordsplit.rules import Split
from wordsplit.vocab import Vocab

__all__ = ["random_spans", "random_vocab"]


def random_vocab(
    seed: int | str,
    *,
    letters: bytes | None = None,
    pre_tokenizer: Sequence[Split] = (),
    ignore_merges: bool | None = None,
) -> Vocab:
    """Make a vocab of the 256 bytes and tokens over a few letters.

    Its ids are not ranks and have holes. Some of its tokens are made by no merge, others in two ways. In every second
    vocab the merges are shuffled, so that parts of a token may rank after it; every fourth has no merge list, and
    merges by ids, as a .tiktoken file does.

    Args:
        seed: The same seed gives the same vocab.
        letters: The bytes that its tokens are made of; random lower-case ones if ``None``.
        pre_tokenizer: Its steps; without steps, a text is one span.
        ignore_merges: As in `Vocab`; random if ``None``.

    Example:
        >>> vocab = random_vocab(1)
        >>> vocab.fingerprint == random_vocab(1).fingerprint, len(vocab.tokens) > 256
        (True, True)
    """
    rng = random.Random(f"vocab {seed}")  # noqa: S311 - not a secret
    if letters is None:
        letters = bytes(rng.sample(range(97, 123), rng.choice([2, 3, 5])))
    tokens = dict.fromkeys(bytes([b]) for b in range(256))
    pairs = _random_merges(rng, letters)
    tokens |= dict.fromkeys(left + right for left, right in pairs)
    tokens |= dict.fromkeys(bytes(rng.choices(letters, k=rng.randrange(4, 9))) for _ in range(5))  # no merge makes them
    if rng.random() < 0.5:
        rng.shuffle(pairs)
    id_of = dict(zip(tokens, rng.sample(range(5, 4 * len(tokens)), len(tokens)), strict=True))
    by_ids = rng.random() < 0.25
    return Vocab(
        name=f"random_vocab({seed!r})",
        tokens={i: token for token, i in id_of.items()},
        merges=None if by_ids else [(id_of[left], id_of[right]) for left, right in pairs],
        pre_tokenizer=pre_tokenizer,
        ignore_merges=rng.random() < 0.5 if ignore_merges is None else ignore_merges,
    )


def _random_merges(rng: random.Random, letters: bytes) -> list[tuple[bytes, bytes]]:
    """Return pairs of parts, each a letter or made by an earlier pair."""
    parts = [bytes([letter]) for letter in letters]
    pairs: dict[tuple[bytes, bytes], None] = {}
    for _ in range(rng.randrange(5, 60)):
        left, right = rng.choice(parts), rng.choice(parts)
        again = left + right in parts
        if len(left + right) > 12 or (again and rng.random() < 0.7):
            continue
        pairs[left, right] = None
        if not again:
            parts.append(left + right)
    return list(pairs)


def random_spans(vocab: Vocab, seed: int | str, count: int = 400) -> Iterator[bytes]:
    """Yield spans in which a vocab's merges interact: of its tokens, of the bytes of its tokens, of runs.

    No span has a byte for which the vocab has no token. Spans do not follow the vocab's pattern, because an encoder
    must encode any bytes.

    Args:
        vocab: Any vocab.
        seed: The same seed and vocab give the same spans.
        count: The number of spans.

    Example:
        >>> vocab = random_vocab(1)
        >>> list(random_spans(vocab, 1)) == list(random_spans(vocab, 1)), len(list(random_spans(vocab, 1)))
        (True, 400)
    """
    rng = random.Random(f"spans {seed}")  # noqa: S311 - not a secret
    every = bytes(b for b in range(256) if bytes([b]) in vocab.ids_by_bytes)
    tokens = [token for token in vocab.tokens.values() if token and not token.translate(None, every)]
    letters = bytes(sorted(set(b"".join(token for token in tokens if len(token) > 1)))) or every

    def joined() -> bytes:
        return b"".join(rng.choices(tokens, k=rng.randrange(1, 9)))

    kinds: tuple[Callable[[], bytes], ...] = (
        lambda: bytes(rng.choices(letters, k=rng.randrange(1, 40))),
        lambda: bytes(rng.choices(rng.sample(letters, min(3, len(letters))), k=rng.randrange(1, 300))),
        joined,
        lambda: joined()[rng.randrange(2) : -1] or rng.choice(tokens),
        lambda: rng.choice(tokens) * rng.randrange(2, 40),
        lambda: bytes(rng.choices(every, k=rng.randrange(1, 60))),
    )
    weights = (8, 1, 6, 3, 1, 1)
    return (kind()[:500] for kind in rng.choices(kinds, weights, k=count))
