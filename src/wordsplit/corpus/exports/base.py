"""The contract of an export: it writes a corpus in another layout."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, NamedTuple

from wordsplit.arguments import whole_number
from wordsplit.corpus.output_folder import writing_to
from wordsplit.corpus.place import placed
from wordsplit.corpus.token_corpus import TokenCorpus
from wordsplit.errors import OptionsError

__all__ = ["Exporter", "Options", "Tick", "ticking", "unsigned"]

Tick = Callable[[int], None]
"""Called with the number of ids that were just written."""


class Options(NamedTuple):
    """The options of exports; each has some of them.

    Attributes:
        shard_tokens: The approximate number of ids per file; ``None`` for the usual number of the layout.
        length: The number of ids of a sample, in layouts with samples.
    """

    shard_tokens: int | None = None
    length: int | None = None


class Exporter(ABC):
    """An export. An object of a subclass has no state.

    Attributes:
        name: The name in the registry.
        options: The names of the options that it has.
    """

    name: ClassVar[str]
    options: ClassVar[tuple[str, ...]] = ()

    def export(
        self,
        corpus: TokenCorpus,
        out: Path,
        options: Options = Options(),  # noqa: B008 - immutable
        progress: Callable[[int, int], object] | None = None,
    ) -> list[Path]:
        """Write a corpus; see `wordsplit.corpus.export`."""
        self.check(options)
        plain = Options(*(value if value is None else int(value) for value in options))  # JSON has no NumPy numbers
        with writing_to(out), placed(out) as folder:
            self.write(corpus, folder, plain, ticking(corpus, progress))
        return sorted(path for path in out.rglob("*") if path.is_file())

    def check(self, options: Options) -> None:
        """Check options.

        Raises:
            OptionsError: One is not among `options`, not a whole number, or less than 1.
        """
        for name, value in options._asdict().items():
            if value is None:
                continue
            if name not in self.options:
                has = f"it has {', '.join(self.options)}" if self.options else "it has none"
                raise OptionsError(f"{name}={value}: the export {self.name!r} does not have this option; {has}")
            whole_number(name, value, 1)

    @abstractmethod
    def write(self, corpus: TokenCorpus, folder: Path, options: Options, tick: Tick) -> None:
        """Write a corpus.

        Args:
            corpus: The corpus.
            folder: An empty folder, which is renamed when this method returns.
            options: The options, checked.
            tick: To be called with the number of ids of each piece that was written.
        """


def unsigned(corpus: TokenCorpus) -> str:
    """Return the unsigned type that holds the ids of a corpus, ``"uint16"`` or ``"uint32"``."""
    return "uint16" if corpus.layout.dtype == "uint16" else "uint32"


def ticking(corpus: TokenCorpus, progress: Callable[[int, int], object] | None) -> Tick:
    """Return a function that adds up numbers of ids and reports the sum."""
    done = 0

    def tick(ids: int) -> None:
        nonlocal done
        done += ids
        if progress is not None:
            progress(done, corpus.tokens)

    return tick
