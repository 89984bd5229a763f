"""List the files of a repository on the hub, and find its vocab."""

from __future__ import annotations

import re
from collections.abc import Iterable

from wordsplit.errors import DownloadError, VocabFormatError
from wordsplit.vocabs.cache.record import Pin, Record
from wordsplit.vocabs.hub import names as hub
from wordsplit.vocabs.hub.download import MissingFileError
from wordsplit.vocabs.hub.fetcher import Fetcher
from wordsplit.vocabs.hub.names import HubName
from wordsplit.vocabs.hub.retry import with_retries
from wordsplit.vocabs.json_tree import Node, parse_json
from wordsplit.vocabs.main_files import companions, main_files

__all__ = ["discover"]

MAX_BYTES = 16 << 20
_COMMIT = re.compile(r"[0-9a-f]{40}")


def discover(name: HubName, sha256: str | None, fetcher: Fetcher) -> Record:
    """List the files on the hub and choose the vocab file."""
    url = hub.api_url(name)

    def work() -> bytes:
        data = bytearray()
        for chunk in fetcher(url):
            data += chunk
            if len(data) > MAX_BYTES:
                raise DownloadError(f"{url}: the list of files is larger than {MAX_BYTES} bytes")
        return bytes(data)

    try:
        commit, sizes = _parse_listing(with_retries(work), url)
    except MissingFileError as error:
        raise DownloadError(
            f"{error}. There is no repository {name.repo!r} with a revision {name.revision!r}; see "
            f"{hub.page_url(name)} for its name, or `wordsplit vocabs` for those that are known" + name.hint()
        ) from None
    except VocabFormatError as error:
        raise DownloadError(f"{error}; is {hub.endpoint()} a Hugging Face hub?") from None
    except DownloadError as error:
        hint = name.hint()
        if not hint:
            raise
        raise DownloadError(f"{error}{hint}") from None
    mains = [name.file] if name.file else main_files(sizes)
    if len(mains) != 1 or mains[0] not in sizes:
        raise DownloadError(_choice_message(name, mains, sizes))
    main = mains[0]
    files = {file: Pin(None, None if main.endswith(".gguf") else sizes[file]) for file in companions(main, sizes)}
    whole = None if main.endswith(".gguf") else sizes[main]
    return Record(name.source, main, {main: Pin(sha256, whole), **files}, commit)


def _parse_listing(data: bytes, url: str) -> tuple[str | None, dict[str, int | None]]:
    """Return the commit and the size of each file, if the hub reports them."""
    root = Node(parse_json(data, url), url)
    root.require_object()
    sizes: dict[str, int | None] = {}
    for item in root["siblings"].items():
        size = item["size"].value
        sizes[item["rfilename"].string()] = size if type(size) is int and size >= 0 else None
    commit = root["sha"].value
    return (commit if isinstance(commit, str) and _COMMIT.fullmatch(commit) else None), sizes


def _choice_message(name: HubName, mains: list[str], sizes: Iterable[str]) -> str:
    where = f"hf:{name.repo}@{name.revision}"
    if name.file:
        return f"{where}: has no file {name.file!r}"
    if mains:
        shown = ", ".join(mains[:12]) + (", …" if len(mains) > 12 else "")
        return f"{where}: holds {len(mains)} vocab files; choose one: {where}:{mains[0]} (there are {shown})"
    if "tiktoken.model" in sizes:
        return (
            f"{where}: holds its vocab as tiktoken.model, without the pattern; "
            f"name it {where}:tiktoken.model, with format='tiktoken' and pattern= its pattern"
        )
    return (
        f"{where}: holds no tokenizer.json, vocab.json with merges.txt, .gguf, .tiktoken or .model file, vocab.txt or "
        "tekken.json; "
        f"see {hub.page_url(name)}/tree/{name.revision}"
    )
