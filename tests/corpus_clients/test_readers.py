"""What wordsplit writes, read by the libraries that it is for. Each test is skipped without its library."""

import csv
import gzip
import importlib.util
import itertools
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import wordsplit
from wordsplit.corpus import encode, export, from_ids

# Other people's warnings.
pytestmark = pytest.mark.filterwarnings("ignore")

RANDOM = np.random.default_rng(5)
LENGTHS = [5, 17, 3, 0, 300, 1, 1, 9, 0, 25, 70_000, 4]
BLOCK = 16


class Made:
    """A corpus with its documents as lists."""

    def __init__(self, folder, format_, vocab):
        self.vocab = wordsplit.load_vocab(vocab)
        self.texts = [RANDOM.integers(0, self.vocab.n_vocab, length).tolist() for length in LENGTHS]
        self.flat = [i for text in self.texts for i in text]
        self.keys = [f"é{i}" for i in range(len(LENGTHS))]
        self.is_wide = self.vocab.n_vocab > 1 << 16
        self.corpus = from_ids(
            folder / "corpus", self.texts, keys=self.keys, format=format_, vocab=self.vocab, shard_tokens=30
        )

    def windows(self, ids, length=BLOCK):
        return [ids[i : i + length] for i in range(0, len(ids) - length + 1, length)]


@pytest.fixture(scope="module", params=["r50k_base", "qwen3"])
def vocab(request):
    return request.param


@pytest.fixture(scope="module")
def made(vocab, tmp_path_factory):
    return Made(tmp_path_factory.mktemp("made"), "raw", vocab)


def lists(arrays):
    return [np.asarray(array).tolist() for array in arrays]


# Formats of shards


@pytest.mark.parametrize("merged", [False, True])
def test_megatron_core(vocab, merged, tmp_path):
    indexed = pytest.importorskip("megatron.core.datasets.indexed_dataset")
    made = Made(tmp_path, "megatron", vocab)
    shards = [tmp_path / "corpus" / "shards" / path.stem for path in sorted((tmp_path / "corpus/shards").glob("*.idx"))]
    if merged:
        export(made.corpus, tmp_path / "train", "megatron")
        shards = [tmp_path / "train"]
    texts = []
    for stem in shards:
        for mmap in (True, False):
            dataset = indexed.IndexedDataset(str(stem), mmap=mmap)
            assert dataset.index.dtype == (np.int32 if made.is_wide else np.uint16)
            assert dataset.document_indices.tolist() == list(range(len(dataset) + 1))
        texts += [dataset[i].tolist() for i in range(len(dataset))]
        sizes = [len(text) for text in texts[-len(dataset) :]]
        assert dataset.sequence_lengths.tolist() == sizes
        last = len(dataset) - 1
        assert dataset.get(last, offset=sizes[last] // 2).tolist() == texts[-1][sizes[last] // 2 :]
    assert texts == made.texts
    assert len(shards) == (1 if merged else 4)


def test_megatron_core_trains_on_it(vocab, tmp_path):
    """Through GPTDataset: samples of a length, over the documents in Megatron's own random order."""
    pytest.importorskip("megatron.core.datasets.gpt_dataset")
    from megatron.core.datasets.gpt_dataset import GPTDataset, GPTDatasetConfig
    from megatron.core.datasets.indexed_dataset import IndexedDataset
    from megatron.core.datasets.utils import Split

    texts = [text for text in Made(tmp_path, "raw", vocab).texts if text]
    corpus = from_ids(tmp_path / "full", texts, vocab=wordsplit.load_vocab(vocab))
    export(corpus, tmp_path / "train", "megatron")

    tokenizer = types.SimpleNamespace(eod=0, pad=0, vocab_size=151_669, unique_identifiers={"class": "None"})
    config = GPTDatasetConfig(
        random_seed=1, sequence_length=BLOCK, blend=([str(tmp_path / "train")], None), split="100,0,0",
        reset_position_ids=False, reset_attention_mask=False, eod_mask_loss=False, tokenizer=tokenizer,
        path_to_cache=str(tmp_path / "cache"), mid_level_dataset_surplus=0.0,
    )  # fmt: skip
    indexed = IndexedDataset(str(tmp_path / "train"))
    dataset = GPTDataset(indexed, str(tmp_path / "train"), np.arange(len(indexed)), 20, Split.train, config)
    joined = [i for d in dataset.document_index for i in texts[d]]
    starts = dataset.sample_index
    assert len(dataset) >= 20
    for i in range(20):
        tokens, labels = dataset[i]["tokens"].tolist(), dataset[i]["labels"].tolist()
        at = int(dataset.shuffle_index[i]) * BLOCK
        assert tokens == joined[at : at + BLOCK]
        assert labels == joined[at + 1 : at + BLOCK + 1]
    assert len(starts) > 20


def test_pyarrow_dataset(vocab, tmp_path):
    dataset = pytest.importorskip("pyarrow.dataset")
    made = Made(tmp_path, "parquet", vocab)
    table = dataset.dataset(tmp_path / "corpus" / "shards", format="parquet").to_table()
    assert table["input_ids"].to_pylist() == made.texts
    assert table["id"].to_pylist() == made.keys


@pytest.mark.parametrize("source", ["shards", "export"])
@pytest.mark.parametrize("streaming", [False, True])
def test_datasets(vocab, source, streaming, tmp_path):
    datasets = pytest.importorskip("datasets")
    made = Made(tmp_path, "parquet", vocab)
    folder = tmp_path / "corpus" / "shards"
    if source == "export":
        folder = tmp_path / "exported"
        export(made.corpus, folder, "parquet", shard_tokens=100)
    found = datasets.load_dataset(
        "parquet", data_dir=str(folder), split="train", streaming=streaming, cache_dir=str(tmp_path / "cache")
    )
    rows = list(found)
    assert [row["input_ids"] for row in rows] == made.texts
    assert [row["id"] for row in rows] == made.keys
    kind = "uint32" if made.is_wide else "uint16"
    assert found.features["input_ids"] == datasets.List(datasets.Value(kind))


def test_numpy_memmap(made):
    folder = made.corpus.path / "shards"
    found = []
    for path in sorted(folder.glob("*.tokens")):
        ids = np.memmap(path, "<u4" if made.is_wide else "<u2", "r")
        ends = np.memmap(path.with_suffix(".ends"), "<u8", "r")
        found += lists(np.split(ids, ends[:-1].astype(int)))
    assert found == made.texts


# Exports


def test_litdata(made, tmp_path):
    litdata = pytest.importorskip("litdata")
    from litdata.streaming.item_loader import TokensLoader

    export(made.corpus, tmp_path / "out", "litdata", shard_tokens=BLOCK * 1000)
    dataset = litdata.StreamingDataset(
        str(tmp_path / "out"), item_loader=TokensLoader(BLOCK), shuffle=False, drop_last=False
    )
    found = [dataset[i].tolist() for i in range(len(dataset))]
    assert found == made.windows(made.flat)
    assert str(dataset[0].dtype) == ("torch.int32" if made.is_wide else "torch.uint16")
    assert lists(itertools.islice(iter(dataset), 100)) == found[:100]
    shuffled = litdata.StreamingDataset(str(tmp_path / "out"), item_loader=TokensLoader(BLOCK), shuffle=True, seed=3)
    assert sorted(lists(shuffled)) == sorted(found)


def test_litdata_in_a_loader(made, tmp_path):
    litdata = pytest.importorskip("litdata")
    from litdata.streaming.item_loader import TokensLoader

    export(made.corpus, tmp_path / "out", "litdata", shard_tokens=BLOCK * 1000)
    dataset = litdata.StreamingDataset(
        str(tmp_path / "out"), item_loader=TokensLoader(BLOCK), shuffle=False, drop_last=False
    )
    loader = litdata.StreamingDataLoader(dataset, batch_size=8, num_workers=0)
    found = [row for batch in loader for row in batch.tolist()]
    assert found == made.windows(made.flat)


def bare(monkeypatch, *packages):
    """Make packages of nothing but their folders: their modules can be imported, but their __init__ does not run."""
    found = importlib.util.find_spec(packages[0])
    if found is None or found.origin is None:
        pytest.skip(f"{packages[0]!r} is not installed")
    for name in packages:
        package = types.ModuleType(name)
        package.__path__ = [str(Path(found.origin).parent.joinpath(*name.split(".")[1:]))]
        monkeypatch.setitem(sys.modules, name, package)


@pytest.fixture
def mosaicml(monkeypatch):
    """MosaicML's LocalDataset; its packages import the clients of five clouds."""
    bare(monkeypatch, "streaming", "streaming.base")
    return pytest.importorskip("streaming.base.local").LocalDataset


def test_mosaicml_streaming(made, mosaicml, tmp_path):
    export(made.corpus, tmp_path / "out", "mds", shard_tokens=100)
    dataset = mosaicml(str(tmp_path / "out"))
    assert len(dataset) == len(made.texts)
    found = [dataset[i] for i in range(len(dataset))]
    assert lists(sample["tokens"] for sample in found) == made.texts
    assert [sample["id"] for sample in found] == made.keys
    assert found[0]["tokens"].dtype == (np.uint32 if made.is_wide else np.uint16)
    assert len(dataset.shards) == 3


def test_mosaicml_streaming_of_windows(made, mosaicml, tmp_path):
    export(made.corpus, tmp_path / "out", "mds", shard_tokens=1000, length=BLOCK)
    dataset = mosaicml(str(tmp_path / "out"))
    assert lists(dataset[i]["tokens"] for i in range(len(dataset))) == made.windows(made.flat)


def test_mosaicml_streaming_checks_files(made, mosaicml, tmp_path):
    """The hashes and sizes in the index, and the files as its own writer makes them."""
    export(made.corpus, tmp_path / "ours", "mds")
    from streaming.base.format.mds import MDSWriter
    from streaming.base.hashing import get_hash

    dataset = mosaicml(str(tmp_path / "ours"))
    for shard in dataset.shards:
        data = (tmp_path / "ours" / shard.raw_data.basename).read_bytes()
        assert len(data) == shard.raw_data.bytes
        assert get_hash("sha256", data) == shard.raw_data.hashes["sha256"]
    kind = "uint32" if made.is_wide else "uint16"
    columns = {"tokens": f"ndarray:{kind}", "id": "str"}
    with MDSWriter(columns=columns, out=str(tmp_path / "theirs"), hashes=["sha256"], size_limit=None) as writer:
        for text, key in zip(made.texts, made.keys, strict=True):
            if text:  # their writer refuses empty arrays; their reader has no trouble with them
                writer.write({"tokens": np.array(text, kind), "id": key})
    full = [i for i, text in enumerate(made.texts) if text]
    ours = from_ids(
        tmp_path / "full", [made.texts[i] for i in full], keys=[made.keys[i] for i in full], vocab=made.vocab
    )
    export(ours, tmp_path / "full_ours", "mds")
    name = "shard.00000.mds"
    assert (tmp_path / "full_ours" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()


def test_lance(made, tmp_path):
    lance = pytest.importorskip("lance")
    export(made.corpus, tmp_path / "out", "lance")
    dataset = lance.dataset(str(tmp_path / "out"))
    table = dataset.to_table()
    assert table["input_ids"].to_pylist() == made.texts
    assert table["id"].to_pylist() == made.keys
    taken = dataset.take([10, 0, 3], columns=["input_ids"])["input_ids"].to_pylist()
    assert taken == [made.texts[i] for i in (10, 0, 3)]
    assert str(table.schema.field("input_ids").type.value_type) == ("uint32" if made.is_wide else "uint16")


@pytest.mark.parametrize("positions", [False, True])
def test_datatrove(made, positions, tmp_path):
    pytest.importorskip("torch")
    dataset = pytest.importorskip("datatrove.utils.dataset")
    export(made.corpus, tmp_path / "out", "datatrove", shard_tokens=100)
    folder = dataset.DatatroveFolderDataset(
        str(tmp_path / "out"), BLOCK - 1, token_size=4 if made.is_wide else 2, return_positions=positions
    )
    ids, expected = [], []
    for path in sorted((tmp_path / "out").glob("*.ds")):
        ids.append(np.fromfile(path, "<u4" if made.is_wide else "<u2").tolist())
        expected += made.windows(ids[-1])
    assert len(ids) == 3
    assert [i for part in ids for i in part] == made.flat
    items = [folder[i] for i in range(len(folder))]
    assert lists(item["input_ids"] for item in items) == expected
    if positions:
        ends = set(np.cumsum(LENGTHS).tolist())
        begun = 0
        for item, window in zip(items[:10], expected, strict=False):
            position, found = 0, []
            for at in range(begun, begun + len(window)):
                position = 0 if at == begun or at in ends else position + 1
                found.append(position)
            assert item["positions"].tolist() == found
            begun += len(window)


def test_datatrove_merger(made, tmp_path):
    """Its own file class opens the same folder."""
    pytest.importorskip("torch")
    tokens = pytest.importorskip("datatrove.pipeline.tokens.merger")
    export(made.corpus, tmp_path / "out", "datatrove")
    ends = tokens.load_doc_ends((tmp_path / "out" / "00000_unshuffled.ds.index").open("rb"))
    assert ends.tolist() == sorted(set(np.cumsum(LENGTHS).tolist()))


def test_dolma(made, tmp_path, monkeypatch):
    """Files as its writer makes them; its packages import classifiers."""
    bare(monkeypatch, "dolma", "dolma.core", "dolma.tokenizer")
    export(made.corpus, tmp_path / "out", "dolma")
    kind = np.dtype("uint32" if made.is_wide else "uint16")
    writer = pytest.importorskip("dolma.tokenizer.memmap_writer")
    from dolma.tokenizer.data_types import TokenizerOutput

    with writer.MemmapWriter(str(tmp_path / "theirs" / "part-00000"), kind, max_tokens=1 << 20) as file:
        for i, (text, key) in enumerate(zip(made.texts, made.keys, strict=True)):
            assert file.write(TokenizerOutput.from_tokens(id=key, src="", loc=i, tokens=text))
    for name in ("part-00000.npy", "part-00000.csv.gz"):
        ours, theirs = ((tmp_path / folder / name).read_bytes() for folder in ("out", "theirs"))
        if name.endswith(".gz"):
            ours, theirs = (list(csv.reader(gzip.decompress(data).decode().splitlines())) for data in (ours, theirs))
        assert ours == theirs


def test_torch_data_loader(made):
    """Documents and windows are map-style datasets as they are."""
    torch = pytest.importorskip("torch")
    windows = made.corpus.windows(BLOCK + 1, stride=BLOCK, seed=1, dtype="int64")
    for workers in (0, 2):
        loader = torch.utils.data.DataLoader(windows, batch_size=7, num_workers=workers)
        found = torch.cat(list(loader))
        assert found.dtype == torch.int64
        assert found.tolist() == lists(windows)
    context = torch.utils.data.DataLoader(windows, batch_size=None, num_workers=1, multiprocessing_context="spawn")
    assert lists(itertools.islice(context, 5)) == lists(windows[:5])


def test_an_encoded_corpus(vocab, tmp_path):
    """From texts to ids in a reader of someone else: the whole way."""
    indexed = pytest.importorskip("megatron.core.datasets.indexed_dataset")
    texts = ["Hello, world!", "", "Noch ein Text\nmit zwei Zeilen", "你好"]
    for i, text in enumerate(texts):
        (tmp_path / f"{i}.txt").write_text(text, encoding="utf-8")
    tokenizer = wordsplit.load_tokenizer(vocab)
    encode(sorted(tmp_path.glob("*.txt")), tmp_path / "out", tokenizer=tokenizer, format="megatron", progress=False)
    export(tmp_path / "out", tmp_path / "train", "megatron")
    dataset = indexed.IndexedDataset(str(tmp_path / "train"))
    assert [tokenizer.decode(dataset[i].tolist()) for i in range(len(dataset))] == [text for text in texts if text]
