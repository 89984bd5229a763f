"""`ByteLevelBPETokenizer`: the components of GPT-2's tokenizer, with a vocab.json and a merges.txt, or to train."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from wordsplit.compat.errors import NotSupportedError
from wordsplit.compat.missing_names import explain_missing_names
from wordsplit.compat.tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers
from wordsplit.compat.tokenizers.tokenizer import Tokenizer
from wordsplit.compat.tokenizers.tokens import AddedToken

__all__ = ["MISSING", "ByteLevelBPETokenizer"]

MISSING = dict.fromkeys(
    (
        "BaseTokenizer",
        "BertWordPieceTokenizer",
        "CharBPETokenizer",
        "SentencePieceBPETokenizer",
        "SentencePieceUnigramTokenizer",
    ),
    "make a Tokenizer of a model, and set its components",
)
"""Names that the original has, and what to use in place of each."""

explain_missing_names(__name__, MISSING)


class ByteLevelBPETokenizer(Tokenizer):
    """A tokenizer with the components of GPT-2's.

    Args:
        vocab: The ids of the tokens; without it and ``merges``, the tokenizer is to be trained.
        merges: The merges, in order of rank.
        add_prefix_space: Whether to put a space before texts that begin with none.
        lowercase: Whether to write text in lower case.
        dropout: Not supported.
        unicode_normalizer: ``"nfc"``, ``"nfd"``, ``"nfkc"`` or ``"nfkd"``.
        continuing_subword_prefix: As in `models.BPE`.
        end_of_word_suffix: As in `models.BPE`.
        trim_offsets: Whether offsets leave out the white space at the ends of tokens.

    Raises:
        NotSupportedError: ``dropout`` is given; or ``vocab`` is the path of a file, for which there is `from_file`.

    Example:
        >>> from wordsplit.compat.tokenizers import ByteLevelBPETokenizer
        >>> tok = ByteLevelBPETokenizer()
        >>> tok.train_from_iterator(["low lower lowest"] * 3, vocab_size=259, show_progress=False)
        >>> tok.encode("lower low").tokens
        ['low', 'e', 'r', 'Ġlow']
    """

    def __init__(
        self,
        vocab: dict[str, int] | None = None,
        merges: list[tuple[str, str]] | None = None,
        add_prefix_space: bool = False,
        lowercase: bool = False,
        dropout: float | None = None,
        unicode_normalizer: str | None = None,
        continuing_subword_prefix: str | None = None,
        end_of_word_suffix: str | None = None,
        trim_offsets: bool = False,
    ) -> None:
        if dropout:
            raise NotSupportedError(f"dropout={dropout}: wordsplit always gives the same ids")
        if isinstance(vocab, (str, os.PathLike)):
            raise NotSupportedError("vocab is a dict; for files there is ByteLevelBPETokenizer.from_file()")
        given = vocab is not None and merges is not None
        affixes = {
            "continuing_subword_prefix": continuing_subword_prefix or "",
            "end_of_word_suffix": end_of_word_suffix or "",
        }
        super().__init__(models.BPE(vocab, merges, **affixes) if given else models.BPE())  # type: ignore[arg-type]
        steps: list[normalizers.Normalizer] = []
        if unicode_normalizer:
            steps.append(normalizers.unicode_normalizer_from_str(unicode_normalizer))
        if lowercase:
            steps.append(normalizers.Lowercase())
        if steps:
            self.normalizer = steps[0] if len(steps) == 1 else normalizers.Sequence(steps)
        self.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space)
        self.decoder = decoders.ByteLevel()
        self.post_processor = processors.ByteLevel(trim_offsets=trim_offsets)

    @classmethod
    def from_file(  # type: ignore[override]
        cls, vocab_filename: str | os.PathLike[str], merges_filename: str | os.PathLike[str], **options: Any
    ) -> ByteLevelBPETokenizer:
        """Load a vocab.json and a merges.txt.

        Args:
            vocab_filename: The vocab.json.
            merges_filename: The merges.txt.
            **options: The other arguments of the class.

        Raises:
            VocabFormatError: A file is damaged.
        """
        return cls(*models.BPE.read_file(vocab_filename, merges_filename), **options)

    def train(  # type: ignore[override]
        self,
        files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        vocab_size: int = 30000,
        min_frequency: int = 2,
        show_progress: bool = True,
        special_tokens: Sequence[str | AddedToken] = (),
    ) -> None:
        """Train on files of plain text, of which each line is a text. Arguments are those of `trainers.BpeTrainer`."""
        paths = [files] if isinstance(files, (str, os.PathLike)) else files
        super().train(paths, _trainer(vocab_size, min_frequency, show_progress, special_tokens))

    def train_from_iterator(  # type: ignore[override]
        self,
        iterator: Iterable[str | Iterable[str]],
        vocab_size: int = 30000,
        min_frequency: int = 2,
        show_progress: bool = True,
        special_tokens: Sequence[str | AddedToken] = (),
        length: int | None = None,
    ) -> None:
        """Train on texts, or lists of texts. Arguments are those of `trainers.BpeTrainer`; ``length`` has no effect."""
        trainer = _trainer(vocab_size, min_frequency, show_progress, special_tokens)
        super().train_from_iterator(iterator, trainer, length)

    def save_model(self, directory: str | os.PathLike[str], prefix: str | None = None) -> list[str]:
        """Write vocab.json and merges.txt into a folder, and return their paths.

        Args:
            directory: The folder.
            prefix: What the names of the files begin with.
        """
        found: list[str] = self.model.save(directory, prefix)
        return found


def _trainer(
    vocab_size: int, min_frequency: int, show_progress: bool, special_tokens: Sequence[str | AddedToken]
) -> trainers.BpeTrainer:
    return trainers.BpeTrainer(
        vocab_size=vocab_size,
        min_frequency=min_frequency,
        show_progress=show_progress,
        special_tokens=special_tokens,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
