"""SentencePiece's model files, against the package `sentencepiece`."""

import base64
import io
import itertools
import random
import time
import tracemalloc
from pathlib import Path

import pytest
import sentencepiece
from charsmaps import charsmap
from depth import by_depth
from vocabs.formats.model_proto import (
    BPE,
    BYTE,
    CHAR,
    CONTROL,
    META,
    NORMAL,
    UNIGRAM,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    WORD,
    field,
    message,
    model_proto,
)

import wordsplit
from wordsplit.engine import build_engine
from wordsplit.engine.native import NativeWordEngine
from wordsplit.errors import UnsupportedVocabError, VocabFormatError, WordsplitError
from wordsplit.vocabs.formats.sentencepiece.model_proto import read_model_proto

DOCS = Path(__file__).parents[3] / "docs"
LINES = [
    line[:200]
    for page in ("formats.md", "training.md", "quickstart.md")
    for line in (DOCS / page).read_text().splitlines()
    if line.strip()
] + ["Größe ﬁ ½ ①ｅ Ⅷ", "日本語のテキスト 東京", "Привет мир, как дела 12345", "  two  spaces", "▁ mark"] * 10
CHARACTERS = [
    *"aaabbc  \u2081\u2581\t\né½ﬁ①日京本の\u3000ｅ\u0301\u200b\x01\u00a0ﾞｶ12<>_Ⅷ☃😀İﬀ\u1100\u1161\ufdfa",
    *("<sep>", "<s>", "<unk>", "<0x41>", "  ", "the ", "▁▁"),
]
SETTINGS = {
    "split_digits": (False, True),
    "normalization_rule_name": ("nmt_nfkc", "nfkc", "identity", "nfkc_cf", "nmt_nfkc_cf"),
    "add_dummy_prefix": (True, False),
    "remove_extra_whitespaces": (True, False),
    "treat_whitespace_as_suffix": (False, False, True),
    "user_defined_symbols": ([], ["<sep>", "the"], ["▁▁", "☃", "aa", "<sep>", "a b"]),
    "control_symbols": ([], ["<c>"]),
    "allow_whitespace_only_pieces": (False, True),
    "split_by_whitespace": (True, False),
}


def trained(**settings):
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(LINES),
        model_writer=out,
        vocab_size=400,
        hard_vocab_limit=False,
        minloglevel=2,
        **settings,
    )
    return out.getvalue()


def texts_for(oracle, rng, count):
    pieces = [oracle.id_to_piece(i) for i in range(len(oracle))]
    for at in range(count):
        if at % 4 == 0:
            yield "".join(rng.choices(CHARACTERS, k=rng.randint(0, 12)))
        elif at % 4 == 1:
            text = "".join(rng.choices(pieces, k=rng.randint(1, 8)))
            yield text.replace("▁", " ") if at % 8 == 1 else text
        elif at % 4 == 2:
            yield rng.choice(LINES)
        else:
            ranges = rng.choice([(1, 0x250), (0x300, 0x3100), (0xE000, 0x2FA1D)])
            yield "".join(chr(rng.randint(*ranges)) for _ in range(rng.randint(1, 8)))


def places(found):
    return found.ids, found.byte_spans, found.char_spans, found.span_starts


def assert_equal(data, texts, rng=None):
    oracle = sentencepiece.SentencePieceProcessor(model_proto=data)
    vocab = wordsplit.load_vocab_bytes(data)
    native = wordsplit.TokenizerOptions().build(vocab)
    python = wordsplit.TokenizerOptions(engine="python").build(vocab)
    texts = list(texts)
    wanted = [oracle.encode(text) for text in texts]
    assert native.encode_batch(texts) == wanted
    for text, ids in zip(texts, wanted, strict=True):
        assert native.encode(text) == ids, text
        assert python.encode(text) == ids, text
        if len(text) < 300:
            located = [places(tok.encode_with_offsets(text)) for tok in (native, python)]
            assert located[0] == located[1], text
        assert native.decode(ids) == oracle.decode(ids), text
        if rng is not None:
            made_up = [rng.randrange(len(oracle)) for _ in range(rng.randint(0, 6))]
            assert native.decode(made_up) == oracle.decode(made_up), [oracle.id_to_piece(i) for i in made_up]
    assert (vocab.unk_token_id, vocab.n_vocab) == (oracle.unk_id(), len(oracle))
    roles = (vocab.bos_token_id, vocab.eos_token_id, vocab.pad_token_id)
    assert [-1 if i is None else i for i in roles] == [oracle.bos_id(), oracle.eos_id(), oracle.pad_id()]
    pieces = [oracle.id_to_piece(i) for i in range(len(oracle))]
    assert [vocab.token_id(piece) for piece in pieces] == [oracle.piece_to_id(piece) for piece in pieces]


@pytest.mark.parametrize("seed", range(by_depth(1, 1, 20)))
@pytest.mark.parametrize("byte_fallback", by_depth([True], *[[False, True]] * 2))
@pytest.mark.parametrize("model_type", ["unigram", "bpe", "char", "word"])
def test_trained_models(model_type, byte_fallback, seed):
    rng = random.Random(f"{model_type} {byte_fallback} {seed}")
    settings = {name: rng.choice(values) for name, values in SETTINGS.items()}
    data = trained(model_type=model_type, byte_fallback=byte_fallback, **settings)
    oracle = sentencepiece.SentencePieceProcessor(model_proto=data)
    assert_equal(data, texts_for(oracle, rng, by_depth(20, 100, 200)), rng)


@pytest.mark.parametrize(
    ("model_type", "symbols"), [("unigram", []), ("unigram", ["☃", "-"]), ("bpe", []), ("word", [])]
)
def test_long_texts(model_type, symbols):
    """Texts as one span: of pieces whose best paths are remembered, with sums of all magnitudes before them."""
    data = trained(model_type=model_type, user_defined_symbols=symbols)
    oracle = sentencepiece.SentencePieceProcessor(model_proto=data)
    tok = wordsplit.TokenizerOptions().build(wordsplit.load_vocab_bytes(data))
    assert isinstance(build_engine(tok.vocab, tok.options), NativeWordEngine)
    rng = random.Random(f"{model_type} {symbols}")
    words = [word for line in LINES for word in line.split()] + ["aaaaaaa", "bababab", "e\u0301", "\u1100\u1161"]
    # From some 10,000 words on, the sums are taken back to zero now and then.
    for size in by_depth([1, 50, 1000], [1, 10, 100, 1000, 20_000], [10, 300, 3000, 30_000, 100_000]):
        between = [" ", " ", "", "  ", "\n", "☃", "-", "\u3000"]
        text = "".join(rng.choice(words) + rng.choice(between) for _ in range(size))
        assert tok.encode(text) == tok.encode(text.encode()) == oracle.encode(text)


@pytest.mark.parametrize("seed", range(by_depth(3, 12, 500)))
def test_great_sums(seed):
    """Sums that are taken back to zero every few characters, between paths that are nearly equal."""
    rng = random.Random(seed)
    texts = sorted({"".join(rng.choices("ab\u00e9", k=rng.randint(1, 4))) for _ in range(30)} | {"a", "b"})
    scores = [rng.choice([-1, 1, -30]) * rng.choice([1000.1, 2000.2, 3000.3, 33_333.3]) for _ in texts]
    pieces = [*META, *((text, score, NORMAL) for text, score in zip(texts, scores, strict=True))]
    assert_equal(
        model_proto(pieces, model_type=UNIGRAM),
        ["".join(rng.choices("ab\u00e9x ", k=k)) for k in (3, 30, 60, 300, 900)],
    )


@pytest.mark.parametrize("seed", range(by_depth(3, 12, 500)))
def test_near_ties_in_words(seed):
    """Words whose best paths depend on how the sums before them are rounded, among others that do not."""
    rng = random.Random(seed)
    made = {rng.choice("▁ab") + "".join(rng.choices("ab", k=rng.randint(0, 3))) for _ in range(25)}
    unit = rng.choice([0.1, 1.1, 17.3])
    near = {
        text: -unit * len(text) + rng.choice([0, 0, 1e-6, 1e-5, -0.01, -1]) for text in sorted(made | {"▁", "a", "b"})
    }
    pieces = [*META, *((text, score, NORMAL) for text, score in near.items())]
    words = ["".join(rng.choices("aabbbx", k=rng.randint(1, 7))) for _ in range(12)] + ["▁a", "ａ", "½"]
    texts = [" ".join(rng.choices(words[: rng.choice([12, 15])], k=k)) for k in (3, 30, 300, by_depth(900, 2500, 9000))]
    mapped = base64.b64decode(charsmap({"ａ": "a", "½": "1 2"}))
    data = model_proto(pieces, model_type=UNIGRAM, normalizer=[(2, mapped), (3, 1), (4, 1)])
    vocab = wordsplit.load_vocab_bytes(data)
    assert isinstance(build_engine(vocab, wordsplit.TokenizerOptions().build(vocab).options), NativeWordEngine)
    assert_equal(data, [*texts, *texts[::-1]])


WORDS = [*"aab\u00e9x", "ab", "<s>", "☃", ""]


@pytest.mark.parametrize("seed", range(by_depth(5, 25, 3000)))
def test_any_words(seed):
    """Models of words of any pieces, with every kind of spaces and of unknown words."""
    rng = random.Random(seed)
    fallback, as_suffix = rng.random() < 0.3, rng.random() < 0.2
    removed = {} if as_suffix else {"\u00e9": ""}  # see docs/formats.md
    maps = [(2, base64.b64decode(charsmap({"A": "a", "½": "b a", "\t": " "} | removed)))] if rng.random() < 0.5 else []

    def type_of(text):
        # `sentencepiece` looks for symbols of the user before it puts a space before the text, and not behind it.
        others = [] if maps and text.startswith(("▁", " ")) else [USER_DEFINED]
        return rng.choice([NORMAL, NORMAL, NORMAL, CONTROL, UNUSED, *others])

    texts = {rng.choice(["", "▁", "▁▁", " "]) + rng.choice(WORDS) + rng.choice(["", "", "▁"]) for _ in range(25)}
    pieces = [*META, *((text, -1.0, type_of(text)) for text in sorted(texts - {"", "<s>"}))]
    pieces += [(f"<0x{byte:02X}>", 0.0, BYTE) for byte in range(256 * fallback)]
    flags = [(number, int(rng.random() < 0.7)) for number in (3, 4, 5)]
    trainer = [(35, int(fallback)), (24, int(as_suffix))]
    data = model_proto(pieces, model_type=WORD, trainer=trainer, normalizer=[*maps, *flags])
    words, separators = [*WORDS, "<unk>", "<0x41>"], [" ", " ", "  ", "▁", "", "\t", "½"]
    made = ["".join(rng.choice(words) + rng.choice(separators) for _ in range(rng.randint(0, 12))) for _ in range(60)]
    assert_equal(data, made, rng)


def test_pad_and_other_names():
    settings = {"pad_id": 3, "bos_id": 1, "eos_id": -1, "bos_piece": "<bos>", "unk_surface": "?", "unk_piece": "<?>"}
    assert_equal(trained(model_type="bpe", **settings), ["☃ a☃☃b", "<bos>"], random.Random(1))


def test_spaces_that_are_not_escaped():
    pieces = [*META, ("a", -1.0, NORMAL), (" ", -2.0, NORMAL), (" a", -0.5, NORMAL), ("▁", -3.0, NORMAL)]
    for flags in itertools.product((0, 1), repeat=2):
        for model_type in (BPE, UNIGRAM):
            normalizer = [(3, flags[0]), (4, flags[1]), (5, 0)]
            data = model_proto(pieces, model_type=model_type, normalizer=normalizer)
            assert_equal(data, ["a a", " a", "a ", "  a  a  ", "▁a▁", " ", ""])


@pytest.mark.parametrize("scores", [[0.0] * 8, [-1.0, -1.0, 0.0, 0.0, -2.0, -2.0, -1.0, -3.0]])
def test_pieces_of_equal_scores_merge_from_the_left(scores):
    made = ["ab", "bc", "ca", "aa", "abc", "cab", "bb", "aab"]
    pieces = [*META, *((char, -9.0, NORMAL) for char in "abc▁")]
    pieces += [(text, score, NORMAL) for text, score in zip(made, scores, strict=True)]
    rng = random.Random(2)
    assert_equal(model_proto(pieces), ["".join(rng.choices("abc", k=rng.randint(1, 20))) for _ in range(500)])


@pytest.mark.parametrize("seed", range(20))
def test_runs_of_equal_scores(seed):
    """The spaces of Llama 2, and any other set of runs."""
    rng = random.Random(seed)
    runs = [char * size for char in "▁x" for size in range(2, 17) if rng.random() < (0.95 if seed % 2 else 0.5)]
    pieces = [*META, ("▁", -9.0, NORMAL), ("x", -9.0, NORMAL), ("a", -9.0, NORMAL), ("▁a", -1.0, NORMAL)]
    data = model_proto([*pieces, *((run, -1e9, NORMAL) for run in rng.sample(runs, len(runs)))])
    assert wordsplit.load_vocab_bytes(data).has_native_model
    texts = [" " * size + "a" + "x" * more for size in range(70) for more in (0, size // 2)]
    assert_equal(data, texts)


@pytest.mark.parametrize("seed", range(40))
def test_any_merges(seed):
    """Pieces with any scores, such as no trainer gives them."""
    rng = random.Random(seed)
    made = {"".join(rng.choices("ab", k=rng.randint(2, 6))) for _ in range(12)}
    pieces = [*META, *((char, -9.0, NORMAL) for char in "ab▁")]
    pieces += [(text, -float(rank), NORMAL) for rank, text in enumerate(sorted(made, key=lambda _: rng.random()))]
    assert_equal(model_proto(pieces), ["".join(rng.choices("ab", k=rng.randint(1, 30))) for _ in range(200)])


def test_control_symbols_are_not_found():
    pieces = [*META, ("☃", 0.0, CONTROL), ("a", -1.0, NORMAL), ("<", -1.0, NORMAL), ("s", -1.0, NORMAL)]
    pieces += [(">", -1.0, NORMAL), ("<s", -2.0, NORMAL)]
    for model_type in (BPE, UNIGRAM, CHAR, WORD):
        assert_equal(model_proto(pieces, model_type=model_type), ["a☃a", "<s>", "a</s>", "<unk>"], random.Random(3))


def test_unused_pieces():
    pieces = [*META, ("a", -1.0, NORMAL), ("b", -2.0, UNUSED), ("ab", 0.0, UNUSED), ("aa", -1.0, NORMAL)]
    assert_equal(model_proto(pieces, model_type=UNIGRAM), ["aab", "bb", "aabaab"])
    for more in [], [("ba", 0.0, NORMAL)]:
        with pytest.raises(UnsupportedVocabError, match="unused piece that merges use or make"):
            wordsplit.load_vocab_bytes(model_proto([*pieces, *more]))
    apart = [*pieces[:5], ("axb", 0.0, UNUSED), ("aa", -1.0, NORMAL)]
    for model_type in (BPE, CHAR):
        assert_equal(model_proto(apart, model_type=model_type), ["aab", "bb", "axb"])


def test_a_map_of_characters_of_ones_own():
    pieces = [*META, *((char, -float(at), NORMAL) for at, char in enumerate("abcxyz▁"))]
    mapped = base64.b64decode(charsmap({"a": "x", "ab": "y", "abc": "zz", "c": "", "b ": " "}))
    for model_type in (BPE, UNIGRAM):
        for squeeze in (0, 1):
            data = model_proto(pieces, model_type=model_type, normalizer=[(2, mapped), (3, 1), (4, squeeze)])
            rng = random.Random(4)
            assert_equal(data, ["".join(rng.choices("abc ", k=rng.randint(0, 12))) for _ in range(200)])


LIKE_OTHERS = [
    *("▁<unk>", "▁<0x41>", "▁▁<0x41>", "▁<s>", "▁<0xe2>", "<0xab>", "<0x+A>", " ⁇ ", "▁ ⁇ "),
    *("▁", "▁▁", "▁a", "a", "ab"),
]


def streamed(tok, ids):
    stream = tok.decode_stream()
    return "".join(stream.push(i) for i in ids) + stream.finish()


def assert_decodes_as_oracle(data, rng, ids):
    oracle = sentencepiece.SentencePieceProcessor(model_proto=data)
    tok = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(data))
    for _ in range(by_depth(80, 500, 10_000)):
        given = rng.choices(ids, k=rng.randint(0, 5))
        wanted = oracle.decode(given)
        assert tok.decode(given) == wanted, [oracle.id_to_piece(i) for i in given]
        assert streamed(tok, given) == wanted, [oracle.id_to_piece(i) for i in given]


@pytest.mark.parametrize("surface", [None, "", "▁x", "<0x41>", "▁", "<unk>"])
@pytest.mark.parametrize("removes", [0, 1])
@pytest.mark.parametrize("dummy", [0, 1])
@pytest.mark.parametrize("byte_fallback", [0, 1])
def test_decoding_of_pieces_like_others(byte_fallback, dummy, removes, surface):
    """Pieces whose text looks like the unknown piece, or like a byte, behind their space or without one."""
    spelled = [(f"<0x{byte:02X}>", 0.0, BYTE) for byte in range(256)] if byte_fallback else []
    odd = [(text, -1.0, (NORMAL, USER_DEFINED)[at % 2]) for at, text in enumerate(LIKE_OTHERS)]
    pieces = [*META, *odd, *spelled]
    trainer = [(35, byte_fallback), *([] if surface is None else [(44, surface)])]
    data = model_proto(pieces, model_type=UNIGRAM, trainer=trainer, normalizer=[(3, dummy), (4, removes)])
    ids = [at for at, piece in enumerate(pieces) if piece[2] != BYTE or piece[0][3:5] in ("41", "E2", "96", "81", "20")]
    assert_decodes_as_oracle(data, random.Random(f"{dummy} {removes} {surface}"), ids)


MAPS_OF_TEXT = (
    {"ab": "x", "A": "a\u0301", "\u2047": "?", "  ": " ", "a": "", "e\u0301": "\xe9"},
    {"x": "▁", "▁": "y", " ": "\u3000"},
)


@pytest.mark.parametrize("byte_fallback", [0, 1])
@pytest.mark.parametrize("pairs", MAPS_OF_TEXT)
def test_maps_of_decoded_text(byte_fallback, pairs):
    spelled = [(f"<0x{byte:02X}>", 0.0, BYTE) for byte in range(256)] if byte_fallback else []
    texts = ["▁", "▁a", "a", "b", "ab", "e", "\u0301", "A", "▁x", "\u20ac"]
    pieces = [*META, *((text, -1.0, NORMAL) for text in texts), *spelled]
    denormalizer = [(2, base64.b64decode(charsmap(pairs))), (3, 0), (4, 0), (5, 0)]
    trainer = [(35, byte_fallback)]
    data = model_proto(pieces, model_type=UNIGRAM, trainer=trainer, denormalizer=denormalizer)
    ids = [at for at, piece in enumerate(pieces) if piece[2] != BYTE or piece[0][3:5] in ("41", "CC", "81", "61", "62")]
    assert_decodes_as_oracle(data, random.Random(f"{pairs}"), ids)


def test_rules_for_decoded_text_of_the_trainer(tmp_path):
    rules = tmp_path / "rules.tsv"
    rules.write_text("74 68\t78\n2047\t3f\n20 20\t20\n61\t\n65\tE9 301\n")
    data = trained(model_type="bpe", denormalization_rule_tsv=str(rules))
    assert_equal(data, LINES, random.Random(1))


def test_files_and_folders(tmp_path):
    data = trained(model_type="bpe")
    path = tmp_path / "spiece.model"
    path.write_bytes(data)
    assert wordsplit.load_vocab(path).name == "spiece"
    assert wordsplit.load_vocab(tmp_path) == wordsplit.load_vocab(path) == wordsplit.load_vocab_bytes(data)
    assert wordsplit.load_vocab(path, special_tokens={"<x>": 500}).special_tokens == {"<x>": 500}


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (
            model_proto(META, denormalizer=[(2, base64.b64decode(charsmap({"a": "b"}))), (3, 0)]),
            "rules for spaces in decoded text",
        ),
        (model_proto([*META, ("ab", 0.0, NORMAL), ("a", 0.0, NORMAL)]), "a piece with a character that is not a piece"),
    ],
)
def test_what_is_refused(data, found):
    with pytest.raises(UnsupportedVocabError, match=found):
        wordsplit.load_vocab_bytes(data)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (model_proto(META[1:]), "there are 0 pieces for the unknown"),
        (model_proto([*META, ("<?>", 0.0, UNKNOWN)]), "there are 2 pieces for the unknown"),
        (model_proto([*META, ("a", 0.0, NORMAL), ("a", 0.0, NORMAL)]), r"pieces\[3\]: 'a' occurs twice, as 3 and 4"),
        (model_proto([*META, ("", 0.0, NORMAL)]), r"pieces\[3\]: is empty"),
        (model_proto([*META, ("a", 0.0, 7)]), r"pieces\[3\].type: is 7"),
        (model_proto([*META, ("a", float("nan"), NORMAL)]), r"pieces\[3\].score: is not finite"),
        (model_proto([*META, (b"\xff", 0.0, NORMAL)]), r"pieces\[3\].piece: is not UTF-8"),
        (model_proto([*META, ("<0x00>", 0.0, BYTE)]), "byte_fallback is false"),
        (model_proto([*META, ("<0x00>", 0.0, BYTE)], trainer=[(35, 1)]), "there are 1 pieces for bytes"),
        (model_proto(META, model_type=5), "trainer_spec.model_type: is 5"),
        (model_proto(META, normalizer=[(2, b"12")]), "normalizer_spec.precompiled_charsmap: is damaged"),
        (model_proto(META, denormalizer=[(2, b"12")]), "denormalizer_spec.precompiled_charsmap: is damaged"),
        (model_proto(META) + field(2, message([(3, "x")])), "trainer_spec.model_type: should be a number, found bytes"),
        (model_proto(META) + b"\x0a\xff\xff\xff\xff\x7f", "a field of 34359738367 bytes begins at"),
        (model_proto(META) + b"\x0a\xff", "a number ends outside of the message"),
        (model_proto(META) + b"\x08" + b"\xff" * 11, "a number ends outside of the message, or is too long"),
        (model_proto(META) + b"\x0b", "has type 3"),
        (model_proto([*META, ("x", 0.0, USER_DEFINED)]) + b"\x09\x00", "a field of 8 bytes"),
    ],
)
def test_damaged_files(data, found):
    with pytest.raises(VocabFormatError, match=found):
        wordsplit.load_vocab_bytes(data, format="sentencepiece")


def test_random_damage():
    """Truncations and flipped bytes give an error of ours or a vocab, soon and in bounded memory."""
    rng = random.Random(5)
    whole = trained(model_type="unigram", byte_fallback=True)
    raised, count = 0, by_depth(10, 30, 600)
    tracemalloc.start()
    for at in range(count):
        data = bytearray(whole)
        if at % 2:
            del data[rng.randrange(len(data)) :]
        else:
            for _ in range(rng.randint(1, 8)):
                data[rng.randrange(len(data) if at % 4 else 8000)] = rng.randrange(256)
        begin = time.process_time()
        try:
            wordsplit.load_vocab_bytes(bytes(data), format="sentencepiece")
        except WordsplitError:
            raised += 1
        assert time.process_time() - begin < 2
    assert tracemalloc.get_traced_memory()[1] < 200 * len(whole)
    tracemalloc.stop()
    assert raised > count / 3


def test_unusual_pieces_are_read_alike():
    """Pieces are read by code for the usual order of fields up to one that is unusual, such as the first one here."""
    rng = random.Random(3)
    pieces = [*META, *((char, float(-at), NORMAL) for at, char in enumerate("abc▁é日"))]
    pieces += [("x" * 130, -9.0, NORMAL), ("ab", -1.5, USER_DEFINED), ("bc", -2.25, UNUSED)]
    for _ in range(by_depth(30, 100, 1_000)):
        rng.shuffle(pieces)
        usual = model_proto(pieces)
        text, score, type_ = pieces[0]
        unusual = message([(9, 1), (1, text), (2, score), (3, type_)])
        first = len(field(1, message([(1, text), (2, score), (3, type_)])))
        found = read_model_proto(usual, "usual")
        assert found == read_model_proto(field(1, unusual) + usual[first:], "unusual")
        assert found.pieces == [text for text, _, _ in pieces]
        assert list(found.scores) == [score for _, score, _ in pieces]
        assert list(found.types) == [type_ for _, _, type_ in pieces]
        for cut in rng.sample(range(len(usual)), 20):  # the file ends there
            errors = set()
            for data in (usual[:cut], field(1, unusual) + usual[first:cut]) if cut > first else ():
                try:
                    errors.add(len(read_model_proto(data, "cut").pieces))
                except VocabFormatError as error:
                    errors.add(error.field)
            assert len(errors) <= 1
