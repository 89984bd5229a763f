"""Components of `wordsplit.compat.tokenizers`: the constructors, the JSON and the results of the original."""

import copy
import json
import pickle

import hypothesis
import hypothesis.strategies as st
import pytest
import tokenizers as original
from depth import by_depth

import wordsplit.compat.errors
import wordsplit.compat.tokenizers as ours

quick = hypothesis.settings(max_examples=by_depth(5, 12, 500))
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
    st.lists(st.sampled_from(["a", "Z9", " ", "  ", "\n", "é", "e\u0301", "ﬁ", "各", "🦜", ".", "-x", "▁", "ж"])).map(
        "".join
    ),
)
# Made by one of the packages.
MADE = {
    "normalizers": [
        lambda p: p.normalizers.BertNormalizer(),
        lambda p: p.normalizers.BertNormalizer(False, True, strip_accents=True, lowercase=False),
        lambda p: p.normalizers.ByteLevel(),
        lambda p: p.normalizers.Lowercase(),
        lambda p: p.normalizers.NFC(),
        lambda p: p.normalizers.NFD(),
        lambda p: p.normalizers.NFKC(),
        lambda p: p.normalizers.NFKD(),
        lambda p: p.normalizers.Nmt(),
        lambda p: p.normalizers.Prepend(),
        lambda p: p.normalizers.Prepend(prepend="x"),
        lambda p: p.normalizers.Replace("a", "bb"),
        lambda p: p.normalizers.Replace(pattern=p.Regex("[0-9]+"), content="N"),
        lambda p: p.normalizers.Sequence([p.normalizers.NFD(), p.normalizers.StripAccents()]),
        lambda p: p.normalizers.Strip(),
        lambda p: p.normalizers.Strip(left=False),
        lambda p: p.normalizers.StripAccents(),
        lambda p: p.normalizers.unicode_normalizer_from_str("nfkc"),
    ],
    "pre_tokenizers": [
        lambda p: p.pre_tokenizers.BertPreTokenizer(),
        lambda p: p.pre_tokenizers.ByteLevel(),
        lambda p: p.pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=False),
        lambda p: p.pre_tokenizers.ByteLevel(False, use_regex=False),
        lambda p: p.pre_tokenizers.CharDelimiterSplit("-"),
        lambda p: p.pre_tokenizers.Digits(),
        lambda p: p.pre_tokenizers.Digits(individual_digits=True),
        lambda p: p.pre_tokenizers.FixedLength(),
        lambda p: p.pre_tokenizers.FixedLength(length=2),
        lambda p: p.pre_tokenizers.Metaspace(),
        lambda p: p.pre_tokenizers.Metaspace("_", "never", split=False),
        lambda p: p.pre_tokenizers.Punctuation(),
        lambda p: p.pre_tokenizers.Punctuation(behavior="removed"),
        lambda p: p.pre_tokenizers.Sequence([p.pre_tokenizers.WhitespaceSplit(), p.pre_tokenizers.Digits()]),
        lambda p: p.pre_tokenizers.Split("a", "isolated"),
        lambda p: p.pre_tokenizers.Split(p.Regex(r"\w+"), behavior="merged_with_next", invert=True),
        lambda p: p.pre_tokenizers.UnicodeScripts(),
        lambda p: p.pre_tokenizers.Whitespace(),
        lambda p: p.pre_tokenizers.WhitespaceSplit(),
    ],
    "decoders": [
        lambda p: p.decoders.BPEDecoder(),
        lambda p: p.decoders.BPEDecoder(suffix="a"),
        lambda p: p.decoders.ByteFallback(),
        lambda p: p.decoders.ByteLevel(),
        lambda p: p.decoders.CTC(),
        lambda p: p.decoders.CTC("a", "-", cleanup=False),
        lambda p: p.decoders.Fuse(),
        lambda p: p.decoders.Metaspace(),
        lambda p: p.decoders.Metaspace("_", "never", split=False),
        lambda p: p.decoders.Replace("a", "b"),
        lambda p: p.decoders.Replace(p.Regex("[0-9]"), "N"),
        lambda p: p.decoders.Sequence([p.decoders.Replace("▁", " "), p.decoders.ByteFallback(), p.decoders.Fuse()]),
        lambda p: p.decoders.Strip(),
        lambda p: p.decoders.Strip("a", left=1, right=2),
        lambda p: p.decoders.WordPiece(),
        lambda p: p.decoders.WordPiece(prefix="-", cleanup=False),
    ],
    "processors": [
        lambda p: p.processors.BertProcessing(("[SEP]", 1), ("[CLS]", 2)),
        lambda p: p.processors.BertProcessing(sep=("[SEP]", 1), cls_token=("[CLS]", 2)),
        lambda p: p.processors.ByteLevel(),
        lambda p: p.processors.ByteLevel(trim_offsets=False, add_prefix_space=False),
        lambda p: p.processors.RobertaProcessing(("</s>", 1), ("<s>", 2)),
        lambda p: p.processors.RobertaProcessing(("</s>", 1), ("<s>", 2), trim_offsets=True, add_prefix_space=False),
        lambda p: p.processors.TemplateProcessing(),
        lambda p: p.processors.TemplateProcessing("$A", pair="$B $A:3"),
        lambda p: p.processors.TemplateProcessing(
            single="[CLS] $A X:1",
            pair=["$A", "[CLS]:2", "$B:1"],
            special_tokens=[("[CLS]", 1), {"id": "X", "ids": [2, 3], "tokens": ["a", "b"]}],
        ),
        lambda p: p.processors.Sequence(
            [p.processors.ByteLevel(), p.processors.TemplateProcessing("$A x", special_tokens=[(2, "x")])]
        ),
    ],
    "models": [
        lambda p: p.models.BPE(),
        lambda p: p.models.BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")]),
        lambda p: p.models.BPE(
            {"a": 0, "<u>": 1},
            [],
            unk_token="<u>",  # noqa: S106 - a token of text
            fuse_unk=True,
            byte_fallback=True,
            ignore_merges=True,
        ),
        lambda p: p.models.BPE({"a": 0, "-a": 1, "aa": 2}, [("a", "-a")], continuing_subword_prefix="-"),
        lambda p: p.models.Unigram(),
        lambda p: p.models.Unigram([("a", -1.5), ("<unk>", 0.0), ("aa", -2.0)], unk_id=1, byte_fallback=False),
        lambda p: p.models.WordLevel(),
        lambda p: p.models.WordLevel({"a": 0, "x": 1}, unk_token="x"),  # noqa: S106 - as above
        lambda p: p.models.WordPiece(),
        lambda p: p.models.WordPiece({"[UNK]": 0, "a": 1, "##a": 2}, max_input_chars_per_word=9),
    ],
}


def cases(family):
    return pytest.mark.parametrize(
        "make", [pytest.param(make, id=f"{type(make(original)).__name__}{at}") for at, make in enumerate(MADE[family])]
    )


@pytest.mark.parametrize("family", MADE)
def test_names(family):
    theirs, mine = getattr(original, family), getattr(ours, family)
    public = {name for name in dir(theirs) if not name.startswith("_") and name != family}
    assert {name for name in public if not hasattr(mine, name)} == set()


@pytest.mark.parametrize("make", [make for family in MADE.values() for make in family])
def test_values(make):
    mine, theirs = make(ours), make(original)
    assert json.loads(mine.__getstate__()) == json.loads(theirs.__getstate__())
    if not isinstance(mine, ours.models.Model):  # which lists its fields in another order
        assert repr(mine) == str(mine) == repr(theirs)
        assert mine.__getstate__() == theirs.__getstate__()
    assert isinstance(mine, getattr(ours, type(theirs).__module__.rpartition(".")[2]).__dict__[type(theirs).__name__])
    for again in (pickle.loads(pickle.dumps(mine)), copy.deepcopy(mine)):  # noqa: S301 - our own
        assert again == mine
        assert again is not mine
    assert mine != object()
    assert len({mine, copy.copy(mine)}) == 1
    for name in {name for name in dir(theirs) if not name.startswith("_")} - {"custom", "pattern", "single"}:
        expected = getattr(theirs, name)
        if name in mine._instead:
            with pytest.raises(wordsplit.compat.errors.MissingNameError, match=mine._instead[name].partition("(")[0]):
                getattr(mine, name)
        elif callable(expected):
            assert callable(getattr(mine, name)), name
        else:
            found = getattr(mine, {"start": "left", "stop": "right"}.get(name, name))
            # Theirs reads "mergedwithnext", which its own constructor refuses.
            assert (found.replace("_", "") if name == "behavior" else found) == expected, name
    assert not hasattr(mine, "no_such_name")


@cases("normalizers")
@quick
@hypothesis.given(text=TEXTS)
def test_normalize_str(make, text):
    assert make(ours).normalize_str(text) == make(original).normalize_str(text)


@cases("pre_tokenizers")
@quick
@hypothesis.given(text=TEXTS)
def test_pre_tokenize_str(make, text):
    assert make(ours).pre_tokenize_str(text) == make(original).pre_tokenize_str(text)


@cases("decoders")
@quick
@hypothesis.given(
    tokens=st.lists(st.sampled_from(["a", "▁a", "##b", "<0xC3>", "<0xA9>", "Ġé", "ab-", " aa", "|", "<pad>", "1"]))
)
def test_decode_tokens(make, tokens):
    try:
        expected = make(original).decode(tokens)
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # of no class that can be named
            raise
        hypothesis.reject()
    assert make(ours).decode(tokens) == expected


def told(encoding):
    names = ("ids", "type_ids", "tokens", "offsets", "attention_mask", "special_tokens_mask", "sequence_ids")
    return {name: getattr(encoding, name) for name in names}


@cases("processors")
def test_process(make):
    toks = []
    for package in (ours, original):
        tok = package.Tokenizer(package.models.WordLevel({"a": 0, "b": 1, "?": 2}, unk_token="?"))  # noqa: S106 - as above
        toks.append(tok)
        tok.pre_tokenizer = package.pre_tokenizers.Sequence([package.pre_tokenizers.Whitespace()])
    mine, theirs = make(ours), make(original)
    for is_pair in (True, False):
        assert mine.num_special_tokens_to_add(is_pair) == theirs.num_special_tokens_to_add(is_pair)
    for add in (True, False):
        found, expected = (
            [
                told(processor.process(tok.encode("a b"), add_special_tokens=add)),
                told(processor.process(tok.encode("a b"), tok.encode("b x a"), add)),
            ]
            for processor, tok in zip((mine, theirs), toks, strict=True)
        )
        assert found == expected
    for processor, tok in zip((mine, theirs), toks, strict=True):
        tok.post_processor = processor
    assert told(toks[0].encode("a b", "b")) == told(toks[1].encode("a b", "b"))
    assert toks[0].post_processor == mine
    assert json.loads(original.Tokenizer.from_str(toks[0].to_str()).to_str()) == json.loads(toks[1].to_str())


@cases("models")
def test_models(make, tmp_path):
    mine, theirs = make(ours), make(original)
    vocab = theirs.__class__ is not original.models.Unigram and json.loads(theirs.__getstate__())["vocab"]
    for token in vocab or ():
        assert mine.token_to_id(token) == theirs.token_to_id(token)
    for i in range(4):
        assert mine.id_to_token(i) == theirs.id_to_token(i)
    assert mine.token_to_id("no such token") is None
    if json.loads(theirs.__getstate__())["vocab"]:
        for text in ("aab", "aaxa", "é"):
            toks = ours.Tokenizer(mine), original.Tokenizer(theirs)
            assert told(toks[0].encode(text)) == told(toks[1].encode(text))
            found, expected = mine.tokenize(text), theirs.tokenize(text)
            if not isinstance(mine, (ours.models.Unigram)):  # which names the unknown text
                assert [each.as_tuple() for each in found] == [each.as_tuple() for each in expected]
    (tmp_path / "mine").mkdir()
    (tmp_path / "theirs").mkdir()
    for prefix in (None, "x"):
        names = mine.save(str(tmp_path / "mine"), prefix)
        expected = theirs.save(str(tmp_path / "theirs"), prefix)
        assert [name.rpartition("/")[2] for name in names] == [name.rpartition("/")[2] for name in expected]
        for name in names:
            data = (tmp_path / "mine" / name).read_text(encoding="utf-8")
            wanted = (tmp_path / "theirs" / name.rpartition("/")[2]).read_text(encoding="utf-8")
            assert (json.loads(data) == json.loads(wanted)) if name.endswith("json") else data == wanted
    if hasattr(theirs, "from_file"):
        options = {name: getattr(mine, name, None) for name in ("unk_token", "continuing_subword_prefix")}
        kept = {name: value for name, value in options.items() if value is not None}
        assert type(mine).from_file(*names, **kept).vocab == mine.vocab
        assert type(theirs).from_file(*names, **kept).id_to_token(0) == mine.id_to_token(0)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda p: p.normalizers.Normalizer(), TypeError),
        (lambda p: p.normalizers.NFC(3), TypeError),
        (lambda p: p.normalizers.Replace(3, "x"), TypeError),
        (lambda p: p.normalizers.unicode_normalizer_from_str("nfx"), ValueError),
        (lambda p: p.pre_tokenizers.Punctuation("up"), ValueError),
        (lambda p: p.pre_tokenizers.Metaspace(prepend_scheme="up"), ValueError),
        (lambda p: p.pre_tokenizers.Metaspace("ab"), ValueError),
        (lambda p: p.models.BPE({"a": 0}), ValueError),
        (lambda p: p.processors.TemplateProcessing("[CLS] $A"), ValueError),
        (lambda p: p.processors.TemplateProcessing(pair="$A $A"), ValueError),
        (lambda p: p.processors.BertProcessing(sep=("a", 1), cls=("b", 2)), TypeError),
        (lambda p: p.Tokenizer(p.normalizers.NFC()), TypeError),
        (lambda p: setattr(p.Tokenizer(p.models.BPE()), "normalizer", p.pre_tokenizers.Digits()), TypeError),
        (lambda p: p.normalizers.Sequence([3]), TypeError),
    ],
)
def test_bad_arguments(make, error):
    for package in (ours, original):
        with pytest.raises(error):
            make(package)


def test_lists_of_components():
    for package in (ours, original):
        both = package.normalizers.Sequence([package.normalizers.NFC(), package.normalizers.Strip()])
        assert len(both) == 2
        assert repr(both[1]) == "Strip(strip_left=True, strip_right=True)"
        both[1] = package.normalizers.NFD()
        assert repr(both) == "Sequence(normalizers=[NFC(), NFD()])"
        with pytest.raises(IndexError):
            both[5]


def test_changes_in_place():
    for package in (ours, original):
        template = package.processors.TemplateProcessing("$A", special_tokens=[("x", 1)])
        template.single = "x $A:2"
        assert json.loads(template.__getstate__())["single"][1] == {"Sequence": {"id": "A", "type_id": 2}}
        level = package.pre_tokenizers.ByteLevel()
        level.add_prefix_space = False
        assert level.pre_tokenize_str("a") == [("a", (0, 1))]
        model = package.models.BPE()
        model.unk_token = "u"  # noqa: S105 - a token of text
        assert json.loads(model.__getstate__())["unk_token"] == "u"  # noqa: S105 - as above


def test_what_is_read_is_a_copy():
    ids = {"a": 0, "b": 1}
    tok = ours.Tokenizer(ours.models.BPE(ids, []))
    ids["c"] = 2
    tok.model.vocab["d"] = 3
    tok.post_processor = ours.processors.TemplateProcessing("$A x", special_tokens=[("x", 1)])
    tok.post_processor.special_tokens[0]["ids"].append(5)
    assert tok.encode("ab").ids == [0, 1, 1]
    assert tok.get_vocab_size() == 2


def test_components_in_python_are_refused():
    for kind in (ours.normalizers.Normalizer, ours.pre_tokenizers.PreTokenizer, ours.decoders.Decoder):
        with pytest.raises(ours.NotSupportedError, match="Python"):
            kind.custom(object())


def test_the_alphabet():
    assert ours.pre_tokenizers.ByteLevel.alphabet() == sorted(original.pre_tokenizers.ByteLevel.alphabet())


@pytest.mark.parametrize("make", MADE["models"][1:2])
def test_a_tokenizer_of_components(make):
    toks = []
    for package in (ours, original):
        tok = package.Tokenizer(make(package))
        tok.add_special_tokens(["<s>", package.AddedToken("<m>", lstrip=True)])
        tok.normalizer = package.normalizers.Lowercase()
        tok.pre_tokenizer = package.pre_tokenizers.ByteLevel(add_prefix_space=False)
        tok.decoder = package.decoders.ByteLevel()
        tok.post_processor = package.processors.TemplateProcessing("<s> $A", special_tokens=[("<s>", 3)])
        tok.enable_padding(length=7)
        tok.enable_truncation(5)
        toks.append(tok)
    mine, theirs = toks
    for text in ("ABab <m>bB", "", "x"):
        assert told(mine.encode(text)) == told(theirs.encode(text))
        assert mine.decode(mine.encode(text).ids) == theirs.decode(theirs.encode(text).ids)
    for name in ("model", "normalizer", "pre_tokenizer", "decoder", "post_processor"):
        assert json.loads(getattr(mine, name).__getstate__()) == json.loads(getattr(theirs, name).__getstate__())
    again = pickle.loads(pickle.dumps(mine))  # noqa: S301 - our own
    assert json.loads(again.to_str()) == json.loads(theirs.to_str())
    mine.model = ours.models.BPE({"b": 0}, [])
    theirs.model = original.models.BPE({"b": 0}, [])
    assert mine.encode("bab").tokens == theirs.encode("bab").tokens


def test_a_tokenizer_without_tokens():
    tok = ours.Tokenizer(ours.models.BPE())
    tok.encode_special_tokens = True
    tok.enable_padding()
    copied = pickle.loads(pickle.dumps(copy.deepcopy(tok)))  # noqa: S301 - our own
    for each in (tok, copied):
        assert (each.get_vocab_size(), each.get_vocab()) == (0, {})
        assert each.encode_special_tokens is True
        assert json.loads(each.to_str())["padding"] is not None
        assert each.encode("x").ids == []


def test_values_that_are_refused():
    for package in (ours, original):
        for kind, options in (
            ("CharDelimiterSplit", {"delimiter": ""}),
            ("CharDelimiterSplit", {"delimiter": "ab"}),
            ("Metaspace", {"replacement": ""}),
            ("Metaspace", {"prepend_scheme": "last"}),
        ):
            with pytest.raises(ValueError):
                getattr(package.pre_tokenizers, kind)(**options)
            if kind == "Metaspace":
                with pytest.raises(ValueError):
                    package.decoders.Metaspace(**options)


@pytest.mark.parametrize(
    "make",
    [
        lambda p: p.models.BPE(),
        lambda p: p.models.BPE({"b": 1, "a": 0, "ab": 2}, [("a", "b")], unk_token="a", fuse_unk=True),  # noqa: S106 - of text
        lambda p: p.models.WordPiece({"b": 1, "a": 0}, unk_token="a"),  # noqa: S106
        lambda p: p.models.WordLevel({"b": 1, "a": 0}, unk_token="b"),  # noqa: S106
        lambda p: p.models.Unigram([("A", 0.0), ("B", -0.01)], 0),
    ],
)
def test_models_are_written_in_the_same_order(make):
    assert repr(make(ours)) == repr(make(original))
    assert make(ours).__getstate__() == make(original).__getstate__()
