"""Every feature, on every model."""

import pickle

import pytest
from cli.run import run
from depth import by_depth
from features.test_budgets import slow_truncate
from random_models import MODELS, random_model_vocab

import wordsplit
from wordsplit.features.compare import compare, table
from wordsplit.model import CharacterBPE, Unigram, WordLevel, WordPiece
from wordsplit.rules import Decode
from wordsplit.vocab import Vocab

TOKENS = {0: b"<unk>", 1: b"a", 2: b"b", 3: b"ab", 4: b"##b"}
SMALL = {
    "character BPE": CharacterBPE(tokens=TOKENS, explicit_merges=[(1, 2)], unk_id=0),
    "Unigram": Unigram(tokens=TOKENS, scores=[0, -1, -2.5, -3, -9], unk_id=0),
    "WordPiece": WordPiece(tokens=TOKENS, unk_id=0),
    "word level": WordLevel(tokens=TOKENS, unk_id=0),
}


def small(kind, **how):
    vocab = Vocab(name="small", model=SMALL[kind], pre_tokenizer=[wordsplit.Split(" ", behavior="removed")])
    return wordsplit.load_tokenizer(vocab, **how)


@pytest.mark.parametrize("kind", MODELS)
def test_random_models(kind):
    for seed in range(by_depth(8, 40, 1500)):
        vocab, some = random_model_vocab(kind, seed)
        native, python = (wordsplit.load_tokenizer(vocab, engine=engine) for engine in ("native", "python"))
        for text in some[:6]:
            ids = native.encode(text)
            assert native.spans(text) == python.spans(text)
            assert native.explain(text).ids == python.explain(text).ids == ids
            assert str(native.explain(text)) == str(python.explain(text))
            assert native.explain(text).html().count("<section") == len(native.explain(text).spans)
            assert [token.id for token in native.show(text).tokens] == ids
            assert native.count(text) == len(ids)
            assert native.count(text, limit=3) == min(len(ids), 4)
            for size in (0, 2, 5, 100):
                cut = native.truncate(text, size)
                assert text.startswith(cut.text)
                assert cut.ids == ids[: len(cut.ids)]
                assert len(cut.ids) <= size
                left = native.truncate(text, size, side="left")
                assert text.endswith(left.text)
                assert left.ids == ids[len(ids) - len(left.ids) :]
                if vocab.model.tiles_text:
                    assert cut == slow_truncate(native, text, size, "right", "parse")
                    assert left == slow_truncate(native, text, size, "left", "parse")
            assert "".join(chunk.text for chunk in native.split(text, 50)) == text
            assert native.pack([(text, True), ("a", False)], 300).ids == native.encode(text + "a")
            assert table(compare({"x": text}, [native]))
            stream = native.encoder_stream()
            for char in text:
                stream.append(char)
            assert stream.ids == ids
            assert pickle.loads(pickle.dumps(native)).encode(text) == ids  # noqa: S301


def test_explanations():
    assert [step.winner for step in small("character BPE").explain("aab").spans[0].passes] == [1, None]
    path = small("Unigram").explain("abx").spans[0]
    assert [(choice.id, choice.score, choice.known) for choice in path.choices] == [(3, -3.0, True), (0, -19.0, False)]
    assert (path.kind, path.score) == ("path", -22.0)
    assert "x (unknown) -19.0000" in str(small("Unigram").explain("abx"))
    matches = small("WordPiece").explain("abb ba").spans
    assert [[(choice.data, choice.known) for choice in span.choices] for span in matches] == [
        [(b"ab", True), (b"b", True)],
        [(b"ba", False)],
    ]
    assert small("word level").explain("ab x").to_dict()["spans"][1]["choices"][0]["known"] is False
    for kind in SMALL:
        assert small(kind).explain("ab" * 300, max_span=9).spans[0].kind == "long"


@pytest.mark.parametrize("kind", SMALL)
@pytest.mark.parametrize("engine", ["native", "python"])
def test_without_a_decoder_texts_of_tokens_are_joined(kind, engine):
    tok = small(kind, engine=engine)
    assert tok.decode([1, 4, 0]) == tok.decode_bytes([1, 4, 0]).decode() == "a##b<unk>"
    assert "".join(tok.decode_stream().over([1, 4, 0])) == "a##b<unk>"


@pytest.mark.parametrize("kind", SMALL)
def test_look_ups(kind):
    tok = small(kind)
    assert tok.tokens_with_prefix("a") == [1, 3]
    assert tok.tokens_that_are_prefixes_of("abc") == [1, 3]
    assert tok.token_id("##b") == 4
    assert kind in tok.vocab._repr_html_()
    assert tok.encode_for_model(["ab b", "a"], return_type="list", padding=False)["input_ids"][1] == [1]


@pytest.mark.parametrize("kind", list(SMALL)[:: by_depth(3, 1, 1)])
def test_commands(kind, tmp_path):
    path = tmp_path / "tokenizer.json"
    vocab = small(kind).vocab.replace(decoder=[Decode("word_piece", content="##")])
    vocab.save_tokenizer_json(path)
    ids = small(kind).encode("ab a")
    assert run("encode", "--vocab", str(path), "ab a").stdout.split() == list(map(str, ids))
    assert run("decode", "--vocab", str(path), *map(str, ids)).stdout.strip() == "ab a"
    told = run("inspect", str(path)).stdout
    assert f"kind            {kind}\n" in told
    assert "decoder         word_piece '##'\n" in told
    assert "unk_id=0" in told
    for command in ("show", "explain", "spans"):
        assert "ab" in run(command, "--vocab", str(path), "ab a").stdout
    assert run("compare", "--vocab", str(path), "ab a").returncode == 0


@pytest.mark.parametrize("special", ["parse", "text"])
def test_text_of_which_nothing_is_left(special):
    assert [chunk.text for chunk in small("WordPiece").split("   ", 4, special=special)] == ["   "]
