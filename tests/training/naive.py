"""The textbook trainer: counts every pair again each round. Slow, and plain enough to be right by reading."""

from collections import Counter

from wordsplit.byte_level import to_byte_level


def train(
    spans: list[tuple[bytes, int]],
    *,
    base: dict[bytes, int],
    n_merges: int,
    first_new_id: int = 256,
    min_frequency: int = 1,
    max_token_bytes: int | None = None,
    tie_break: str = "ids",
    count: str = "occurrences",
) -> list[tuple[int, int, int]]:
    """The merges, in order: left id, right id, frequency. New ids count up from `first_new_id`.

    Args:
        spans: Spans of the texts, and how often each occurs.
        base: The id of each single byte.
        n_merges: When to stop, if not before.
        min_frequency: Stop when no pair is as frequent.
        max_token_bytes: No token gets longer.
        tie_break: Of pairs as frequent: the smallest by "ids", or "lexicographic" by printable spelling.
        count: A pair counts once for each place in a span ("occurrences"), or once a span ("spans").
    """
    tokens = {i: token for token, i in base.items()}
    words = [([base[span[at : at + 1]] for at in range(len(span))], times) for span, times in spans]
    merges = []
    while len(merges) < n_merges:
        frequencies = Counter()
        for word, times in words:
            pairs = list(zip(word, word[1:], strict=False))
            for pair in set(pairs) if count == "spans" else pairs:
                frequencies[pair] += times
        allowed = {
            (left, right): frequency
            for (left, right), frequency in frequencies.items()
            if frequency >= min_frequency
            and (max_token_bytes is None or len(tokens[left] + tokens[right]) <= max_token_bytes)
        }
        if not allowed:
            break

        def order(pair, allowed=allowed):
            left, right = pair
            spelled = to_byte_level(tokens[left]), to_byte_level(tokens[right])
            return -allowed[pair], spelled if tie_break == "lexicographic" else pair

        left, right = min(allowed, key=order)
        new = first_new_id + len(merges)
        tokens[new] = tokens[left] + tokens[right]
        merges.append((left, right, allowed[left, right]))
        words = [(merged(word, left, right, new), times) for word, times in words]
    return merges


def merged(word: list[int], left: int, right: int, new: int) -> list[int]:
    """A word with the pair replaced, from the left."""
    out = []
    at = 0
    while at < len(word):
        if word[at : at + 2] == [left, right]:
            out.append(new)
            at += 2
        else:
            out.append(word[at])
            at += 1
    return out


def merged_bytes(spans, *, base=None, **options):
    """As `train`, with the tokens in the place of their ids; `base` is `BYTES` if not given."""
    base = BYTES if base is None else base
    tokens = {i: token for token, i in base.items()}
    out = []
    for left, right, frequency in train(spans, base=base, **options):
        out.append((tokens[left], tokens[right], frequency))
        tokens[options.get("first_new_id", 256) + len(out) - 1] = tokens[left] + tokens[right]
    return out


BYTES = {bytes([byte]): byte for byte in range(256)}
"""Ids of single bytes: themselves."""

PRINTABLE = {
    bytes([byte]): i for i, byte in enumerate(sorted(range(256), key=lambda byte: to_byte_level(bytes([byte]))))
}
"""Ids of single bytes in the order of their printable characters, as `tokenizers` has it."""
