"""The files that a vocab can be written to, as methods of `Vocab`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from wordsplit.vocab import Vocab

__all__ = ["Saving"]


class Saving:
    """Writes a vocab in each format; the formats are loaded when used."""

    def save_tiktoken(self, path: str | os.PathLike[str]) -> None:
        """Write the base tokens as a .tiktoken file.

        Raises:
            UnsupportedVocabError: The vocab's ranks are not its ids, so the format cannot say it.
        """
        from wordsplit.vocabs import tiktoken  # noqa: PLC0415 - the formats know the vocab

        tiktoken.save(cast("Vocab", self), path)

    def save_tokenizer_json(self, path: str | os.PathLike[str]) -> None:
        """Write a tokenizer.json that `tokenizers` loads and encodes identically with."""
        from wordsplit.vocabs import _json_writer  # noqa: PLC0415 - as above

        _json_writer.save(cast("Vocab", self), path)

    def save_gguf(self, path: str | os.PathLike[str]) -> None:
        """Write a GGUF file that holds the vocab and no tensors.

        Raises:
            UnsupportedVocabError: The format cannot say it, such as a pattern that llama.cpp has no name for.

        Example:
            >>> import tempfile, wordsplit
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     wordsplit.load_vocab("r50k_base").save_gguf(f"{folder}/r50k.gguf")
            ...     wordsplit.load_tokenizer(f"{folder}/r50k.gguf").encode("hello world")
            [31373, 995]
        """
        from wordsplit.vocabs import _gguf_writer  # noqa: PLC0415 - as above

        _gguf_writer.save(cast("Vocab", self), path)

    def save_vocab_merges(self, folder: str | os.PathLike[str]) -> None:
        """Write vocab.json and merges.txt into a folder.

        The pattern, the normalizer and added tokens, which these cannot hold, go to ``wordsplit_rules.json`` beside
        them, so that `load_vocab` gives the same vocab again. Other programs take the pair alone.

        Raises:
            UnsupportedVocabError: A token of a merge has a space in its spelling, so that merges.txt cannot hold it.

        Example:
            >>> import tempfile, wordsplit
            >>> vocab = wordsplit.load_vocab("cl100k_base")
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     vocab.save_vocab_merges(folder)
            ...     wordsplit.load_vocab(folder) == vocab
            True
        """
        from wordsplit.vocabs import vocab_merges  # noqa: PLC0415 - as above

        vocab_merges.save(cast("Vocab", self), folder)
