"""One task in a process of its own: load one library, do one kind of call over one corpus, print the times as JSON.

A process a task, because libraries cache: what a first pass costs can be seen only once in a process. For the same
reason ids are checked by tasks of their own. A result is a line, printed as soon as it is there, so that
those before a crash or a time-out are kept.
"""

# ruff: noqa: PLC0415 - the clock starts before the import

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.metadata
import importlib.util
import json
import os
import sys
import time
from array import array
from pathlib import Path

import corpora

clock = time.perf_counter
HELLO = "Hello, world!"


def main() -> None:
    """Do the task that the first argument describes."""
    task = json.loads(sys.argv[1])
    threads = task["threads"]
    if hasattr(os, "sched_setaffinity") and threads == 1:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # whatever pool a library makes, it has one core
    os.environ["RAYON_NUM_THREADS"] = str(threads)
    os.environ["TOKENIZERS_PARALLELISM"] = "true"
    os.environ["TIKTOKEN_CACHE_DIR"] = ""
    kind = task["kind"]
    if kind in ("load", "memory"):
        {"load": load, "memory": memory}[kind](task)
    elif kind == "hostile":
        hostile(task, build(task))
    else:
        with contextlib.suppress(ImportError):
            importlib.import_module(
                "numpy"
            )  # who asks for arrays has it imported; some libraries wait for the first call
        texts = corpora.load(task["corpus"], task["bytes"])
        peer = build(task)
        if kind in ("reference", "check"):
            check(task, peer, texts)
        elif kind == "short":
            short(task, peer, texts)
        else:
            {"time": timed, "steady": steady}[kind](task, peer, texts)


def emit(**values: object) -> None:
    """Print a result."""
    print(json.dumps(values), flush=True)


def build(task: dict):
    """The library's adapter, loaded."""
    import peers

    return peers.PEERS[task["peer"]](task["vocab"], Path(task["files"]), task["threads"])


def version(task: dict) -> str:
    """Return the installed version."""
    import peers

    requirement = peers.PEERS[task["peer"]].requirement
    return importlib.metadata.version(requirement.partition("==")[0] or "wordsplit")


def load(task: dict) -> None:
    """The import, from there to a ready tokenizer, and to the first ids."""
    import peers

    start = clock()
    module = peers.PEERS[task["peer"]].requirement.partition("==")[0].replace("-", "_") or "wordsplit"
    if importlib.util.find_spec(module):  # else its name is another, and it is imported by its adapter
        importlib.import_module(module)
    imported = clock()
    peer = peers.PEERS[task["peer"]](task["vocab"], Path(task["files"]), task["threads"])
    ready = clock()
    peer.encode(HELLO)
    done = clock()
    emit(imported=imported - start, ready=ready - imported, first_ids=done - imported, version=version(task))


def memory(task: dict) -> None:
    """Resident bytes over the interpreter that holds the same texts, after load and after a pass over them."""
    texts = corpora.load(task["corpus"], task["bytes"])
    bare = _resident()
    peer = build(task)
    loaded = _resident()
    for text in texts:
        peer.encode(text)
    emit(loaded=loaded - bare, used=_resident() - bare)


def _resident() -> int:
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return 1024 * int(status.partition("VmRSS:")[2].split()[0])
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _digest(ids: object) -> str:
    return hashlib.blake2b(array("I", ids).tobytes(), digest_size=8).hexdigest()  # type: ignore[arg-type]


def check(task: dict, peer, texts: list[str]) -> None:
    """Digests of the ids of a sample of the documents, one at a time and as a batch; and how often decoding fails."""
    sample = texts[:: max(1, len(texts) // 400)]
    rows = [peer.encode(text) for text in sample]
    out = {"list": [_digest(row) for row in rows], "joined": _digest(i for row in rows for i in row)}
    if peer.encode_batch:
        out["batch"] = [_digest(row) for row in peer.encode_batch(sample)]
    if peer.encode_flat:
        out["flat"] = _digest(flat_ids(peer.encode_flat(sample)))
    if peer.decode:
        out["undecoded"] = sum(peer.decode(row) != text for row, text in zip(rows, sample, strict=True))
    emit(documents=len(sample), version=version(task), **out)


def flat_ids(found: object) -> list[int]:
    """The ids of a flat result, whatever kind of array it is."""
    if type(found).__module__.startswith("awkward"):
        return [i for row in found.tolist() for i in row]  # type: ignore[attr-defined]
    ids = found[0]  # type: ignore[index]
    return list(array("I", ids)) if isinstance(ids, bytes) else ids.tolist()


def timed(task: dict, peer, texts: list[str]) -> None:
    """The first pass, then up to three more, fewer if ``seconds`` have gone by."""
    size = _bytes(texts)
    one_pass = PASSES[task["call"]](peer, texts)
    if one_pass is None:
        emit(skipped="does not offer it")
        return
    passes, began = [], clock()
    for _ in range(4):
        if len(passes) > 1 and clock() - began > task["seconds"]:
            break
        start = clock()
        held = one_pass()
        passes.append(clock() - start)
        del held  # freeing it is no part of the call
    emit(bytes=size, first=passes[0], warm=min(passes[1:]))


def steady(task: dict, peer, texts: list[str]) -> None:
    """A pass over one half of the corpus, then the clock on the other half, whose texts it has not seen.

    Documents come one at a time or in batches of 256, as they do in a server and in a data loader.
    """
    make = PASSES[task["call"]]
    if make(peer, texts) is None:
        emit(skipped="does not offer it")
        return
    for batch in _batches(corpora.load(task["corpus"], task["bytes"], tuning=True)):
        make(peer, batch)()
    spent = 0.0
    for batch in _batches(texts):
        one_pass = make(peer, batch)
        start = clock()
        held = one_pass()
        spent += clock() - start
        del held  # freeing it is no part of the call
    emit(bytes=_bytes(texts), steady=spent)


BATCH = 256  # documents


def _batches(texts: list[str]) -> list[list[str]]:
    return [texts[i : i + BATCH] for i in range(0, len(texts), BATCH)]


def _bytes(texts: list[str]) -> int:
    return sum(len(bytes(text, "utf-8")) for text in texts)


def _one_by_one(function, items):
    def one_pass() -> None:
        for item in items:
            function(item)

    return one_pass if function else None


def _whole(function, items):
    return (lambda: function(items)) if function else None


def _lone(function, items):
    def one_pass() -> None:
        for item in items:
            function([item])

    return one_pass if function else None


PASSES = {
    "list": lambda peer, texts: _one_by_one(peer.encode, texts),
    "batch": lambda peer, texts: _whole(peer.encode_batch, texts),
    "flat": lambda peer, texts: _whole(peer.encode_flat, texts),
    "lone": lambda peer, texts: _lone(peer.encode_batch, texts),
    "count": lambda peer, texts: _one_by_one(peer.count, texts),
    "decode": lambda peer, texts: _one_by_one(peer.decode, [list(peer.encode(text)) for text in texts]),
}


def short(task: dict, peer, texts: list[str]) -> None:
    """The microseconds of a call for texts of each of ``sizes``: the least of many rounds over 16 texts."""
    for size in task["sizes"]:
        some = corpora.short(texts, size, 16)
        ids = [list(peer.encode(text)) for text in some]
        digest = _digest(i for row in ids for i in row)
        single = {"encode": peer.encode, "count": peer.count, "offsets": peer.offsets, "pair": peer.pair}
        if peer.encode_batch:
            single["batch of one"] = lambda text: peer.encode_batch([text])
        calls = [(name, function, some) for name, function in single.items()] + [("decode", peer.decode, ids)]
        times = {name: _least(function, items, task["seconds"]) for name, function, items in calls if function}
        emit(size=size, digest=digest, version=version(task), microseconds=times)


def _least(function, items: list, seconds: float) -> float:
    """The least time of a call, in microseconds, if each item is used equally often."""
    least, began = float("inf"), clock()
    while clock() - began < seconds:
        start = clock()
        for _ in range(4):
            for item in items:
                function(item)
        least = min(least, clock() - start)
    return least / (4 * len(items)) * 1e6


def hostile(task: dict, peer) -> None:
    """One hostile input, at growing sizes while the time limit allows.

    After a thousand characters of it, so that the first size does not hold what a library sets up once (0.3 s in some).
    """
    peer.encode(corpora.hostile(task["input"], 1000))
    for size in task["sizes"]:
        text = corpora.hostile(task["input"], size)
        start = clock()
        ids = peer.encode(text)
        seconds = clock() - start
        emit(bytes=len(bytes(text, "utf-8")), seconds=seconds, tokens=len(ids), digest=_digest(ids))
        if 10 * seconds > task["seconds"]:
            break


if __name__ == "__main__":
    main()
