"""From what a user writes to a vocab: a path, or a name of the catalog."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from wordsplit import vocabs
from wordsplit.errors import UnknownNameError, UnsupportedVocabError
from wordsplit.vocab import Vocab
from wordsplit.vocabs import catalog
from wordsplit.vocabs.base import Overrides, Source

__all__ = ["load_vocab", "load_vocab_bytes"]

_IN_A_FOLDER = ("tokenizer.json", "vocab.json")
# Files of these endings are meant as paths even where they do not exist.
_ENDINGS = (".json", ".tiktoken", ".gguf", ".txt")


def load_vocab(
    name: str | os.PathLike[str],
    *,
    pattern: str | None = None,
    pre: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
    format: str | None = None,  # noqa: A002 - the word users expect
) -> Vocab:
    """Load a vocab by name or from a file. Nothing here touches the network.

    Args:
        name: A name or alias of the catalog (``"qwen3"``, ``"gpt-4o"``, ``"openai:cl100k_base"``), or the path of
            a tokenizer.json, .tiktoken or .gguf file, of a vocab.json with its merges.txt, or of a folder that
            holds one. A file or folder that exists wins over a name with a slash or dot in it.
        pattern: For files: a scheme's name or a regular expression, where the file holds none or you know better.
        pre: For GGUF files: the pre-tokenizer's name to go by.
        special_tokens: For files: further special tokens, literal -> id.
        format: For files: the loader's name, if it is not to be found out.

    Raises:
        UnknownNameError: No such name, file or format; the message offers the nearest names.
        VocabFormatError: The file is damaged.
        UnsupportedVocabError: The file asks for something that is not supported.

    Example:
        >>> import wordsplit
        >>> wordsplit.load_vocab("gpt-4o").name
        'o200k_base'
    """
    text = os.fspath(name)
    overrides = Overrides(pattern=pattern, pre=pre, special_tokens=dict(special_tokens or {}))
    by_file = overrides != Overrides() or format is not None
    path = Path(text)
    if not by_file and text in catalog.names():
        return catalog.find(text).load()
    if text and path.exists():
        return _load(Source(path=_file_in(path) if path.is_dir() else path), overrides, format)
    if by_file or isinstance(name, os.PathLike) or text.endswith(_ENDINGS):
        raise UnknownNameError(f"no file or folder {text!r} (pattern, pre, format and special_tokens go with files)")
    return catalog.find(text).load()


def load_vocab_bytes(
    data: bytes,
    *,
    format: str | None = None,  # noqa: A002 - as above
    name: str | None = None,
    pattern: str | None = None,
    pre: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
) -> Vocab:
    """Load a vocab from the content of a file. Arguments and errors as for `load_vocab`.

    Example:
        >>> import wordsplit
        >>> lines = b"".join(__import__("base64").b64encode(bytes([b])) + b" %d\\n" % b for b in range(256))
        >>> wordsplit.load_vocab_bytes(lines, format="tiktoken", pattern="cl100k").n_vocab
        256
    """
    overrides = Overrides(name=name, pattern=pattern, pre=pre, special_tokens=dict(special_tokens or {}))
    return _load(Source(data=bytes(data)), overrides, format)


def _load(source: Source, overrides: Overrides, wanted: str | None) -> Vocab:
    if wanted is not None:
        return vocabs.get(wanted)().load(source, overrides)
    for name in _by_likelihood():
        loader = vocabs.get(name)()
        if loader.recognizes(source):
            return loader.load(source, overrides)
    raise UnsupportedVocabError(
        f"is of no known format ({', '.join(vocabs.names())}); if it is one of them, say so with format=",
        file=source.label,
    )


def _by_likelihood() -> list[str]:
    """Every loader: those that know their files for certain before those that go by an ending or a first byte."""
    certain = ("gguf", "vocab_merges", "tiktoken")
    others = [name for name in vocabs.names() if name not in certain]
    others.sort(key=lambda name: name == "tokenizer_json")
    return [*certain, *others]


def _file_in(folder: Path) -> Path:
    for name in _IN_A_FOLDER:
        if (folder / name).is_file():
            return folder / name
    found = sorted(p for ending in ("*.gguf", "*.tiktoken") for p in folder.glob(ending))
    if len(found) == 1:
        return found[0]
    what = "no" if not found else f"{len(found)} files, and no way to choose among"
    raise UnknownNameError(
        f"folder {str(folder)!r} holds {what} tokenizer.json, vocab.json with merges.txt, .gguf or .tiktoken file"
    )
