"""Tokenizers whose model has no tokens yet: `transformers` reads rules from such files, and programs add tokens."""

import json

import pytest
import tokenizers as theirs

import wordsplit.compat.tokenizers as ours
from wordsplit.compat.errors import NotSupportedError
from wordsplit.errors import WordsplitError

TEXTS = ["my name is john", "", "john john", "is", "nothing of these", "my\tname\u00e9 is"]


@pytest.mark.parametrize("pre", [None, "Whitespace", "ByteLevel"])
@pytest.mark.parametrize("model", ["BPE", "WordPiece", "WordLevel", "Unigram"])
def test_added_tokens_alone(model, pre):
    made = []
    for library in (theirs, ours):
        tok = library.Tokenizer(getattr(library.models, model)())
        if pre is not None:
            tok.pre_tokenizer = getattr(library.pre_tokenizers, pre)()
        added = tok.add_tokens(["my", "name", "", "my"]), tok.add_special_tokens(["is", "my"])
        sizes = added, tok.add_tokens([library.AddedToken("john", lstrip=True)]), tok.get_vocab_size()
        made.append((tok, sizes, tok.get_vocab(), tok.get_vocab_size(with_added_tokens=False), tok.id_to_token(1)))
        made[-1] += (json.loads(tok.to_str()), json.loads(library.Tokenizer.from_str(tok.to_str()).to_str()))
    (their_tok, *expected), (our_tok, *found) = made
    assert found == expected
    for text in TEXTS:
        try:
            wanted = their_tok.encode(text, "name")
        except Exception:  # noqa: BLE001 - it raises nothing more specific
            with pytest.raises(WordsplitError):
                our_tok.encode(text, "name")
            continue
        got = our_tok.encode(text, "name")
        for name in ("ids", "tokens", "offsets", "word_ids", "sequence_ids"):
            assert getattr(got, name) == getattr(wanted, name), (text, name)
        assert our_tok.decode(got.ids) == their_tok.decode(wanted.ids)


@pytest.mark.parametrize("model", ["BPE", "WordPiece", "WordLevel"])
def test_rules_of_a_file_without_tokens(model, tmp_path):
    tok = theirs.Tokenizer(getattr(theirs.models, model)())
    tok.normalizer = theirs.normalizers.Lowercase()
    tok.post_processor = theirs.processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))  # which no token has
    tok.enable_padding(pad_id=7, length=9)
    tok.enable_truncation(5)
    document = tok.to_str()
    (tmp_path / "tokenizer.json").write_text(document, encoding="utf-8")
    for found in (ours.Tokenizer.from_str(document), ours.Tokenizer.from_file(tmp_path / "tokenizer.json")):
        assert json.loads(found.to_str()) == json.loads(document)
        assert (found.padding, found.truncation) == (tok.padding, tok.truncation)
        assert repr(found.post_processor) == repr(tok.post_processor)
        assert (found.get_vocab(), found.get_vocab_size()) == ({}, 0)
        if model == "BPE":
            assert found.encode("a").ids == tok.encode("a").ids == [2, 3, *[7] * 7]
        else:
            with pytest.raises(NotSupportedError, match="no tokens"):
                found.encode("a")
        found.post_processor, found.model = None, ours.models.BPE({"a": 0, "b": 1}, [])
        found.no_padding()
        assert found.encode("AB").ids == [0, 1]


@pytest.mark.parametrize("damage", [{"padding": {"length": 3}}, {"post_processor": {"type": "None"}}, {"model": {}}])
def test_damaged(damage):
    root = json.loads(theirs.Tokenizer(theirs.models.BPE()).to_str()) | damage
    with pytest.raises(WordsplitError):
        ours.Tokenizer.from_str(json.dumps(root))
