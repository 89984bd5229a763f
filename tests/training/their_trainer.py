"""`tokenizers`' BpeTrainer with ByteLevel: the vocab and merges that it finds."""

import json

from tokenizers import Tokenizer, models, pre_tokenizers, trainers


def train(texts, vocab_size, **options):
    """The vocab, spelled token -> id, and the merges, spelled pairs in order."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=vocab_size, initial_alphabet=alphabet, show_progress=False, **options)
    tokenizer.train_from_iterator(texts, trainer)
    model = json.loads(tokenizer.to_str())["model"]
    return model["vocab"], [tuple(pair) for pair in model["merges"]]
