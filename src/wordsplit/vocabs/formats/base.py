"""The contract of a vocab loader: a file or bytes in, a `Vocab` out, no network.

A new format is one file: a subclass of `Loader`, named ``plugin``, in ``wordsplit/vocabs/formats/`` or in a package
of yours that declares the entry-point group ``wordsplit.loaders``.

    >>> import json, wordsplit
    >>> from wordsplit.vocabs import Loader
    >>> class TokenList(Loader):
    ...     '''A JSON list of tokens in order of rank; every merge implied.'''
    ...     def recognizes(self, source):
    ...         return source.name.endswith(".tokens.json")
    ...     def load(self, source, overrides):
    ...         tokens = dict(enumerate(t.encode("latin-1") for t in json.loads(source.read())))
    ...         return wordsplit.Vocab(name=source.stem, tokens=tokens, source=source.label)
    >>> _ = wordsplit.vocabs.register("token_list", TokenList)
    >>> vocab = wordsplit.load_vocab_bytes(b'["a", "b", "ab"]', format="token_list")
    >>> vocab.n_base, list(vocab.merges)
    (3, [(0, 1)])
    >>> wordsplit.vocabs.unregister("token_list")
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from wordsplit.arguments import check_strings
from wordsplit.errors import OptionsError, UnsupportedVocabError, VocabFormatError
from wordsplit.missing_bytes import MissingBytes
from wordsplit.model import ByteLevelBPE
from wordsplit.vocab import Vocab

if TYPE_CHECKING:
    from wordsplit.vocabs.json_tree import Node

__all__ = [
    "MAX_FILE_BYTES",
    "Loader",
    "Overrides",
    "Source",
    "missing_bytes_of",
    "refuse_missing_bytes",
    "require_byte_level",
]

MAX_FILE_BYTES = 1 << 30
"""The size limit of vocab files that are read whole; the largest known is 40 MB. (Of GGUF files, of the metadata.)"""


@dataclass(frozen=True)
class Source:
    """A vocab file, or its bytes.

    Attributes:
        path: The file, if there is one.
        data: Its bytes, if they are in memory.
        origin: For bytes: where they came from, for messages; its last part is the file's name.
        siblings: For bytes: the other files of their folder by name.
        digests: For bytes: the sha256 of every file by name, if they were checked.
    """

    path: Path | None = None
    data: bytes | None = None
    origin: str = ""
    siblings: Mapping[str, bytes] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The source's name in messages."""
        return str(self.path) if self.path is not None else self.origin or "<bytes>"

    @property
    def name(self) -> str:
        """The file's name, or the empty string."""
        return self.path.name if self.path is not None else self.origin.rpartition("/")[2]

    @property
    def stem(self) -> str:
        """A name for the vocab: the file's name without its extension, or the folder's if that is generic."""
        if self.path is None or self.name in ("tokenizer.json", "vocab.json"):
            return self.folder
        return _as_text(self.path.stem)

    @property
    def folder(self) -> str:
        """The name of the file's folder; without a path, the file's name without its extension."""
        if self.path is None:
            return Path(self.name).stem or "vocab"
        return _as_text(self.path.resolve().parent.name)

    def read(self) -> bytes:
        """Read the whole content.

        Raises:
            VocabFormatError: It cannot be read, or is larger than `MAX_FILE_BYTES`.
        """
        if self.data is not None:
            return self.data
        return self._read(self.path or Path())

    def head(self, size: int) -> bytes:
        """Read the first bytes of the content."""
        if self.data is not None:
            return self.data[:size]
        try:
            with (self.path or Path()).open("rb") as file:
                return file.read(size)
        except OSError as error:
            raise VocabFormatError(_reason(error), file=self.label, field="file") from None

    def sibling(self, name: str) -> bytes | None:
        """Read another file of the same folder; ``None`` if there is none."""
        if self.path is None:
            return self.siblings.get(name)
        beside = self.path.parent / name
        return self._read(beside) if beside.is_file() else None

    def _read(self, path: Path) -> bytes:
        try:
            with path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                total, parts = 0, []
                # If asked for more than the file has, read() would still allocate that much.
                while total <= MAX_FILE_BYTES and (
                    part := file.read(min(size, MAX_FILE_BYTES) + 1 if not total else 1 << 20)
                ):
                    parts.append(part)
                    total += len(part)
        except OSError as error:
            raise VocabFormatError(_reason(error), file=path, field="file") from None
        if total > MAX_FILE_BYTES:
            raise VocabFormatError(
                f"is {max(size, total)} bytes; at most {MAX_FILE_BYTES} are read", file=path, field="size"
            )
        return b"".join(parts)


@dataclass(frozen=True)
class Overrides:
    """Arguments of a caller that complete or override a file.

    Attributes:
        name: The vocab's name.
        pattern: A scheme's name, or a regular expression.
        pre: A pre-tokenizer name as in GGUF files.
        special_tokens: Special tokens: literal -> id, added to the file's own.
    """

    name: str | None = None
    pattern: str | None = None
    pre: str | None = None
    special_tokens: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_strings(name=self.name, pattern=self.pattern, pre=self.pre)
        given: Any = self.special_tokens
        if not isinstance(given, Mapping) or not all(isinstance(literal, str) for literal in given):
            raise OptionsError(f"special_tokens={given!r:.100}: give a dict of literals and their ids")
        object.__setattr__(self, "special_tokens", dict(given))


class Loader(ABC):
    """Reads one format. It has no state, so one instance is enough."""

    models: ClassVar[tuple[type, ...]] = (ByteLevelBPE,)
    """The types of models that the format holds."""

    @abstractmethod
    def recognizes(self, source: Source) -> bool:
        """Return whether the source looks like this format, by its name or its first bytes."""

    @abstractmethod
    def load(self, source: Source, overrides: Overrides) -> Vocab:
        """Read a vocab.

        Raises:
            VocabFormatError: The file is damaged.
            UnsupportedVocabError: The file is valid, but needs something that is not supported.
        """


def require_byte_level(vocab: Vocab, path: object, format_name: str) -> None:
    """Refuse a vocab of another model than byte-level BPE.

    Raises:
        UnsupportedVocabError: It is one.
    """
    if not isinstance(vocab.model, ByteLevelBPE):
        raise UnsupportedVocabError(
            f"{vocab.name} is a {type(vocab.model).__name__}, and {format_name} files hold byte-level BPE; "
            "use save_tokenizer_json",
            file=str(path),
            field="model",
        )


def require_plain_decoder(vocab: Vocab, path: object, format_name: str) -> None:
    """Refuse a vocab whose text is not just the bytes of its tokens.

    Raises:
        UnsupportedVocabError: It has decoding steps.
    """
    if vocab.decoder is not None:
        steps = ", ".join(step.kind for step in vocab.decoder)
        raise UnsupportedVocabError(
            f"{vocab.name} is decoded in steps ({steps}), which {format_name} files cannot hold; "
            "use save_tokenizer_json",
            file=str(path),
            field="decoder",
        )


def refuse_missing_bytes(vocab: Vocab, path: object, format_name: str) -> None:
    """Refuse a vocab that has a rule for bytes without a token, for a format without such rules.

    Raises:
        UnsupportedVocabError: It is one.
    """
    if vocab.missing_bytes is not None:
        raise UnsupportedVocabError(
            f"{vocab.name} has a rule for bytes without a token, which {format_name} files do not hold; use "
            "save_tokenizer_json, or write vocab.replace(missing_bytes=None), for which such bytes are an error",
            file=str(path),
            field="missing_bytes",
        )


def missing_bytes_of(node: Node) -> MissingBytes | None:
    """Read a `MissingBytes` that was written as an object of its fields, or ``None``."""
    if node.value is None:
        return None
    node.require_object()
    return MissingBytes(
        unk_id=None if node["unk_id"].value is None else node["unk_id"].token_id(),
        fuse_unk=node["fuse_unk"].boolean(),
        byte_fallback=node["byte_fallback"].boolean(),
    )


def _as_text(name: str) -> str:
    """Return the name of a file with U+FFFD for bytes that are not UTF-8."""
    return os.fsencode(name).decode("utf-8", "replace")


def _reason(error: OSError) -> str:
    return f"cannot be read: {error.strerror or error}"
