"""Find the vocab files in a folder, a snapshot or a repository."""

from __future__ import annotations

from collections.abc import Collection

__all__ = ["companions", "main_files"]

_SIDE = ("tokenizer_config.json", "chat_template.jinja")
_WITHOUT_PATTERN = "tiktoken.model"  # a list of ranks, which cannot be loaded without a pattern
_PAIR = ("vocab.json", "merges.txt", "wordsplit_rules.json")


def main_files(names: Collection[str]) -> list[str]:
    """Return a list of the vocab file; of all candidates if it is ambiguous; or an empty list."""
    for name in ("tokenizer.json", "vocab.json"):
        if name in names:
            return [name]
    found = sorted(name for name in names if "/" not in name and name.endswith((".gguf", ".tiktoken", ".model")))
    found = [name for name in found if name != _WITHOUT_PATTERN]
    return found or [name for name in ("vocab.txt", "tekken.json") if name in names]


def companions(main: str, names: Collection[str]) -> list[str]:
    """Return the files that are read together with a vocab file."""
    folder, _, name = main.rpartition("/")
    if not name.endswith((".json", ".txt")):
        return []
    wanted = [*_SIDE, *(_PAIR if name in _PAIR else ())]
    paths = (f"{folder}/{other}" if folder else other for other in wanted if other != name)
    return [path for path in paths if path in names]
