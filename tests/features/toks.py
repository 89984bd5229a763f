"""Tokenizers to try everything with, and texts that are made to be awkward for them."""

import string
from functools import cache

from depth import by_depth
from hypothesis import strategies as st

import wordsplit
from wordsplit.byte_fallback import BYTE_TOKENS
from wordsplit.model import CharacterBPE, Unigram, WordPiece
from wordsplit.patterns.components import punctuation, whitespace_split
from wordsplit.patterns.schemes import SCHEMES
from wordsplit.rules import AddedToken, Decode, Normalize, Rewrite, Split
from wordsplit.testing.vocabs import random_vocab

BUNDLED = ("qwen3", "cl100k_base", "o200k_base")


def changed(vocab, **changes):
    """A vocab with other rules, and the tokens and merges of one."""
    rules = {
        "name": vocab.name,
        "merges": vocab.merges if vocab.has_explicit_merges else None,
        "pre_tokenizer": vocab.pre_tokenizer,
        "added_tokens": vocab.added_tokens,
        "normalizer": vocab.normalizer,
        "ignore_merges": vocab.ignore_merges,
    }
    return wordsplit.Vocab(tokens=vocab.tokens, **(rules | changes))


def small(seed, scheme, **rules):
    """A small random vocab over letters that occur in the texts."""
    return changed(random_vocab(seed, letters=b" aet\n1", pre_tokenizer=SCHEMES[scheme]), **rules)


def like_llama2():
    """BPE of characters with byte fallback, without a pattern: a text is one span, with a space before it."""
    words = ("▁", *string.ascii_letters, *string.digits, "at", "▁a", "▁at", "▁t", "et", "<l>")
    tokens = dict(enumerate([b"<unk>", *BYTE_TOKENS, *(word.encode() for word in words)]))
    ids = {token.decode(): i for i, token in tokens.items()}
    pairs = (("▁", "a"), ("a", "t"), ("▁a", "t"), ("▁", "t"), ("e", "t"))
    merges = [(ids[left], ids[right]) for left, right in pairs]
    model = CharacterBPE(tokens=tokens, explicit_merges=merges, unk_id=0, fuse_unk=True, byte_fallback=True)
    spaces = [Normalize("prepend", content="▁"), Normalize("replace", pattern=" ", content="▁", literal=True)]
    return wordsplit.Vocab(
        name="like llama2",
        model=model,
        normalizer=spaces,
        added_tokens=[AddedToken("<l>", ids["<l>"])],
        prefix_ids=(ids["<l>"],),
        decoder=[
            Decode("replace", "▁", " ", literal=True),
            Decode("byte_fallback"),
            Decode("fuse"),
            Decode("strip", content=" ", left=1),
        ],
    )


def numbered(words):
    return {i: word.encode() for i, word in enumerate(words)}


def like_bert():
    """WordPiece of lowercased words without accents, between two tokens of every text."""
    letters = [*"aeton1.,'你好"]
    words = ["[UNK]", "<l>", "<r>", *letters, *(f"##{letter}" for letter in letters), "ae", "one", "##et", "##ne"]
    return wordsplit.Vocab(
        name="like bert",
        model=WordPiece(tokens=numbered(words), unk_id=0),
        normalizer=[
            Normalize(kind) for kind in ("bert_clean_text", "bert_chinese_chars", "bert_strip_accents", "lowercase")
        ],
        pre_tokenizer=[whitespace_split(), punctuation("isolated")],
        added_tokens=[
            AddedToken("<l>", 1),
            AddedToken("<r>", 2),
            AddedToken("one", words.index("one"), single_word=True),
        ],
        prefix_ids=(1,),
        suffix_ids=(2,),
        decoder=[Decode("word_piece", content="##", cleanup=True)],
    )


def like_t5():
    """Unigram of words, each with a mark of the space before it."""
    words = ["<unk>", "<l>", "▁", *"aeton1.'你", "▁a", "▁ae", "et", "on", "one", "▁one", "▁t"]
    return wordsplit.Vocab(
        name="like t5",
        model=Unigram(tokens=numbered(words), scores=[0, -9, *(-2 - at / 7 for at in range(len(words) - 2))], unk_id=0),
        normalizer=[Normalize("nfkc"), Normalize("rstrip"), Normalize("replace", " {2,}", " ")],
        pre_tokenizer=[Rewrite("metaspace", "▁", "always"), Split("▁", "merged_with_next", literal=True)],
        added_tokens=[AddedToken("<l>", 1, rstrip=True)],
        suffix_ids=(1,),
        decoder=[Decode("metaspace", content="▁", prepended=True)],
    )


NEIGHBOURLY = (  # tokens that look at what is next to them, or lie where text would be cut
    AddedToken("<l>", 5000, lstrip=True),
    AddedToken("<r>", 5001, rstrip=True),
    AddedToken("<b>", 5002, lstrip=True, rstrip=True),
    AddedToken("one", 5003, single_word=True, special=False),
    AddedToken("a b", 5004, special=False),
    AddedToken("t.e", 5005, normalized=True, special=False),
    AddedToken("e\u0301 e", 5006, normalized=True, special=False),
    AddedToken("  ", 5007, special=False),
    AddedToken("r", 5008, rstrip=True, special=False),
)
AROUND = {"prefix_ids": (5000, 5001), "suffix_ids": (5002,)}

VOCABS = {
    **{name: lambda name=name: wordsplit.load_vocab(name) for name in BUNDLED},
    "small gpt2": lambda: small(1, "gpt2"),
    "prefix space": lambda: small(2, "gpt2", add_prefix_space=True, added_tokens=NEIGHBOURLY[:4]),
    "neighbourly": lambda: small(3, "llama3", added_tokens=NEIGHBOURLY, **AROUND),
    "neighbourly nfc": lambda: small(4, "o200k", added_tokens=NEIGHBOURLY, normalizer="nfc"),
    "nfc": lambda: small(
        5,
        "qwen2",
        added_tokens=[t for t in NEIGHBOURLY if not t.rstrip and not t.single_word],
        normalizer="nfc",
        prefix_ids=(5000,),
        suffix_ids=(5000, 5000),
    ),
    "nfkc": lambda: small(8, "qwen2", added_tokens=NEIGHBOURLY[4:7], normalizer=[wordsplit.Normalize("nfkc")]),
    "nfd": lambda: small(9, "o200k", added_tokens=NEIGHBOURLY, normalizer=[wordsplit.Normalize("nfd")]),
    "no pattern": lambda: small(6, "gpt2", pre_tokenizer=()),
    "deepseek": lambda: small(7, "deepseek_v3"),
    "like llama2": like_llama2,
    "like bert": like_bert,
    "like t5": like_t5,
}
EVERY = [(name, engine) for name in VOCABS for engine in ("native", "python")][:: by_depth(5, 1, 1)]


@cache
def tokenizer(name, engine="native"):
    if name == "strict":
        return wordsplit.load_tokenizer("qwen3", engine=engine, errors="strict")
    return wordsplit.load_tokenizer(VOCABS[name](), engine=engine)


PARTS = [
    *"aetAE1.,'/-_<>|，。你好éſ \n\r\t\u3000\u0301\u0338\u0085",
    *(
        "  ",
        "\n\n",
        " \n ",
        "\r\n",
        "it's",
        "'l",
        "'ll",
        "don'T",
        "123",
        "1234567",
        "٣٤٥٦",
        "ⅷ²",
        "e\u0301",
        "é",
        "\u1e9b\u0323",
    ),
    *(
        "\u1100\u1161",
        "\u11a8",
        "각",
        "1e\u0301",
        "ﬁ½＜ａ",
        "\u0958",
        "\u212b",
        "豈更",
        "\u0344",
        "🦜",
        "👩\u200d👧",
        "क्ष",
        "ABc",
        "A你Bc",
        "http://a.b/c",
    ),
    *(
        "<|endoftext|>",
        "<|endo",
        "ftext|>",
        "<|im_start|>",
        "<think>",
        "<l>",
        "<r>",
        "<b>",
        "one",
        "a b",
        "t.e",
        "e\u0301 e",
    ),
    *("the ", " tea", "tat", "a" * 30, " " * 20, "\n" * 9),
]
TEXT = st.one_of(
    st.lists(st.sampled_from(PARTS), max_size=24).map("".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
)
SURROGATES = st.lists(st.sampled_from([*"aé \n", "\ud83e", "\udd9c", "\ud83e\udd9c", "🦜"]), max_size=8).map("".join)
