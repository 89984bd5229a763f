"""GGUF files of the kinds llama, bert and t5: llama.cpp's ids, and the same vocabs in other formats."""

import random

import pytest
import sentencepiece
from vocabs.formats.gguf_writer import BOOL, F32, I8, I32, U32, items, of_bert, of_kind, of_t5, scalar
from vocabs.formats.test_gguf import case
from vocabs.formats.test_sentencepiece import LINES, texts_for, trained
from vocabs.formats.test_vocab_txt import TEXTS, TOKENS, write

import wordsplit
from wordsplit.errors import UnsupportedVocabError, VocabFormatError, WordsplitError
from wordsplit.vocabs.formats.sentencepiece.model_proto import read_model_proto

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
META = {"<unk>": 2, "<s>": 3, "</s>": 3}
LLAMA = [*META, *BYTES, "▁", *"abcé", "▁a", "ab", "▁ab", "abc", "▁▁"]


def llama(tokens=LLAMA, **more):
    types = [META.get(token, 6 if token in BYTES else 1) for token in tokens]
    scores = items(F32, [-float(i) for i in range(len(tokens))])
    return of_kind("llama", tokens, types, **{"scores": scores} | more)


def encode(data, text, engine="native", **options):
    return wordsplit.TokenizerOptions(engine=engine, **options).build(wordsplit.load_vocab_bytes(data)).encode(text)


@pytest.mark.parametrize("engine", ["native", "python"])
def test_llama_has_the_ids_of_llama_cpp(shared, engine):
    path, texts, wanted = case(shared, "llama-spm")
    vocab = wordsplit.load_vocab(path)
    tokenizer = wordsplit.TokenizerOptions(engine=engine, add_bos=False).build(vocab)
    assert [tokenizer.encode(text) for text in texts] == wanted
    assert [tokenizer.decode(ids) for ids in wanted] == texts
    assert (vocab.prefix_ids, vocab.suffix_ids) == ((1,), ())
    assert vocab.special_tokens == {"<unk>": 0, "<s>": 1, "</s>": 2}


@pytest.mark.parametrize("engine", ["native", "python"])
def test_llama_puts_a_space_before_each_stretch(engine):
    at = LLAMA.index
    assert encode(llama(), "ab</s>abc", engine) == [1, at("▁ab"), 2, at("▁ab"), at("c")]
    assert encode(llama(), "a  é☃", engine, add_bos=False) == [
        at("▁a"),
        at("▁▁"),
        at("é"),
        *(3 + b for b in "☃".encode()),
    ]
    bare = llama(add_space_prefix=scalar(BOOL, 0), add_bos_token=scalar(BOOL, 0), add_eos_token=scalar(BOOL, 1))
    assert encode(bare, "ab</s>a", engine) == [at("ab"), 2, at("a"), 2]


def test_llama_merges_to_tokens_of_any_type():
    """As llama.cpp does, also where the literal of a special token is text."""
    tokens = [*LLAMA, "<", "s", ">", "<s"]
    vocab = wordsplit.load_vocab_bytes(llama(tokens))
    tokenizer = wordsplit.TokenizerOptions(add_bos=False).build(vocab)
    assert tokenizer.encode("<s>", special="text") == [tokens.index("▁"), 1]


def test_bert_is_the_same_as_vocab_txt(tmp_path):
    vocab = wordsplit.load_vocab(write(tmp_path))
    data = of_bert(TOKENS, unknown=1, cls=2, seperator=3, padding=0, mask=4)
    found = wordsplit.load_vocab_bytes(data)
    assert dict(found.tokens) == dict(vocab.tokens)
    assert (found.role_ids, found.prefix_ids, found.suffix_ids) == (vocab.role_ids, (2,), (3,))
    first, second = (wordsplit.TokenizerOptions().build(each) for each in (vocab, found))
    for text in TEXTS:
        if max(map(len, text.split()), default=0) <= 100:
            assert second.encode(text) == first.encode(text), text
            assert second.decode(second.encode(text)) == first.decode(first.encode(text)), text
    # llama.cpp has no limit.
    for engine in ("native", "python"):
        assert encode(data, "a" * 101, engine) == [2, TOKENS.index("a"), *[TOKENS.index("##a")] * 100, 3]


@pytest.mark.parametrize("seed", range(3))
def test_t5_is_the_same_as_sentencepiece(seed):
    model = trained(model_type="unigram", user_defined_symbols=["<sep>"], normalization_rule_name="nmt_nfkc")
    oracle = sentencepiece.SentencePieceProcessor(model_proto=model)
    vocab = wordsplit.load_vocab_bytes(of_t5(read_model_proto(model, "")))
    assert (vocab.prefix_ids, vocab.suffix_ids) == ((), (2,))
    tokenizer = wordsplit.TokenizerOptions().build(vocab)
    for text in [*LINES[:100], *texts_for(oracle, random.Random(seed), 100)]:
        if not {"<", "\x01"} & set(text):  # llama.cpp finds special tokens, and ends a stretch there
            assert tokenizer.encode(text) == [*oracle.encode(text), 2], text
            assert tokenizer.decode(oracle.encode(text)) == oracle.decode(oracle.encode(text))


@pytest.mark.parametrize(
    ("data", "error", "found"),
    [
        (llama([*META, *BYTES[1:], "a"]), UnsupportedVocabError, "a vocab without byte token '<0x00>'"),
        (llama([*LLAMA, "zb"]), UnsupportedVocabError, r"tokens\[269\]: .*with a character that is not a token"),
        (llama(scores=None), VocabFormatError, "tokenizer.ggml.scores: is missing"),
        (llama(scores=items(F32, [0.0])), VocabFormatError, "scores: has 1 items for 269 tokens"),
        (llama(scores=items(F32, [float("nan")] * len(LLAMA))), VocabFormatError, r"scores\[0\]: is not finite"),
        (llama(token_type=items(I32, [9] * len(LLAMA))), VocabFormatError, r"token_type\[0\]: is 9"),
        (llama(add_space_prefix=scalar(U32, 1)), VocabFormatError, "add_space_prefix, offset .*: should be bool"),
        (
            of_kind("t5", ["a"], [1], scores=items(F32, [0.0]), precompiled_charsmap=items(I8, [1, 2])),
            VocabFormatError,
            "charsmap: is damaged",
        ),
        (of_kind("bert", [b"\xff"], [1]), VocabFormatError, r"tokens\[0\]: .* is not UTF-8"),
    ],
)
def test_what_is_refused(data, error, found):
    with pytest.raises(error, match=found):
        wordsplit.load_vocab_bytes(data)


def test_random_damage():
    rng = random.Random(6)
    whole = llama()
    raised = 0
    for _ in range(100):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            wordsplit.load_vocab_bytes(bytes(data), format="gguf")
        except WordsplitError:
            raised += 1
    assert raised > 30


@pytest.mark.parametrize("engine", ["native", "python"])
def test_control_tokens_by_their_text(engine):
    """A llama file that lists a control token as a plain one, as those of Gemma did."""
    tokens = [*LLAMA, "<end_of_turn>"]
    at = LLAMA.index
    assert encode(llama(tokens), "ab<end_of_turn>ab", engine) == [1, at("▁ab"), len(LLAMA), at("▁ab")]
    vocab = wordsplit.load_vocab_bytes(llama(tokens))
    assert vocab.special_tokens["<end_of_turn>"] == len(LLAMA)
    assert wordsplit.load_tokenizer(vocab).decode([at("▁ab"), len(LLAMA), at("b")]) == "abb"  # it has no text


def test_tables_of_a_unigram_know_the_types_of_the_file():
    """llama.cpp makes them before it looks at the texts: as text, the literal is still a token."""
    tokens = ["<pad>", "</s>", "<unk>", "▁", "a", "<eos>"]
    scores = items(F32, [0.0, 0.0, 0.0, -1.0, -1.0, -1.0])
    tok = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(of_kind("t5", tokens, [3, 3, 2, 1, 1, 1], scores=scores)))
    assert tok.special_tokens == {"<pad>": 0, "</s>": 1, "<unk>": 2, "<eos>": 5}
    assert tok.encode("a<eos>", special="text") == [3, 4, 5, 1]
    assert tok.encode("a<eos>") == [3, 4, 5, 1]
