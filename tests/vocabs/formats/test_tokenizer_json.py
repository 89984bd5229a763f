"""tokenizer.json: what is read, and that what is written says the same, to wordsplit and to `tokenizers`."""

import json

import pytest
import tokenizers
from depth import by_depth
from generated import BROKE_OTHERS

import wordsplit
from wordsplit.byte_level import to_byte_level
from wordsplit.patterns.schemes import SCHEMES

BUNDLED = ["cl100k_base", "o200k_base", "o200k_harmony", "p50k_base", "p50k_edit", "qwen3", "r50k_base"]
BUNDLED = BUNDLED[by_depth(5, 0, 0) :]
SINGLE = {to_byte_level(bytes([b])): b for b in range(256)}
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True}
TEXTS = [text for text in BROKE_OTHERS if len(text) < 2_000]


def document(**changes):
    ids = {**SINGLE, "he": 256, "ll": 257, "hell": 258, "hello": 259}
    model = {"type": "BPE", "vocab": ids, "merges": ["h e", "l l", "he ll", "hell o"]}
    model |= changes.pop("model", {})
    out = {
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": BYTE_LEVEL,
        "model": model,
        "decoder": BYTE_LEVEL,
    }
    return json.dumps(out | changes).encode()


def added(content, token_id, **flags):
    every = dict.fromkeys(("special", "lstrip", "rstrip", "single_word", "normalized"), False)
    return {"id": token_id, "content": content, **every, **flags}


def test_both_spellings_of_merges():
    strings = wordsplit.load_vocab_bytes(document())
    pairs = [["h", "e"], ["l", "l"], ["he", "ll"], ["hell", "o"]]
    assert wordsplit.load_vocab_bytes(document(model={"merges": pairs})) == strings
    assert list(strings.merges) == [(104, 101), (108, 108), (256, 257), (258, 111)]


@pytest.mark.parametrize("engine", ["native", "python"])
def test_merges_of_tokens_outside_the_byte_level_alphabet(engine):
    ids = {**SINGLE, "h e": 256, "h el": 257, "he": 258}
    data = document(model={"vocab": ids, "merges": [["h e", "l"], ["h", "e"]]})
    vocab = wordsplit.load_vocab_bytes(data)
    assert list(vocab.model.explicit_merges) == [(256, 108), (104, 101)]
    assert list(vocab.merges) == [(104, 101)]
    assert vocab.unreachable_ids == {256, 257}
    tok, theirs = wordsplit.load_tokenizer(vocab, engine=engine), tokenizers.Tokenizer.from_str(data.decode())
    assert tok.encode("h el hel") == theirs.encode("h el hel").ids


FLAGS = ("special", "lstrip", "rstrip", "single_word", "normalized")


@pytest.mark.parametrize("flag", FLAGS)
def test_flags_of_added_tokens(tmp_path, flag):
    data = document(added_tokens=[added("<x>", 260, **{flag: True}), added("ab", 261)])
    path = tmp_path / "tokenizer.json"
    path.write_bytes(data)
    vocab = wordsplit.load_vocab(path)
    token = vocab.added_tokens[0]
    assert {name: getattr(token, name) for name in FLAGS} == {name: name == flag for name in FLAGS}
    tok, theirs = wordsplit.load_tokenizer(vocab), tokenizers.Tokenizer.from_file(str(path))
    for text in (
        "hello <x> hello",
        "<x>",
        " <x>",
        "a<x>b",
        "_ <x>\n\tb",
        "cabab<x>ab",
        "<x><x> <x>",
        "x <x> é<x>é",
    ):
        assert tok.encode(text) == theirs.encode(text, add_special_tokens=False).ids, text
    vocab.save_tokenizer_json(tmp_path / "again.json")
    assert wordsplit.load_vocab(tmp_path / "again.json").fingerprint == vocab.fingerprint


def test_added_tokens_that_stand_in_the_vocab_too(tmp_path):
    ids = {**SINGLE, "he": 256, "ll": 257, "<x>": 258, "<": 60}
    extra = [added("<x>", 258, special=True), added("he", 256)]
    path = tmp_path / "tokenizer.json"
    path.write_bytes(document(model={"vocab": ids, "merges": ["h e", "l l"]}, added_tokens=extra))
    vocab = wordsplit.load_vocab(path)
    tok, theirs = wordsplit.load_tokenizer(vocab), tokenizers.Tokenizer.from_file(str(path))
    for text in ("hell<x>", "he", "<x>he ll"):
        assert tok.encode(text) == theirs.encode(text).ids
    assert 258 not in vocab.tokens
    assert 256 in vocab.tokens  # a merge makes it


@pytest.mark.parametrize("add_prefix_space", [True, False])
@pytest.mark.parametrize("use_regex", [True, False])
def test_byte_level_alone(tmp_path, add_prefix_space, use_regex):
    part = {**BYTE_LEVEL, "add_prefix_space": add_prefix_space, "use_regex": use_regex}
    path = tmp_path / "tokenizer.json"
    path.write_bytes(document(pre_tokenizer=part, added_tokens=[added("<x>", 260)]))
    vocab = wordsplit.load_vocab(path)
    again = tmp_path / "again.json"
    vocab.save_tokenizer_json(again)
    assert wordsplit.load_vocab(again).fingerprint == vocab.fingerprint
    tok = wordsplit.load_tokenizer(vocab)
    for file in (path, again):
        theirs = tokenizers.Tokenizer.from_file(str(file))
        for text in ("hello", " hello", "né, hello<x>hello <x> hello", "", "\nhello  hello\n"):
            assert tok.encode(text) == theirs.encode(text).ids, text


def test_a_prefix_space_before_other_patterns_cannot_be_said(tmp_path):
    vocab = wordsplit.Vocab(
        name="x",
        tokens={b: bytes([b]) for b in range(256)},
        pre_tokenizer=SCHEMES["qwen2"],
        add_prefix_space=True,
    )
    with pytest.raises(wordsplit.UnsupportedVocabError, match="add_prefix_space"):
        vocab.save_tokenizer_json(tmp_path / "x.json")


def test_a_template(tmp_path):
    template = {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<x>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
        "special_tokens": {"<x>": {"id": "<x>", "ids": [260], "tokens": ["<x>"]}},
    }
    path = tmp_path / "tokenizer.json"
    path.write_bytes(document(post_processor=template, added_tokens=[added("<x>", 260, special=True)]))
    vocab = wordsplit.load_vocab(path)
    assert vocab.prefix_ids == (260,)
    vocab.save_tokenizer_json(tmp_path / "again.json")
    assert wordsplit.load_vocab(tmp_path / "again.json").fingerprint == vocab.fingerprint
    theirs = tokenizers.Tokenizer.from_file(str(tmp_path / "again.json"))
    assert theirs.encode("hello").ids == wordsplit.load_tokenizer(vocab).encode("hello") == [260, 259]


@pytest.mark.parametrize("name", BUNDLED)
def test_saved_files_are_read_alike_by_tokenizers(tmp_path, name):
    vocab = wordsplit.load_vocab(name)
    path = tmp_path / "tokenizer.json"
    if name == "o200k_harmony":  # two of its literals share an id, which `tokenizers` does not bear
        with pytest.raises(wordsplit.UnsupportedVocabError, match="share id 200018"):
            vocab.save_tokenizer_json(path)
        return
    vocab.save_tokenizer_json(path)
    assert wordsplit.load_vocab(path).fingerprint == vocab.fingerprint
    ours, theirs = wordsplit.load_tokenizer(vocab), tokenizers.Tokenizer.from_file(str(path))
    specials = list(vocab.special_tokens)
    texts = [*TEXTS, *specials[:5], "a".join(specials[-5:]), " <|endoftext|> \n<|fim_prefix|>x"]
    assert len(texts) > 24
    for text in texts:
        assert ours.encode(text) == theirs.encode(text, add_special_tokens=False).ids, text[:80]
    for text in texts[:10]:
        ids = ours.encode(text)
        assert theirs.decode(ids, skip_special_tokens=False) == ours.decode(ids)


def test_the_official_file_of_qwen3_is_the_bundled_vocab(shared):
    folder = shared / "vocabs/qwen3"
    vocab = wordsplit.load_vocab(folder / "tokenizer.json")
    assert vocab.fingerprint == wordsplit.load_vocab("qwen3").fingerprint
    assert vocab.name == "qwen3"
    assert vocab.chat_template
    assert (vocab.eos_token_id, vocab.pad_token_id) == (151645, 151643)
    assert sum(token.special for token in vocab.added_tokens) == 14


def test_the_official_file_of_gpt_2_is_r50k_base(shared):
    path = shared / "vocabs/openai/gpt2.tokenizer.json"
    ours, theirs = wordsplit.load_tokenizer(path), tokenizers.Tokenizer.from_file(str(path))
    r50k = wordsplit.load_tokenizer("r50k_base")
    for text in TEXTS:
        assert ours.encode(text) == theirs.encode(text).ids == r50k.encode(text)


def test_patterns_of_the_other_dialect(tmp_path):
    """Possessive counts and the end of the text, as tiktoken means them, reach `tokenizers`."""
    step = wordsplit.Split(r"^a{1,2}+|a{3}+|[a{1,2}+$]b|x$|\$|\s++$|.", dialect="tiktoken")
    tokens = {b: bytes([b]) for b in range(256)}
    vocab = wordsplit.Vocab(name="x", tokens=tokens, merges=[], pre_tokenizer=[step])
    path = tmp_path / "x.json"
    vocab.save_tokenizer_json(path)
    spans = wordsplit.load_tokenizer(vocab).spans
    theirs = tokenizers.Tokenizer.from_file(str(path)).pre_tokenizer
    for text in ("aaaaaaa", "x\nx", "aaa\naaa", "a$b x$", " \n  ", "aaaaa"):
        assert [text[slice(*at)] for _, at in theirs.pre_tokenize_str(text)] == spans(text), text


def test_a_token_whose_beginning_another_has_swallowed(engine):
    """What is left of it may be nothing, or less."""
    first = added("<a>", 260, rstrip=True)
    data = document(added_tokens=[first, added("  ", 261, lstrip=True)])  # on which `tokenizers` panics
    tok = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(data), engine=engine)
    assert tok.spans("x<a>     y") == ["x", "<a>     ", "y"]
    data = document(added_tokens=[first, added("   ", 261, lstrip=True, rstrip=True)])
    theirs = tokenizers.Tokenizer.from_str(data.decode())
    ours = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(data), engine=engine)
    for text in ("x<a>     y", "   <a>   ", "<a>      <a>", "      "):
        assert ours.encode(text) == theirs.encode(text).ids, text


def test_chat_templates_by_name(tmp_path):
    (tmp_path / "tokenizer.json").write_bytes(document(added_tokens=[added("<x>", 260), added("<m>", 261)]))
    templates = [{"name": "default", "template": "a"}, {"name": "rag", "template": "b"}]
    config = {"chat_template": templates, "unk_token": "<x>", "mask_token": {"content": "<m>"}, "sep_token": None}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    vocab = wordsplit.load_vocab(tmp_path)
    assert (vocab.chat_template, vocab.chat_templates) == ("a", {"default": "a", "rag": "b"})
    assert vocab.role_ids == {"unk": 260, "mask": 261}


@pytest.mark.parametrize("engine", ["native", "python"])
def test_an_added_token_that_is_empty_when_normalized(tmp_path, engine):
    """`tokenizers` finds it between all bytes, and panics within a character."""
    strip = {"type": "Strip", "strip_left": True, "strip_right": True}
    path = tmp_path / "tokenizer.json"
    path.write_bytes(document(normalizer=strip, added_tokens=[added("  ", 260, normalized=True)]))
    theirs = tokenizers.Tokenizer.from_file(str(path))
    assert theirs.encode("hello").tokens == list("hello")
    with pytest.raises(BaseException, match="bad split"):
        theirs.encode("é")
    vocab = wordsplit.load_vocab(path)
    with pytest.raises(wordsplit.UnsupportedVocabError, match=r"is empty when normalized.*normalized false") as error:
        wordsplit.load_tokenizer(vocab, engine=engine)
    assert (error.value.file, error.value.field) == (str(path), "added_tokens['  ']")
    plain = vocab.replace(added_tokens=[wordsplit.AddedToken("  ", 260, special=False)])
    assert wordsplit.load_tokenizer(plain, engine=engine).encode(" hello ") == [259]
