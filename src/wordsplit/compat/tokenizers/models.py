"""Models: ``Tokenizer.model`` is one of these.

They are values, with the constructors of their namesakes in `tokenizers`.

Example:
    >>> from wordsplit.compat.tokenizers import Tokenizer, models
    >>> Tokenizer(models.BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")])).encode("aba").tokens
    ['ab', 'a']
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, cast

from wordsplit.atomic_file import write_atomically
from wordsplit.compat.errors import NotSupportedError
from wordsplit.compat.ids import checked_name
from wordsplit.compat.missing_names import explain_missing_names
from wordsplit.compat.tokenizers._component import PLAIN, Codec, Component
from wordsplit.compat.tokenizers.trainers import BpeTrainer, Trainer
from wordsplit.errors import OptionsError, VocabFormatError

__all__ = ["BPE", "Model", "Token", "Unigram", "WordLevel", "WordPiece"]

explain_missing_names(__name__)


def _by_id(vocab: dict[str, int]) -> dict[str, int]:
    ids = list(vocab.values())
    return dict(vocab) if ids == sorted(ids) else dict(sorted(vocab.items(), key=itemgetter(1)))


_VOCAB = {"codec": PLAIN._replace(write=_by_id, show=lambda vocab: PLAIN.show(_by_id(vocab)))}
_MERGES = {
    "codec": Codec(
        list,  # of tuples: a list for each would take longer than to read them
        lambda merges, _: [tuple(pair.split(" ") if isinstance(pair, str) else pair) for pair in merges],
        lambda merges: "[" + ", ".join(f'("{left}", "{right}")' for left, right in merges[:100]) + "]",
    )
}
_SCORES = {
    "codec": Codec(
        lambda vocab: [[token, float(score)] for token, score in vocab],
        lambda vocab, _: [(token, score) for token, score in vocab],
        lambda vocab: "[" + ", ".join(f'("{token}", {score:g})' for token, score in vocab[:100]) + "]",
    )
}
_UNSET: Any = None
_PATHS = (str, os.PathLike)  # instead of a vocab, as `tokenizers` also accepts


class Token(NamedTuple):
    """A token that a model finds.

    Attributes:
        id: Its id.
        value: How the vocab spells it.
        offsets: The bytes of the UTF-8 of the text that it covers: start and end.
    """

    id: int
    value: str
    offsets: tuple[int, int]

    def as_tuple(self) -> tuple[int, str, tuple[int, int]]:
        """Return it as a plain tuple."""
        return self.id, self.value, self.offsets


class Model(Component):
    """The base class of models."""

    vocab: Any  # by each kind in its own form
    tokenizer_type: ClassVar[type[Any]]  # `Tokenizer`, whose module imports this one and sets it

    def _ids(self) -> dict[str, int]:
        vocab: dict[str, int] = self.vocab
        return vocab

    def token_to_id(self, token: str) -> int | None:
        """Return the id of a token; ``None`` if there is none."""
        return self._ids().get(checked_name(token))

    def id_to_token(self, id: int) -> str | None:  # noqa: A002 - the name of the original
        """Return the token of an id; ``None`` if there is none."""
        return next((token for token, i in self._ids().items() if i == id), None)

    def tokenize(self, sequence: str) -> list[Token]:
        """Return the tokens of a text, which the model sees as one word.

        Each call builds a tokenizer: to encode text, make a `Tokenizer`.
        """
        found = self.tokenizer_type(self).encode(sequence)
        begin = list(accumulate((len(char.encode("utf-8", "replace")) for char in sequence), initial=0))
        offsets = [(begin[start], begin[end]) for start, end in found.offsets]
        return list(map(Token, found.ids, found.tokens, offsets))

    def get_trainer(self) -> Trainer:
        """Return a trainer for models of this kind.

        Raises:
            NotSupportedError: The stand-in has none.
        """
        raise NotSupportedError(f"there is no trainer for {type(self).__name__}")

    def save(self, folder: str | os.PathLike[str], prefix: str | None = None) -> list[str]:
        """Write the files of the model into a folder, and return their paths.

        Args:
            folder: The folder.
            prefix: What the names of the files begin with.
        """
        start = f"{prefix}-" if prefix else ""
        out = []
        for name, text in self._files().items():
            path = Path(folder) / f"{start}{name}"
            write_atomically(path, text.encode())
            out.append(str(path))
        return out

    def _files(self) -> dict[str, str]:
        return {"vocab.json": _vocab_json(self._ids())}


@dataclass(repr=False, eq=False)
class BPE(Model):
    """Byte-pair encoding, of bytes if the pre-tokenizer has a `ByteLevel`, otherwise of characters.

    Attributes:
        vocab: The ids of the tokens.
        merges: The pairs of tokens that are merged, in order of rank.
        dropout: Not supported.
        unk_token: The token of what is not in the vocab.
        continuing_subword_prefix: What tokens within a word begin with.
        end_of_word_suffix: What tokens at the end of a word end with.
        fuse_unk: Whether several unknown characters make one token.
        byte_fallback: Whether the bytes of unknown characters become tokens such as ``<0x61>``.
        ignore_merges: Whether words that are tokens are not merged.
        cache_capacity: Has no effect: wordsplit's caches are bounded anyway.
    """

    written_order: ClassVar[tuple[str, ...]] = (
        *("dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix"),
        *("fuse_unk", "byte_fallback", "ignore_merges", "vocab", "merges"),
    )

    vocab: dict[str, int] = field(default=_UNSET, metadata=_VOCAB)
    merges: list[tuple[str, str]] = field(default=_UNSET, metadata=_MERGES)
    dropout: float | None = field(default=None, kw_only=True)
    unk_token: str | None = field(default=None, kw_only=True)
    continuing_subword_prefix: str | None = field(default=None, kw_only=True)
    end_of_word_suffix: str | None = field(default=None, kw_only=True)
    fuse_unk: bool = field(default=False, kw_only=True)
    byte_fallback: bool = field(default=False, kw_only=True)
    ignore_merges: bool = field(default=False, kw_only=True)
    cache_capacity: InitVar[int | None] = field(default=None, kw_only=True)

    def __post_init__(self, cache_capacity: int | None) -> None:
        del cache_capacity
        if (self.vocab is None) != (self.merges is None):
            raise OptionsError("`vocab` and `merges` must be both specified")
        if self.vocab is None:
            self.vocab, self.merges = {}, []
        if isinstance(self.vocab, _PATHS):
            self.vocab, self.merges = self.read_file(self.vocab, cast("str", self.merges))
        # Not as JSON: copying a hundred thousand merges takes as long as reading them.
        if not set(map(len, self.merges)) <= {2}:
            raise OptionsError("`merges` is a list of pairs of tokens")

    @staticmethod
    def read_file(
        vocab: str | os.PathLike[str], merges: str | os.PathLike[str]
    ) -> tuple[dict[str, int], list[tuple[str, str]]]:
        """Read a vocab.json and a merges.txt.

        Raises:
            VocabFormatError: A file is damaged.
        """
        pairs: list[tuple[str, str]] = []
        for number, line in enumerate(Path(merges).read_text(encoding="utf-8").split("\n"), 1):
            if line and not line.startswith("#version"):
                left, space, right = line.removesuffix("\r").partition(" ")
                if not space or not left or not right or " " in right:
                    raise VocabFormatError(f"line {number} is not a pair of tokens: {line!r:.80}", file=str(merges))
                pairs.append((left, right))
        return _read_vocab(vocab), pairs

    @classmethod
    def from_file(cls, vocab: str | os.PathLike[str], merges: str | os.PathLike[str], **options: Any) -> BPE:
        """Make a model of a vocab.json and a merges.txt; the other arguments are those of the class."""
        return cls(*cls.read_file(vocab, merges), **options)

    def get_trainer(self) -> Trainer:
        """Return a trainer with default settings."""
        return BpeTrainer()

    def _files(self) -> dict[str, str]:
        lines = ["#version: 0.2", *(f"{left} {right}" for left, right in self.merges)]
        return super()._files() | {"merges.txt": "".join(f"{line}\n" for line in lines)}


@dataclass(repr=False, eq=False)
class Unigram(Model):
    """SentencePiece's Unigram.

    Attributes:
        vocab: The tokens and their scores, in order of ids.
        unk_id: The id of the unknown token.
        byte_fallback: Whether the bytes of unknown characters become tokens such as ``<0x61>``.
    """

    _instead: ClassVar[Mapping[str, str]] = dict.fromkeys(("alpha", "nbest_size"), "wordsplit does not sample")

    written_order: ClassVar[tuple[str, ...]] = ("unk_id", "vocab", "byte_fallback")

    vocab: list[tuple[str, float]] = field(default=_UNSET, metadata=_SCORES)
    unk_id: int | None = None
    byte_fallback: bool = False

    def __post_init__(self) -> None:
        if self.vocab is None:
            self.vocab, self.unk_id = [("<unk>", 0.0)], 0
        super().__post_init__()

    def _ids(self) -> dict[str, int]:
        return {token: i for i, (token, _) in enumerate(self.vocab)}

    def _files(self) -> dict[str, str]:
        return {"unigram.json": json.dumps(self.to_json(), ensure_ascii=False, indent=2)}


class _OfOneFile(Model):
    """A model whose vocab is a file, and may be given by its path."""

    vocab: dict[str, int]

    def __post_init__(self) -> None:
        if isinstance(self.vocab, _PATHS):
            self.vocab = self.read_file(self.vocab)
        super().__post_init__()

    @staticmethod
    def read_file(vocab: str | os.PathLike[str]) -> dict[str, int]:
        """Read a vocab.json.

        Raises:
            VocabFormatError: It is damaged.
        """
        return _read_vocab(vocab)


@dataclass(repr=False, eq=False)
class WordLevel(_OfOneFile):
    """Whole words.

    Attributes:
        vocab: The ids of the words.
        unk_token: The token of what is not in the vocab.
    """

    vocab: dict[str, int] = field(default_factory=dict, metadata=_VOCAB)
    unk_token: str = field(default="<unk>", kw_only=True)

    @classmethod
    def from_file(cls, vocab: str | os.PathLike[str], unk_token: str = "<unk>") -> WordLevel:  # noqa: S107 - a token
        """Make a model of a vocab.json."""
        return cls(cls.read_file(vocab), unk_token=unk_token)


@dataclass(repr=False, eq=False)
class WordPiece(_OfOneFile):
    """BERT's WordPiece.

    Attributes:
        vocab: The ids of the tokens.
        unk_token: The token of words that have none.
        max_input_chars_per_word: Longer words become the unknown token.
        continuing_subword_prefix: What tokens within a word begin with.
    """

    written_order: ClassVar[tuple[str, ...]] = (
        "unk_token",
        "continuing_subword_prefix",
        "max_input_chars_per_word",
        "vocab",
    )

    vocab: dict[str, int] = field(default_factory=dict, metadata=_VOCAB)
    unk_token: str = field(default="[UNK]", kw_only=True)
    max_input_chars_per_word: int = field(default=100, kw_only=True)
    continuing_subword_prefix: str = field(default="##", kw_only=True)

    @staticmethod
    def read_file(vocab: str | os.PathLike[str]) -> dict[str, int]:
        """Read a vocab.txt, with a token on each line."""
        lines = Path(vocab).read_text(encoding="utf-8").split("\n")
        return {line.rstrip(): i for i, line in enumerate(lines[:-1] if not lines[-1] else lines)}

    @classmethod
    def from_file(cls, vocab: str | os.PathLike[str], **options: Any) -> WordPiece:
        """Make a model of a vocab.txt; the other arguments are those of the class."""
        return cls(cls.read_file(vocab), **options)

    def _files(self) -> dict[str, str]:
        return {"vocab.txt": "".join(f"{token}\n" for token in _by_id(self.vocab))}


def _vocab_json(vocab: dict[str, int]) -> str:
    return json.dumps(_by_id(vocab), ensure_ascii=False, separators=(",", ":"))


def _read_vocab(path: str | os.PathLike[str]) -> dict[str, int]:
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise VocabFormatError(f"is not JSON: {error}", file=str(path)) from None
    if not isinstance(found, dict):
        raise VocabFormatError("is not an object of tokens and ids", file=str(path))
    return found
