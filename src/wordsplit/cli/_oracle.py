"""The reference engines for `wordsplit verify`, which define the exact ids. They are not dependencies of wordsplit."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wordsplit.errors import UnsupportedVocabError, WordsplitError

if TYPE_CHECKING:
    from wordsplit.vocab import Vocab
    from wordsplit.vocabs.resolve import Located

__all__ = ["Oracle", "oracle_of"]


class Oracle(NamedTuple):
    """A reference engine: its name and version, and its encoding function."""

    name: str
    encode: Callable[[str], list[int]]


def oracle_of(vocab: Vocab, found: Located, special: str) -> Oracle:
    """Return the reference engine for a vocab.

    Args:
        vocab: The vocab.
        found: The vocab's source.
        special: How to treat special tokens: ``"parse"`` or ``"text"``.

    Raises:
        WordsplitError: The engine is not installed.
        UnsupportedVocabError: It cannot load the vocab.
    """
    sources = getattr(found.entry, "sources", ())
    if not vocab.has_explicit_merges or any(source["path"].endswith(".tiktoken") for source in sources):
        return _tiktoken(vocab, special)
    own_file = found.source.name == "tokenizer.json" and found.overrides.pattern is None
    return _tokenizers(vocab, found.source.read() if own_file else None, special)


def _tokenizers(vocab: Vocab, own_file: bytes | None, special: str) -> Oracle:
    try:
        import tokenizers  # noqa: PLC0415 - not a dependency
    except ImportError:
        raise _lacking("tokenizers") from None
    if own_file is None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "tokenizer.json"
            vocab.save_tokenizer_json(path)
            own_file = path.read_bytes()
    try:
        engine = tokenizers.Tokenizer.from_buffer(own_file)
    except Exception as error:
        raise UnsupportedVocabError(f"tokenizers cannot load it: {error}", file=vocab.source) from error

    engine.no_truncation()
    engine.no_padding()
    engine.encode_special_tokens = special == "text"  # "encode": as text

    def encode(text: str) -> list[int]:
        ids: list[int] = engine.encode(text).ids
        return ids

    return Oracle(f"tokenizers {tokenizers.__version__}", encode)


def _tiktoken(vocab: Vocab, special: str) -> Oracle:
    try:
        import tiktoken  # noqa: PLC0415 - as above
    except ImportError:
        raise _lacking("tiktoken") from None
    if len(vocab.pre_tokenizer) != 1:
        raise UnsupportedVocabError("tiktoken supports only one pattern", file=vocab.source, field="pattern")
    engine = tiktoken.Encoding(
        vocab.name,
        pat_str=vocab.pattern,
        mergeable_ranks={token: i for i, token in vocab.tokens.items()},
        special_tokens={token.content: token.id for token in vocab.added_tokens},
    )

    def encode(text: str) -> list[int]:
        ids: list[int] = (
            engine.encode_ordinary(text) if special == "text" else engine.encode(text, allowed_special="all")
        )
        return ids

    return Oracle(f"tiktoken {tiktoken.__version__}", encode)


def _lacking(name: str) -> WordsplitError:
    return WordsplitError(f"{name} defines the ids of this vocab, but is not installed: pip install {name}")
