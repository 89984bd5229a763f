"""Load a vocab by a path, a name of the catalog, or a repository of the hub."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from warnings import warn

from wordsplit import log
from wordsplit.arguments import check_strings, path_text
from wordsplit.errors import (
    InputTypeError,
    OptionsError,
    PluginError,
    UnknownNameError,
    UnsupportedVocabError,
    VocabFormatError,
    VocabWarning,
)
from wordsplit.vocab import Vocab
from wordsplit.vocabs import cache as caches
from wordsplit.vocabs import catalog, formats
from wordsplit.vocabs.cache.compiled import CacheKey, CompiledStore
from wordsplit.vocabs.cache.freshness import RecordedSource, SourceStates
from wordsplit.vocabs.cache.key import is_unpacked
from wordsplit.vocabs.catalog import CatalogEntry
from wordsplit.vocabs.formats.base import Overrides, Source
from wordsplit.vocabs.hub.fetcher import Fetcher
from wordsplit.vocabs.main_files import main_files
from wordsplit.vocabs.targets import find

__all__ = ["Located", "load_located", "load_vocab", "load_vocab_bytes", "locate"]


class Located(NamedTuple):
    """The result of a look-up: a catalog entry or a source, its details, and where it was found."""

    entry: CatalogEntry | None
    source: Source
    overrides: Overrides
    where: str


def load_vocab(
    name: str | os.PathLike[str],
    *,
    pattern: str | None = None,
    pre: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
    format: str | None = None,  # noqa: A002 - the word users expect
    revision: str | None = None,
    sha256: str | None = None,
    offline: bool = False,
    fetcher: Fetcher | None = None,
    cache: caches.Cache | str | os.PathLike[str] | None = None,
) -> Vocab:
    """Load a vocab by name: from the package, a file, this machine's caches or else the network.

    A name that is not bundled is downloaded once, checked, and then loaded from the cache;
    see docs/vocabularies.md.

    Args:
        name: One of

            * a name or alias of the catalog: ``"qwen3"``, ``"gpt-4o"``, ``"openai:cl100k_base"``;
            * the path of a tokenizer.json, .tiktoken, .gguf, .model or compiled .ws file, of a vocab.txt, a tekken.json
              or a vocab.json with its merges.txt, or of a folder that holds one. An existing file or folder takes
              precedence over a name with a slash or dot;
            * a repository of the Hugging Face hub: ``"hf:owner/repo"``, ``"hf:owner/repo@revision"``, or one file
              of it: ``"hf:owner/repo@revision:file.gguf"``. The ``hf:`` may be left out if ``owner/repo`` is
              neither a path nor in the catalog.
        pattern: For files: a scheme's name or a regular expression, if the file holds none, or to override it.
        pre: For GGUF files: the name of the pre-tokenizer to use.
        special_tokens: For files: additional special tokens, literal -> id.
        format: For files: the name of the loader, instead of detecting the format.
        revision: For hub names: a branch, a tag or a commit.
        sha256: For files and hub names: the expected sha256 of the vocab file. (From a GGUF file on the hub only the
            beginning is downloaded, and it is the sha256 of that, which ``wordsplit cache list`` shows.)
        offline: Whether to work without the network, as ``WORDSPLIT_OFFLINE=1`` and ``HF_HUB_OFFLINE=1`` do for all
            programs.
        fetcher: The function that downloads; see `wordsplit.vocabs.download.Fetcher`.
        cache: Where downloads are stored: a `wordsplit.vocabs.cache.Cache` or its folder.

    Raises:
        UnknownNameError: The name, file or format does not exist; the message suggests the nearest names.
        VocabFormatError: The file is damaged.
        UnsupportedVocabError: The file needs something that is not supported.
        DownloadError: The hub does not have the file, refuses it, cannot be reached, or sends something else.
        OfflineError: The vocab is not on this machine, and offline mode forbids downloads.
        OptionsError: An argument is not of the right form, or does not apply to this name.

    Warns:
        UnpinnedWarning: A hub name that does not pin its content was trusted on first use.
        CacheWarning: The cache cannot be written, or has a record of another user.
        VocabWarning: The file does not define something that affects ids; see `Vocab.notes`.

    Example:
        >>> import wordsplit
        >>> wordsplit.load_vocab("gpt-4o").name
        'o200k_base'
        >>> wordsplit.load_vocab("hf:no/such-model", offline=True, cache="/nonexistent")
        Traceback (most recent call last):
          ...
        wordsplit.errors.OfflineError: hf:no/such-model@main: tokenizer.json is not on this disk, ...
    """
    overrides = Overrides(pattern=pattern, pre=pre, special_tokens={} if special_tokens is None else special_tokens)
    found = locate(
        name,
        overrides,
        format,
        revision=revision,
        sha256=sha256,
        offline=offline,
        fetcher=fetcher,
        cache=cache,
    )
    return load_located(found, format, cache)


def locate(
    name: str | os.PathLike[str],
    overrides: Overrides | None = None,
    format: str | None = None,  # noqa: A002 - as above
    *,
    revision: str | None = None,
    sha256: str | None = None,
    offline: bool = False,
    fetcher: Fetcher | None = None,
    cache: caches.Cache | str | os.PathLike[str] | None = None,
    update: bool = False,
) -> Located:
    """Find what `load_vocab` would load, and download it if necessary. ``update``: download it again.

    Arguments and errors are those of `load_vocab`.
    """
    overrides = overrides or Overrides()
    check_strings(format=format, revision=revision, sha256=sha256)
    by_file = overrides != Overrides() or format is not None
    target = find(name, by_file=by_file, revision=revision)
    if isinstance(target, Path):
        source = Source(path=_file_in(target) if target.is_dir() else target)
        if sha256 is not None:
            source = _checked(source, sha256)
        elif not (target.is_file() or target.is_dir()):
            source = replace(source, data=source.read())  # a pipe is read once, and says nothing of what it holds next
        return Located(None, source, overrides, "file")
    if isinstance(target, CatalogEntry):
        if sha256 is not None:
            raise OptionsError(f"sha256 applies to files and hub names; {target.name!r} is in the catalog")
        return Located(target, Source(), overrides, "package")
    from wordsplit.vocabs.hub.access import Access  # noqa: PLC0415 - as above
    from wordsplit.vocabs.hub.names import HubName  # noqa: PLC0415 - as above
    from wordsplit.vocabs.hub.obtain import obtain  # noqa: PLC0415 - as above

    if sha256 is not None and not re.fullmatch(r"[0-9a-f]{64}", sha256):
        raise OptionsError(f"sha256={sha256!r:.80}: it has 64 digits out of 0123456789abcdef")
    if not isinstance(cache, caches.Cache):
        cache = caches.Cache.default() if cache is None else caches.Cache(path_text(cache, "a cache"))
    access = Access(cache=cache, fetcher=fetcher, offline=offline, update=update)
    if isinstance(target, HubName):
        found = obtain(target, access, sha256=sha256)
        return Located(None, found.source, replace(overrides, name=target.repo), found.where)
    pins = {} if sha256 or revision not in (None, target.revision) else target.files
    found = obtain(HubName(target.repo, revision or target.revision), access, pins=pins, sha256=sha256)
    return Located(None, found.source, replace(overrides, name=target.name), found.where)


def load_located(
    found: Located,
    format: str | None = None,  # noqa: A002 - as above
    cache: caches.Cache | str | os.PathLike[str] | None = None,
) -> Vocab:
    """Load a vocab that was located, from the compiled cache if possible. Warnings are those of `load_vocab`."""
    return _announced(_located(found, format, cache), stacklevel=4)


def _located(found: Located, format: str | None, cache: caches.Cache | str | os.PathLike[str] | None) -> Vocab:  # noqa: A002 - as above
    entry, source = found.entry, found.source
    log.debug("loading %s (%s)", source.label if entry is None else entry.name, found.where)
    store = CompiledStore.of(cache if cache is None or isinstance(cache, (str, os.PathLike)) else cache.root)
    if entry is not None:
        if store is None or not catalog.is_bundled(entry.name):
            return entry.load()
        return store.get_or_make(CacheKey(f"bundled:{entry.name}", {}), lambda: (entry.load(), []))
    if store is None or not (format is None or formats.is_in_tree(format)):
        return _load(source, found.overrides, format)
    if source.path is not None and source.data is None:
        if is_unpacked(source.path):  # and has another path in the next run
            return _load(source, found.overrides, format)
        source = RecordedSource.of(source.path)
    elif not source.digests:
        return _load(source, found.overrides, format)
    key = CacheKey.of(source, found.overrides, format)
    return store.get_or_make(key, lambda: _load_with_states(source, found.overrides, format))


def _load_with_states(source: Source, overrides: Overrides, wanted: str | None) -> tuple[Vocab, SourceStates | None]:
    """Load a vocab, and return the files it was read from; ``None`` if other things may affect it."""
    name = wanted or _format_of(source)
    log.debug("reading %s as %s", source.label, name)
    vocab = formats.get(name)().load(source, overrides)
    if wanted is None and name not in _certain(source):
        return vocab, None  # a plug-in's code may change, or a plug-in may be installed that recognizes the file
    return vocab, source.states() if isinstance(source, RecordedSource) else []


def _checked(source: Source, sha256: str) -> Source:
    """Return the source with its content in memory, after checking it."""
    import hashlib  # noqa: PLC0415 - 3 ms of OpenSSL that most programs never need

    data = source.read()
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise VocabFormatError(f"is {found}, but should be {sha256:.80}", file=source.label, field="sha256")
    return replace(source, data=data)


def load_vocab_bytes(
    data: bytes,
    *,
    format: str | None = None,  # noqa: A002 - as above
    name: str | None = None,
    pattern: str | None = None,
    pre: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
) -> Vocab:
    """Load a vocab from the content of a file. Arguments and errors are those of `load_vocab`.

    Example:
        >>> import wordsplit
        >>> lines = b"".join(__import__("base64").b64encode(bytes([b])) + b" %d\\n" % b for b in range(256))
        >>> wordsplit.load_vocab_bytes(lines, format="tiktoken", pattern="cl100k").n_vocab
        256
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise InputTypeError(f"the content of a file is bytes, not {type(data).__name__}; load_vocab takes its path")
    check_strings(format=format)
    overrides = Overrides(
        name=name, pattern=pattern, pre=pre, special_tokens={} if special_tokens is None else special_tokens
    )
    return _announced(_load(Source(data=bytes(data)), overrides, format), stacklevel=3)


def _announced(vocab: Vocab, stacklevel: int) -> Vocab:
    """Return the vocab, and warn of what its source leaves open."""
    for note in vocab.notes:
        warn(note, VocabWarning, stacklevel=stacklevel)
    return vocab


def _load(source: Source, overrides: Overrides, wanted: str | None) -> Vocab:
    name = wanted or _format_of(source)
    log.debug("reading %s as %s", source.label, name)
    vocab: object = formats.get(name)().load(source, overrides)
    if not isinstance(vocab, Vocab):
        raise PluginError(f"loader {name!r} returned a {type(vocab).__name__}, not a Vocab, for {source.label}")
    return vocab


def _format_of(source: Source) -> str:
    for name in _by_likelihood(source):
        if formats.get(name)().recognizes(source):
            return name
    raise UnsupportedVocabError(
        f"is of no known format ({', '.join(formats.names())}); if it is one of them, name it with format=",
        file=source.label,
    )


def _certain(source: Source) -> tuple[str, ...]:
    """Return the loaders that recognize their files with certainty."""
    named = ("tokenizer_json",) if source.name.endswith("tokenizer.json") else ()
    return ("gguf", "ws", "sentencepiece", "vocab_txt", "vocab_merges", "tiktoken", *named, "tekken")


def _by_likelihood(source: Source) -> Iterator[str]:
    """Yield every loader: those that recognize files with certainty first, then those that guess."""
    certain = _certain(source)
    yield from certain
    others = [name for name in formats.names() if name not in certain]  # with plug-ins, which take 20 ms to list
    yield from sorted(others, key=lambda name: name == "tokenizer_json")


def _file_in(folder: Path) -> Path:
    found = main_files([path.name for path in folder.iterdir() if path.is_file()])
    if len(found) == 1:
        return folder / found[0]
    what = "no" if not found else f"{len(found)} files, and no way to choose among"
    raise UnknownNameError(
        f"folder {str(folder)!r} holds {what} tokenizer.json, vocab.json with merges.txt, .gguf, .tiktoken or .model "
        "file, vocab.txt or tekken.json"
    )
