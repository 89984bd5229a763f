"""Imports never run in a circle. (`make lint` checks the layers; it does not see circles within one.)"""

from import_graph import FILES, circles, imports_of


def test_there_are_no_circles():
    assert circles() == []


def test_the_graph_sees_deferred_imports():
    assert "wordsplit._native" not in FILES
    assert "wordsplit.merges" in imports_of("wordsplit.vocabs.formats.tiktoken")  # within a function
    assert "wordsplit.vocab" in imports_of("wordsplit.engine.base")  # for type checkers


def test_a_circle_is_found(monkeypatch):
    monkeypatch.setitem(FILES, "wordsplit.errors", FILES["wordsplit.vocab"])
    assert any("wordsplit.errors" in circle for circle in circles())
