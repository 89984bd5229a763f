"""The export ``lance``: a Lance dataset with the columns ``input_ids``, lists of ids, and with keys ``id``, strings.

The package `pylance` writes it, with times and random names, so its bytes differ between runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from wordsplit.corpus.exports.base import Exporter, Options, Tick, unsigned
from wordsplit.corpus.exports.batches import batches
from wordsplit.corpus.formats.arrow import id_lists, schema_of, strings
from wordsplit.corpus.token_corpus import TokenCorpus
from wordsplit.errors import CorpusError, OptionsError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Lance", "plugin"]

_MOST = (1 << 31) - 1


class Lance(Exporter):
    """A Lance dataset."""

    name: ClassVar[str] = "lance"

    def write(self, corpus: TokenCorpus, folder: Path, options: Options, tick: Tick) -> None:  # noqa: ARG002 - it has none
        """Write a corpus."""
        try:
            import lance  # noqa: PLC0415 - not a dependency, and slow to import
            import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import
        except ImportError as error:
            raise OptionsError(
                f"the export 'lance' needs the package pylance: pip install pylance ({error})"
            ) from error
        schema = schema_of(unsigned(corpus), has_keys=corpus.has_keys)
        reader = pa.RecordBatchReader.from_batches(schema, _records(corpus, schema, tick))
        lance.write_dataset(reader, str(folder), schema)


def _records(corpus: TokenCorpus, schema: pa.Schema, tick: Tick) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa  # noqa: PLC0415 - as above

    for shard in corpus.shards():
        for batch in batches(shard):
            if len(batch.ids) > _MOST:
                raise CorpusError(
                    f"a document of {len(batch.ids):,} ids; a list has at most {_MOST:,}", file=corpus.path
                )
            columns = [id_lists(batch.ids, batch.ends, unsigned(corpus))]
            if batch.keys is not None:
                columns.append(strings(batch.keys))
            yield pa.RecordBatch.from_arrays(columns, schema=schema)
            tick(len(batch.ids))


plugin: Exporter = Lance()
