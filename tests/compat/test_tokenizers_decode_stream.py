"""`decoders.DecodeStream` against the original's, on random ids."""

import copy
import json

import hypothesis
import hypothesis.strategies as st
import oracles
import pytest
import tokenizers as original
from depth import by_depth
from tokenizers.decoders import DecodeStream as Theirs

import wordsplit
import wordsplit.compat.tokenizers as ours
from wordsplit.compat.errors import InvalidPrefixError
from wordsplit.compat.tokenizers.decoders import DecodeStream

quick = hypothesis.settings(max_examples=by_depth(40, 100, 5000))


def llama():
    """A tokenizer.json with byte fallback and the decoder of Llama 2."""
    names = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "a", "▁a", "é", "▁世", "!", "▁▁"]
    decoders = [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ]
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {
        "version": "1.0",
        "added_tokens": [{"id": i, "content": names[i], "special": True} | flags for i in range(3)],
        "decoder": {"type": "Sequence", "decoders": decoders},
        "model": {
            "type": "BPE",
            "unk_token": "<unk>",
            "fuse_unk": True,
            "byte_fallback": True,
            "vocab": {name: i for i, name in enumerate(names)},
            "merges": [["▁", "a"], ["▁", "▁"]],
        },
    }


def word_piece():
    names = ["[PAD]", "[UNK]", "hello", "##s", "world", ".", ",", "##'", "n't", "é", "世"]
    return {
        "version": "1.0",
        "added_tokens": [],
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {name: i for i, name in enumerate(names)},
        },
    }


@pytest.fixture(scope="module", params=["qwen3", "llama", "word_piece", "no decoder"])
def pair(request):
    if request.param == "qwen3":
        data = oracles.qwen3_file().read_text(encoding="utf-8")
    else:
        root = llama() if request.param == "llama" else word_piece()
        data = json.dumps(root | ({"decoder": None} if request.param == "no decoder" else {}))
    return ours.Tokenizer.from_str(data), original.Tokenizer.from_str(data)


def outcomes(stream, tokenizer, steps):
    """What each step gives, up to the first that fails."""
    for step in steps:
        try:
            yield stream.step(tokenizer, step)
        except (InvalidPrefixError, Exception) as error:  # noqa: BLE001 - theirs is of no class of its own
            assert "refix" in str(error) or "beginning" in str(error), error
            yield "fails"
            return


@quick
@hypothesis.given(data=st.data(), skip=st.booleans())
def test_random_ids(pair, data, skip):
    mine, theirs = pair
    size = theirs.get_vocab_size()
    ids = st.integers(0, min(size + 2, 300)) | st.integers(max(size - 30, 0), size + 2)
    before = data.draw(st.none() | st.lists(ids, max_size=5))
    steps = data.draw(st.lists(ids | st.lists(ids, max_size=4), max_size=12))
    found = list(outcomes(DecodeStream(ids=before, skip_special_tokens=skip), mine, steps))
    assert found == list(outcomes(Theirs(ids=before, skip_special_tokens=skip), theirs, steps))


@pytest.mark.parametrize("text", ["Hello 🦜 wörld, e\u0301 各!", "a é aa 世 !", "  two  spaces ", ""])
def test_texts(pair, text):
    mine, theirs = pair
    ids = theirs.encode(text).ids
    assert list(outcomes(DecodeStream(), mine, ids)) == list(outcomes(Theirs(), theirs, ids))


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy])
def test_copies(pair, how):
    """A copy goes on by itself."""
    mine, theirs = pair
    said = []
    for tok, kind in ((mine, DecodeStream), (theirs, Theirs)):
        ids = theirs.encode("Hello \U0001f99c w\u00f6rld, again").ids
        stream = kind()
        said.append([stream.step(tok, i) for i in ids[:3]])
        others = [how(stream), how(stream)]
        said[-1] += [[each.step(tok, i) for i in ids[3:]] for each in (others[0], stream, others[1])]
    assert said[0] == said[1]


def test_arguments():
    tok = ours.Tokenizer.from_pretrained("qwen3")
    assert DecodeStream(skip_special_tokens=True).step(tok, tok.token_to_id("<|im_end|>")) is None
    assert DecodeStream([9707]).step(tok, (11, 1879)) == ", world"
    with pytest.raises(TypeError):
        DecodeStream().step(tok, "9707")
    with pytest.raises(TypeError):
        DecodeStream().step(tok, None)
    for stream in (DecodeStream(), Theirs()):
        assert not hasattr(stream, "no_such_name")
    assert issubclass(InvalidPrefixError, wordsplit.WordsplitError)
