"""BPE with affixes over the byte-level alphabet, as CLIP has it: ids, offsets and texts of `tokenizers`."""

import itertools
import json
import random

import pytest
from depth import by_depth
from parity.test_models import compare
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

import wordsplit
from wordsplit import encoders
from wordsplit.engine.native import NativeWordEngine
from wordsplit.engine.python import PythonEngine

WORDS = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
CORPUS = [
    "a photo of a cat, 2 photos of dogs! the cat's photographer isn't there",
    "Größe über alles 中文 中国 😀😀 caf\u00e9 cafe\u0301",
] * 4
TEXTS = [
    "",
    " ",
    "a",
    "A Photo of a CAT's  dog,\n\tisn't 2024 it?!",
    "</w> <w>cat</w>",
    "\u0130\u03a3 \u03a3\u03a3 \u1e9e \ufb01 \u212b ngstr\u00f6m \u00e9e\u0301",
    "中文 国 😀 \U0001f9d1\u200d\U0001f680 caf\u00e9",
    "<|startoftext|>a photo<|endoftext|>of",
    "word\u00a0\u3000word\u2028word\u0085",
    "\x00\x7f\ufffd\U0010ffff",
]


def clip(prefix, suffix):
    """A tokenizer with the components of CLIP's, trained on a few words."""
    affixes = {"continuing_subword_prefix": prefix, "end_of_word_suffix": suffix}
    affixes = {name: value for name, value in affixes.items() if value}
    oracle = Tokenizer(models.BPE(unk_token="<|endoftext|>", **affixes))  # noqa: S106 - a token of text
    oracle.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    oracle.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(WORDS), behavior="removed", invert=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    oracle.decoder = decoders.ByteLevel()
    special = [AddedToken("<|startoftext|>", normalized=True), AddedToken("<|endoftext|>", normalized=False)]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=700, special_tokens=special, initial_alphabet=alphabet, show_progress=False, **affixes
    )
    oracle.train_from_iterator(CORPUS, trainer)
    oracle.post_processor = processors.RobertaProcessing(
        ("<|endoftext|>", oracle.token_to_id("<|endoftext|>")),
        ("<|startoftext|>", oracle.token_to_id("<|startoftext|>")),
        trim_offsets=False,
        add_prefix_space=False,
    )
    return oracle


@pytest.mark.parametrize(("prefix", "suffix"), [("", "</w>"), ("##", ""), ("##", "</w>"), ("", "e")])
def test_affixes(prefix, suffix, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(clip(prefix, suffix).to_str())
    rng = random.Random(suffix)
    chars = sorted(set("".join(itertools.chain(CORPUS, TEXTS))))
    some = ["".join(rng.choices(chars, k=rng.randrange(20))) for _ in range(by_depth(30, 250, 5000))]
    compare(path, [*CORPUS, *TEXTS, *some], (prefix, suffix))


CONTRACTIONS = "'" * 5 + "sstrevmldSTREVMLD1\uff12\u2167\u0130\u212a\u017f\u0307! e\u0301\u4e2d"  # or nearly
LITERALS = ["<|startoftext|>", "<|STARTofText|>", "<|endoftext|>", "<|EndOfText|>", "<|", "</w>"]


def complete(change=lambda _: None):
    """The content of a tokenizer.json as `clip` makes it, in which every byte has both tokens, as in CLIP's."""
    root = json.loads(clip("", "</w>").to_str())
    vocab = root["model"]["vocab"]
    for letter in pre_tokenizers.ByteLevel.alphabet():
        vocab.setdefault(letter + "</w>", len(vocab))
    change(root)
    return json.dumps(root)


@pytest.fixture(scope="module")
def path_of_complete(tmp_path_factory):
    path = tmp_path_factory.mktemp("complete") / "tokenizer.json"
    path.write_text(complete())
    return path


def strings(seed, count):
    rng = random.Random(seed)
    chars = [*CONTRACTIONS, *set("".join([*CORPUS, *TEXTS]))]
    for _ in range(count):
        some = (rng.choice(LITERALS) if rng.random() < 0.05 else rng.choice(chars) for _ in range(rng.randrange(24)))
        yield "".join(some)


def test_runs_in_the_core(path_of_complete):
    oracle, tok = Tokenizer.from_file(str(path_of_complete)), wordsplit.load_tokenizer(path_of_complete)
    texts = [*CORPUS, *TEXTS, *strings(1, by_depth(300, 2000, 100_000))]
    texts = [text.replace("\U0010ffff", "") for text in texts]  # it is not in the table
    want = [each.ids for each in oracle.encode_batch(texts)]
    assert [tok.encode(text) for text in texts] == tok.encode_batch(texts) == want
    assert tok.count_batch(texts) == list(map(len, want))
    flat, ends = tok.encode_batch_to_numpy(texts)
    assert [flat[a:b].tolist() for a, b in itertools.pairwise(ends)] == want
    assert isinstance(tok._engine, NativeWordEngine)
    assert "_others" not in vars(tok._engine)  # which is the Python engine


def test_every_encoder(path_of_complete):
    oracle, vocab = Tokenizer.from_file(str(path_of_complete)), wordsplit.load_vocab(path_of_complete)
    texts = ["photographer's" * 30, *CORPUS, *strings(2, by_depth(30, 500, 10_000))]
    want = [each.ids for each in oracle.encode_batch(texts)]
    for name in encoders.names_for(vocab):
        assert wordsplit.TokenizerOptions(encoder=name, long_span=8).build(vocab).encode_batch(texts) == want, name


def test_complete(path_of_complete):
    compare(path_of_complete, [*TEXTS, *strings(3, by_depth(10, 250, 5000))], "complete")


def test_every_character(path_of_complete):
    oracle, tok = Tokenizer.from_file(str(path_of_complete)), wordsplit.load_tokenizer(path_of_complete)
    points = [*range(0x20, 0xD800), *range(0xE000, 0x110000)][:: by_depth(997, 61, 1)]
    for text in (f"a{chr(point)}'S{chr(point)}{chr(point)}" for point in points):
        assert tok.encode(text) == oracle.encode(text).ids, text


def test_what_is_no_text(path_of_complete):
    toks = [wordsplit.load_tokenizer(path_of_complete, engine=engine) for engine in ("native", "python")]
    for given in (b"cat\xff dog", b"\xff", b"\xff\xff cat's", b"caf\xc3", "a\ud800 photo", b"\xfe\xfd'\xfds"):
        assert toks[0].encode(given) == toks[1].encode(given), given
        assert toks[0].encode_batch([given, "cat"]) == toks[1].encode_batch([given, "cat"]), given


def test_a_long_text_on_threads(path_of_complete):
    tok = wordsplit.load_tokenizer(path_of_complete, add_bos=False, add_eos=False)
    lines = [f"A photo of {n}'s cats'll be\n" for n in range(20_000)]  # of 0.5 MiB
    text, want = "".join(lines), list(itertools.chain.from_iterable(tok.encode_batch(lines)))
    assert tok.encode(text) == want
    assert tok.encode_batch([text], threads=2) == [want]


def test_compiled(path_of_complete, tmp_path):
    vocab = wordsplit.load_vocab(path_of_complete)
    vocab.save_compiled(tmp_path / "vocab.ws")
    again = wordsplit.load_vocab(tmp_path / "vocab.ws")
    assert again == vocab
    tok, other = wordsplit.load_tokenizer(again), wordsplit.load_tokenizer(vocab)
    assert isinstance(tok._engine, NativeWordEngine)
    assert [tok.encode(text) for text in TEXTS] == [other.encode(text) for text in TEXTS]


def a_split_of_others(root):
    root["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = r"\p{L}+|[^\s\p{L}]"


def a_normalizer_of_others(root):
    root["normalizer"]["normalizers"].append({"type": "Replace", "pattern": {"String": "cat"}, "content": "dog"})


def a_literal_with_space(root):
    root["added_tokens"][0]["content"] = "start of text"
    root["model"]["vocab"]["start of text"] = root["model"]["vocab"].pop("<|startoftext|>")
    root["post_processor"] = None


def no_token_for_a_byte(root):
    vocab = root["model"]["vocab"]
    vocab["?"] = vocab.pop("\u010a</w>")


def a_suffix_of_letters(root):
    """The token "aa" is two letters, or one with the suffix."""
    root["model"]["end_of_word_suffix"] = "a"
    vocab = root["model"]["vocab"]
    root["model"]["merges"] = [["a", "a"]]
    for letter in pre_tokenizers.ByteLevel.alphabet():
        vocab.setdefault(letter + "a", len(vocab))


@pytest.mark.parametrize(
    "change",
    [a_split_of_others, a_normalizer_of_others, a_literal_with_space, no_token_for_a_byte, a_suffix_of_letters],
)
def test_others_run_in_python(change, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(complete(change))
    assert isinstance(wordsplit.load_tokenizer(path)._engine, PythonEngine)
    compare(path, [*TEXTS, "start of text aa a \n", "aaa baa"], change.__name__)


def test_other_rules_in_the_core(tmp_path):
    """Without NFC, lower case or GPT-2's pattern, and behind the split at white space and punctuation."""

    def bare(root):
        root["normalizer"] = None
        root["pre_tokenizer"]["pretokenizers"][1]["use_regex"] = False

    def of_bert(root):
        bare(root)
        root["pre_tokenizer"]["pretokenizers"][0] = {"type": "BertPreTokenizer"}

    for number, change in enumerate((bare, of_bert)):
        path = tmp_path / f"{number}.json"
        path.write_text(complete(change))
        tok, oracle = wordsplit.load_tokenizer(path), Tokenizer.from_file(str(path))
        assert isinstance(tok._engine, NativeWordEngine)
        for text in [*CORPUS, *TEXTS, *strings(4, by_depth(100, 500, 10_000))]:
            assert tok.encode(text) == oracle.encode(text).ids, (change.__name__, text)


def test_it_is_saved_as_it_was_read(tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(clip("", "</w>").to_str())
    vocab = wordsplit.load_vocab(path)
    vocab.save_tokenizer_json(tmp_path / "again.json")
    again = wordsplit.load_vocab(tmp_path / "again.json")
    assert again.fingerprint == vocab.fingerprint
    assert wordsplit.load_tokenizer(again).encode("a photo of a cat") == wordsplit.load_tokenizer(vocab).encode(
        "a photo of a cat"
    )
