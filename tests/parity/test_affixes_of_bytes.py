"""BPE with affixes over the byte-level alphabet, as CLIP has it: ids, offsets and texts of `tokenizers`."""

import itertools
import random

import pytest
from depth import by_depth
from parity.test_models import compare
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

import wordsplit

WORDS = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
CORPUS = [
    "a photo of a cat, 2 photos of dogs! the cat's photographer isn't there",
    "Größe über alles 中文 中国 😀😀 caf\u00e9 cafe\u0301",
] * 4
TEXTS = [
    "",
    " ",
    "a",
    "A Photo of a CAT's  dog,\n\tisn't 2024 it?!",
    "</w> <w>cat</w>",
    "\u0130\u03a3 \u03a3\u03a3 \u1e9e \ufb01 \u212b ngstr\u00f6m \u00e9e\u0301",
    "中文 国 😀 \U0001f9d1\u200d\U0001f680 caf\u00e9",
    "<|startoftext|>a photo<|endoftext|>of",
    "word\u00a0\u3000word\u2028word\u0085",
    "\x00\x7f\ufffd\U0010ffff",
]


def clip(prefix, suffix):
    """A tokenizer with the components of CLIP's, trained on a few words."""
    affixes = {"continuing_subword_prefix": prefix, "end_of_word_suffix": suffix}
    affixes = {name: value for name, value in affixes.items() if value}
    oracle = Tokenizer(models.BPE(unk_token="<|endoftext|>", **affixes))  # noqa: S106 - a token of text
    oracle.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    oracle.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(WORDS), behavior="removed", invert=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    oracle.decoder = decoders.ByteLevel()
    special = [AddedToken("<|startoftext|>", normalized=True), AddedToken("<|endoftext|>", normalized=False)]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=700, special_tokens=special, initial_alphabet=alphabet, show_progress=False, **affixes
    )
    oracle.train_from_iterator(CORPUS, trainer)
    oracle.post_processor = processors.RobertaProcessing(
        ("<|endoftext|>", oracle.token_to_id("<|endoftext|>")),
        ("<|startoftext|>", oracle.token_to_id("<|startoftext|>")),
        trim_offsets=False,
        add_prefix_space=False,
    )
    return oracle


@pytest.mark.parametrize(("prefix", "suffix"), [("", "</w>"), ("##", ""), ("##", "</w>"), ("", "e")])
def test_affixes(prefix, suffix, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(clip(prefix, suffix).to_str())
    rng = random.Random(suffix)
    chars = sorted(set("".join(itertools.chain(CORPUS, TEXTS))))
    some = ["".join(rng.choices(chars, k=rng.randrange(20))) for _ in range(by_depth(30, 500, 5000))]
    compare(path, [*CORPUS, *TEXTS, *some], (prefix, suffix))


def test_it_is_saved_as_it_was_read(tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(clip("", "</w>").to_str())
    vocab = wordsplit.load_vocab(path)
    vocab.save_tokenizer_json(tmp_path / "again.json")
    again = wordsplit.load_vocab(tmp_path / "again.json")
    assert again.fingerprint == vocab.fingerprint
    assert wordsplit.load_tokenizer(again).encode("a photo of a cat") == wordsplit.load_tokenizer(vocab).encode(
        "a photo of a cat"
    )
