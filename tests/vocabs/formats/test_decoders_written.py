"""A byte-level vocab with steps of decoding: each writer keeps them or refuses them by name."""

import pytest
import tokenizers
from vocabs.formats.test_tokenizer_json import BYTE_LEVEL, added, document

import wordsplit

STRIP = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
REPLACE = {"type": "Replace", "pattern": {"Regex": "l+"}, "content": "L"}
DECODERS = {
    "none": None,
    "fuse": {"type": "Fuse"},
    "strip": {"type": "Sequence", "decoders": [BYTE_LEVEL, {"type": "Fuse"}, STRIP]},
    "replace": {"type": "Sequence", "decoders": [BYTE_LEVEL, REPLACE]},
    "byte fallback": {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, BYTE_LEVEL]},
    "word piece": {"type": "WordPiece", "prefix": "he", "cleanup": True},
    "metaspace": {"type": "Metaspace", "replacement": "h", "prepend_scheme": "first", "split": True},
    "ctc": {"type": "CTC", "pad_token": "l", "word_delimiter_token": "o", "cleanup": False},
    "suffix": {"type": "BPEDecoder", "suffix": "ll"},
}


@pytest.mark.parametrize("decoder", DECODERS.values(), ids=DECODERS)
def test_the_pair_keeps_them_and_others_refuse(tmp_path, decoder):
    data = document(decoder=decoder)
    vocab = wordsplit.load_vocab_bytes(data)
    assert vocab.decoder is not None
    vocab.save_vocab_merges(tmp_path)
    again = wordsplit.load_vocab(tmp_path / "vocab.json")
    assert again == vocab
    theirs = tokenizers.Tokenizer.from_str(data.decode())
    tok = wordsplit.load_tokenizer(again)
    for text in ("hello", " hello hell é", "\n l"):
        ids = theirs.encode(text).ids
        assert tok.encode(text) == ids
        assert tok.decode(ids) == theirs.decode(ids)
    for save, name in ((vocab.save_gguf, "x.gguf"), (vocab.save_tiktoken, "x.tiktoken")):
        with pytest.raises(
            wordsplit.UnsupportedVocabError, match=r"is decoded in steps .*save_tokenizer_json"
        ) as error:
            save(tmp_path / name)
        assert (error.value.file, error.value.field) == (str(tmp_path / name), "decoder")
        assert not (tmp_path / name).exists()


def test_letters_of_the_alphabet_in_an_added_token(tmp_path):
    """Decoded from the byte-level alphabet, which only the pair can hold."""
    vocab = wordsplit.load_vocab_bytes(document(added_tokens=[added("Größe", 260)]))
    assert vocab.decoder is not None
    vocab.save_vocab_merges(tmp_path)
    assert wordsplit.load_vocab(tmp_path) == vocab
    with pytest.raises(wordsplit.UnsupportedVocabError, match="decoder: .*byte_level"):
        vocab.save_gguf(tmp_path / "x.gguf")


def test_a_damaged_decoder_is_refused(tmp_path):
    wordsplit.load_vocab_bytes(document(decoder=DECODERS["strip"])).save_vocab_merges(tmp_path)
    rules = tmp_path / "wordsplit_rules.json"
    whole = rules.read_text()
    for found, change, field in (
        ('"kind": "strip"', '"kind": "stripe"', r"\$\.decoder\[2\]\.kind"),
        ('"left": 1', '"left": -1', r"\$\.decoder\[2\]\.left"),
        ('"decoder": [', '"decoder": 5, "more": [', r"\$\.decoder"),
    ):
        assert found in whole
        rules.write_text(whole.replace(found, change))
        with pytest.raises(wordsplit.VocabFormatError, match=field):
            wordsplit.load_vocab(tmp_path)
