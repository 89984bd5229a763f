"""`tokenizers`' trainer as the judge."""

import pytest
from training import their_trainer
from training.corpora import corpora, spans_of
from training.naive import PRINTABLE, merged_bytes

from wordsplit.byte_level import to_byte_level


@pytest.mark.parametrize("min_frequency", [0, 2])
def test_the_naive_trainer_has_its_merges(min_frequency):
    # It judges where there is no `tokenizers`' trainer to ask, so it is judged here.
    for texts in corpora():
        _, want = their_trainer.train(texts, 300, min_frequency=min_frequency)
        found = merged_bytes(spans_of(texts), base=PRINTABLE, n_merges=44, min_frequency=max(1, min_frequency))
        assert [(to_byte_level(left), to_byte_level(right)) for left, right, _ in found] == want, texts
