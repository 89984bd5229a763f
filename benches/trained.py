"""Train the WordPiece and Unigram vocabs that are compared, with `tokenizers`, on the half of the texts for tuning.

Run by the interpreter of the environment ``main``, with the files to write.
"""

from __future__ import annotations

import sys
from pathlib import Path

import corpora
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

SPECIAL = ("<unk>", "[PAD]", "[CLS]", "[SEP]", "[MASK]")
MEGABYTES = 6


def bert() -> tuple[Tokenizer, trainers.Trainer]:
    """A WordPiece vocab with BERT's rules, without case."""
    tok = Tokenizer(models.WordPiece(unk_token=SPECIAL[0]))
    tok.normalizer = normalizers.BertNormalizer()
    tok.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tok.decoder = decoders.WordPiece()
    return tok, trainers.WordPieceTrainer(vocab_size=30_522, special_tokens=list(SPECIAL), show_progress=False)


def unigram() -> tuple[Tokenizer, trainers.Trainer]:
    """A Unigram vocab whose spaces are collapsed and spelled as U+2581."""
    tok = Tokenizer(models.Unigram())
    tok.normalizer = normalizers.Replace(Regex(" {2,}"), " ")
    tok.pre_tokenizer = pre_tokenizers.Metaspace()
    tok.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=32_000, special_tokens=list(SPECIAL), unk_token=SPECIAL[0], show_progress=False
    )
    return tok, trainer


VOCABS = {"bert": bert, "unigram": unigram}


def write(path: Path) -> None:
    """Train a vocab, whose name is the file's."""
    tok, trainer = VOCABS[path.stem]()
    texts = (text for name in corpora.NAMES for text in corpora.load(name, int(MEGABYTES * 1e6), tuning=True))
    tok.train_from_iterator(texts, trainer)
    tok.save(str(path))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write(Path(name))
