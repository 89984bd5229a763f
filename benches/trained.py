"""Train the vocabs of characters that are compared, with `tokenizers` and `sentencepiece`, on the half for tuning.

Run by the interpreter of the environment ``main``, with the files to write.
"""

from __future__ import annotations

import io
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

import corpora
import sentencepiece
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
    """Train a vocab, whose name is the file's: NAME.json, or sp_KIND.model."""
    texts = (text for name in corpora.NAMES for text in corpora.load(name, int(MEGABYTES * 1e6), tuning=True))
    if path.suffix == ".model":
        train_sentencepiece(path, texts)
        return
    tok, trainer = VOCABS[path.stem]()
    tok.train_from_iterator(texts, trainer)
    tok.save(str(path))


def train_sentencepiece(path: Path, texts: Iterator[str]) -> None:
    """Train a model of SentencePiece with its defaults: NFKC, spaces collapsed, one before each text."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=itertools.chain.from_iterable(text.splitlines() for text in texts),
        model_writer=model,
        model_type=path.stem.partition("_")[2],
        vocab_size=32_000,
        minloglevel=2,
    )
    path.write_bytes(model.getvalue())


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write(Path(name))
