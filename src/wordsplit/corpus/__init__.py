"""Files of texts: plain text, JSON lines and Parquet, compressed or not, read in bounded memory.

What a file is its name says:

| name | kind | what it holds |
|---|---|---|
| `.jsonl`, `.ndjson` | ``"jsonl"`` | a text a line: a JSON string, or an object with the text in a column |
| `.parquet` | ``"parquet"`` | a text a row, in a column; needs `pyarrow` |
| `.txt` and all others | ``"text"`` | one text |

``kind=`` says it where the name does not. All but Parquet may have `.gz` or `.zst` after that; `.zst` needs Python 3.14
or `zstandard`. The two packages come with ``pip install 'wordsplit[corpus]'``.

Text is UTF-8; a file that holds UTF-16 or UTF-32, compressed data under another name, or other binary data is refused
with a `CorpusError` that says so.

Example:
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "texts.jsonl"
    >>> _ = path.write_text('{"id": 1, "text": "hello"}\\n"world"\\n', encoding="utf-8")
    >>> file = CorpusFile(path)
    >>> file.kind, list(file.texts()), file.position == file.size
    ('jsonl', ['hello', 'world'], True)
"""

from wordsplit.corpus.files import CorpusFile, files_of
from wordsplit.corpus.held_out import held_out
from wordsplit.corpus.standard_input import StandardInput

__all__ = ["CorpusFile", "StandardInput", "files_of", "held_out"]
