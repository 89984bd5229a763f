"""`wordsplit.compat.tokenizers`: texts that are cut into windows, with every setting, against tokenizers."""

import pickle
import random

import pytest
import tokenizers as original
from depth import by_depth

import wordsplit.compat.tokenizers as ours

WORDS = [" hello", " world", "über", "naïve", "日本語", "\n", "x", "<|endoftext|>", " of", " 123", "  ", "e\u0301"]
SINGLE = ("$A", "$A:1", "<s>:1 $A:1 </s>", "<s> $A </s>:2", "$A <s>")
PAIR = ("$A $B", "<s> $A </s> $B:1 </s>:1", "$B:1 $A")


def trained(model, trainer, **parts):
    """The tokenizer.json of a small model."""
    made = original.Tokenizer(model)
    for name, part in parts.items():
        setattr(made, name, part)
    made.train_from_iterator(WORDS * 3, trainer)
    return made.to_str()


def byte_level():
    """A tokenizer such as GPT-2's."""
    level = original.pre_tokenizers.ByteLevel(add_prefix_space=False)
    special = ["<s>", "<|endoftext|>"]
    trainer = original.trainers.BpeTrainer(
        vocab_size=300, special_tokens=special, initial_alphabet=level.alphabet(), show_progress=False
    )
    decoder = original.decoders.ByteLevel()
    return trained(original.models.BPE(), trainer, pre_tokenizer=level, decoder=decoder)


def bert():
    """A tokenizer with BERT's rules."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    return trained(
        original.models.WordPiece(unk_token="[UNK]"),  # noqa: S106 - a token of text
        original.trainers.WordPieceTrainer(vocab_size=90, special_tokens=special, show_progress=False),
        normalizer=original.normalizers.BertNormalizer(),
        pre_tokenizer=original.pre_tokenizers.BertPreTokenizer(),
        post_processor=original.processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2)),
    )


FILES = {"byte-level": byte_level, "bert": bert}


def state(encoding):
    """All that an encoding says, and its overflow."""
    places = range(0, 20, 3)
    return [
        *(encoding.ids, encoding.tokens, encoding.type_ids, encoding.offsets, encoding.attention_mask),
        *(encoding.special_tokens_mask, encoding.word_ids, encoding.sequence_ids, encoding.n_sequences),
        [encoding.char_to_token(at) for at in places],
        [encoding.token_to_chars(at) for at in range(len(encoding.ids))],
        [encoding.word_to_chars(at) for at in range(3)],
        [encoding.token_to_sequence(at) for at in range(len(encoding.ids))],
        [state(each) for each in encoding.overflowing],
    ]


def processor(kind, template, names, trims, prefix_space):
    """Return what makes a post-processor of either library, or `None` to keep that of the file."""
    if kind == "template":
        single, pair = template
        special = [(name, number) for number, name in enumerate(names, 5)]
        return lambda of: of.TemplateProcessing(single=single, pair=pair, special_tokens=special)
    if kind == "level":
        return lambda of: of.ByteLevel(trim_offsets=trims)
    if kind == "roberta":
        arguments = {"trim_offsets": trims, "add_prefix_space": prefix_space}
        return lambda of: of.RobertaProcessing(("</s>", 3), ("<s>", 2), **arguments)
    return None


@pytest.mark.parametrize("name", FILES)
def test_windows_are_those_of_tokenizers(name):
    rng, file, cut = random.Random(name), FILES[name](), 0
    for _ in range(by_depth(300, 1000, 4000)):
        pair = original.Tokenizer.from_str(file), ours.Tokenizer.from_str(file)
        template = rng.choice(SINGLE), rng.choice(PAIR)
        names = [name for name in ("<s>", "</s>") if name in "".join(template)]
        kind = rng.choice(("template", "template", "level", "roberta", "of the file"))
        make = processor(kind, template, names, rng.random() < 0.5, rng.random() < 0.5)
        length, stride = rng.randint(4, 9), rng.randint(0, 8)
        if stride > length - 4:  # with a template, a window has to be longer than what it shares
            stride = 0
        how = {"direction": rng.choice(("right", "left")), "strategy": rng.choice(("longest_first", "only_first"))}
        padding = {"direction": rng.choice(("right", "left")), "length": rng.choice((None, 4, 12))}
        pads = rng.random() < 0.5
        for tokenizer, of in zip(pair, (original.processors, ours.processors), strict=True):
            if make is not None:
                tokenizer.post_processor = make(of)
            tokenizer.enable_truncation(length, stride=stride, **how)
            if pads:
                tokenizer.enable_padding(pad_id=1, pad_type_id=3, pad_token="[P]", **padding)  # noqa: S106 - of text
        texts = ["".join(rng.choices(WORDS, k=rng.randint(0, 14))) for _ in range(3)]
        special = rng.random() < 0.7
        theirs, mine = (
            [state(each) for each in tokenizer.encode_batch(texts, add_special_tokens=special)] for tokenizer in pair
        )
        assert mine == theirs, (kind, template, length, stride, how, texts)
        cut += sum(len(each[-1]) for each in mine)
        theirs, mine = ([tokenizer.encode(texts[0], add_special_tokens=special)] for tokenizer in pair)
        for found in (theirs, mine):
            found.append(pickle.loads(pickle.dumps(found[0])))  # noqa: S301 - its own
            found.append(found[0])
        for found in (theirs[0], mine[0]):
            found.pad(15, direction="left")
            found.truncate(3, stride=1)
        assert list(map(state, mine)) == list(map(state, theirs)), (kind, template, length, stride, how, texts)
    assert cut > by_depth(300, 1000, 4000)  # windows behind the first
