"""Each pre-tokenizer by itself, and sequences of them, against `tokenizers`: the pieces, and where they come from."""

import json
import random

import pytest
import tokenizers
from depth import by_depth
from parity.parts import METASPACES, PRE_TOKENIZERS, TO_SPLIT, byte_level, texts

import wordsplit
from wordsplit.engine.aligned import AlignedText
from wordsplit.engine.rewriting import Rewriting
from wordsplit.vocabs.formats.tokenizer_json.rule_writer import pre_tokenizers as written
from wordsplit.vocabs.formats.tokenizer_json.rules import read_pre_tokenizer
from wordsplit.vocabs.json_tree import Node

TEXTS = by_depth(10, 100, 60_000)
SEQUENCES = by_depth(10, 60, 30_000)
LABELS = [json.dumps(part)[:110] for part in PRE_TOKENIZERS]


def theirs_of(part, normalizer=None, added=()):
    """Their tokenizer with a pre-tokenizer, each of whose tokens is a piece."""
    document = {
        "version": "1.0",
        "added_tokens": list(added),
        "normalizer": normalizer,
        "pre_tokenizer": part,
        "model": {"type": "WordLevel", "vocab": {"?": 0}, "unk_token": "?"},
    }
    return tokenizers.Tokenizer.from_str(json.dumps(document))


def steps_of(part, **options):
    return read_pre_tokenizer(Node(part, "test", "$.pre_tokenizer"), **options)


def pieces_of(part, text):
    steps, prefix_space = steps_of(part, byte_level=False)
    piece = AlignedText.of(text)
    if prefix_space and not text.startswith(" "):
        piece = piece.prepended(" ")
    return Rewriting(steps, "test").pieces(piece)


def agree(theirs, part, text):
    found = pieces_of(part, text)
    expected = theirs.pre_tokenizer.pre_tokenize_str(text)
    assert [piece.text for piece in found] == [piece for piece, _ in expected]
    assert [(piece.ranges[0][0], piece.ranges[-1][1]) for piece in found] == theirs.encode(text).offsets


@pytest.mark.parametrize("part", PRE_TOKENIZERS, ids=LABELS)
def test_each_by_itself(part):
    theirs = theirs_of(part)
    for text in texts(PRE_TOKENIZERS.index(part), TO_SPLIT, TEXTS):
        agree(theirs, part, text)


def sequence(rng, most=4):
    return {"type": "Sequence", "pretokenizers": rng.choices(PRE_TOKENIZERS, k=rng.randint(2, most))}


def test_sequences():
    for seed in range(SEQUENCES):
        rng = random.Random(seed)
        part = sequence(rng)
        theirs = theirs_of(part)
        for text in texts(seed, TO_SPLIT, 6):
            agree(theirs, part, text)


class Saved:
    """The parts of a vocab that the writer of pre-tokenizers reads."""

    def __init__(self, part):
        self.pre_tokenizer, self.add_prefix_space = steps_of(part, byte_level=False)


def test_what_is_written_is_read_again():
    refused = 0
    for seed in range(SEQUENCES):
        rng = random.Random(seed)
        part = rng.choice([rng.choice(PRE_TOKENIZERS), sequence(rng)])
        try:
            again = {"type": "Sequence", "pretokenizers": written(Saved(part), "test", byte_level=False)}
        except wordsplit.UnsupportedVocabError as error:
            assert "add_prefix_space" in str(error)
            refused += 1
            continue
        assert steps_of(again, byte_level=False) == steps_of(part, byte_level=False)
        theirs, expected = theirs_of(again), theirs_of(part)
        for text in texts(seed, TO_SPLIT, 3):
            assert theirs.pre_tokenizer.pre_tokenize_str(text) == expected.pre_tokenizer.pre_tokenize_str(text)
    assert refused < SEQUENCES // 4


def test_every_script():
    """Each character between two that are known, and after a space."""
    split_theirs = tokenizers.pre_tokenizers.UnicodeScripts().pre_tokenize_str
    part = {"type": "UnicodeScripts"}
    scalars = [cp for cp in range(0x110000) if not 0xD800 <= cp < 0xE000]
    for cp in [*scalars[:0x3400], *scalars[0x3400 :: by_depth(101, 13, 1)]]:
        for text in (f"a{chr(cp)}漢", f" {chr(cp)}."):
            assert [piece.text for piece in pieces_of(part, text)] == [piece for piece, _ in split_theirs(text)], hex(
                cp
            )


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"type": "Metaspace"}, "replacement: should be a string"),
        ({"type": "Metaspace", "replacement": "ab"}, "a single character"),
        ({"type": "Metaspace", "replacement": "a", "prepend_scheme": "First"}, "one of always, first, never"),
        ({"type": "Metaspace", "replacement": "a", "add_prefix_space": False}, "contradicts the prepend_scheme"),
        ({"type": "CharDelimiterSplit", "delimiter": "ab"}, "a single character"),
        ({"type": "FixedLength", "length": -1}, "a number of characters"),
        ({"type": "Cut"}, "pre-tokenizer 'Cut'"),
    ],
)
def test_what_they_refuse_is_refused(part, message):
    with pytest.raises((wordsplit.VocabFormatError, wordsplit.UnsupportedVocabError), match=message):
        steps_of(part, byte_level=False)
    with pytest.raises(Exception):  # noqa: B017 - of no type of its own
        theirs_of(part)


def test_pieces_of_no_characters():
    with pytest.raises(wordsplit.UnsupportedVocabError, match="it must be from 1 to"):
        steps_of({"type": "FixedLength", "length": 0}, byte_level=False)


@pytest.mark.parametrize("part", [*METASPACES[:1], {"type": "UnicodeScripts"}])
def test_text_is_not_rewritten_after_byte_level(part):
    both = {"type": "Sequence", "pretokenizers": [byte_level(False, True), part]}
    with pytest.raises(wordsplit.UnsupportedVocabError, match="after 'ByteLevel'"):
        steps_of(both)
    with pytest.raises(wordsplit.UnsupportedVocabError, match="without 'ByteLevel'"):
        steps_of(part)
