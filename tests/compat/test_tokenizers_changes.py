"""`wordsplit.compat.tokenizers`: what is computed late, and what is made again after a change, against tokenizers."""

import copy
import json
import random
from array import array

import generated
import pytest
import tokenizers as original
from depth import by_depth
from tokenizers import decoders, normalizers, pre_tokenizers
from tokenizers import processors as theirs_processors

import wordsplit
import wordsplit.compat.tokenizers as ours
from wordsplit.byte_level import to_byte_level
from wordsplit.compat.tokenizers._document import document
from wordsplit.errors import UnsupportedVocabError
from wordsplit.model import WordPiece
from wordsplit.vocabs.formats.tokenizer_json import spelled_tokens
from wordsplit.vocabs.formats.tokenizer_json import text as texts
from wordsplit.vocabs.formats.tokenizer_json.spelled_tokens import SpelledMerges, SpelledTokens, SpelledVocab

LITERALS = ["<a>", "<a", "<b>", "hello", "Ġworld", "é", "e\u0301", "two words", " x", "<|im_end|>", "🦜"]
TEXT = "a <a> hello<b> two words  x <a Ġworld e\u0301 é<|im_end|> 🦜!"


def small(**changes):
    """A pair of tokenizers from a file with few tokens, which is quick to load."""
    alphabet = {char: i for i, char in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    merges = [["h", "e"], ["l", "l"], ["he", "ll"], ["hell", "o"], ["Ġ", "w"]]
    vocab = alphabet | {left + right: 256 + i for i, (left, right) in enumerate(merges)}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    root = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "NFC"},
        "pre_tokenizer": level,
        "post_processor": None,
        "decoder": level,
        "model": {"type": "BPE", "vocab": vocab, "merges": merges},
    }
    data = json.dumps(root | changes)
    return ours.Tokenizer.from_str(data), original.Tokenizer.from_str(data)


def said(tok, text=TEXT):
    """What a tokenizer says of its tokens and of a text; the offsets are read before the rest."""
    one, two = tok.encode(text), tok.encode("hello", text)
    many = tok.encode_batch([text, ("x", text), "hello"])
    encodings = [one, two, *many, *tok.encode_batch_fast([text, "hello"])]
    return (
        [each.offsets for each in (one, two, *many)],
        [(each.ids, each.type_ids, each.special_tokens_mask, each.attention_mask, len(each)) for each in encodings],
        [(each.tokens, each.word_ids, each.sequence_ids, each.n_sequences) for each in encodings],
        [(tok.decode(one.ids, skip), tok.decode(two.ids, skip)) for skip in (True, False)],
        [tok.get_vocab_size(with_added_tokens=flag) for flag in (True, False)],
        [(tok.token_to_id(name), tok.id_to_token(i)) for i, name in enumerate(LITERALS, 250)],
    )


def test_tokens_added_one_by_one():
    rng = random.Random(7)
    mine, theirs = small()
    for _ in range(by_depth(25, 50, 2000)):
        content = rng.choice(LITERALS) * rng.choice((1, 1, 2))
        special = len(content) % 2 == 0  # the same for a token each time
        flags = {name: rng.random() < 0.2 for name in ("lstrip", "rstrip", "single_word")}
        flags["normalized"] = not special and rng.random() < 0.5
        before = copy.deepcopy(mine), said(mine)
        method = "add_special_tokens" if special else "add_tokens"
        counts = [
            getattr(tok, method)([package.AddedToken(content, **flags)])
            for tok, package in ((mine, ours), (theirs, original))
        ]
        assert counts[0] == counts[1]
        assert mine.get_vocab_size() == theirs.get_vocab_size()
        if rng.random() < 0.5:  # else the next tokens are added before this one was used
            assert said(mine) == said(theirs)
            assert said(before[0]) == before[1]  # a copy does not change
    assert said(mine) == said(theirs)
    assert mine.get_vocab() == theirs.get_vocab()
    with pytest.raises(wordsplit.VocabFormatError, match="surrogate"):
        mine.add_tokens(["\ud800"])
    assert said(mine) == said(theirs)


def test_all_settings_in_any_order():
    rng = random.Random(8)
    mine, theirs = small()
    level = pre_tokenizers.ByteLevel
    template = {"single": "<a> $A:1", "pair": "$B <a> $A:1 $A", "special_tokens": [("<a>", 261)]}
    changes = [
        lambda tok, _: tok.enable_truncation(7),
        lambda tok, _: tok.enable_truncation(64),
        lambda tok, _: tok.no_truncation(),
        lambda tok, _: tok.enable_padding(direction="left", pad_id=3, pad_type_id=1),
        lambda tok, _: tok.enable_padding(length=40),
        lambda tok, _: tok.no_padding(),
        lambda tok, _: tok.add_tokens(["<a>"]),
        lambda tok, _: tok.add_special_tokens(["<b>"]),
        lambda tok, _: setattr(tok, "encode_special_tokens", not tok.encode_special_tokens),
        lambda tok, _: setattr(tok, "normalizer", None),
        lambda tok, _: setattr(tok, "normalizer", normalizers.Lowercase()),
        lambda tok, _: setattr(tok, "normalizer", normalizers.NFC()),
        lambda tok, _: setattr(tok, "pre_tokenizer", level(add_prefix_space=True)),
        lambda tok, _: setattr(tok, "pre_tokenizer", level(add_prefix_space=False)),
        lambda tok, _: setattr(tok, "pre_tokenizer", pre_tokenizers.Sequence([pre_tokenizers.Digits(), level(False)])),
        lambda tok, _: setattr(tok, "decoder", decoders.Fuse()),
        lambda tok, _: setattr(tok, "decoder", decoders.ByteLevel()),
        lambda tok, _: setattr(tok, "post_processor", theirs_processors.ByteLevel(trim_offsets=True)),
        lambda tok, _: setattr(tok, "post_processor", theirs_processors.ByteLevel(trim_offsets=False)),
        lambda tok, package: setattr(tok, "post_processor", package.processors.TemplateProcessing(**template)),
    ]
    for _ in range(by_depth(60, 200, 4000)):
        change = rng.choice(changes)
        for tok, package in ((mine, ours), (theirs, original)):
            change(tok, package)
        if rng.random() < 0.5:
            assert said(mine, rng.choice([TEXT, "hello world", ""])) is not None
        text = rng.choice([TEXT, "hello", " hello  world ", ""])
        assert said(mine, text) == said(theirs, text)
    again = original.Tokenizer.from_str(mine.to_str())
    again.encode_special_tokens = mine.encode_special_tokens
    assert said(again) == said(mine)


@pytest.mark.parametrize("flags", [{"lstrip": True}, {"rstrip": True}, {"lstrip": True, "normalized": False}])
@pytest.mark.parametrize("name", ["Ġ", "Ã", "Ã©", "Ġw", "he", "hello"])
def test_names_of_base_tokens_as_literals(flags, name):
    """Such a token is found in text spelled as its name, and by the model in the text that it is of."""
    pair = small()
    for tok, package in zip(pair, (ours, original), strict=True):
        tok.add_tokens([package.AddedToken(name, **flags)])
    for text in (f"a {name} b", "a é hello world", f"é{name}  {name} é w", "he hell  hello"):
        assert said(pair[0], text) == said(pair[1], text)


def test_setting_what_makes_the_model_another():
    mine, theirs = small()
    for tok in (mine, theirs):  # characters, no longer bytes
        tok.pre_tokenizer = pre_tokenizers.Whitespace()
    assert said(mine, "hello w hell") == said(theirs, "hello w hell")
    for tok in (mine, theirs):
        tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    assert said(mine) == said(theirs)


def test_setting_what_is_not_supported():
    mine, _ = small()
    before = said(mine)
    for name, value in {"normalizer": normalizers.Replace(original.Regex("(?~abc)"), "x"), "decoder": "x"}.items():
        with pytest.raises(wordsplit.WordsplitError):
            setattr(mine, name, value)
        assert said(mine) == before


@pytest.mark.full
@pytest.mark.parametrize("name", ["qwen3", "o200k_base"])
def test_components_of_a_vocab_without_a_file(name):
    mine = ours.Tokenizer.from_pretrained(name)
    theirs = original.Tokenizer.from_str(mine.to_str())
    for tok in (mine, theirs):
        tok.add_tokens(["<new>"])
        tok.normalizer = normalizers.Lowercase()
        tok.decoder = decoders.Fuse()
    text = "Hello <new>WORLD"
    assert mine.encode(text).ids == theirs.encode(text).ids
    assert mine.decode(mine.encode(text).ids) == theirs.decode(theirs.encode(text).ids)
    assert original.Tokenizer.from_str(mine.to_str()).encode(text).ids == mine.encode(text).ids


def test_a_unigram_vocab_without_a_file():
    tokens = {0: b"<unk>", 1: b"a", 2: b"b", 3: b"ab"}
    model = wordsplit.model.Unigram(tokens=tokens, scores=[0, -1, -2, -2.5], unk_id=0)
    mine = ours.Tokenizer(wordsplit.Vocab(name="small", model=model))
    mine.normalizer = normalizers.Lowercase()
    theirs = original.Tokenizer.from_str(mine.to_str())
    assert mine.encode("AB b").ids == theirs.encode("AB b").ids


def test_vocabs_of_a_model_share_its_tables():
    vocab = wordsplit.load_vocab("r50k_base")
    added = [*vocab.added_tokens, wordsplit.AddedToken("<new>", 50257)]
    assert vocab.replace(added_tokens=added, normalizer="nfc").native_tables is vocab.native_tables
    assert vocab.replace(ignore_merges=True).native_tables is not vocab.native_tables


@pytest.mark.parametrize("native", [True, False])
def test_the_text_of_a_file_is_that_of_json(native, monkeypatch):
    if not native:
        monkeypatch.setattr(spelled_tokens, "json_tokens", None)
        monkeypatch.setattr(spelled_tokens, "json_merges", None)
    names = {0: 'a"\\', 7: "\n\t\r\b\f\x00\x1f\x7f", 8: "\u0120é🦜", 9: ""}
    as_text = WordPiece(tokens={i: name.encode() for i, name in names.items()}, unk_id=0)
    in_alphabet = wordsplit.ByteLevelBPE(tokens=as_text.tokens, explicit_merges=[], unreachable_ids={8})
    spelled = {i: name if i == 8 else to_byte_level(name.encode()) for i, name in names.items()}
    for model, expected in ((as_text, names), (in_alphabet, spelled)):
        tokens = SpelledTokens(model, "file")
        assert tokens.names == expected
        assert [tokens.name_of(i) for i in expected] == list(expected.values())
        assert all(map(tokens.spells, expected.values()))
        assert not any(map(tokens.spells, ("é", "x", "\u0120é")))
        # What is listed, too, may be a token of the model.
        for more in ({}, {"x\n": 5, "<y>": 6}, {expected[8]: 8, "x": 5}):
            for flat in ([0, 7, 8, 8, 9, 0], [0, 8], []):
                vocab, merges = SpelledVocab(tokens, more), SpelledMerges(tokens, array("I", flat))
                assert vocab.plain() == {name: i for i, name in expected.items()} | more
                tables = {"type": "BPE", "vocab": vocab, "merges": merges}
                plain = {"a\n": {"b": []}, "model": tables | {"vocab": vocab.plain(), "merges": merges.plain()}}
                for indent in (None, 1, 2):
                    found = texts.document_text(plain | {"model": tables}, indent)
                    assert found == json.dumps(plain, ensure_ascii=False, indent=indent)
    empty = SpelledVocab(SpelledTokens(WordPiece(tokens={}), "file"), {})
    assert texts.document_text({"model": {"vocab": empty, "x": [1]}}, None) == '{"model": {"vocab": {}, "x": [1]}}'
    tok = small()[0]
    assert json.loads(tok.to_str(pretty=True)) == json.loads(tok.to_str()) == document(tok._names.vocab, tok._parts)


@pytest.mark.parametrize("native", [True, False])
def test_a_file_cannot_have_tokens_that_are_spelled_the_same_or_not_text(native, monkeypatch):
    if not native:
        monkeypatch.setattr(spelled_tokens, "json_tokens", None)
        monkeypatch.setattr(spelled_tokens, "json_merges", None)
    for tokens, named in (({3: b"x", 5: b"x"}, r"vocab\[5\].*'x' has id 3, too"), ({3: b"\xff"}, r"vocab\[3\].*UTF-8")):
        spelled = SpelledTokens(WordPiece(tokens=tokens), "file")
        with pytest.raises(UnsupportedVocabError, match=named):
            SpelledVocab(spelled, {}).text(", ")
    with pytest.raises(UnsupportedVocabError, match="UTF-8"):
        SpelledMerges(spelled, array("I", [3, 3])).text(", ", ", ")
    doubled = wordsplit.ByteLevelBPE(tokens={1: b" a", 2: "Ġa".encode()}, explicit_merges=[], unreachable_ids={2})
    with pytest.raises(UnsupportedVocabError, match="'Ġa' has id 1, too"):
        SpelledVocab(SpelledTokens(doubled, "file"), {}).text(", ")


def test_words_of_the_engines():
    several = [
        *generated.BROKE_OTHERS[:: by_depth(4, 1, 1)],
        "e\u0301<|endoftext|>x",
        "a\ud800b",
        "",
        "\U0001f99c\ud83e",
    ]
    for name in ("qwen3", "cl100k_base"):
        engine = wordsplit.load_tokenizer(name)._engine
        for as_text in ((), frozenset({"<|endoftext|>"})):
            for text in several:
                found = engine.encode_with_offsets(text, as_text)
                ids, places, words = engine.encode_with_words(text, as_text)
                assert (ids, places) == (found.ids, found.char_spans)
                assert [at for at, word in enumerate(words) if not at or word != words[at - 1]] == found.span_starts
