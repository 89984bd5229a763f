"""A finished corpus, opened: against lists of the same ids, in all formats."""

import json
import multiprocessing
import os
import pickle
import shutil
import threading
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from corpus.shards import FORMATS
from depth import by_depth
from hypothesis import given
from hypothesis import strategies as st

import wordsplit
from wordsplit import CorpusError, InputTypeError, InvalidTokenIdError, OptionsError
from wordsplit.corpus import TokenCorpus, from_ids, shard_store
from wordsplit.corpus.permutation import Permutation

RANDOM = np.random.default_rng(7)
DOCUMENTS = [RANDOM.integers(0, 60_000, length).tolist() for length in [5, 0, 17, 0, 0, 3, 40, 1, 1, 9, 0, 25]]
FLAT = [i for document in DOCUMENTS for i in document]
ENDS = np.cumsum([len(document) for document in DOCUMENTS]).tolist()
KEYS = [f"é{i}" for i in range(len(DOCUMENTS))]


@pytest.fixture(scope="module", autouse=True)
def no_waiting():
    """Syncing files takes most of the time; `test_files_are_synced` tests it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(scope="module", params=FORMATS)
def folder(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param) / "corpus"
    from_ids(folder, DOCUMENTS, keys=KEYS, format=request.param, eos_token_id=3, shard_tokens=20)
    return folder


@pytest.fixture
def corpus(folder):
    return wordsplit.corpus.open(folder)


def lists(items):
    return [item.tolist() for item in items]


def test_documents(corpus, folder):
    assert len(corpus) == len(DOCUMENTS)
    assert lists(corpus) == lists(corpus[i] for i in range(len(corpus))) == DOCUMENTS
    assert lists(corpus[-i] for i in range(1, len(corpus) + 1)) == DOCUMENTS[::-1]
    assert [corpus.key(i) for i in range(len(corpus))] == KEYS
    assert corpus.key(-1) == KEYS[-1]
    assert len(json.loads((folder / "manifest.json").read_text())["shards"]) == 3
    for at in (len(corpus), -len(corpus) - 1):
        with pytest.raises(IndexError, match=f"index {at} of 12 items"):
            corpus[at]


def test_what_it_knows(corpus, folder):
    assert isinstance(corpus, TokenCorpus)
    assert (corpus.tokens, corpus.path) == (len(FLAT), folder)
    assert corpus.format in FORMATS
    assert corpus.dtype == corpus[0].dtype == ("int32" if corpus.format == "megatron" else "uint32")
    assert (corpus.eos_token_id, corpus.bos_token_id, corpus.has_keys) == (3, None, True)
    assert repr(corpus) == f"TokenCorpus(12 documents, 101 ids, {corpus.format}, {corpus.dtype})"
    assert [shard.documents for shard in corpus.shards()] == [3, 4, 5]


def test_a_vocab_decides_the_type(tmp_path):
    vocab = wordsplit.load_vocab("r50k_base")
    corpus = from_ids(tmp_path / "corpus", [[5, vocab.max_id]], vocab=vocab)
    assert (corpus.dtype, corpus.vocab, corpus.vocab_fingerprint) == ("uint16", vocab.name, vocab.fingerprint)
    assert corpus.n_vocab == vocab.n_vocab


def test_nothing_is_copied_or_can_be_changed(corpus):
    document = corpus[2]
    assert np.shares_memory(document, corpus[2])
    assert np.shares_memory(corpus.windows(5)[0], corpus[0])
    with pytest.raises(ValueError, match="read-only"):
        document[0] = 1


@given(start=st.integers(-15, 15), stop=st.integers(-15, 15), step=st.sampled_from([-3, -2, -1, 1, 2, 5]))
def test_slices(start, stop, step):
    corpus = _made()
    part = corpus[start:stop:step]
    assert lists(part) == DOCUMENTS[start:stop:step]
    assert [part.key(i) for i in range(len(part))] == KEYS[start:stop:step]
    assert lists(part[1:]) == DOCUMENTS[start:stop:step][1:]


@given(begin=st.integers(-3, 110), end=st.integers(-3, 110))
def test_ids_between(begin, end):
    assert _made().ids(begin, end).tolist() == FLAT[max(begin, 0) : max(end, 0)]


@given(
    length=st.integers(1, 120),
    stride=st.one_of(st.none(), st.integers(1, 120)),
    drop_last=st.booleans(),
    seed=st.one_of(st.none(), st.integers()),
)
def test_windows(length, stride, drop_last, seed):
    corpus = _made()
    windows = corpus.windows(length, stride=stride, drop_last=drop_last, seed=seed)
    starts = range(0, len(FLAT), stride or length)
    expected = [FLAT[start : start + length] for start in starts]
    if drop_last:
        expected = [window for window in expected if len(window) == length]
    elif (stride or length) <= length:  # nothing is new in windows after the first that reaches the end
        reaching = [start for start in starts if start + length >= len(FLAT)]
        expected = [FLAT[start : start + length] for start in starts if start <= reaching[0]]
    else:
        starts = range(0, len(FLAT) - length + (stride or length), stride or length)
        expected = [FLAT[start : start + length] for start in starts if start < len(FLAT)]
    indexes = [windows.index(i) for i in range(len(windows))]
    assert sorted(indexes) == list(range(len(expected)))
    if seed is None:
        assert indexes == sorted(indexes)
    assert lists(windows) == [expected[i] for i in indexes]
    assert lists(windows[1::2]) == lists(windows)[1::2]
    for i in range(len(windows)):
        begin, end = windows.bounds(i)
        assert FLAT[begin:end] == windows[i].tolist()
        assert windows.ends(i).tolist() == sorted({e - begin for e in ENDS if begin < e <= end})
        holders = [d for d, e in enumerate(ENDS) if e > begin and e - len(DOCUMENTS[d]) < end and DOCUMENTS[d]]
        assert windows.documents(i) == range(holders[0], holders[-1] + 1)
        assert windows[i:].documents(0) == windows.documents(i)


def test_windows_of_another_type(corpus):
    window = corpus.windows(50, dtype="int64")[0]
    assert (window.dtype, window.tolist()) == (np.int64, FLAT[:50])
    window[0] = 7
    assert corpus[0][0] == FLAT[0]
    assert repr(corpus.windows(50)) == "Windows(2 of 50 ids)"
    for narrow in ("uint8", "int8", "float32", "nonsense"):  # ids must not wrap around
        with pytest.raises(OptionsError, match="dtype="):
            corpus.windows(50, dtype=narrow)


@given(st.integers(1, 9), st.booleans())
def test_sharding(world, even):
    corpus = _made()
    for items in (corpus, corpus.windows(4), corpus.windows(4, seed=3), corpus.shuffled(3)):
        parts = [items.shard(rank, world, even=even) for rank in range(world)]
        assert lists(parts[-1]) == lists(items)[world - 1 : len(items) - len(items) % world if even else None : world]
        sizes = {len(part) for part in parts}
        assert max(sizes) - min(sizes) <= (0 if even else 1)
        if not even:
            assert sorted(i for part in parts for i in lists(part)) == sorted(lists(items))


@pytest.mark.parametrize(("rank", "world"), [(2, 2), (-1, 2), (0, 0), (0.0, 2), (0, "2")])
def test_no_such_rank(corpus, rank, world):
    for items in (corpus, corpus.windows(4)):
        with pytest.raises(OptionsError, match="(rank|world)=.*number"):
            items.shard(rank, world)


@pytest.mark.parametrize("options", [{"length": 0}, {"length": 5, "stride": 0}, {"length": -3}])
def test_no_such_windows(corpus, options):
    with pytest.raises(OptionsError, match="give a whole number, 1 or more"):
        corpus.windows(**options)


def test_shuffled(corpus):
    shuffled = corpus.shuffled(5)
    assert lists(shuffled) != DOCUMENTS
    assert lists(shuffled) == lists(corpus.shuffled(5)) != lists(corpus.shuffled(6))
    assert sorted(shuffled.index(i) for i in range(12)) == list(range(12))
    assert shuffled[3].tolist() == DOCUMENTS[shuffled.index(3)]
    assert shuffled.key(-1) == KEYS[shuffled.index(-1)]
    assert lists(shuffled[2:5]) == lists(shuffled)[2:5]


@given(st.integers(0, 3000), st.integers())
def test_permutations(length, seed):
    order = Permutation(length, seed)
    assert len(order) == length
    assert sorted(order[i] for i in range(length)) == list(range(length))


def test_permutations_do_not_change():
    """Someone resumes training in the middle of an epoch with a newer version."""
    assert [Permutation(10, 1)[i] for i in range(10)] == [2, 8, 3, 0, 6, 1, 4, 7, 5, 9]
    assert [Permutation(10**12, -5)[i] for i in range(3)] == [313271566519, 428297328710, 518671734628]
    assert Permutation(2**64, 0)[2**64 - 1] < 2**64


def test_permutations_are_uniform():
    for length in (2, 5, 10):
        seeds = by_depth(1000, 20_000, 20_000)
        counts = np.zeros((length, length))
        for seed in range(seeds):
            order = Permutation(length, seed)
            for i in range(length):
                counts[i, order[i]] += 1
        expected = seeds / length
        degrees = (length - 1) ** 2
        assert ((counts - expected) ** 2 / expected).sum() < degrees + 5 * (2 * degrees) ** 0.5


def test_shuffled_neighbours_are_far_apart():
    order = Permutation(100_000, 1)
    found = np.array([order[i] for i in range(10_000)])
    assert abs(np.corrcoef(found, np.arange(10_000))[0, 1]) < 0.05
    assert abs(np.corrcoef(found[1:], found[:-1])[0, 1]) < 0.05


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")


def _first(items):
    return items[0].tolist(), items[-1].tolist(), len(items)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # pyarrow has threads
@pytest.mark.parametrize("method", [pytest.param("fork", marks=needs_fork), "spawn"])
def test_other_processes(corpus, method):
    if method == "spawn" and corpus.format != "raw":
        pytest.skip("one is enough: a process takes seconds to start")
    made = [corpus, corpus[1:], corpus.shuffled(3), corpus.windows(7, seed=5, dtype="int64")]
    for items in made:
        items[0]
    # Not a Pool, which waits for ever if its process cannot import this module.
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(method)) as pool:
        assert list(pool.map(_first, made)) == [_first(items) for items in made]


def test_pickles_are_small(corpus):
    corpus[0]
    assert len(pickle.dumps(corpus.windows(4, seed=1))) < 1500


def test_a_corpus_that_was_written_anew(tmp_path):
    corpus = from_ids(tmp_path / "a", DOCUMENTS)
    pickled = pickle.dumps(corpus)
    (tmp_path / "a").rename(tmp_path / "b")
    with pytest.raises(CorpusError, match="no such folder"):
        pickle.loads(pickled)  # noqa: S301 - our own
    from_ids(tmp_path / "a", DOCUMENTS[1:])
    with pytest.raises(CorpusError, match="rewritten"):
        pickle.loads(pickled)  # noqa: S301 - our own


def test_a_corpus_that_is_written_anew_while_it_is_open(tmp_path):
    """Its shards have as many documents and ids as before: those opened later were mixed with those opened before."""
    from_ids(tmp_path / "a", DOCUMENTS, shard_tokens=10)
    from_ids(tmp_path / "b", [[i + 1 for i in document] for document in DOCUMENTS], shard_tokens=10)
    shutil.copytree(tmp_path / "a", tmp_path / "out")
    opened = wordsplit.corpus.open(tmp_path / "out")
    first = opened[0]
    shutil.rmtree(tmp_path / "out")
    shutil.copytree(tmp_path / "a", tmp_path / "out")  # put back: the same corpus
    last = len(DOCUMENTS) - 1
    assert opened[last].tolist() == DOCUMENTS[last]
    shutil.rmtree(tmp_path / "out")
    with pytest.raises(CorpusError, match="no such folder"):
        opened[5]
    shutil.copytree(tmp_path / "b", tmp_path / "out")
    with pytest.raises(CorpusError, match="the corpus was rewritten since it was opened"):
        opened[5]
    assert first.tolist() == opened[0].tolist() == DOCUMENTS[0]  # mapped, though it is deleted


def test_many_threads(corpus):
    found, random = [], [RANDOM.permutation(len(DOCUMENTS)) for _ in range(4)]

    def read(order):
        found.append(all(corpus[i].tolist() == DOCUMENTS[i] for i in order for _ in range(20)))

    threads = [threading.Thread(target=read, args=[order]) for order in random]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 4


@pytest.mark.parametrize("bound", ["_MOST_OPEN", "_MOST_RESIDENT"])
def test_few_shards_are_open(corpus, bound, monkeypatch):
    if bound == "_MOST_RESIDENT" and corpus.format != "parquet":
        pytest.skip("mapped")
    monkeypatch.setattr(shard_store, bound, 2 if bound == "_MOST_OPEN" else 200)
    for i in [0, 11, 3, 0, 5, 11, 2]:
        assert corpus[i].tolist() == DOCUMENTS[i]
        assert 0 < len(corpus._store._open) <= 2
    assert list(corpus._store._open)[-1] == 0


def descriptors():
    """The number of open files; 0 where the system does not tell."""
    folder = Path("/proc/self/fd")
    return sum(1 for _ in folder.iterdir()) if folder.is_dir() else 0


def test_descriptors_of_many_shards(tmp_path):
    corpus = from_ids(tmp_path / "corpus", [[i] for i in range(150)], shard_tokens=1)
    before = descriptors()
    assert [int(corpus[i][0]) for i in range(150)] == list(range(150))
    assert descriptors() - before <= 256
    assert len(corpus._store._open) == 128


def test_empty(tmp_path):
    for name in FORMATS:
        for documents in ([], [[]], [[], []]):
            path = tmp_path / f"{name}{len(documents)}"
            corpus = from_ids(path, documents, format=name)
            assert lists(corpus) == lists(corpus.shuffled(1)) == documents
            assert (corpus.tokens, len(corpus.windows(1)), len(corpus.windows(1, drop_last=False))) == (0, 0, 0)
            assert corpus.ids(0, 5).tolist() == []


def test_pytorch_needs_only_these(corpus):
    """What `torch.utils.data` asks of a map-style dataset."""
    windows = corpus.windows(4, seed=1)
    batch = np.stack([windows[i] for i in np.array([0, 3, 5])])  # samplers may give NumPy's integers
    assert batch.shape == (3, 4)


def _made(cache={}):  # noqa: B006 - once, for examples of hypothesis
    if not cache:
        import tempfile

        cache["folder"] = tempfile.TemporaryDirectory()
        cache["corpus"] = from_ids(Path(cache["folder"].name, "corpus"), DOCUMENTS, keys=KEYS, shard_tokens=20)
    return cache["corpus"]


@pytest.mark.parametrize("name", FORMATS)
def test_what_encode_writes(name, tmp_path):
    texts = ["Hello, world!", "你好", "", "a\nb" * 500]
    lines = [json.dumps({"text": text, "id": i}) for i, text in enumerate(texts)]
    (tmp_path / "texts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    tokenizer = wordsplit.load_tokenizer("qwen3")
    wordsplit.corpus.encode(
        tmp_path / "texts.jsonl", tmp_path / "out", format=name, eos="vocab", id_field="id", progress=False
    )
    corpus = wordsplit.corpus.open(tmp_path / "out")
    full = [i for i, text in enumerate(texts) if text]
    assert lists(corpus) == [[*tokenizer.encode(texts[i]), tokenizer.eos_token_id] for i in full]
    assert [corpus.key(at) for at in range(len(corpus))] == [str(i) for i in full]
    assert (corpus.eos_token_id, corpus.vocab_fingerprint) == (tokenizer.eos_token_id, tokenizer.vocab.fingerprint)


# Errors


def refused(path, match):
    with pytest.raises(CorpusError, match=match) as caught:
        wordsplit.corpus.open(path)
    return caught.value


def test_what_is_not_a_corpus(tmp_path):
    refused(tmp_path / "none", "no such folder")
    (tmp_path / "file").write_text("")
    refused(tmp_path / "file", "a corpus is a folder")
    refused(tmp_path, "not a tokenized corpus")
    with pytest.raises(InputTypeError, match="not int"):
        wordsplit.corpus.open(5)


def test_incomplete(tmp_path):
    texts = []
    for i in range(3):
        texts.append(tmp_path / f"{i}.txt")
        texts[i].write_text(f"text {i}")
    out = tmp_path / "out"
    tokenizer = wordsplit.load_tokenizer("r50k_base")
    wordsplit.corpus.encode(texts, out, tokenizer=tokenizer, unit_bytes=1, progress=False)
    assert lists(wordsplit.corpus.open(out)) == [tokenizer.encode(f"text {i}") for i in range(3)]
    (out / "_SUCCESS").unlink()
    resume = "run the same `wordsplit corpus encode` command again to continue"
    assert resume in str(refused(out, "not complete: 0 of its 3 units are missing"))
    (out / "records" / "000001.json").unlink()
    assert refused(out, "not complete: 1 of its 3 units are missing").file == str(out)


@pytest.fixture
def own(folder, tmp_path):
    """A corpus to damage."""
    return from_ids(
        tmp_path / "own", DOCUMENTS, keys=KEYS, format=folder.parent.name.rstrip("0123456789"), shard_tokens=20
    )


def test_a_file_that_was_truncated_or_changed(own):
    for path in sorted((own.path / "shards").iterdir()):
        data = path.read_bytes()
        for other in (data[:-1], data + b"x"):
            path.write_bytes(other)
            error = refused(own.path, rf"{len(other):,} bytes, but the manifest says {len(data):,}")
            assert error.file == str(path)
            if path.suffix in {".keys", ".key_ends", ".json"}:
                continue  # not read for documents
            with pytest.raises(CorpusError, match="but the manifest says"):
                list(pickle.loads(pickle.dumps(own)))  # noqa: S301 - opens no file, so finds it later
        path.unlink()
        assert refused(own.path, "No such file").file == str(path)
        path.write_bytes(data)
    assert lists(own) == DOCUMENTS


def test_a_shard_with_other_counts(own):
    path = own.path / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["shards"][0]["documents"] += 1
    manifest["shards"][1]["documents"] -= 1
    path.write_text(json.dumps(manifest))
    with pytest.raises(CorpusError, match="documents with .* but the manifest says"):
        wordsplit.corpus.open(own.path)[0]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"layout": 2, "wordsplit": "9.0"}, "layout 2, written by wordsplit 9.0; this version reads layout 1: upgrade"),
        ({"format": "rew"}, "format: no corpus format named 'rew'. Did you mean 'raw'?"),
        ({"documents": 5}, "documents: 5 in all, but 12 in the shards"),
        ({"tokens": 5}, "tokens: 5 in all, but 101 in the shards"),
        ({"dtype": "float32"}, "dtype='float32'"),
        ({"dtype": ["uint16"]}, "damaged"),
        ({"shards": [{"name": "../../etc"}]}, "damaged"),
        ({"shards": 5}, "damaged"),
        ({"shards": [{"name": "0", "documents": 12, "tokens": 101, "files": {}}]}, "damaged: no field 'shards/0"),
        ({"vocab": None}, "damaged"),
        ({"vocab": {}}, "damaged: no field 'n_vocab'|damaged: no field 'name'"),
    ],
)
def test_a_damaged_manifest(own, change, says):
    path = own.path / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    assert refused(own.path, says).file == str(path)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"5", b"null", b"{}", b"\xff", b"[" * 100_000])
def test_a_manifest_of_something_else(own, content):
    (own.path / "manifest.json").write_bytes(content)
    refused(own.path, r"manifest\.json: damaged")


def test_from_ids_refuses(tmp_path):
    with pytest.raises(InputTypeError, match="more documents than"):
        from_ids(tmp_path / "corpus", [[1], [2]], keys=["a"])
    with pytest.raises(InputTypeError, match="more keys than"):
        from_ids(tmp_path / "corpus", [[1]], keys=["a", "b"])
    for wrong in ([[1.5]], [5], [[[1]]], ["text"]):
        with pytest.raises(InputTypeError, match="a document is a sequence of ids"):
            from_ids(tmp_path / "corpus", wrong)
    for wrong in ([[-1]], [[1 << 32]]):
        with pytest.raises(InvalidTokenIdError, match="ids are from 0"):
            from_ids(tmp_path / "corpus", wrong)
    vocab = wordsplit.load_vocab("r50k_base")
    with pytest.raises(InvalidTokenIdError, match="does not fit into uint16"):
        from_ids(tmp_path / "corpus", [[70_000]], vocab=vocab)
    for name, wrong in (("eos_token_id", -1), ("eos_token_id", "a"), ("bos_token_id", 1.5), ("shard_tokens", 0)):
        with pytest.raises(OptionsError, match=f"{name}={wrong!r}: give a whole number"):
            from_ids(tmp_path / "corpus", [[1]], **{name: wrong})
    with pytest.raises(InputTypeError, match="give a Vocab, not str; wordsplit.load_vocab"):
        from_ids(tmp_path / "corpus", [[1]], vocab="r50k_base")
    assert not list(tmp_path.iterdir())
    noted = from_ids(tmp_path / "corpus", [[1]], eos_token_id=np.int64(1), bos_token_id=np.uint16(0))
    assert (noted.eos_token_id, noted.bos_token_id) == (1, 0)
    with pytest.raises(CorpusError, match="exists already"):
        from_ids(tmp_path / "corpus", [[1]])
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]
