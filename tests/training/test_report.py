"""The report and the plot of a training run."""

import json
import sys

import pytest

from wordsplit import OptionsError
from wordsplit.training import BpeTrainer, Merge
from wordsplit.training.plot import plot_merges
from wordsplit.training.report import Report, report_of

MERGES = [Merge(b"a", b"b", 100), Merge("\u4f60".encode()[:2], "\u4f60".encode()[2:], 7), Merge(b" ", b"ab", 5)]


def report(merges=MERGES, held_out=None):
    sizes = {"n_texts": 2, "n_bytes": 1000, "n_spans": 300, "n_distinct": 40, "n_special": 1, "n_base": 256}
    return Report(**sizes, n_vocab=257 + len(merges), merges=merges, held_out=held_out)


def test_for_people():
    assert str(report()).splitlines() == [
        "counted        1,000 bytes in 2 texts: 300 spans, 40 different",
        "tokens         260: 256 bytes, 3 merges, 1 special",
        "first merge    ab, 100 times",
        "last merge     ␣ab, 5 times",
        "longest token  你, 3 bytes",
        "most frequent  ab 100              你 7                ␣ab 5",
    ]


def test_for_programs():
    found = json.loads(json.dumps(report().to_dict()))
    assert found["most_frequent"] == [
        {"token": "ab", "frequency": 100},
        {"token": "你", "frequency": 7},
        {"token": "␣ab", "frequency": 5},
    ]
    assert (found["n_merges"], found["lowest_frequency"], found["longest"], found["held_out"]) == (3, 5, "你", None)


def test_without_merges():
    empty = report(merges=[])
    assert str(empty).splitlines()[-1] == "tokens         257: 256 bytes, 0 merges, 1 special"
    assert empty.to_dict()["lowest_frequency"] is None


def test_held_out_lines():
    trainer = BpeTrainer(258, special_tokens=["<s>"]).update(["aaaa aaaa"])
    vocab = trainer.train(progress=False)
    found = report_of(trainer, vocab, ["aaaa", b"\xff", "<s>", ""])
    assert vars(found.held_out) == {"n_lines": 4, "n_bytes": 10, "n_tokens": 6}  # aa aa, U+FFFD, <s>
    assert found.held_out.bytes_per_token == 10 / 6
    assert "held out       1.667 bytes per token (10 bytes, 4 lines)" in str(found)
    nothing = report_of(trainer, vocab, [])
    assert nothing.to_dict()["held_out"] == {"n_lines": 0, "n_bytes": 0, "n_tokens": 0, "bytes_per_token": None}
    assert "held out" not in str(nothing)


@pytest.mark.full
def test_the_plot_is_the_same_each_time(tmp_path):
    merges = [Merge(b"a", b"$x_{", 10**6 // i + 1) for i in range(1, 5000)]
    for suffix in ("svg", "png", "pdf"):
        for name in ("a", "b"):
            plot_merges(merges, tmp_path / f"{name}.{suffix}", "title")
        assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    for shown in ("title", "a$x_{  1,000,001", "a$x_{  1,001", "frequency"):
        assert shown in text


@pytest.mark.parametrize("n", [1, 2, 9, 10, 11])
def test_plots_of_few_merges(tmp_path, n):
    plot_merges([Merge(b"\xff", "你 và и".encode(), 3)] * n, tmp_path / "a.svg")
    assert "FF E4 BD A0" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_what_cannot_be_plotted(tmp_path, monkeypatch):
    with pytest.raises(OptionsError, match="no merges"):
        plot_merges([], tmp_path / "a.svg")
    with pytest.raises(OptionsError, match=r"a\.gif: .*\.svg"):
        plot_merges(MERGES, tmp_path / "a.gif")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(OptionsError, match=r"pip install 'wordsplit\[plot\]'"):
        plot_merges(MERGES, tmp_path / "a.svg")
