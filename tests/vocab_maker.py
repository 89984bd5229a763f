"""Small random vocabs that are as awkward as the format allows."""

import random

import wordsplit


def random_vocab(rng: random.Random) -> tuple[wordsplit.Vocab, bytes]:
    """A vocab over a few letters, and the letters: ids that are not ranks, tokens no merge reaches, merges out
    of order.

    Half of them are trained-like (each merge of two known tokens, appended); the other half have their merges
    shuffled, and some tokens made in two ways.
    """
    letters = bytes(rng.sample(range(97, 123), rng.choice([2, 3, 5])))
    known = [bytes([b]) for b in range(256)]
    seen = set(known)
    pool = [bytes([b]) for b in letters]
    pairs = []
    for _ in range(rng.randrange(5, 60)):
        left, right = rng.choice(pool), rng.choice(pool)
        if len(left + right) > 12:
            continue
        if left + right in seen and rng.random() < 0.7:
            continue
        pairs.append((left, right))
        if left + right not in seen:
            seen.add(left + right)
            known.append(left + right)
            pool.append(left + right)
    for _ in range(5):  # tokens that no merge makes
        token = bytes(rng.choices(letters, k=rng.randrange(4, 9)))
        if token not in seen:
            seen.add(token)
            known.append(token)
    if rng.random() < 0.5:
        rng.shuffle(pairs)
    ids = rng.sample(range(5, 4 * len(known)), len(known))
    by_token = dict(zip(known, ids, strict=True))
    merges = list(dict.fromkeys((by_token[left], by_token[right]) for left, right in pairs))
    vocab = wordsplit.Vocab(
        name="random",
        tokens={i: token for token, i in by_token.items()},
        merges=merges,
        pre_tokenizer=(wordsplit.Split(r"\s+"),),
        ignore_merges=rng.random() < 0.5,
    )
    return vocab, letters
