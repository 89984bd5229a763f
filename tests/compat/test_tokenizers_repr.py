"""`wordsplit.compat.tokenizers`: what a tokenizer shows of itself, and what one without tokens encodes."""

import json

import pytest
import tokenizers as original

import wordsplit.compat.tokenizers as ours
from wordsplit.compat.errors import NotSupportedError

BOTH = (original, ours)


def with_everything(package):
    made = package.Tokenizer(package.models.BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")]))
    made.enable_truncation(5, stride=1, strategy="only_first", direction="left")
    made.enable_padding(length=7, pad_to_multiple_of=8, pad_token='"x', direction="left")  # noqa: S106 - of text
    made.add_special_tokens(["<s>"])
    made.add_tokens([package.AddedToken("x", lstrip=True)])
    made.normalizer = package.normalizers.Sequence([package.normalizers.Lowercase(), package.normalizers.Strip()])
    made.pre_tokenizer = package.pre_tokenizers.ByteLevel()
    made.post_processor = package.processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 3)])
    return made


def test_repr():
    theirs, mine = (repr(with_everything(package)) for package in BOTH)
    assert mine == theirs


def test_a_model_of_bpe_without_tokens():
    def state(package):
        made = package.Tokenizer(package.models.BPE())
        out = [repr(made)]
        for texts in (("hello",), ("a", "b"), ("",)):
            found = made.encode(*texts)
            out += [found.ids, found.tokens, found.offsets, found.sequence_ids, found.n_sequences, found.overflowing]
        out += [
            [each.ids for each in encode(["a", ("b", "c")])] for encode in (made.encode_batch, made.encode_batch_fast)
        ]
        out += [made.encode(["a", "b"], is_pretokenized=True).ids, made.decode([1]), made.decode_batch([[1], []])]
        made.enable_truncation(2)
        out += [made.encode("x y z").overflowing, repr(made)]
        made.post_processor = package.processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
        for texts in (("a",), ("a", "b")):
            for special in (True, False) if len(texts) == 1 else (False,):
                found = made.encode(*texts, add_special_tokens=special)
                out += [found.ids, found.tokens, found.type_ids, found.sequence_ids, found.special_tokens_mask]
        made.enable_padding(length=3)
        padded = made.encode("x")
        return [*out, padded.ids, padded.tokens, padded.attention_mask, made.get_vocab_size()]

    assert state(ours) == state(original)
    for wrong in (5, None, b"x", ["x"]):
        with pytest.raises(TypeError):
            ours.Tokenizer(ours.models.BPE()).encode(wrong)
    made = ours.Tokenizer(ours.models.BPE())
    made.encode("x")
    made.add_tokens(["x"])  # there is something to find now
    assert made.encode("x").ids == [0]
    with pytest.raises(NotSupportedError, match="no tokens"):
        ours.Tokenizer(ours.models.WordPiece()).encode("x")


@pytest.mark.parametrize("part", ["pre_tokenizers", "decoders", "processors"])
def test_byte_level_of_its_own_state(part):
    kind = getattr(ours, part).ByteLevel
    assert kind(**json.loads(kind().__getstate__())) == kind()


def test_errors_say_what_the_original_says():
    for part in (ours.pre_tokenizers, ours.decoders):
        with pytest.raises(ValueError, match="expected a string of length 1"):
            part.Metaspace(replacement="")
    with pytest.raises(ValueError, match="expected a string of length 1"):
        ours.pre_tokenizers.CharDelimiterSplit("")
    with pytest.raises(ValueError, match=r"Missing SpecialToken\(s\) with id\(s\)"):
        ours.processors.TemplateProcessing(single=["[CLS]"])


@pytest.mark.parametrize(
    "piece",
    [
        "$",
        "$A",
        "$a:1",
        "$0",
        "$2",
        "$0:1",
        "$:1",
        "$A:",
        "$:",
        "$1:",
        "$A:x",
        "$$",
        "$C",
        "a",
        "a:2",
        "a:",
        "a:x",
        "a::1",
        ":1",
    ],
)
def test_pieces_of_a_template(piece):
    def made(package):
        try:
            return repr(package.processors.TemplateProcessing(single=[piece], special_tokens=[("", 3), ("a", 1)]))
        except ValueError as error:
            return str(error)[:18]

    assert made(ours) == made(original)
