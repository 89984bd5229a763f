"""Files of texts: plain text, JSON Lines and Parquet, compressed or not, read in bounded memory.

The name of a file decides how it is read:

| name | kind | what it holds |
|---|---|---|
| `.jsonl`, `.ndjson` | ``"jsonl"`` | one text per line: a JSON string, or an object with the text in a column |
| `.parquet` | ``"parquet"`` | one text per row, in a column; needs `pyarrow` |
| `.txt` and all others | ``"text"`` | one text |

``kind=`` overrides the name. All kinds except Parquet may have a further `.gz` or `.zst`; `.zst` needs Python 3.14
or `zstandard`. Both packages come with ``pip install 'wordsplit[corpus]'``.

Text is UTF-8. A file of UTF-16 or UTF-32, compressed data under another name, or other binary data is refused with a
`CorpusError` that says so.

Example:
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "texts.jsonl"
    >>> _ = path.write_text('{"id": 1, "text": "hello"}\\n"world"\\n', encoding="utf-8")
    >>> file = CorpusFile(path)
    >>> file.kind, list(file.texts()), file.position == file.size
    ('jsonl', ['hello', 'world'], True)
"""

from wordsplit.corpus.files import CorpusFile, files_of
from wordsplit.corpus.from_ids import from_ids
from wordsplit.corpus.held_out import held_out
from wordsplit.corpus.standard_input import StandardInput
from wordsplit.corpus.token_corpus import TokenCorpus, open  # noqa: A004 - wordsplit.corpus.open

__all__ = ["CorpusFile", "StandardInput", "TokenCorpus", "files_of", "from_ids", "held_out", "open"]
