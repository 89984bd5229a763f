"""Libraries that take a long time to import exchange columns with `Tokenizer.encode_arrow`."""

import numpy as np
import pyarrow as pa
import pytest

import wordsplit

TOK = wordsplit.load_tokenizer("qwen3")
TEXTS = ["hello world", None, "", "naïve 你好 🦜"]
IDS = [None if text is None else TOK.encode(text) for text in TEXTS]


def address(found):
    return np.asarray(found.ids).ctypes.data


def test_pandas():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"text": pd.Series(TEXTS, dtype=pd.ArrowDtype(pa.large_string())), "n": range(4)})
    found = TOK.encode_arrow(frame, field="text")
    assert list(found) == IDS
    series = pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array(found)), index=frame.index)
    assert series.dtype == pd.ArrowDtype(pa.list_(pa.uint32()))
    assert series.list.len().to_list() == [2, pd.NA, 0, len(IDS[3])]
    frame["ids"] = series
    (chunk,) = pa.Table.from_pandas(frame)["ids"].chunks
    assert chunk.values.buffers()[1].address == address(found)
    assert chunk.to_pylist() == IDS
    if hasattr(frame["text"], "__arrow_c_stream__"):
        assert list(TOK.encode_arrow(frame["text"])) == IDS
        assert list(TOK.encode_arrow(frame["text"].astype(object))) == IDS


def test_datasets():
    datasets = pytest.importorskip("datasets")
    datasets.disable_progress_bars()
    dataset = datasets.Dataset.from_dict(
        {"text": TEXTS}, features=datasets.Features({"text": datasets.Value("string")})
    )

    def encode(batch):
        return batch.append_column("ids", pa.array(TOK.encode_arrow(batch, field="text")))

    mapped = dataset.with_format("arrow").map(encode, batched=True, batch_size=3)
    assert mapped.with_format(None)["ids"][:] == IDS
    assert list(TOK.encode_arrow(dataset.with_format("arrow")[:], field="text")) == IDS
    chosen = dataset.select([3, 0])
    found = TOK.encode_arrow(chosen.with_format("arrow")[:], field="text")
    assert list(found) == [IDS[3], IDS[0]]
    added = chosen.add_column("ids", pa.array(found))
    assert added["ids"][:] == [IDS[3], IDS[0]]
    made = datasets.Dataset(pa.table({"ids": found}))
    assert made.data["ids"].chunk(0).values.buffers()[1].address == address(found)
