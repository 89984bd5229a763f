"""Normalizers of several steps, of which some look at more than one character, in the core: what `tokenizers` gives."""

import json
import random

import pytest
import tokenizers
from charsmaps import charsmap
from depth import by_depth
from generated import random_char

import wordsplit
from wordsplit.engine.core_rules import rules_before_marks
from wordsplit.engine.offsets import words_of
from wordsplit.engine.tracer import tracer_of
from wordsplit.engine.words import word_map_of

TURNS = by_depth(10, 50, 5_000)
TEXTS, OFFSETS_OF = 120, 4
CHARSMAP = charsmap(
    {"\u00a0": " ", "\u3000": " ", "\t": " ", ".": "P.", '"': 'Q"', "\u00e9": "e", "e\u0301": "E", "\ufb01": "fi"}
    | {"\u200b": "", "A": "a", "\r\n": " ", "\uff21": "A", "\uff02": " Q "}
)


def replace(pattern, content):
    return {"type": "Replace", "pattern": {"String": pattern}, "content": content}


STEPS = [
    *({"type": kind} for kind in ("NFC", "NFD", "NFKC", "NFKD", "StripAccents", "Lowercase", "Nmt")),
    *(replace(*each) for each in (("``", '"'), ("''", '"'), ("a", "e\u0301"), ("\u00e9", "''"), ("e\u0301", "E"))),
    *(replace(*each) for each in (("ab", ""), ("x", ""), ("\u0301", ""))),
]
STRIPS = [
    {"type": "Strip", "strip_left": left, "strip_right": right} for left in (True, False) for right in (True, False)
]
# Marks, letters of Korean syllables, what decomposes to a space and a mark, and what patterns have.
AWKWARD = (
    "12\uff02"
    "\u0300\u0301\u0308\u0316\u0327\u0344\u0345\u0364\u1100\u1161\u11a8\uac00\uac01\u3099\u093c\u09be\u09d7\u200c\u200d"
    "\u0600\u064b\u0651\u05b7\u00a8\u00b4\u037a\u0390\u1fee\u212b\u0130\u03a3\ufb01\u3000\u00a0\u2003\r\n\t\x01\u2581"
    "\U0001d15e\U0001d165\U0001f1e6\U0001f468\ufe0f\u0338\u00b2\uf900  ''``ab.aexé=!"
)


METASPACE = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True}
WORDS = [METASPACE, {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, METASPACE]}]
BY_CHARACTER = [
    *({"type": kind} for kind in ("BertPreTokenizer", "Whitespace", "WhitespaceSplit")),
    {
        "type": "Sequence",
        "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Punctuation", "behavior": "Isolated"}],
    },
    {"type": "Sequence", "pretokenizers": [{"type": "Whitespace"}, {"type": "Digits", "individual_digits": True}]},
]
BERT = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None}


def vocab(normalizers, pre_tokenizer, *, added=(), pieces=False):
    """A vocab, Unigram or WordPiece, of the characters that the awkward ones become, and a few tokens of two."""
    tokens = sorted(
        {*"abcdefghijklmnopqrstuvwxyzAEPQ.\"'`=!\u2260\u4e2d", *AWKWARD, "\u2581", "\u00e5", "\u03c9", "\u2581a", "fi"}
    )
    scores = [["<unk>", 0.0], *([token, -1.0 - n / 64] for n, token in enumerate(tokens))]
    model = {"type": "Unigram", "unk_id": 0, "vocab": scores, "byte_fallback": False}
    if pieces:
        every = ["<unk>", *tokens, *(f"##{token}" for token in tokens)]
        ids = {token: n for n, token in enumerate(every)}
        model = {"type": "WordPiece", "unk_token": "<unk>", "continuing_subword_prefix": "##", "vocab": ids}
        model["max_input_chars_per_word"] = 20
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "special"), False) | {"normalized": True}
    return json.dumps(
        {
            "version": "1.0",
            "added_tokens": [
                {"id": len(model["vocab"]) + n, "content": content, **flags} for n, content in enumerate(added)
            ],
            "normalizer": {"type": "Sequence", "normalizers": normalizers},
            "pre_tokenizer": pre_tokenizer,
            "model": model,
        }
    )


def a_text(rng, added):
    kinds = [lambda: rng.choice(AWKWARD), lambda: random_char(rng), lambda: rng.choice(" abe.")]
    if rng.random() < 0.3:
        del kinds[1]
    if added and rng.random() < 0.5:
        kinds.append(lambda: rng.choice(added))
    return "".join(rng.choice(kinds)() for _ in range(rng.randrange(1, 30)))


def check(path, content, rng):
    path.write_text(content, encoding="utf-8")
    theirs, ours = tokenizers.Tokenizer.from_file(str(path)), wordsplit.load_tokenizer(path)
    added = [token["content"] for token in json.loads(content)["added_tokens"]]
    texts = [a_text(rng, added) for _ in range(TEXTS)]
    wanted = theirs.encode_batch(texts)
    expected = [each.ids for each in wanted]
    assert ours.encode_batch(texts) == expected
    assert [ours.encode(text) for text in texts] == expected
    for text, want in zip(texts[::OFFSETS_OF], wanted[::OFFSETS_OF], strict=True):
        found = ours.encode_with_offsets(text)
        assert (found.ids, found.char_spans) == (want.ids, want.offsets), ascii(text)
        assert words_of(found) == want.word_ids, ascii(text)
        in_python = tracer_of(ours._engine).trace(text, ())
        assert found.byte_spans == in_python.byte_spans, ascii(text)
    return (rules_before_marks if ours.vocab.space_mark else word_map_of)(ours.vocab) is not None


def some_steps(rng, fewest, most, *, strip_up_to=0):
    """Steps, and perhaps a `Strip`, before them or behind as many."""
    steps = rng.choices(STEPS, k=rng.randint(fewest, most))
    if rng.random() < 0.4:
        steps.insert(rng.randint(0, strip_up_to), rng.choice(STRIPS))
    return steps


def some_bert(rng):
    return [BERT | {"lowercase": rng.random() < 0.5}] if rng.random() < 0.3 else []


def some_added(rng):
    return rng.sample(("bc", "[UNK]", "z\u00e9", "``q"), rng.choice((0, 0, 2)))


@pytest.mark.parametrize("seed", range(TURNS))
def test_before_words_that_begin_with_a_space(seed, tmp_path):
    rng = random.Random(seed)
    normalizers = some_steps(rng, 1, 4)
    if rng.random() < 0.7:
        normalizers.append({"type": "Precompiled", "precompiled_charsmap": CHARSMAP})
    if rng.random() < 0.4:
        normalizers.append({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "})
    added = some_added(rng)
    is_in_core = check(tmp_path / "tokenizer.json", vocab(normalizers, rng.choice(WORDS), added=added), rng)
    assert is_in_core or added


@pytest.mark.parametrize("seed", range(TURNS))
def test_before_words_that_end_at_certain_characters(seed, tmp_path):
    rng = random.Random(seed)
    normalizers = some_steps(rng, 1, 3, strip_up_to=1) + some_bert(rng)
    content = vocab(normalizers, rng.choice(BY_CHARACTER), added=some_added(rng), pieces=rng.random() < 0.6)
    check(tmp_path / "tokenizer.json", content, rng)


SINGLE = ({"type": "Punctuation", "behavior": "Isolated"}, {"type": "Digits", "individual_digits": True})


@pytest.mark.parametrize("seed", range(TURNS))
def test_before_splits_at_characters_and_spaces(seed, tmp_path):
    rng = random.Random(seed)
    normalizers = some_steps(rng, 0, 2) + some_bert(rng)
    before, after = (rng.sample(SINGLE, k=rng.choice((0, 1, 1, 2))) for _ in range(2))
    scheme = rng.choice(("always", "never"))
    splits = [*before, METASPACE | {"prepend_scheme": scheme}, *after]
    added = some_added(rng)
    pre_tokenizer = {"type": "Sequence", "pretokenizers": splits}
    content = vocab(normalizers, pre_tokenizer, added=added, pieces=rng.random() < 0.3)
    is_in_core = check(tmp_path / "tokenizer.json", content, rng)
    assert is_in_core or (before and after and scheme == "always") or added


def bpe_model(rng):
    """BPE of the characters that the awkward ones become, with merges within words and across spaces."""
    chars = sorted({*"abcdefgixyzAEPQ.\"'`=!", *AWKWARD, "\u2581"} - {" "})
    merges = rng.sample(
        [
            ("\u2581", "a"),
            ("\u2581", "\u2581"),
            ("a", "\u2581"),
            ("a", "b"),
            ("e", "\u0301"),
            ("\u2581a", "b"),
            ("f", "i"),
        ],
        k=5,
    )
    made = [left + right for left, right in merges if left + right not in chars]
    names = ["<unk>", *dict.fromkeys([*chars, *made, "\u2581a"])]
    fallback = rng.random() < 0.5
    names += [f"<0x{byte:02X}>" for byte in range(256 * fallback)]
    model = {"type": "BPE", "unk_token": "<unk>", "fuse_unk": rng.random() < 0.5, "byte_fallback": fallback}
    return model | {"vocab": {name: n for n, name in enumerate(names)}, "merges": list(map(list, merges))}


@pytest.mark.parametrize("seed", range(TURNS))
def test_before_spaces_spelled_otherwise(seed, tmp_path):
    rng = random.Random(seed)
    spaces = replace(" ", "ab"), replace("  ", " "), replace("x", " ")
    normalizers = rng.choices([*STEPS, *spaces], k=rng.randint(1, 3))
    if rng.random() < 0.4:
        normalizers.insert(0, rng.choice(STRIPS))
    if rng.random() < 0.4:
        normalizers.append({"type": "Precompiled", "precompiled_charsmap": CHARSMAP})
    scheme, added = rng.choice(("always", "never", None, None)), some_added(rng)
    if scheme is None:
        normalizers += [{"type": "Prepend", "prepend": "\u2581"}] if rng.random() < 0.7 else []
        normalizers.append(replace(" ", "\u2581"))
    spelled = scheme and METASPACE | {"prepend_scheme": scheme, "split": False}
    made = json.loads(vocab(normalizers, spelled, added=added))
    made["model"]["vocab"] = [pair for pair in made["model"]["vocab"] if " " not in pair[0]]  # which no text gives
    if rng.random() < 0.6:
        made["model"] = bpe_model(rng)
    for n, token in enumerate(made["added_tokens"]):
        token["id"] = len(made["model"]["vocab"]) + n
    is_in_core = check(tmp_path / "tokenizer.json", json.dumps(made), rng)
    assert is_in_core or (scheme and added)


@pytest.mark.parametrize("words", WORDS)
def test_usual_texts_are_located_in_the_core(words, tmp_path):
    path = tmp_path / "tokenizer.json"
    precompiled = {"type": "Precompiled", "precompiled_charsmap": CHARSMAP}
    for steps in ([], STEPS[7:9], [*STEPS[7:9], *({"type": kind} for kind in ("NFKD", "StripAccents", "Lowercase"))]):
        path.write_text(vocab([*steps, precompiled], words, added=["qq"]), encoding="utf-8")
        engine = wordsplit.load_tokenizer(path)._engine
        for text in ("a bad café.", "``abc'' qq be, qq", "fi \u00e9\u00e8 Ab ", "中 a\u3000b"):
            assert engine._located(text, ()) is not None, text


def test_which_are_in_the_core(tmp_path):
    path = tmp_path / "tokenizer.json"
    for normalizers in (
        [{"type": "NFKC"}],
        [{"type": "NFC"}, STRIPS[0], {"type": "Lowercase"}],
        [*STEPS[7:9], BERT | {"lowercase": True}],
    ):
        for pre_tokenizer in BY_CHARACTER:
            path.write_text(vocab(normalizers, pre_tokenizer, pieces=True), encoding="utf-8")
            assert word_map_of(wordsplit.load_vocab(path)) is not None


@pytest.mark.parametrize("mark", ["\u0301", "`", "\u1161", "\U00012000", "e\u0301"])
def test_megabytes_that_depend_on_each_other(mark, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(vocab([STEPS[7], {"type": "NFKC"}, {"type": "Lowercase"}], METASPACE), encoding="utf-8")
    tok = wordsplit.load_tokenizer(path)
    few, many = mark * 1000, mark * (by_depth(300_000, 3_000_000, 10_000_000) // len(mark.encode()))
    assert tokenizers.Tokenizer.from_file(str(path)).encode(few).ids == tok.encode(few)
    assert tok.count(many) >= 1


@pytest.mark.parametrize("seed", range(TURNS // 4))
def test_clusters_of_a_map(seed, tmp_path):
    """A mark is looked up alone if the cluster that it is in is not replaced as a whole; also beside pictographs."""
    rng = random.Random(seed)
    letters = "aexyz\u00a9\u00ae\u0301\u0302\u200d \r\n\x01\u2764"
    keys = {"".join(rng.choices(letters, k=rng.choice((1, 1, 2)))): rng.choice(["x", "y", "z", ""]) for _ in range(6)}
    normalizers = [{"type": "Precompiled", "precompiled_charsmap": charsmap(keys)}]
    if rng.random() < 0.5:
        normalizers.append({"type": "Replace", "pattern": {"Regex": "[xy]"}, "content": "z"})
    path = tmp_path / "tokenizer.json"
    path.write_text(vocab(normalizers, METASPACE), encoding="utf-8")
    theirs, ours = tokenizers.Tokenizer.from_file(str(path)), wordsplit.load_tokenizer(path)
    for _ in range(TEXTS):
        text = "".join(rng.choices(letters, k=rng.randrange(1, 9)))
        assert ours.encode(text) == theirs.encode(text).ids, ascii((keys, text))
