"""Corpora encoded from files of every kind: the ids of `encode_batch`, in order, each document once."""

import itertools
import json
import pathlib
import random
import subprocess
import sys
import threading

import numpy as np
import pytest
from corpus.written import KINDS, named, read, tree, write
from depth import by_depth
from features.toks import tokenizer

import wordsplit
from wordsplit import CorpusError, InputTypeError, OptionsError, UnknownNameError, corpus
from wordsplit.training import BpeTrainer

WORDS = [
    "the",
    "of",
    "and",
    "Größe",
    "你好",
    "def",
    "f(x):",
    "return",
    "12345",
    "<|im_end|>",
    "don't",
    "🫨",
    "\t",
    "",
    "́a",
]


@pytest.fixture(scope="module")
def tok():
    return wordsplit.load_tokenizer("qwen3")


@pytest.fixture(scope="module")
def texts():
    rng = random.Random(7)
    found = [" ".join(rng.choices(WORDS, k=rng.choice([0, 1, 3, 20, 300]))) for _ in range(150)]
    return [text.replace("\n", " ") for text in found]


def encode(inputs, out, **settings):
    return corpus.encode(inputs, out, **({"progress": False} | settings))


def lines_of(kind):
    return {"documents": "line"} if ".txt" in kind else {}


@pytest.mark.parametrize("unit_bytes", [1500, 1 << 30])
@pytest.mark.parametrize("to", ["raw", "megatron", "parquet"])
@pytest.mark.parametrize("kind", list(KINDS)[:: by_depth(3, 1, 1)])
def test_every_kind_and_format(tmp_path, tok, texts, kind, to, unit_bytes):
    path = write(named(tmp_path, kind), texts)
    keyed = {} if ".txt" in kind else {"id_field": "id"}
    report = encode(path, tmp_path / "out", format=to, unit_bytes=unit_bytes, **keyed, **lines_of(kind))
    wanted = [(f"id-{k}", text) for k, text in enumerate(texts) if text]
    documents, keys = read(tmp_path / "out")
    assert documents == tok.encode_batch([text for _, text in wanted], special="text")
    if keyed:
        assert keys == [key for key, _ in wanted]
    empty = texts.count("")
    assert report.documents == {"in": len(texts), "written": len(wanted), "empty": empty, "skipped": 0}
    assert report.tokens == sum(map(len, documents))
    assert report.bytes == sum(len(text.encode()) for text in texts)
    assert sum(report.lengths) == len(documents)
    assert corpus.verify(tmp_path / "out") == []
    assert (tmp_path / "out/_SUCCESS").exists()
    if unit_bytes == 1500 and kind in ("jsonl", "parquet", "arrow", "lines.txt"):
        assert corpus.status(tmp_path / "out").units > 1


def test_lengths_are_counted_by_powers_of_two(tmp_path, tok):
    path = write(tmp_path / "a.jsonl", ["a", "a b", "a b c", "a b c d", " ".join("abcdefgh")])
    report = encode(path, tmp_path / "out")
    assert report.lengths[:5] == [0, 1, 2, 1, 1]
    kept = encode(write(tmp_path / "b.jsonl", ["", "a"]), tmp_path / "kept", empty="keep")
    assert kept.lengths[:2] == [1, 1]


@pytest.mark.parametrize("kind", KINDS)
def test_empty_documents_can_be_kept(tmp_path, tok, kind):
    texts = ["", "a b", None, "c", ""]
    path = write(named(tmp_path, kind), texts)
    report = encode(path, tmp_path / "out", empty="keep", eos="vocab", **lines_of(kind))
    eos = [tok.eos_token_id]
    assert read(tmp_path / "out")[0] == [eos, tok.encode("a b") + eos, eos, tok.encode("c") + eos, eos]
    assert report.documents == {"in": 5, "written": 5, "empty": 0, "skipped": 0}


def test_many_files_of_plain_text(tmp_path, tok):
    folder = tmp_path / "in"
    for name in ("b.txt", "a.txt", "sub/c.txt", ".hidden", "_temporary/x.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"text of {name}")
    encode(folder, tmp_path / "out")
    names = ["a.txt", "b.txt", "sub/c.txt"]
    assert read(tmp_path / "out")[0] == [tok.encode(f"text of {name}") for name in names]
    assert corpus.status(tmp_path / "out").units == 1
    encode(folder, folder / "out", unit_bytes=1)  # the output is not an input, this time and the next
    encode(folder, folder / "out", unit_bytes=1)
    assert corpus.status(folder / "out").units == 3
    with pytest.raises(UnknownNameError, match="no file, folder or match"):
        encode(tmp_path / "out/records/*.txt", tmp_path / "none")


@pytest.mark.parametrize("unit_bytes", [20, 1 << 20])
@pytest.mark.parametrize(("separator", "units"), [("<|endoftext|>", 2), ("\n\n", 1), ("---\r\n", 2), ("\n--\n", 1)])
def test_separators(tmp_path, tok, separator, units, unit_bytes):
    texts = ["one", " two", "three\nfour", "", "five"]
    path = tmp_path / "a.txt"
    path.write_bytes(separator.join(texts).encode())
    encode(path, tmp_path / "out", separator=separator, unit_bytes=unit_bytes)
    assert read(tmp_path / "out")[0] == [tok.encode(text) for text in texts if text]
    assert (corpus.status(tmp_path / "out").units > 1) == (units > 1 and unit_bytes == 20)


def test_lines_with_carriage_returns_and_a_byte_order_mark(tmp_path, tok):
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfone\r\n\r\ntwo\rx\nthree")
    report = encode(path, tmp_path / "out", documents="line")
    assert read(tmp_path / "out")[0] == [tok.encode(text) for text in ("one", "two\rx", "three")]
    assert report.documents["empty"] == 1
    whole = tmp_path / "b.txt"
    whole.write_bytes(b"\xef\xbb\xbfone\n")
    encode(whole, tmp_path / "whole")
    assert read(tmp_path / "whole")[0] == [tok.encode("one\n")]


def test_a_document_larger_than_a_block_is_encoded_in_pieces(tmp_path, tok):
    rng = random.Random(3)
    text = " ".join(rng.choices(WORDS, k=200_000))
    (tmp_path / "a.txt").write_text(text, newline="")
    (tmp_path / "b.txt").write_text("small")
    write(tmp_path / "c.jsonl", [text, "small"])
    for name in ("a.txt", "b.txt", "c.jsonl"):
        out = tmp_path / f"out-{name}"
        named = {} if name == "c.jsonl" else {"id_field": "id"}
        report = encode(tmp_path / name, out, memory=64 << 20, workers=1, eos="vocab", bos="<|im_start|>", **named)
        assert report.documents["in"] == report.documents["written"] == (2 if name == "c.jsonl" else 1)
        wanted = {"a.txt": [text], "b.txt": ["small"], "c.jsonl": [text, "small"]}[name]
        bos, eos = tok.token_id("<|im_start|>"), tok.eos_token_id
        assert read(out)[0] == [[bos, *tok.encode(t, special="text"), eos] for t in wanted]
        assert sum(report.lengths) == len(wanted)


def test_pieces_of_texts_before_which_the_vocab_puts_a_space(tmp_path):
    tok = tokenizer("like llama2")
    rng = random.Random(4)
    text = " ".join(rng.choices(["at", "eat", "tat", "<l>", "é", "", "a", "\n"], k=4_000_000))
    (tmp_path / "a.txt").write_text(text, newline="")
    for special in ("text", "parse"):
        out = tmp_path / special
        # A document without cuts would need 40 MiB.
        encode(tmp_path / "a.txt", out, tokenizer=tok, memory=32 << 20, workers=2, special=special)
        assert read(out)[0] == [tok.encode(text, special=special)]


def test_a_document_that_cannot_be_cut_is_read_whole_up_to_the_limit(tmp_path, tok):
    (tmp_path / "a.txt").write_text("x" * (5 << 20))
    encode(tmp_path / "a.txt", tmp_path / "out", memory=64 << 20, workers=1)
    assert read(tmp_path / "out")[0] == [tok.encode("x" * (5 << 20))]
    with pytest.raises(CorpusError, match=r"a\.txt: byte 0: a document of more than 4 MiB; give more memory"):
        encode(tmp_path / "a.txt", tmp_path / "small", memory=16 << 20, workers=1)
    write(tmp_path / "b.jsonl", ["y" * (5 << 20)])
    with pytest.raises(CorpusError, match=r"b\.jsonl: byte 0: a document of more than 4 MiB"):
        encode(tmp_path / "b.jsonl", tmp_path / "small2", memory=16 << 20, workers=1)


@pytest.mark.parametrize("special", ["text", "parse"])
def test_special_tokens(tmp_path, tok, special):
    path = write(tmp_path / "a.jsonl", ["a<|im_end|>b"])
    encode(path, tmp_path / "out", special=special)
    assert read(tmp_path / "out")[0] == [tok.encode("a<|im_end|>b", special=special)]


@pytest.mark.parametrize(
    ("bos", "eos", "wanted"),
    [
        ("default", "none", [14990]),
        ("none", "vocab", [14990, 151645]),
        ("<|endoftext|>", "151644", [151643, 14990, 151644]),
    ],
)
def test_added_ids(tmp_path, bos, eos, wanted):
    path = write(tmp_path / "a.jsonl", ["hello"])
    encode(path, tmp_path / "out", bos=bos, eos=eos)
    assert read(tmp_path / "out")[0] == [wanted]
    manifest = json.loads((tmp_path / "out/manifest.json").read_bytes())
    assert manifest["eos_token_id"] == (None if eos == "none" else wanted[-1])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"eos": "nonsense"}, "eos='nonsense': not a special token or an id of qwen3"),
        ({"bos": "vocab"}, "bos='vocab': qwen3 names no bos token"),
        ({"eos": "9999999"}, "not a special token or an id"),
        ({"eos": "9" * 5000}, "not a special token or an id"),
        ({"on_error": "stop"}, "on_error='stop': use 'fail' or 'skip' or 'quarantine'"),
        ({"eod": "x"}, "eod: no such setting; there are: format, documents"),
        ({"unit_bytes": 0}, "unit_bytes=0: give a whole number, 1 or more"),
        ({"separator": "\udcff"}, r"separator='\udcff': give a string that is not empty, in valid Unicode"),
        ({"text_field": "\ud800"}, r"text_field='\ud800': give a string"),
        ({"documents": "line", "separator": "x"}, "give only one of them"),
        ({"id_field": "text"}, "this is the text field"),
        ({"memory": 5}, "memory=5: give at least 16 MiB"),
        ({"workers": 0}, "workers=0: give a number from 1"),
        ({"kind": "csv"}, "kind='csv': use one of 'text'"),
    ],
)
def test_wrong_settings_are_named(tmp_path, settings, message):
    path = write(tmp_path / "a.jsonl", ["hello"])
    with pytest.raises(OptionsError) as caught:
        encode(path, tmp_path / "out", **settings)
    assert message in str(caught.value)


def test_what_is_no_path_is_named(tmp_path):
    path = write(tmp_path / "a.jsonl", ["hello"])
    for inputs, out, message in (
        (None, tmp_path / "out", "give a list of paths, not NoneType"),
        (5, tmp_path / "out", "not int"),
        (path, None, "the folder of a corpus is named by a str or a PathLike, not NoneType"),
    ):
        with pytest.raises(InputTypeError, match=message):
            encode(inputs, out)
    with pytest.raises(InputTypeError, match="not int"):
        corpus.status(5)


def test_wrong_names_suggest_the_nearest(tmp_path):
    path = write(tmp_path / "a.jsonl", ["hello"])
    with pytest.raises(UnknownNameError, match="Did you mean 'megatron'"):
        encode(path, tmp_path / "out", format="megatrom")
    with pytest.raises(UnknownNameError, match="no corpus engine named 'spork'"):
        encode(path, tmp_path / "out", engine="spork")
    with pytest.raises(UnknownNameError, match="no file, folder or match"):
        encode(tmp_path / "b.jsonl", tmp_path / "out")


@pytest.mark.parametrize("name", ["r50k_base", "cl100k_base"])
def test_the_narrowest_type_that_fits(tmp_path, name):
    path = write(tmp_path / "a.jsonl", ["hello world"])
    encode(path, tmp_path / "out", tokenizer=name)
    manifest = json.loads((tmp_path / "out/manifest.json").read_bytes())
    dtype = {"r50k_base": "uint16", "cl100k_base": "uint32"}[name]
    assert manifest["dtype"] == dtype
    wanted = wordsplit.load_tokenizer(name).encode("hello world")
    assert np.fromfile(tmp_path / "out/shards/000000.tokens", dtype).tolist() == wanted


def test_count_counts_what_encode_writes(tmp_path, texts):
    paths = [write(tmp_path / name, texts) for name in ("a.jsonl.gz", "b.parquet")]
    written = encode(paths, tmp_path / "out", eos="vocab")
    counted = corpus.count(paths, eos="vocab", progress=False)
    assert {**counted.to_dict(), "run": None} == {**written.to_dict(), "run": None}


def test_the_same_bytes_for_any_number_of_workers(tmp_path, texts):
    paths = [write(tmp_path / name, texts) for name in ("a.jsonl", "b.jsonl.zst", "c.parquet")]
    found = []
    for workers in (1, 2, 4):
        out = tmp_path / str(workers)
        encode(paths, out, workers=workers, unit_bytes=2000, memory=workers * (16 << (20 + workers % 2)))
        found.append(tree(out))
    assert found[0] == found[1] == found[2]


def test_one_worker_encodes_while_the_disk_takes_the_unit_before(tmp_path, monkeypatch):
    from wordsplit.corpus import units
    from wordsplit.corpus.formats import output

    path = write(tmp_path / "a.jsonl", ["hello world"] * 1000)
    second_begun, begun, at_once, waited = threading.Event(), itertools.count(1), [], []
    batches_of, close = units.batches_of, output.Output.close

    def counted(*args):
        if next(begun) == 2:
            second_begun.set()
        at_once.append(1)
        yield from batches_of(*args)
        at_once.append(-1)

    def slow(self):
        waited.append(second_begun.wait(20))
        close(self)

    monkeypatch.setattr(units, "batches_of", counted)
    monkeypatch.setattr(output.Output, "close", slow)
    encode(path, tmp_path / "out", unit_bytes=9000, workers=1)
    assert all(waited)
    assert max(itertools.accumulate(at_once)) == 1


def test_shuffling_keeps_the_documents_and_depends_on_the_seed(tmp_path, tok, texts):
    path = write(tmp_path / "a.jsonl", texts)
    encode(path, tmp_path / "plain", unit_bytes=3000, id_field="id")
    orders = []
    for seed, name in ((1, "a"), (1, "b"), (2, "c")):
        out = tmp_path / name
        encode(path, out, unit_bytes=3000, id_field="id", shuffle=seed, workers=1 + (name == "b"))
        documents, keys = read(out)
        plain, plain_keys = read(tmp_path / "plain")
        by_key = dict(zip(plain_keys, plain, strict=True))
        assert sorted(keys) == sorted(plain_keys)
        assert keys != plain_keys
        assert documents == [by_key[key] for key in keys]
        orders.append(keys)
    assert orders[0] == orders[1] != orders[2]


def test_a_nested_field_of_parquet(tmp_path, tok):
    import pyarrow as pa
    from pyarrow import parquet

    rows = [{"body": {"text": "hello", "n": 1}}, {"body": None}, {"body": {"text": "world", "n": 2}}]
    parquet.write_table(pa.table({"body": [row["body"] for row in rows]}), tmp_path / "a.parquet")
    encode(tmp_path / "a.parquet", tmp_path / "out", text_field="body.text")
    assert read(tmp_path / "out")[0] == [tok.encode("hello"), tok.encode("world")]
    with pytest.raises(CorpusError, match=r"no column 'body\.txt'"):
        encode(tmp_path / "a.parquet", tmp_path / "none", text_field="body.txt")


def test_urls_of_folders_and_of_names_with_brackets(tmp_path, tok):
    pytest.importorskip("fsspec")
    for name in ("_in/a[1].txt", "_in/b.txt", "_in/below/c.txt", "_in/_SUCCESS", "_in/.b.txt.crc", "_in/_tmp/d.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name[-5])
    url = (tmp_path / "_in").as_uri()
    encode(url, tmp_path / "folder")
    assert read(tmp_path / "folder")[0] == tok.encode_batch(["]", "b", "c"])
    encode(f"{url}/a[1].txt", tmp_path / "file")
    assert read(tmp_path / "file")[0] == [tok.encode("]")]


def test_urls_are_read_by_fsspec(tmp_path, tok, texts):
    fsspec = pytest.importorskip("fsspec")
    filesystem = fsspec.filesystem("memory")
    try:
        for name in ("a.jsonl", "b.jsonl.gz", "c.parquet"):
            # One worker: fsspec's memory filesystem gives every reader of a file the same position.
            filesystem.pipe(f"/corpus/{name}", write(tmp_path / name, texts).read_bytes())
        encode("memory://corpus/*", tmp_path / "out", unit_bytes=3000, workers=1)
        wanted = tok.encode_batch([text for text in texts if text], special="text")
        assert read(tmp_path / "out")[0] == wanted * 3
        filesystem.pipe("/corpus/a.jsonl", b'{"text": "other"}\n')
        with pytest.raises(CorpusError, match="another plan .*inputs changed: memory://"):
            encode("memory://corpus/*", tmp_path / "out", unit_bytes=3000, workers=1)
    finally:
        filesystem.rm("/corpus", recursive=True)


@pytest.mark.full
def test_memory_is_flat(tmp_path):
    """The peak memory of a process that encodes six times the text."""
    rng = random.Random(5)
    line = json.dumps({"text": " ".join(rng.choices(WORDS, k=400))}).encode() + b"\n"
    code = "import sys; from wordsplit import corpus; r = corpus.encode(sys.argv[1], sys.argv[2], progress=False); "
    code += "print(r.run['peak_memory'])"
    peaks = []
    # The shorter text, too, is long enough to fill every buffer.
    for count in (by_depth(30_000, 30_000, 100_000), by_depth(180_000, 180_000, 2_000_000)):
        path = tmp_path / f"{count}.jsonl"
        with path.open("wb") as file:
            for _ in range(count // 100):
                file.write(line * 100)
        out = subprocess.run(
            [sys.executable, "-c", code, path, tmp_path / f"o{count}"], capture_output=True, check=True
        )
        peaks.append(int(out.stdout))
        path.unlink()
    assert peaks[1] < peaks[0] * 1.2 + (8 << 20), peaks


def test_progress_is_reported(tmp_path, texts):
    path = write(tmp_path / "a.jsonl", texts)
    states = []
    encode(path, tmp_path / "out", progress=states.append, unit_bytes=2000)
    assert states[-1].units_done == states[-1].units > 1
    assert states[-1].done == states[-1].total == path.stat().st_size
    assert all(a.done <= b.done for a, b in zip(states, states[1:], strict=False))


def test_the_report_is_saved_as_json_and_as_a_page(tmp_path, texts):
    path = write(tmp_path / "a.jsonl", texts)
    report = encode(path, tmp_path / "out")
    assert json.loads((tmp_path / "out/report.json").read_bytes()) == report.to_dict()
    page = (tmp_path / "out/report.html").read_text()
    assert "<svg" in page
    assert f"{report.tokens:,}" in page
    assert "http" not in page.replace("http://www.w3.org", "")
    assert str(report).startswith("documents")


def test_an_output_folder_with_other_files_is_left_alone(tmp_path, texts):
    path = write(tmp_path / "a.jsonl", texts)
    other = tmp_path / "out"
    other.mkdir()
    (other / "thesis.txt").write_text("mine")
    for fresh in (False, True):
        with pytest.raises(CorpusError, match=r"the folder is not empty \(thesis.txt\)"):
            encode(path, other, fresh=fresh)
    assert [p.name for p in pathlib.Path(other).iterdir()] == ["thesis.txt"]


def test_without_the_native_module(monkeypatch, tmp_path):
    (tmp_path / "a.txt").write_text("hello")
    tok = wordsplit.load_tokenizer("qwen3", engine="python")
    monkeypatch.setitem(sys.modules, "wordsplit._native", None)
    monkeypatch.delattr(wordsplit, "_native")
    calls = (
        lambda: corpus.encode(tmp_path / "a.txt", tmp_path / "out", tokenizer=tok),
        lambda: BpeTrainer(260).update(["a"]),
    )
    for call in calls:
        with pytest.raises(
            wordsplit.WordsplitError, match=r"native module cannot be imported.*C\+\+ compiler"
        ) as caught:
            call()
        assert "engine='python'" not in str(caught.value)  # which would not help
    assert not (tmp_path / "out").exists()


def test_registries_are_attributes():
    code = "from wordsplit import corpus; print(corpus.exports.names(), corpus.formats.names(), corpus.engines.names())"
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "llm.c" in out
    assert "megatron" in out
    assert "spark" in out
