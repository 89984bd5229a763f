"""Added tokens that begin in the white space which the one before has stripped."""

import itertools

import pytest
import tokenizers
from tokenizers import AddedToken, models, normalizers, pre_tokenizers

import wordsplit

MODELS = {
    "Unigram": models.Unigram([("<unk>", 0.0), ("a", -1.0), ("b", -2.0), (" ", -3.0), ("\u2581", -3.0)], 0),
    "BPE": models.BPE({"<unk>": 0, "a": 1, "b": 2, " ": 3, "\u2581": 4}, [], unk_token="<unk>"),  # noqa: S106
    "WordLevel": models.WordLevel({"<unk>": 0, "a": 1, "b": 2, "\u2581b": 3}, unk_token="<unk>"),  # noqa: S106
    "WordPiece": models.WordPiece({"<unk>": 0, "a": 1, "b": 2, "##b": 3}, unk_token="<unk>"),  # noqa: S106
}
PRE_TOKENIZERS = (
    None,
    pre_tokenizers.Metaspace(),
    pre_tokenizers.Metaspace(split=False),
    pre_tokenizers.WhitespaceSplit(),
    pre_tokenizers.BertPreTokenizer(),
)
NORMALIZERS = (
    None,
    normalizers.BertNormalizer(),
    normalizers.Replace(" ", "\u2581"),
    normalizers.Prepend("\u2581"),
    normalizers.Replace(tokenizers.Regex("c+"), "b"),
)
TEXTS = (" a a b", " a a  a b \u00e9", "b a a a b", "\u00e9 a  a cc a", " a a a")


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("normalized", [False, True])
def test_places(kind, normalized):
    for pre_tokenizer, normalizer in itertools.product(PRE_TOKENIZERS, NORMALIZERS):
        theirs = tokenizers.Tokenizer(MODELS[kind])
        if pre_tokenizer is not None:
            theirs.pre_tokenizer = pre_tokenizer
        if normalizer is not None:
            theirs.normalizer = normalizer
        theirs.add_tokens([AddedToken(" a", rstrip=True, normalized=normalized)])
        ours = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(theirs.to_str().encode()))
        for text in TEXTS:
            wanted, found = theirs.encode(text), ours.encode_with_offsets(text)
            assert (found.ids, found.char_spans) == (wanted.ids, wanted.offsets), (ascii(text), theirs.to_str())
            assert ours.encode(text) == wanted.ids, (ascii(text), theirs.to_str())
