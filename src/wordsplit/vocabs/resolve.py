"""From what a user writes to a vocab: a path, a name of the catalog, or a repository of the hub."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wordsplit import log
from wordsplit.errors import OptionsError, UnknownNameError, UnsupportedVocabError, VocabFormatError
from wordsplit.vocab import Vocab
from wordsplit.vocabs import catalog, formats
from wordsplit.vocabs.cache.compiled import CacheKey, CompiledStore
from wordsplit.vocabs.cache.freshness import RecordedSource, SourceStates
from wordsplit.vocabs.catalog import CatalogEntry
from wordsplit.vocabs.formats.base import Overrides, Source
from wordsplit.vocabs.main_files import main_files
from wordsplit.vocabs.targets import find

if TYPE_CHECKING:
    from wordsplit.vocabs.cache.downloads import Cache
    from wordsplit.vocabs.hub.download import Fetcher

__all__ = ["Located", "load_located", "load_vocab", "load_vocab_bytes", "locate"]


class Located(NamedTuple):
    """What a name stands for: a catalog entry or a source, what goes with it, and where it was found."""

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
    cache: Cache | str | os.PathLike[str] | None = None,
) -> Vocab:
    """Load a vocab by name: from the package, a file, this machine's caches or, failing these, the network.

    A name that is not bundled is downloaded once, checked, and loaded from the cache from then on;
    docs/vocabularies.md tells all of it.

    Args:
        name: One of

            * a name or alias of the catalog: ``"qwen3"``, ``"gpt-4o"``, ``"openai:cl100k_base"``;
            * the path of a tokenizer.json, .tiktoken or .gguf file, of a vocab.json with its merges.txt, or of a
              folder that holds one. A file or folder that exists wins over a name with a slash or dot in it;
            * a repository of the Hugging Face hub: ``"hf:owner/repo"``, ``"hf:owner/repo@revision"``, or one file
              of it: ``"hf:owner/repo@revision:file.gguf"``. The ``hf:`` may be left out where ``owner/repo`` is
              neither a path nor in the catalog.
        pattern: For files: a scheme's name or a regular expression, where the file holds none or you know better.
        pre: For GGUF files: the pre-tokenizer's name to go by.
        special_tokens: For files: further special tokens, literal -> id.
        format: For files: the loader's name, if it is not to be found out.
        revision: For hub names: a branch, a tag or a commit.
        sha256: For files and hub names: what the vocab file's sha256 must be. (Of a GGUF file on the hub only the
            beginning is fetched, and it is the sha256 of that: the one that ``wordsplit cache list`` shows.)
        offline: Whether to do without the network, as ``WORDSPLIT_OFFLINE=1`` and ``HF_HUB_OFFLINE=1`` tell all
            programs to.
        fetcher: What to download with; see `wordsplit.vocabs.hub.download.Fetcher`.
        cache: Where downloads are kept: a `wordsplit.vocabs.cache.downloads.Cache` or its folder.

    Raises:
        UnknownNameError: No such name, file or format; the message offers the nearest names.
        VocabFormatError: The file is damaged.
        UnsupportedVocabError: The file asks for something that is not supported.
        DownloadError: The hub does not have it, refuses it, cannot be reached, or sends something else.
        OfflineError: It is not on this machine, and may not be downloaded.
        OptionsError: An argument is not of the right form, or does not go with this name.

    Warns:
        UnpinnedWarning: A hub name that pins nothing was trusted, the first time.
        CacheWarning: The cache cannot be written.

    Example:
        >>> import wordsplit
        >>> wordsplit.load_vocab("gpt-4o").name
        'o200k_base'
        >>> wordsplit.load_vocab("hf:no/such-model", offline=True, cache="/nonexistent")
        Traceback (most recent call last):
          ...
        wordsplit.errors.OfflineError: hf:no/such-model@main: tokenizer.json is not on this disk, ...
    """
    overrides = Overrides(pattern=pattern, pre=pre, special_tokens=dict(special_tokens or {}))
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
    cache: Cache | str | os.PathLike[str] | None = None,
    update: bool = False,
) -> Located:
    """What `load_vocab` would load, downloaded if need be. ``update``: even what has been downloaded before.

    Arguments and errors are those of `load_vocab`.
    """
    overrides = overrides or Overrides()
    by_file = overrides != Overrides() or format is not None
    target = find(name, by_file=by_file, revision=revision)
    if isinstance(target, Path):
        source = Source(path=_file_in(target) if target.is_dir() else target)
        return Located(None, source if sha256 is None else _checked(source, sha256), overrides, "file")
    if isinstance(target, CatalogEntry):
        if sha256 is not None:
            raise OptionsError(f"sha256 goes with files and hub names; {target.name!r} is in the catalog")
        return Located(target, Source(), overrides, "package")
    from wordsplit.vocabs.cache.downloads import Cache  # noqa: PLC0415 - most loads are of bundled vocabs
    from wordsplit.vocabs.hub.access import Access  # noqa: PLC0415 - as above
    from wordsplit.vocabs.hub.names import HubName  # noqa: PLC0415 - as above
    from wordsplit.vocabs.hub.obtain import obtain  # noqa: PLC0415 - as above

    if sha256 is not None and not re.fullmatch(r"[0-9a-f]{64}", sha256):
        raise OptionsError(f"sha256={sha256!r:.80}: it has 64 digits out of 0123456789abcdef")
    root = Cache.default() if cache is None else cache if isinstance(cache, Cache) else Cache(cache)
    access = Access(cache=root, fetcher=fetcher, offline=offline, update=update)
    if isinstance(target, HubName):
        found = obtain(target, access, sha256=sha256)
        return Located(None, found.source, replace(overrides, name=target.repo), found.where)
    pins = {} if sha256 or revision not in (None, target.revision) else target.files
    found = obtain(HubName(target.repo, revision or target.revision), access, pins=pins, sha256=sha256)
    return Located(None, found.source, replace(overrides, name=target.name), found.where)


def load_located(
    found: Located,
    format: str | None = None,  # noqa: A002 - as above
    cache: Cache | str | os.PathLike[str] | None = None,
) -> Vocab:
    """The vocab of what was located, from the compiled cache if it is there."""
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
        source = RecordedSource.of(source.path)
    elif not source.digests:
        return _load(source, found.overrides, format)
    key = CacheKey.of(source, found.overrides, format)
    return store.get_or_make(key, lambda: _load_with_states(source, found.overrides, format))


def _load_with_states(source: Source, overrides: Overrides, wanted: str | None) -> tuple[Vocab, SourceStates | None]:
    """A vocab, and the files it was read from; ``None`` if something else may decide what it is, too."""
    name = wanted or _format_of(source)
    log.debug("reading %s as %s", source.label, name)
    vocab = formats.get(name)().load(source, overrides)
    if wanted is None and name not in _certain(source):
        return vocab, None  # the code of a plug-in may change, and one may yet come that knows the file better
    return vocab, source.states() if isinstance(source, RecordedSource) else []


def _checked(source: Source, sha256: str) -> Source:
    """The source with its content in memory, where it was checked."""
    import hashlib  # noqa: PLC0415 - 3 ms of OpenSSL that most programs never need

    data = source.read()
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise VocabFormatError(f"is {found}, and should be {sha256:.80}", file=source.label, field="sha256")
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
    name = wanted or _format_of(source)
    log.debug("reading %s as %s", source.label, name)
    return formats.get(name)().load(source, overrides)


def _format_of(source: Source) -> str:
    for name in _by_likelihood(source):
        if formats.get(name)().recognizes(source):
            return name
    raise UnsupportedVocabError(
        f"is of no known format ({', '.join(formats.names())}); if it is one of them, say so with format=",
        file=source.label,
    )


def _certain(source: Source) -> tuple[str, ...]:
    """The loaders that know their files for certain."""
    named = ("tokenizer_json",) if source.name.endswith("tokenizer.json") else ()
    return ("gguf", "vocab_merges", "tiktoken", *named)


def _by_likelihood(source: Source) -> Iterator[str]:
    """Every loader: those that know their files for certain before those that go by an ending or a first byte."""
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
        f"folder {str(folder)!r} holds {what} tokenizer.json, vocab.json with merges.txt, .gguf or .tiktoken file"
    )
