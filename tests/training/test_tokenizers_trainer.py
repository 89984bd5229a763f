"""`tokenizers`' trainer as the judge: ``compat="tokenizers"`` has its vocab and its merges."""

import pathlib

import pytest
from depth import by_depth
from training import their_trainer
from training.corpora import corpora, spans_of
from training.naive import PRINTABLE, merged_bytes

from wordsplit.byte_level import to_byte_level
from wordsplit.corpus import CorpusFile
from wordsplit.training import BpeTrainer

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.full
@pytest.mark.parametrize("min_frequency", [0, 2])
def test_the_naive_trainer_has_its_merges(min_frequency):
    # It judges where there is no `tokenizers`' trainer to ask, so it is judged here.
    for texts in corpora():
        _, want = their_trainer.train(texts, 300, min_frequency=min_frequency)
        found = merged_bytes(spans_of(texts), base=PRINTABLE, n_merges=44, min_frequency=max(1, min_frequency))
        assert [(to_byte_level(left), to_byte_level(right)) for left, right, _ in found] == want, texts


def ours(texts, vocab_size, **options):
    """The vocab, spelled token -> id, and the merges, as `their_trainer` has them."""
    trainer = BpeTrainer(vocab_size, "gpt2", compat="tokenizers", **options)
    vocab = trainer.update(texts).train(progress=False)
    specials = {token.content: token.id for token in vocab.added_tokens}
    spelled = {to_byte_level(token): i for i, token in vocab.tokens.items() if i not in specials.values()}
    return {**specials, **spelled}, [(to_byte_level(left), to_byte_level(right)) for left, right, _ in trainer.merges]


@pytest.mark.full
def test_small_corpora():
    for at, texts in enumerate(corpora()):
        options = {"min_frequency": at % 3, "special_tokens": ["<|endoftext|>", "<pad>"][: at % 3]}
        assert ours(texts, 320, **options) == their_trainer.train(texts, 320, **options), (texts, options)


def test_special_tokens_in_texts_are_text():
    texts = ["a<|endoftext|>b <pad>c<pad>"] * 5
    options = {"special_tokens": ["<|endoftext|>", "<pad>"]}
    assert ours(texts, 290, **options) == their_trainer.train(texts, 290, **options)


@pytest.mark.parametrize("longest", by_depth([3], [2, 3, 6], [2, 3, 6]))
def test_short_tokens(longest):
    for texts in corpora(200, seed=9):
        want = their_trainer.train(texts, 300, max_token_length=longest + 1)
        assert ours(texts, 300, max_token_bytes=longest) == want, texts


def test_our_own_documentation():
    texts = [path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]]
    assert len(texts) > 5
    for vocab_size in (1000, 5000):
        assert ours(texts, vocab_size) == their_trainer.train(texts, vocab_size)


@pytest.mark.full
@pytest.mark.parametrize("name", ["en", "multi"])
def test_the_corpora(shared, name):
    texts = list(CorpusFile(shared / "corpora" / f"{name}.jsonl.gz").texts())
    assert ours(texts, 10_000) == their_trainer.train(texts, 10_000)
