"""Vocabs of characters give the ids of `tokenizers`: published ones where they are at hand, and trained ones."""

import gzip
import itertools
import json
import random

import pytest
from charsmaps import charsmap
from depth import by_depth
from generated import BROKE_OTHERS, from_unicode
from oracles import SHARED
from parity.parts import MAPS
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

import wordsplit
from wordsplit.vocabs.formats.tokenizer_json.numbers import rounded_as_by_serde, rounded_in_python

PUBLISHED = ("llama2", pytest.param("gemma3", marks=pytest.mark.full), "nmt-unigram")
SPECIAL = ["[UNK]", "[CLS]", "[SEP]"]
SENTENCES = [
    "The quick brown fox jumps over the lazy dog, and then it isn't as quick any more.",
    "Größe, naïve façades, Ελληνικά, русский язык, 你好，世界。 日本語のテキスト 한국어 क्षेत्र",
    "def f(x):\n    return x ** 2  # squares\n\n\nclass A:\n\tpass\n",
    "1234567890 3.14 === --- ...... aaaa aaaaaaa !!! ½ ﬁ ™",
] * 40


def trained(kind):
    """A small vocab with the rules of a well-known one."""
    if kind.startswith("bert"):
        tok = Tokenizer(models.WordPiece(unk_token=SPECIAL[0]))
        tok.normalizer = normalizers.BertNormalizer(lowercase=kind == "bert")
        tok.pre_tokenizer, tok.decoder = pre_tokenizers.BertPreTokenizer(), decoders.WordPiece()
        trainer = trainers.WordPieceTrainer(vocab_size=600, special_tokens=SPECIAL, show_progress=False)
    elif kind.startswith("unigram"):
        tok = Tokenizer(models.Unigram())
        scheme = {"unigram": "always", "unigram never": "never", "unigram first": "first"}.get(kind, "always")
        if kind != "unigram plain":
            tok.normalizer = normalizers.Replace(Regex(" {2,}"), " ")
        tok.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme, split=kind != "unigram whole")
        tok.decoder = decoders.Metaspace(prepend_scheme=scheme)
        unknown = {"unk_token": SPECIAL[0]}
        trainer = trainers.UnigramTrainer(vocab_size=400, special_tokens=SPECIAL, show_progress=False, **unknown)
    else:
        tok = Tokenizer(models.BPE(fuse_unk=kind == "bpe fused", unk_token=SPECIAL[0]))
        tok.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first" if kind == "bpe first" else "always")
        if kind == "bpe words":
            tok.pre_tokenizer = pre_tokenizers.Whitespace()
        tok.decoder = decoders.Metaspace()
        trainer = trainers.BpeTrainer(vocab_size=500, special_tokens=SPECIAL, show_progress=False)
    tok.train_from_iterator(SENTENCES, trainer)
    ids = [(name, tok.token_to_id(name)) for name in SPECIAL[1:]]
    tok.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ids)
    return tok


TRAINED = (
    *("bert", "bert cased", "unigram", "unigram never", "unigram first", "unigram plain", "unigram whole"),
    *("bpe", "bpe first", "bpe fused", "bpe words"),
)


def inputs(oracle, seed):
    rng = random.Random(seed)
    known = [oracle.id_to_token(i) for i in range(oracle.get_vocab_size())]
    yield from BROKE_OTHERS
    yield from SENTENCES[:4]
    for number in range(by_depth(400, 1_500, 100_000)):
        parts = [rng.choice(known).removeprefix("##") for _ in range(rng.randrange(8))]
        text = from_unicode(rng) if number % 2 else "".join(parts)
        yield text.replace("\u2581", " ") if number % 3 else text


def corpus(name):
    """The documents of a corpus, or some of them; none where the corpora are not at hand."""
    path = SHARED / f"corpora/{name}.jsonl.gz"
    if not path.exists():
        return []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines][:: by_depth(200, 30, 1)]


def compare(path, oracle, texts):
    toks = [wordsplit.load_tokenizer(path, engine=engine) for engine in ("native", "python")]
    want = [found.ids for found in oracle.encode_batch(texts)]
    assert toks[0].encode_batch(texts) == want
    assert toks[0].encode_batch(texts, threads=2) == want
    for tok in toks:
        for text, ids in zip(texts, want, strict=True):
            assert tok.encode(text) == ids, text
            assert tok.decode(ids) == oracle.decode(ids, skip_special_tokens=False), text


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_vocab(name, tmp_path):
    packed = SHARED / f"vocabs/models/{name}.tokenizer.json.gz"
    if not packed.exists():
        pytest.skip("the published vocabs are not at hand")
    path = tmp_path / f"{name}.json"
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    oracle = Tokenizer.from_file(str(path))
    compare(path, oracle, [text for text in inputs(oracle, name) if len(text) < 2000])
    tok = wordsplit.load_tokenizer(path)
    for texts in map(corpus, ("en", "code", "multi")):
        assert tok.encode_batch(texts) == [found.ids for found in oracle.encode_batch_fast(texts)]


@pytest.mark.parametrize("kind", TRAINED)
def test_a_trained_vocab(kind, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(trained(kind).to_str(), encoding="utf-8")
    oracle = Tokenizer.from_file(str(path))
    compare(path, oracle, [text for text in inputs(oracle, kind) if len(text) < 2000])


@pytest.mark.parametrize("pairs", MAPS)
@pytest.mark.parametrize("kind", by_depth(["unigram never"], *[["unigram", "unigram never", "bpe"]] * 2))
def test_a_character_map(kind, pairs, tmp_path):
    """Also keys that end within a character, keys of several characters, and what becomes of spaces."""
    document = json.loads(trained(kind).to_str())
    steps = [
        {"type": "Precompiled", "precompiled_charsmap": charsmap(MAPS[pairs])},
        {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
        {"type": "Strip", "strip_left": False, "strip_right": True},
    ]
    rng = random.Random(f"{kind} {pairs}")
    for number in range(1, 4):
        document["normalizer"] = {"type": "Sequence", "normalizers": steps[:number]}
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        oracle = Tokenizer.from_file(str(path))
        texts = ["".join(rng.choices("aE\u3000\u0301  \u00a0\u200bx¨ﬁ", k=6)) for _ in range(by_depth(40, 200, 20_000))]
        texts += itertools.islice(inputs(oracle, pairs), by_depth(40, 100, 20_000))
        compare(path, oracle, [text for text in texts if len(text) < 2000])


def test_numbers_are_those_of_the_oracle():
    rng = random.Random(1)
    spelled = ["-1.5E+3", "-0.0", "0e5", "12345678901234567890123e-5", "5e-400", "18446744073709551616.5"]
    spelled += ["1e-99999999999999999999", "0e99999999999999999999", f"{'9' * 400}e-400"]
    for _ in range(by_depth(3_000, 15_000, 300_000)):
        digits = rng.randrange(10 ** rng.randrange(1, 25))
        spelled += [
            repr(-rng.uniform(0, 20)),
            f"-{rng.randrange(30)}.{digits}",
            f"{rng.uniform(1e-20, 1e3):.17e}",
            f"{digits}e-{rng.randrange(330)}",
        ]
    vocab = ",".join(f'["{at}",{number}]' for at, number in enumerate(spelled))
    oracle = Tokenizer.from_str(f'{{"version":"1.0","model":{{"type":"Unigram","unk_id":0,"vocab":[{vocab}]}}}}')
    found = json.loads(oracle.to_str())["model"]["vocab"]
    for number, (_, score) in zip(spelled, found, strict=True):
        assert rounded_as_by_serde(number) == rounded_in_python(number) == score, number
