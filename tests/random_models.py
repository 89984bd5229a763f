"""Random vocabs of the models that see characters, and texts for them."""

import itertools
import random

import tokenizers
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

import wordsplit
from wordsplit.byte_level import to_byte_level

ALPHABET = "abcdABé▁'.<>0x#中🦜 \n"
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
MISSING_BYTES = list(
    itertools.product((None, "<unk>", "a token", "no token"), (False, True), (False, True), (False, True))
)
"""unk_token, fuse_unk, byte_fallback and ignore_merges of `lacking_oracle`, in every combination."""


def words(rng, count):
    return ["".join(rng.choices(ALPHABET, k=rng.choice((1, 1, 2, 2, 3, 4, 6)))) for _ in range(count)]


def texts(rng, tokens):
    for _ in range(12):
        parts = (
            rng.choices(tokens, k=rng.randrange(8)) if tokens and rng.random() < 0.7 else words(rng, rng.randrange(5))
        )
        yield "".join(part if part.isascii() or rng.random() < 0.9 else part[::-1] for part in parts)


def without(tokens):
    """The byte tokens but those of characters that are tokens, which never fall back."""
    return [name for byte, name in enumerate(BYTES) if chr(byte) not in tokens]


def character_bpe(rng):
    """A vocab in which each token is made of two others."""
    prefix, suffix = rng.choice(("", "", "", "##", "_")), rng.choice(("", "", "", "</w>"))
    chars = rng.sample(ALPHABET, rng.randrange(3, len(ALPHABET)))
    tokens = ["<unk>", *chars, *(prefix + char for char in chars if prefix)]
    tokens += [char + suffix for char in tokens[1:] if suffix]
    tokens += rng.choice((BYTES, [], rng.sample(BYTES, rng.randrange(10)), without(chars)))
    tokens = list(dict.fromkeys(tokens))
    special = {"<unk>", *BYTES} if rng.random() < 0.8 else set()  # what no merge has, in vocabs that the core runs
    merges = []
    for _ in range(rng.randrange(60)):
        left, right = rng.choice([token for token in tokens if token not in special]), rng.choice(tokens)
        if right in special:
            continue
        if right.startswith(prefix):
            merged = left + right[len(prefix) :]
            if len(merged) < 20:
                merges.append((left, right))
                if merged not in tokens:
                    tokens.append(merged)
    rng.shuffle(merges)
    options = {
        "unk_token": rng.choice((None, "<unk>")),
        "continuing_subword_prefix": prefix,
        "end_of_word_suffix": suffix,
    }
    return models.BPE(
        vocab={token: i for i, token in enumerate(tokens)},
        merges=merges,
        fuse_unk=rng.random() < 0.5,
        byte_fallback=rng.random() < 0.5,
        ignore_merges=rng.random() < 0.3,
        **{name: value for name, value in options.items() if value},
    ), tokens


def unigram(rng):
    scores = {"<unk>": 0.0}
    for char in rng.sample(ALPHABET, rng.randrange(3, len(ALPHABET))):
        scores[char] = -rng.choice((3.0, 4.0, rng.uniform(1, 9)))
    for word in words(rng, rng.randrange(60)):
        scores.setdefault(word, -rng.choice((3.0, 6.0, 7.0, 8.0, rng.uniform(1, 12))))
    if rng.random() < 0.4:
        scores |= dict.fromkeys(rng.choice((BYTES, without(scores))), -20.0)
    if rng.random() < 0.1:
        scores |= {"ab": 3.0, "<unk": 1.0}
    vocab = list(scores.items())
    return models.Unigram(vocab=vocab, unk_id=0, byte_fallback=rng.random() < 0.5), list(scores)


def word_piece(rng):
    prefix = rng.choice(("##", "##", "", "é"))
    tokens = ["[UNK]", *rng.sample(ALPHABET, 8)]
    tokens += [prefix + token for token in rng.sample(ALPHABET, 10)]
    tokens += [rng.choice(("", prefix)) + word for word in words(rng, 40)]
    tokens = list(dict.fromkeys(tokens))
    return models.WordPiece(
        vocab={token: i for i, token in enumerate(tokens)},
        unk_token="[UNK]",  # noqa: S106 - a token of text
        continuing_subword_prefix=prefix,
        max_input_chars_per_word=rng.choice((3, 8, 100)),
    ), [token.removeprefix(prefix) for token in tokens]


def word_level(rng):
    tokens = list(dict.fromkeys(["<unk>", *words(rng, 60)]))
    ids = {token: i for i, token in enumerate(tokens)}
    return models.WordLevel(vocab=ids, unk_token="<unk>"), tokens  # noqa: S106 - as above


def pre_tokenizer(rng):
    return rng.choice(
        (
            None,
            pre_tokenizers.Whitespace(),
            pre_tokenizers.WhitespaceSplit(),
            pre_tokenizers.Split(" ", rng.choice(("merged_with_previous", "merged_with_next", "isolated", "removed"))),
            pre_tokenizers.Digits(individual_digits=True),
        )
    )


def decoder(rng):
    one = [
        decoders.ByteFallback,
        decoders.Fuse,
        lambda: decoders.Replace("▁", " "),
        lambda: decoders.Replace(tokenizers.Regex("a+"), "x"),
        lambda: decoders.Metaspace(prepend_scheme=rng.choice(("always", "never", "first"))),
        lambda: decoders.WordPiece(prefix=rng.choice(("##", "é", "")), cleanup=rng.random() < 0.5),
        lambda: decoders.BPEDecoder(suffix="</w>"),
        lambda: decoders.CTC("a", "b", cleanup=rng.random() < 0.5),
        decoders.ByteLevel,
        lambda: decoders.Strip("a", 1, 0),
    ]
    if rng.random() < 0.2:
        return None
    return decoders.Sequence([rng.choice(one)() for _ in range(rng.randrange(1, 4))])


def normalizer(rng):
    one = normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")
    more = normalizers.NFKC(), normalizers.Lowercase(), normalizers.NFD(), normalizers.BertNormalizer()
    return rng.choice((None, None, *one, *more, normalizers.Sequence(list(one))))


def any_pre_tokenizer(rng):
    metaspace = pre_tokenizers.Metaspace(
        prepend_scheme=rng.choice(("always", "first", "never")), split=rng.random() < 0.5
    )
    return rng.choice((metaspace, pre_tokenizers.BertPreTokenizer(), pre_tokenizer(rng), pre_tokenizer(rng)))


MODELS = {f.__name__: f for f in (character_bpe, unigram, word_piece, word_level)}


def random_oracle(kind, seed):
    """A random tokenizer of `tokenizers`, and the generator for texts and the texts of its tokens."""
    rng = random.Random(f"{kind} {seed}")
    model, tokens = MODELS[kind](rng)
    oracle = Tokenizer(model)
    parts = {"pre_tokenizer": any_pre_tokenizer(rng), "normalizer": normalizer(rng), "decoder": decoder(rng)}
    for name, part in parts.items():
        if part is not None:
            setattr(oracle, name, part)
    if rng.random() < 0.5:
        oracle.add_special_tokens([AddedToken("<s>", lstrip=rng.random() < 0.3, rstrip=rng.random() < 0.3)])
        oracle.add_tokens([AddedToken("b中", normalized=rng.random() < 0.5, single_word=rng.random() < 0.3)])
    return oracle, rng, tokens


def random_model_vocab(kind, seed):
    """A random vocab, and texts for it."""
    oracle, rng, tokens = random_oracle(kind, seed)
    vocab = wordsplit.load_vocab_bytes(oracle.to_str().encode(), name=f"{kind} {seed}")
    return vocab, list(texts(rng, tokens))


def lacking_byte_level_bpe(rng, unk, fuse_unk, byte_fallback, ignore_merges):
    """A vocab in which most bytes have no token."""
    used = {to_byte_level(char.encode()) for char in ALPHABET}
    letters = sorted({letter for spelled in used for letter in spelled})
    singles = rng.sample(letters, rng.randrange(1, len(letters)))
    if rng.random() < 0.3:  # of which most are never in the texts
        singles += sorted({to_byte_level(bytes([byte])) for byte in range(256)}.difference(letters))
    tokens = ["<unk>", *singles]
    tokens += rng.choice(([], BYTES, rng.sample(BYTES, 100), [f"<0x{ord(c):02X}>" for c in "abcdA'.<>0x"]))
    rng.shuffle(tokens)
    merges = []
    mergeable = tokens if rng.random() < 0.3 else singles
    for _ in range(rng.randrange(60)):
        left, right = rng.choice(mergeable), rng.choice(mergeable)
        if len(left + right) < 20:
            merges.append((left, right))
            if left + right not in tokens:
                tokens.append(left + right)
                mergeable = [*mergeable, left + right]
    whole = ["".join(rng.choices(letters, k=rng.randrange(2, 5))) for _ in range(5)]  # which no merge makes
    tokens += [token for token in dict.fromkeys(whole) if token not in tokens]
    name = rng.choice(tokens) if unk == "a token" else unk
    return models.BPE(
        vocab={token: i for i, token in enumerate(tokens)},
        merges=rng.sample(merges, len(merges)),
        fuse_unk=fuse_unk,
        byte_fallback=byte_fallback,
        ignore_merges=ignore_merges,
        **({"unk_token": name} if name else {}),
    )


def lacking_oracle(seed, *options):
    """A random tokenizer of `tokenizers` whose vocab lacks bytes, and the generator for texts."""
    rng = random.Random(f"missing bytes {seed} {options}")
    oracle = Tokenizer(lacking_byte_level_bpe(rng, *options))
    spaced = rng.random() < 0.2
    steps = [pre_tokenizers.ByteLevel(add_prefix_space=spaced, use_regex=rng.random() < 0.7)]
    if rng.random() < 0.3:
        more = pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.Split("a", "removed")
        steps.insert(rng.randrange(2), rng.choice((*more, pre_tokenizers.Split("c", "isolated"))))
    oracle.pre_tokenizer = pre_tokenizers.Sequence(steps)
    oracle.decoder = decoders.ByteLevel()
    if rng.random() < 0.3:
        oracle.normalizer = rng.choice((normalizers.NFC(), normalizers.Lowercase(), normalizers.NFD()))
    if rng.random() < 0.3:
        oracle.post_processor = processors.ByteLevel(trim_offsets=rng.random() < 0.5)
    if rng.random() < 0.5:
        oracle.add_special_tokens(["<unk>", AddedToken("<s>", rstrip=rng.random() < 0.3)])
    return oracle, rng


def lacking_texts(rng):
    yield from ("", "b", " ", "a b", "\u00e9", "bbb bb")
    for _ in range(8):
        words = ["".join(rng.choices(ALPHABET, k=rng.choice((1, 2, 3, 6)))) for _ in range(rng.randrange(6))]
        yield " ".join(words) if rng.random() < 0.5 else "".join(rng.choice((word, "<s>", "<unk>")) for word in words)
