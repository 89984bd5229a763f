"""Vocabs of byte-level BPE that lack bytes give the ids, offsets and texts of `tokenizers`, whatever their options."""

import itertools
import json
import pickle

import pytest
from depth import by_depth
from random_models import MISSING_BYTES, lacking_oracle, lacking_texts

import wordsplit
from wordsplit.byte_level import to_byte_level
from wordsplit.compat.tokenizers import Tokenizer as Stand
from wordsplit.missing_bytes import NEVER_IN_UTF_8

SEEDS = range(by_depth(3, 6, 600))
ENGINES = ("native", "python")


def encoded(run, *arguments):
    """The result of a call, or ``None`` if there is no unknown token that it needs."""
    try:
        return run(*arguments)
    except wordsplit.UnknownTokenError:
        return None
    except Exception as error:  # tokenizers has no type of its own
        if "Unk token" not in str(error):
            raise
        return None


def loaded(path):
    """The file as a vocab, and all that it can be converted to; ``None`` if it is refused."""
    try:
        vocab = wordsplit.load_vocab(path)
    except wordsplit.UnsupportedVocabError as error:
        assert "byte_fallback with unk_token" in str(error)
        return None
    out = [vocab, pickle.loads(pickle.dumps(vocab)), vocab.replace(name="other")]  # noqa: S301 - our own bytes
    again = path.with_name("again.json")
    vocab.save_tokenizer_json(again)
    out.append(wordsplit.load_vocab(again))
    if vocab.has_native_model:
        compiled = path.with_suffix(".ws")
        vocab.save_compiled(compiled)
        out.append(wordsplit.load_vocab(compiled))
    assert len({each.fingerprint for each in out}) == 1
    return out


@pytest.mark.parametrize("options", MISSING_BYTES)
def test_random_vocabs(options, tmp_path):
    path = tmp_path / "tokenizer.json"
    for seed in SEEDS:
        oracle, rng = lacking_oracle(seed, *options)
        oracle.save(str(path))
        vocabs = loaded(path)
        if vocabs is None:
            assert options[0] == "no token"
            assert options[2]
            continue
        stand = Stand.from_file(path)
        toks = [
            wordsplit.TokenizerOptions(engine=engine).build(vocab)
            for engine, vocab in ((ENGINES[0], vocabs[0]), (ENGINES[1], rng.choice(vocabs)), (ENGINES[0], vocabs[-1]))
        ]
        text_list = list(lacking_texts(rng))
        wanted = [encoded(oracle.encode, text) for text in text_list]
        for text, want in zip(text_list, wanted, strict=True):
            why = (seed, options, text)
            if want is None:
                assert [encoded(tok.encode, text) for tok in toks] == [None] * len(toks), why
                assert [encoded(tok.encode_with_offsets, text) for tok in toks] == [None] * len(toks), why
                continue
            found = stand.encode(text)
            assert (found.ids, found.tokens, found.word_ids) == (want.ids, want.tokens, want.word_ids), why
            assert found.offsets == want.offsets, why
            for tok in toks:
                traced = tok.encode_with_offsets(text)
                assert tok.encode(text) == traced.ids == want.ids, why
                assert tok.count(text) == len(want.ids), why
                assert tok.decode(want.ids) == oracle.decode(want.ids, skip_special_tokens=False), why
                bounds = [0, *(end for _, end in traced.byte_spans)]
                assert bounds == [start for start, _ in traced.byte_spans] + [bounds[-1]], why
        known = [(text, want.ids) for text, want in zip(text_list, wanted, strict=True) if want is not None]
        for tok in toks:
            check_batches(tok, [text for text, _ in known], [ids for _, ids in known])


def test_a_vocab_with_all_bytes_needs_no_rule():
    """Only bytes that no text has may be missing. So the fingerprint does not depend on the options."""
    oracle, _ = lacking_oracle(0, "<unk>", True, True, False)
    document = json.loads(oracle.to_str())
    vocab = document["model"]["vocab"]
    for byte in {*range(256)} - NEVER_IN_UTF_8:
        vocab.setdefault(to_byte_level(bytes([byte])), 1000 + byte)
    with_options = wordsplit.load_vocab_bytes(json.dumps(document).encode())
    document["model"] |= {"unk_token": None, "fuse_unk": False, "byte_fallback": False}
    plain = wordsplit.load_vocab_bytes(json.dumps(document).encode())
    assert with_options.missing_bytes is plain.missing_bytes is None
    assert with_options.fingerprint == plain.fingerprint
    lacking = vocab.pop(to_byte_level(b"\xf4"))
    assert lacking == 1000 + 0xF4
    assert wordsplit.load_vocab_bytes(json.dumps(document).encode()).missing_bytes == wordsplit.MissingBytes()


def check_batches(tok, text_list, ids):
    assert tok.encode_batch(text_list) == ids
    assert tok.count_batch(text_list) == [len(each) for each in ids]
    flat, offsets = tok.encode_batch_to_numpy(text_list)
    assert [flat[a:b].tolist() for a, b in itertools.pairwise(offsets)] == ids
    assert [tok.encode_to_numpy(text).tolist() for text in text_list] == ids
