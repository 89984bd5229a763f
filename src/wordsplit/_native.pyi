"""wordsplit's native kernels. Internal: use the `wordsplit` package."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any


def class_of(cp: int) -> int:
    """
    The class byte of a code point: category | 32 space | 64 Han | 128 word.
    """

def nfc(text: bytes) -> bytes:
    """The NFC of UTF-8 text, as `tokenizers` has it."""

def scheme_names() -> list[str]:
    """The schemes that have a scanner."""

def find_scheme(steps: Sequence[str], tiktoken: bool) -> str | None:
    """
    The scheme of exactly these patterns, as `tiktoken` or `tokenizers` reads them; or None.
    """

def span_ends(scheme: str, text: bytes) -> list[int]:
    """The end offsets of the spans of UTF-8 text."""

def unpack_bundled(data: bytes) -> tuple[bytes, bytes, bytes]:
    """Blob, ends and flat merges of a bundled vocab, as 32-bit words."""

class VocabTables:
    """A vocab's look-up tables, immutable."""

    def __init__(self, blob: object, ends: object, ids: object, merges: object, literal_ids: object, all_live: bool = False) -> None: ...

    def made_by(self, id: int) -> tuple[int, int, int]:
        """Left, right and rank (plus one) of the live merge of a token."""

    @property
    def proper(self) -> bool:
        """Whether backtracking may use it."""

    @property
    def improper(self) -> int:
        """A token that stands against it."""

def layout_build() -> int:
    """A number of the headers that lay compiled files out."""

def checksum(data: bytes) -> int:
    """A quick 64-bit checksum."""

def write_compiled(description: bytes, merges: object, added: tuple[object, object, object, object, object], tables: VocabTables) -> bytes:
    """The content of a compiled file."""

class Compiled:
    """A compiled file, checked; it keeps the buffer."""

    def __init__(self, file: object) -> None: ...

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """
        The (offset, size) of its description and merges, of the tokens' blob, ends and ids, and of the added tokens' blob, ends, ids, flags and order.
        """

    def take_tables(self) -> VocabTables:
        """The tables; once."""

class Engine:
    """Text to ids and back, for one vocab and one set of options."""

    def __init__(self, tables: VocabTables, scheme: str | None, *, encoder: str, long_encoder: str, long_span: int, nfc: bool, ignore_merges: bool, add_prefix_space: bool, cache_bytes: int, added: tuple[object, object, object, object, object], literals: Mapping[int, bytes], prefix: Sequence[int], suffix: Sequence[int], simd: str = 'best') -> None: ...

    def encode(self, text: object, as_text: bytes | None) -> object: ...

    def encode_to_numpy(self, text: object, as_text: bytes | None) -> object: ...

    def count(self, text: object, as_text: bytes | None) -> object: ...

    def encode_batch(self, texts: list[Any], as_text: bytes | None, threads: int) -> object: ...

    def count_batch(self, texts: list[Any], as_text: bytes | None, threads: int) -> object: ...

    def encode_batch_to_numpy(self, texts: list[Any], as_text: bytes | None, threads: int) -> object: ...

    def encode_with_offsets(self, text: object, as_text: bytes | None) -> object: ...

    def encode_spans(self, text: bytes, ends: Sequence[int]) -> object: ...

    def pieces(self, text: object, as_text: bytes | None) -> object: ...

    def decode(self, ids: object, errors: str, skip_special: bool) -> str | None: ...

    def decode_bytes(self, ids: object, skip_special: bool) -> bytes | None: ...

    def cache_info(self) -> tuple[int, int]: ...

    def cache_clear(self) -> None: ...

class SpanCounter:
    """How often each span of the training texts occurs."""

    def __init__(self, threads: int) -> None: ...

    def count_texts(self, scheme: str, nfc: bool, texts: list[Any]) -> tuple[int, int]:
        """Count the spans of texts by a scanner; returns their number and bytes."""

    def add_spans(self, text: bytes, ends: Sequence[int]) -> None:
        """Count the spans of a text whose ends are known."""

    def add(self, span: bytes, times: int) -> None:
        """Count one span so many times more."""

    def write_run(self, write: Callable[[bytes], None]) -> None:
        """Hand the counts to a function, in chunks of bytes."""

    def clear(self) -> None: ...

    def __len__(self) -> int: ...

    @property
    def memory(self) -> int:
        """Bytes in use."""

    @property
    def n_bytes(self) -> int:
        """Bytes of the distinct spans that may be merged, and one more for each."""

def merge_runs(runs: list[Any], write: Callable[[bytes], None]) -> None:
    """Hand several runs to a function as one."""

def count_distinct(runs: list[Any]) -> int:
    """The number of distinct spans in runs."""

class Merger:
    """The merges of byte-pair encoding, made from counted spans."""

    def __init__(self, tokens: Sequence[bytes], taken: Sequence[bytes], min_frequency: int, max_token_bytes: int, lexicographic: bool, by_span: bool, threads: int, tables: VocabTables | None = None, ignore_merges: bool = False, ids: Sequence[int] = []) -> None: ...

    def take_counts(self, counter: SpanCounter) -> None:
        """Take the spans of a counter."""

    def take_runs(self, runs: list[Any], most_bytes: int) -> tuple[int, int]:
        """
        Take the spans of runs, as many as fit; returns how many do not, and their count.
        """

    def run(self, most: int, seconds: float) -> bool:
        """Make merges for a while; False when none is left."""

    def __len__(self) -> int:
        """How many merges have been made."""

    def last(self) -> tuple[bytes, int]:
        """What the last merge makes, and its frequency."""

    def merges(self) -> list[tuple[int, int, int]]:
        """(left, right, frequency) of the merges; symbols count from 0."""

def read_ids(text: bytes) -> tuple:
    """
    The ids in a text, and the offset of the first word that is not one (or the text's size).
    """

def write_ids(ids: list[Any], separator: bytes) -> bytes:
    """Ids in decimal, with a separator between them."""

def write_json_strings(utf8: bytes, ends: object, separator: bytes) -> object:
    """
    Spans of valid UTF-8 as JSON strings; None if one ends within a character.
    """
