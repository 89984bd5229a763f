"""Trainers: what `Tokenizer.train` and `Tokenizer.train_from_iterator` take.

Example:
    >>> from wordsplit.compat.tokenizers import Tokenizer, models, pre_tokenizers, trainers
    >>> tok = Tokenizer(models.BPE())
    >>> tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    >>> trainer = trainers.BpeTrainer(vocab_size=16, special_tokens=["<|end|>"], show_progress=False)
    >>> tok.train_from_iterator(["low lower lowest", "new newer newest"], trainer)
    >>> tok.encode("lower").tokens, tok.token_to_id("<|end|>")
    (['lo', 'we', 'r'], 0)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from wordsplit.compat.errors import NotSupportedError
from wordsplit.compat.missing_names import Explained, explain_missing_names
from wordsplit.compat.tokenizers.tokens import AddedToken

__all__ = ["BpeTrainer", "Trainer", "UnigramTrainer", "WordLevelTrainer", "WordPieceTrainer"]

_ONLY_BPE = "wordsplit trains byte-level BPE: use BpeTrainer"

explain_missing_names(__name__, {"ParityBpeTrainer": _ONLY_BPE})


class Trainer(Explained):
    """The base class of trainers."""


class _Unsupported(Trainer):
    """A trainer that exists by name only: `transformers` imports all of them, whether it trains or not."""

    def __init__(self, *args: object, **options: object) -> None:
        del args, options
        raise NotSupportedError(f"{type(self).__name__}: {_ONLY_BPE}")


class UnigramTrainer(_Unsupported):
    """Not supported: to make one is a `NotSupportedError`."""


class WordLevelTrainer(_Unsupported):
    """Not supported: to make one is a `NotSupportedError`."""


class WordPieceTrainer(_Unsupported):
    """Not supported: to make one is a `NotSupportedError`."""


@dataclass(kw_only=True)
class BpeTrainer(Trainer):
    """Settings for training byte-level BPE; `wordsplit.training.BpeTrainer` does it, with the vocab of `tokenizers`.

    Attributes:
        vocab_size: The number of tokens: special tokens, characters and merges.
        min_frequency: Pairs that occur less often are not merged.
        show_progress: Whether to show the progress on a terminal.
        progress_format: Has no effect.
        special_tokens: Special tokens, which get the first ids. No merge makes one of them, unlike in `tokenizers`.
        limit_alphabet: Not supported, if it is less than 256: bytes are not left out.
        initial_alphabet: Characters to include even if they do not occur; `pre_tokenizers.ByteLevel.alphabet()` for
            all.
        continuing_subword_prefix: Not supported.
        end_of_word_suffix: Not supported.
        max_token_length: Tokens are shorter than this, in bytes, except for those of two bytes.

    Raises:
        NotSupportedError: An argument has a value that is not supported.
    """

    vocab_size: int = 30000
    min_frequency: int = 0
    show_progress: bool = True
    progress_format: str = "indicatif"
    special_tokens: Sequence[str | AddedToken] = field(default_factory=list)
    limit_alphabet: int | None = None
    initial_alphabet: Sequence[str] = field(default_factory=list)
    continuing_subword_prefix: str | None = None
    end_of_word_suffix: str | None = None
    max_token_length: int | None = None

    def __post_init__(self) -> None:
        self.special_tokens = [AddedToken.given(token).as_special() for token in self.special_tokens]
        for name in ("continuing_subword_prefix", "end_of_word_suffix"):
            if getattr(self, name):
                raise NotSupportedError(f"BpeTrainer: {name}={getattr(self, name)!r}: {_ONLY_BPE.partition(':')[0]}")
        if self.limit_alphabet is not None and self.limit_alphabet < 256:
            raise NotSupportedError(f"BpeTrainer: limit_alphabet={self.limit_alphabet}: bytes are not left out")
