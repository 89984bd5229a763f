"""What a tokenizer does besides ids, for vocabs of byte-level BPE that lack bytes."""

import pytest
from depth import by_depth
from random_models import MISSING_BYTES, lacking_oracle, lacking_texts

import wordsplit
from wordsplit.errors import OptionsError, UnknownTokenError, UnsupportedVocabError

SEEDS = range(by_depth(1, 6, 100))
RULES = [options for options in MISSING_BYTES if options[0] != "no token"]
TOKENS = {0: b"<unk>", 1: b"a", 2: b"c", 3: b"ac", 4: b" "}


def small(engine="native", **rule):
    vocab = wordsplit.Vocab(
        name="small",
        tokens=TOKENS,
        merges=[(1, 2)],
        pre_tokenizer=[wordsplit.Split(" ", behavior="isolated", literal=True)],
        missing_bytes=wordsplit.MissingBytes(**rule) if rule else None,
    )
    return wordsplit.TokenizerOptions(engine=engine).build(vocab)


@pytest.mark.parametrize("options", RULES)
def test_every_feature(options):
    for seed in SEEDS:
        oracle, rng = lacking_oracle(seed, *options)
        vocab = wordsplit.load_vocab_bytes(oracle.to_str().encode(), name="random")
        for engine in ("native", "python"):
            tok = wordsplit.TokenizerOptions(engine=engine).build(vocab)
            for text in lacking_texts(rng):
                check(tok, text)


def check(tok, text):
    ids = tok.encode(text)
    assert list(tok.explain(text).ids) == ids
    assert [token.id for token in tok.show(text).tokens] == ids
    stream = tok.encoder_stream()
    for char in text:
        stream.append(char)
    assert stream.ids == ids
    chunks = tok.split(text, 40)
    assert "".join(chunk.text for chunk in chunks) == text
    assert [chunk.ids for chunk in chunks] == [tok.encode(chunk.text) for chunk in chunks]
    for budget in range(len(ids) + 1):
        assert tok.count(text, limit=budget) == min(len(ids), budget + 1)
        for side in ("right", "left"):
            cut = tok.truncate(text, budget, side=side)
            assert len(cut.ids) <= budget
            assert cut.ids == (ids[: len(cut.ids)] if side == "right" else ids[len(ids) - len(cut.ids) :])
            assert cut.was_truncated == (budget < len(ids))


@pytest.mark.parametrize("engine", ["native", "python"])
def test_truncated_text_has_the_ids(engine):
    """Offsets are moved by what is left out; texts are not cut by them."""
    tok = small(engine, fuse_unk=False)
    cut = tok.truncate("bbac bac", 1)
    assert (cut.ids, tok.encode(cut.text)) == ([3], [3])
    cut = tok.truncate("bac ac", 1, side="left")
    assert tok.encode(cut.text) == cut.ids


@pytest.mark.parametrize("engine", ["native", "python"])
def test_error_if_wanted(engine):
    tok = small(engine, unk_id=0)
    assert tok.encode("abca") == [1, 0, 2, 1]
    strict = wordsplit.TokenizerOptions(engine=engine, missing_bytes="error").build(tok.vocab)
    assert strict.vocab is tok.vocab
    assert strict.encode("aca") == [3, 1]
    for call in (strict.encode, strict.count, strict.encode_with_offsets, strict.explain):
        with pytest.raises(UnknownTokenError, match="small has no token for byte 0x62"):
            call("abca")
    with pytest.raises(UnknownTokenError) as error:
        strict.encode_batch(["a", "b"])
    assert error.value.row == 1
    with pytest.raises(UnknownTokenError):
        small(engine).encode("abca")
    with pytest.raises(OptionsError, match="missing_bytes='drop': use one of 'as_vocab', 'error'"):
        wordsplit.TokenizerOptions(missing_bytes="drop")


def test_a_rule_is_part_of_the_fingerprint():
    vocab = small().vocab
    rules = [None, *(wordsplit.MissingBytes(**rule) for rule in ({}, {"unk_id": 0}, {"unk_id": 0, "fuse_unk": True}))]
    assert len({vocab.replace(missing_bytes=rule).fingerprint for rule in rules}) == len(rules)
    with pytest.raises(wordsplit.VocabFormatError, match=r"missing_bytes.unk_id: names id 9"):
        vocab.replace(missing_bytes=wordsplit.MissingBytes(unk_id=9))


@pytest.mark.parametrize("name", ["tiktoken", "gguf"])
def test_formats_without_rules_refuse_them(name, tmp_path):
    vocab = small(unk_id=0).vocab
    with pytest.raises(UnsupportedVocabError, match="a rule for bytes without a token, which .* files do not hold"):
        getattr(vocab, f"save_{name}")(tmp_path / "file")


def test_vocab_merges_hold_the_rule(tmp_path):
    from wordsplit.vocabs.formats.vocab_merges import save

    vocab = small(unk_id=0, fuse_unk=True).vocab
    save(vocab, tmp_path)
    found = wordsplit.load_vocab(tmp_path / "vocab.json")
    assert found.missing_bytes == vocab.missing_bytes
    assert found.fingerprint == vocab.fingerprint


def test_arrow_and_documents():
    tok = small(unk_id=0)
    assert tok.encode_batch_to_numpy(["abb", "", "b"])[1].tolist() == [0, 3, 3, 4]
    pa = pytest.importorskip("pyarrow")
    assert pa.array(tok.encode_arrow(pa.array(["abb", None, "b"]))).to_pylist() == [[1, 0, 0], None, [0]]
