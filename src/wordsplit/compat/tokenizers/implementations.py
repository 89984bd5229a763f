"""Tokenizers with the components of well-known ones, such as GPT-2's and BERT's."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from wordsplit.compat.errors import NotSupportedError
from wordsplit.compat.missing_names import explain_missing_names
from wordsplit.compat.tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers
from wordsplit.compat.tokenizers._component import Regex
from wordsplit.compat.tokenizers.tokenizer import Tokenizer
from wordsplit.compat.tokenizers.tokens import AddedToken
from wordsplit.errors import InputTypeError

__all__ = [
    "MISSING",
    "BertWordPieceTokenizer",
    "ByteLevelBPETokenizer",
    "CharBPETokenizer",
    "SentencePieceBPETokenizer",
    "SentencePieceUnigramTokenizer",
]

MISSING = {"BaseTokenizer": "each of these classes is a Tokenizer itself"}
"""Names that the original has, and what to use instead of each."""

explain_missing_names(__name__, MISSING)


class _Assembled(Tokenizer):
    """A tokenizer whose class says which components it has."""

    def save_model(self, directory: str | os.PathLike[str], prefix: str | None = None) -> list[str]:
        """Write the files of the model into a folder, and return their paths.

        Args:
            directory: The folder.
            prefix: What the names of the files begin with.
        """
        found: list[str] = self.model.save(directory, prefix)
        return found

    def train(self, files: Any, *args: Any, **options: Any) -> None:
        """Not supported: wordsplit trains byte-level BPE.

        Raises:
            NotSupportedError: Always.
        """
        del files, args, options
        raise NotSupportedError(f"{type(self).__name__} cannot be trained: wordsplit trains byte-level BPE")

    def train_from_iterator(self, iterator: Any, *args: Any, **options: Any) -> None:
        """Not supported, as `train`.

        Raises:
            NotSupportedError: Always.
        """
        self.train(iterator, *args, **options)

    def _add_known(self, *tokens: str | AddedToken) -> None:
        """Make special tokens of those that the vocab has."""
        known = [str(token) for token in tokens if self.token_to_id(str(token)) is not None]
        if known:
            self.add_special_tokens(known)

    def _normalize_by(self, steps: list[normalizers.Normalizer]) -> None:
        if steps:
            self.normalizer = steps[0] if len(steps) == 1 else normalizers.Sequence(steps)


class ByteLevelBPETokenizer(_Assembled):
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
        NotSupportedError: ``dropout`` is given.

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
        affixes = {
            "continuing_subword_prefix": continuing_subword_prefix or "",
            "end_of_word_suffix": end_of_word_suffix or "",
        }
        super().__init__(_bpe(vocab, merges, dropout, **affixes if vocab is not None and merges is not None else {}))
        steps: list[normalizers.Normalizer] = []
        if unicode_normalizer:
            steps.append(normalizers.unicode_normalizer_from_str(unicode_normalizer))
        if lowercase:
            steps.append(normalizers.Lowercase())
        self._normalize_by(steps)
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
        Tokenizer.train(self, paths, _trainer(vocab_size, min_frequency, show_progress, special_tokens))

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
        Tokenizer.train_from_iterator(self, iterator, trainer, length)


class BertWordPieceTokenizer(_Assembled):
    """A tokenizer with the components of BERT's. It is not trained.

    Args:
        vocab: The ids of the tokens.
        unk_token: The token of words that have none.
        sep_token: The token after each text.
        cls_token: The token before the first.
        pad_token: The padding token.
        mask_token: The masking token.
        clean_text: As in `normalizers.BertNormalizer`.
        handle_chinese_chars: Likewise.
        strip_accents: Likewise.
        lowercase: Likewise.
        wordpieces_prefix: What tokens within a word begin with, in the decoder.

    Raises:
        InputTypeError: The vocab lacks ``sep_token`` or ``cls_token``. (A `TypeError`.)

    Example:
        >>> from wordsplit.compat.tokenizers import BertWordPieceTokenizer
        >>> vocab = ["[UNK]", "[SEP]", "[CLS]", "hello", "##s"]
        >>> tok = BertWordPieceTokenizer({token: i for i, token in enumerate(vocab)})
        >>> tok.encode("Hellos").tokens
        ['[CLS]', 'hello', '##s', '[SEP]']
    """

    def __init__(
        self,
        vocab: dict[str, int] | None = None,
        unk_token: str | AddedToken = "[UNK]",  # noqa: S107 - a token of text, as below
        sep_token: str | AddedToken = "[SEP]",  # noqa: S107
        cls_token: str | AddedToken = "[CLS]",  # noqa: S107
        pad_token: str | AddedToken = "[PAD]",  # noqa: S107
        mask_token: str | AddedToken = "[MASK]",  # noqa: S107
        clean_text: bool = True,
        handle_chinese_chars: bool = True,
        strip_accents: bool | None = None,
        lowercase: bool = True,
        wordpieces_prefix: str = "##",
    ) -> None:
        super().__init__(models.WordPiece(vocab or {}, unk_token=str(unk_token)))
        self._add_known(unk_token, sep_token, cls_token, pad_token, mask_token)
        self.normalizer = normalizers.BertNormalizer(clean_text, handle_chinese_chars, strip_accents, lowercase)
        self.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        if vocab is not None:
            ends = [(str(token), self.token_to_id(str(token))) for token in (sep_token, cls_token)]
            for name, (_, found) in zip(("sep_token", "cls_token"), ends, strict=True):
                if found is None:
                    raise InputTypeError(f"{name} is not in the vocab")
            self.post_processor = processors.BertProcessing(*ends)  # type: ignore[arg-type]  # found, as just checked
        self.decoder = decoders.WordPiece(prefix=wordpieces_prefix)

    @classmethod
    def from_file(cls, vocab: str | os.PathLike[str], **options: Any) -> BertWordPieceTokenizer:  # type: ignore[override]
        """Load a vocab.txt; the other arguments are those of the class."""
        return cls(models.WordPiece.read_file(vocab), **options)


class _OfPairs(_Assembled):
    """A tokenizer whose model has a vocab.json and a merges.txt."""

    @classmethod
    def from_file(  # type: ignore[override]
        cls, vocab_filename: str | os.PathLike[str], merges_filename: str | os.PathLike[str], **options: Any
    ) -> Any:
        """Load a vocab.json and a merges.txt; the other arguments are those of the class.

        Raises:
            VocabFormatError: A file is damaged.
        """
        make: Any = cls  # whose constructor takes a vocab and merges
        return make(*models.BPE.read_file(vocab_filename, merges_filename), **options)


class CharBPETokenizer(_OfPairs):
    """A tokenizer with the components of the first GPT's: BPE of characters. It is not trained.

    Args:
        vocab: The ids of the tokens.
        merges: The merges, in order of rank.
        unk_token: The token of what is not in the vocab.
        suffix: What tokens at the end of a word end with.
        dropout: Not supported.
        lowercase: Whether to write text in lower case.
        unicode_normalizer: ``"nfc"``, ``"nfd"``, ``"nfkc"`` or ``"nfkd"``.
        bert_normalizer: Whether to clean text as BERT does.
        split_on_whitespace_only: Whether not to split at punctuation.

    Raises:
        NotSupportedError: ``dropout`` is given.
    """

    def __init__(
        self,
        vocab: dict[str, int] | None = None,
        merges: list[tuple[str, str]] | None = None,
        unk_token: str | AddedToken = "<unk>",  # noqa: S107 - a token of text
        suffix: str = "</w>",
        dropout: float | None = None,
        lowercase: bool = False,
        unicode_normalizer: str | None = None,
        bert_normalizer: bool = True,
        split_on_whitespace_only: bool = False,
    ) -> None:
        super().__init__(_bpe(vocab, merges, dropout, unk_token=str(unk_token), end_of_word_suffix=suffix))
        self._add_known(unk_token)
        steps: list[normalizers.Normalizer] = []
        if unicode_normalizer:
            steps.append(normalizers.unicode_normalizer_from_str(unicode_normalizer))
        if bert_normalizer:
            steps.append(normalizers.BertNormalizer(lowercase=False))
        if lowercase:
            steps.append(normalizers.Lowercase())
        self._normalize_by(steps)
        by_space = split_on_whitespace_only
        self.pre_tokenizer = pre_tokenizers.WhitespaceSplit() if by_space else pre_tokenizers.BertPreTokenizer()
        self.decoder = decoders.BPEDecoder(suffix=suffix)


class SentencePieceBPETokenizer(_OfPairs):
    """A tokenizer of BPE that marks spaces as SentencePiece does. It is not trained.

    Args:
        vocab: The ids of the tokens.
        merges: The merges, in order of rank.
        unk_token: The token of what is not in the vocab.
        replacement: The mark of spaces.
        add_prefix_space: Whether to put one before texts that begin with none.
        dropout: Not supported.
        fuse_unk: Whether several unknown characters make one token.

    Raises:
        NotSupportedError: ``dropout`` is given.
    """

    def __init__(
        self,
        vocab: dict[str, int] | None = None,
        merges: list[tuple[str, str]] | None = None,
        unk_token: str | AddedToken = "<unk>",  # noqa: S107 - a token of text
        replacement: str = "▁",
        add_prefix_space: bool = True,
        dropout: float | None = None,
        fuse_unk: bool = False,
    ) -> None:
        super().__init__(_bpe(vocab, merges, dropout, unk_token=str(unk_token), fuse_unk=fuse_unk))
        self._add_known(unk_token)
        self.normalizer = normalizers.NFKC()
        _mark_spaces(self, replacement, add_prefix_space)


class SentencePieceUnigramTokenizer(_Assembled):
    """A tokenizer of a Unigram model that marks spaces as SentencePiece does. It is not trained.

    Args:
        vocab: The tokens and their scores.
        replacement: The mark of spaces.
        add_prefix_space: Whether to put one before texts that begin with none.
    """

    def __init__(
        self, vocab: list[tuple[str, float]] | None = None, replacement: str = "▁", add_prefix_space: bool = True
    ) -> None:
        super().__init__(models.Unigram() if vocab is None else models.Unigram(vocab))
        spaces = normalizers.Replace(Regex(" {2,}"), " ")
        self.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), spaces])
        _mark_spaces(self, replacement, add_prefix_space)


def _mark_spaces(tokenizer: Tokenizer, replacement: str, add_prefix_space: bool) -> None:
    scheme = "always" if add_prefix_space else "never"
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement, scheme)
    tokenizer.decoder = decoders.Metaspace(replacement, scheme)


def _bpe(
    vocab: dict[str, int] | None, merges: list[tuple[str, str]] | None, dropout: float | None, **options: Any
) -> models.BPE:
    """Return a model of a vocab and merges, which has no tokens if one of them is not given."""
    if dropout:
        raise NotSupportedError(f"dropout={dropout}: wordsplit always gives the same ids")
    return models.BPE(*((vocab, merges) if vocab is not None and merges is not None else ()), **options)


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
