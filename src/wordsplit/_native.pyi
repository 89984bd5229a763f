"""wordsplit's native kernels. Internal: use the `wordsplit` package."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any


def class_of(cp: int) -> int:
    """
    The class byte of a code point: category | 32 space | 64 Han | 128 word.
    """

def nfc(text: bytes) -> bytes:
    """The NFC of UTF-8 text, as `tokenizers` computes it."""

def nfkc(text: bytes) -> bytes:
    """The NFKC of UTF-8 text, as `tokenizers` computes it."""

def encoder_names() -> list[str]:
    """The names of the native encoders."""

def encoder_obstacle(encoder: str, tables: VocabTables) -> str | None:
    """
    Why an encoder cannot be used with a vocab, as the end of a sentence; or None.
    """

def scheme_names() -> list[str]:
    """The names of the schemes that have a scanner."""

def find_scheme(steps: Sequence[str], tiktoken: bool) -> str | None:
    """
    The scheme of exactly these patterns, one for each step, in the dialect of tiktoken or of tokenizers; or None.
    """

class SplitStep:
    """A step of pre-tokenization, as an automaton."""

    def __init__(self, first: bytes, label: bytes, classes: int, starts: bytes, next: bytes, behavior: str, invert: bool, on_bytes: bool, simd: str, characters: int = 0, back: bytes = ..., symbol: bytes = ...) -> None:
        """
        The tables of a Python SpanAutomaton; for a LookaheadAutomaton, those of its spans, the ranges and number of its character classes, and its own tables. on_bytes: each byte is a character, with the byte's value as its code point.
        """

class SpanFinder:
    """What finds the spans of text."""

    @staticmethod
    def of_scheme(scheme: str, simd: str) -> SpanFinder:
        """The scanner of a scheme, for one of simd_levels() or the best."""

    @staticmethod
    def of_steps(steps: Sequence[SplitStep]) -> SpanFinder: ...

    def kinds(self, codes: Sequence[int]) -> list[int]:
        """
        A number for each code point: the same for those that no step of compiled patterns distinguishes.
        """

    def can_cut(self, a: int, b: int) -> bool:
        """
        Whether the spans of a text that is cut between two such code points are those of both parts, as far as is known.
        """

    def ends(self, text: bytes) -> list[int]:
        """The end offsets of the spans of UTF-8 text."""

def unpack_bundled(data: bytes) -> tuple[bytes, bytes, bytes]:
    """Blob, ends and flat merges of a bundled vocab, as 32-bit words."""

def pack_ranks(ranks: dict[bytes, int], most: int) -> tuple[bytes, bytes, bytes] | None:
    """
    Blob, ends and ids of a dict of bytes to ids, in order of ids, as 32-bit words; None for other types, and if an id is above the maximum or listed twice.
    """

def derive_merges(blob: object, ends: object, ids: object, unreachable_ids: object) -> bytes:
    """The flat merges of mergeable ranks, as 32-bit words."""

def merges_of_scores(blob: object, ends: object, ids: object, scores: object) -> tuple[bytes, bytes, bool]:
    """
    The flat merges of pieces with scores and the ranks of these merges, as 32-bit words, and whether the ranks are needed.
    """

def read_ranks(data: bytes, most: int) -> tuple[bytes, bytes, bytes] | None:
    """
    Blob, ends and ids of a .tiktoken file, as 32-bit words; None unless sound and sorted.
    """

class ModelRules:
    """What determines the ids of a span besides tokens and merges."""

    def __init__(self, kind: str = 'bytes', unk_id: int | None = None, fallback: Sequence[int] = []) -> None: ...

    def set_missing(self) -> None:
        """
        Let bytes without a token give the unknown token, or nothing if there is none.
        """

    @property
    def first_virtual(self) -> int: ...

    @first_virtual.setter
    def first_virtual(self, arg: int, /) -> None: ...

    @property
    def made_characters(self) -> int: ...

    @made_characters.setter
    def made_characters(self, arg: int, /) -> None: ...

    @property
    def fuse_unk(self) -> int: ...

    @fuse_unk.setter
    def fuse_unk(self, arg: int, /) -> None: ...

    @property
    def single_precision(self) -> int: ...

    @single_precision.setter
    def single_precision(self, arg: int, /) -> None: ...

    @property
    def unknown_score(self) -> float: ...

    @unknown_score.setter
    def unknown_score(self, arg: float, /) -> None: ...

    @property
    def most_characters(self) -> int: ...

    @most_characters.setter
    def most_characters(self, arg: int, /) -> None: ...

    def set_prefix(self, prefix: bytes) -> None: ...

class VocabTables:
    """A vocab's look-up tables, immutable."""

    def __init__(self, blob: object, ends: object, ids: object, merges: object, unreachable_ids: object, all_live: bool = False, model: ModelRules = ..., scores: object | None = None) -> None: ...

    def made_by(self, id: int) -> tuple[int, int, int]:
        """Left, right and rank (plus one) of the live merge of a token."""

    def has(self, token: bytes) -> bool:
        """Whether a token that text can produce has these bytes."""

    @property
    def supports_backtracking(self) -> bool:
        """
        Whether the parts of every token rank before it, as backtracking needs.
        """

    @property
    def out_of_order_token(self) -> int:
        """A token whose parts do not."""

def layout_build() -> int:
    """
    A digest of the native sources, which determine the content of compiled files.
    """

def checksum(data: bytes) -> int:
    """A fast 64-bit checksum."""

def write_compiled(description: bytes, merges: object, added: tuple[object, object, object, object, object], tables: VocabTables, portable: bool = False) -> bytes:
    """The content of a compiled file."""

class Compiled:
    """A checked compiled file, which keeps its buffer alive."""

    def __init__(self, file: object, portable: bool = False) -> None: ...

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """
        The (offset, size) of its description and merges, of the tokens' blob, ends and ids, and of the added tokens' blob, ends, ids, flags and order.
        """

    @property
    def tables(self) -> VocabTables:
        """The tables, which keep this object alive."""

class TextColumn:
    """Texts in memory that is owned elsewhere."""

    @staticmethod
    def from_arrow(data: object, field: str | None = None) -> TextColumn:
        """The texts of an object with Arrow data, or of a field of its structs."""

    def __len__(self) -> int: ...

    def __getitem__(self, row: int) -> bytes | None:
        """The text of a row, or None."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    @property
    def nulls(self) -> int:
        """The number of rows that are null."""

    @property
    def bytes(self) -> int:
        """The size of all texts."""

    def invalid_utf8(self, most: int) -> list[int]:
        """The first rows that are not UTF-8, up to a maximum number."""

    def remove(self, rows: Sequence[int]) -> None:
        """Remove rows, which ascend."""

    def remove_empty(self) -> list[int]:
        """Remove the rows that are null or empty, and return where they were."""

    def fill_nulls(self) -> None:
        """Make null rows empty."""

class BufferView:
    """Read-only memory."""

class TokenLists:
    """The ids of many texts. Memory that nothing shares is reused."""

    def __init__(self, *, large: bool = False, signed: bool = False) -> None: ...

    def __len__(self) -> int: ...

    @property
    def rows(self) -> int:
        """The number of lists."""

    @property
    def nulls(self) -> int:
        """The number of lists that are null."""

    @property
    def tokens(self) -> int:
        """The number of ids."""

    @property
    def ids(self) -> memoryview:
        """All ids, of 32 bits."""

    @property
    def offsets(self) -> memoryview:
        """Where each list begins in the ids, and the end: rows + 1 of 64 bits."""

    @property
    def validity(self) -> memoryview:
        """One bit per row, 1 if it is not null; empty if no row is null."""

    def is_null(self, row: int) -> bool:
        """Whether a row is null."""

    def set_buffers(self, ids: bytes, offsets: bytes, validity: bytes) -> None:
        """Take the content of `ids`, `offsets` and `validity`."""

    def fit(self) -> None:
        """Free unused memory, if nothing shares it."""

    def fill(self, rows: list[Any]) -> None:
        """Take rows from lists of ids, and None for null."""

    def __arrow_c_schema__(self) -> object: ...

    def __arrow_c_array__(self, requested_schema: object | None = None) -> object: ...

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def split_documents(buffer: object, start: int, stop: int, separator: bytes, keep_empty: bool) -> tuple[TextColumn, int]:
    """
    The texts between separators in a part of a buffer, and their number with empty ones.
    """

def document_in_parts(buffer: object, places: Sequence[tuple[int, int]], keep_empty: bool) -> tuple[TextColumn, int]:
    """The text between these positions of a buffer as a column, and 1."""

class JsonLines:
    """The texts of JSON Lines, one buffer after another."""

    def __init__(self, text_field: str, key_field: str, keep_empty: bool, keep_null: bool) -> None: ...

    def read(self, buffer: object, start: int, stop: int) -> tuple[TextColumn, int]:
        """
        The texts of whole lines in a part of a buffer, and the number of lines.
        """

    def keys(self) -> tuple[bytes, bytes]: ...

    def problems(self) -> list[tuple[int, int, int]]: ...

    @property
    def line_ends(self) -> int: ...

class StepDecoder:
    """
    Decodes ids with the results of decoding steps for each token, which the caller provides.
    """

    def __init__(self, ids: int) -> None: ...

    def then_replace(self, old: str, with_: str) -> None:
        """Change the whole text, before the first call."""

    def then_strip(self, character: str, left: int, right: int) -> None:
        """Strip the whole text, before the first call."""

    def put_text(self, first: bool, id: int, special: bool, text: bytes) -> None: ...

    def put_byte(self, first: bool, id: int, special: bool, byte: int) -> None: ...

class Normalizer:
    """Steps that a text as a whole goes through."""

    def __init__(self) -> None: ...

    def add_step(self, step: NormalizerStep) -> None: ...

    def add_map(self, map: WordMap) -> None:
        """Map characters."""

    def add_replacement(self, pattern: SplitStep, content: str) -> bool:
        """
        Replace the matches of a pattern. False if one may be empty, which is not in the core.
        """

    def add_trim(self, left: bool, right: bool) -> None:
        """Remove white space at the ends."""

    def add_prefix(self, content: str) -> None:
        """Prepend to a text that is not empty."""

    def add_spelling(self, letters: Sequence[str]) -> None:
        """Spell each byte."""

class Rewriting:
    """Steps that find spans, in a text of their own."""

    def __init__(self) -> None: ...

    def add_prefix_space(self) -> None: ...

    def add_split(self, step: SplitStep) -> None:
        """Split at the matches of a pattern."""

    def add_removal(self, step: SplitStep) -> None:
        """Split there, and remove the matches."""

    def add_metaspace(self, mark: str, prepend: str) -> None:
        """
        Write spaces as another character, and put one before pieces: always, first or never.
        """

    def add_scripts(self, first: Sequence[int], script: bytes) -> None:
        """
        Split where the script changes: that of each range of code points, by its first; 0 for none.
        """

    def add_spelling(self, letters: Sequence[str]) -> None:
        """Spell each byte."""

def write_text_rules(arguments: EngineArguments) -> bytes | None:
    """
    The automata that find spans, and the rules in steps, as bytes; None if there are neither.
    """

def read_text_rules(data: bytes, into: EngineArguments) -> None:
    """
    Read what write_text_rules() has written. ValueError for anything else.
    """

class TooLong(ValueError):
    pass

class MissingByte(KeyError):
    pass

def simd_levels() -> list[str]:
    """The names of the SIMD levels that this machine has, the fastest last."""

class NotInCore(Exception):
    pass

class CharacterTrie:
    """The trie of a SentencePiece map, checked."""

    def __init__(self, units: object, replacements: bytes) -> None:
        """ValueError if a look-up could leave the units, or runs in circles."""

    def keys(self, spaces: Sequence[str], most_bytes: int, marks_are_text: bool) -> MapKeys:
        """The keys, for the rules of words."""

class MapKeys:
    """The keys of a SentencePiece map, for the rules of words."""

    @property
    def characters(self) -> dict[int, bytes | None]:
        """What becomes of single characters; None for text with U+2581."""

    @property
    def most(self) -> int:
        """The number of characters of the longest key."""

    @property
    def firsts(self) -> set[int]:
        """The first characters of keys of several."""

    @property
    def others(self) -> set[int]:
        """Their other characters."""

    @property
    def ends_within(self) -> bool:
        """Whether keys end within a character."""

    @property
    def has_mark(self) -> bool:
        """Whether a cluster becomes text with U+2581."""

class WordRules:
    """How raw text becomes words, character by character."""

    def __init__(self, pages: bytes, entries: bytes, blob: bytes) -> None: ...

    def set_clusters(self, map: CharacterTrie, spaces: Sequence[str]) -> None:
        """Look clusters up in a SentencePiece map."""

    def set_marks(self, marks: bytes, alone: bytes) -> None:
        """
        Set one bit a code point: what joins the one before in clusters, and what joins none.
        """

    @property
    def apart(self) -> list[tuple[int, int]]: ...

    @apart.setter
    def apart(self, arg: Sequence[tuple[int, int]], /) -> None: ...

    @property
    def has_signs(self) -> bool: ...

    @has_signs.setter
    def has_signs(self, arg: bool, /) -> None: ...

    @property
    def contractions(self) -> bool: ...

    @contractions.setter
    def contractions(self, arg: bool, /) -> None: ...

    @property
    def ended(self) -> bool: ...

    @ended.setter
    def ended(self, arg: bool, /) -> None: ...

    @property
    def spaced(self) -> bool: ...

    @spaced.setter
    def spaced(self, arg: bool, /) -> None: ...

    @property
    def drop_spaces(self) -> bool: ...

    @drop_spaces.setter
    def drop_spaces(self, arg: bool, /) -> None: ...

    @property
    def prepend_each(self) -> bool: ...

    @prepend_each.setter
    def prepend_each(self, arg: bool, /) -> None: ...

    @property
    def collapse_spaces(self) -> bool: ...

    @collapse_spaces.setter
    def collapse_spaces(self, arg: bool, /) -> None: ...

    @property
    def prepend(self) -> bool: ...

    @prepend.setter
    def prepend(self, arg: bool, /) -> None: ...

    @property
    def normalizes(self) -> bool: ...

    @normalizes.setter
    def normalizes(self, arg: bool, /) -> None: ...

    @property
    def trim_left(self) -> bool: ...

    @trim_left.setter
    def trim_left(self, arg: bool, /) -> None: ...

    @property
    def trim_right(self) -> bool: ...

    @trim_right.setter
    def trim_right(self, arg: bool, /) -> None: ...

    @property
    def strip_right(self) -> bool: ...

    @strip_right.setter
    def strip_right(self, arg: bool, /) -> None: ...

    @property
    def joined(self) -> bool: ...

    @joined.setter
    def joined(self, arg: bool, /) -> None: ...

    @property
    def summed(self) -> bool: ...

    @summed.setter
    def summed(self, arg: bool, /) -> None: ...

    @property
    def longest_keys(self) -> bool: ...

    @longest_keys.setter
    def longest_keys(self, arg: bool, /) -> None: ...

class NormalizerStep:
    """A step of a normalizer."""

    @staticmethod
    def form(name: str) -> NormalizerStep:
        """A normalization form: nfc, nfd, nfkc or nfkd."""

    @staticmethod
    def characters(becomes: Mapping[int, str]) -> NormalizerStep:
        """The replacements of the characters that change."""

    @staticmethod
    def literal(pattern: str, content: str) -> NormalizerStep:
        """Replaces a text."""

class WordMap:
    """Word rules, checked."""

    def __init__(self, rules: WordRules) -> None:
        """Move the rules here."""

    @staticmethod
    def behind_steps(steps: Sequence[NormalizerStep], behind: WordMap) -> WordMap:
        """A map with steps of a normalizer before it."""

    def to_bytes(self) -> bytes:
        """The rules as bytes, for a portable file."""

    @staticmethod
    def from_bytes(data: bytes) -> WordMap:
        """Read what to_bytes() has written. ValueError for anything else."""

class EngineArguments:
    """What an engine is built from."""

    def __init__(self) -> None: ...

    @property
    def spans(self) -> SpanFinder | None:
        """What finds the spans; None if the caller does."""

    @spans.setter
    def spans(self, arg: SpanFinder | None, /) -> None: ...

    @property
    def encoder(self) -> str:
        """The name of a native encoder."""

    @encoder.setter
    def encoder(self, arg: str, /) -> None: ...

    @property
    def long_encoder(self) -> str:
        """The encoder of long spans."""

    @long_encoder.setter
    def long_encoder(self, arg: str, /) -> None: ...

    @property
    def long_span(self) -> int:
        """Spans of more bytes are long."""

    @long_span.setter
    def long_span(self, arg: int, /) -> None: ...

    @property
    def nfc(self) -> bool:
        """Whether text is normalized to NFC."""

    @nfc.setter
    def nfc(self, arg: bool, /) -> None: ...

    @property
    def ignore_merges(self) -> bool: ...

    @ignore_merges.setter
    def ignore_merges(self, arg: bool, /) -> None: ...

    @property
    def add_prefix_space(self) -> bool: ...

    @add_prefix_space.setter
    def add_prefix_space(self, arg: bool, /) -> None: ...

    @property
    def cache_bytes(self) -> int:
        """The maximum size of the cache."""

    @cache_bytes.setter
    def cache_bytes(self, arg: int, /) -> None: ...

    @property
    def added(self) -> tuple[object, object, object, object, object] | None:
        """Blob, ends, ids, flags and order of the added tokens."""

    @added.setter
    def added(self, arg: tuple[object, object, object, object, object] | None, /) -> None: ...

    @property
    def literals(self) -> dict[int, bytes]:
        """
        Literals to match instead of the contents of added tokens, by their number.
        """

    @literals.setter
    def literals(self, arg: Mapping[int, bytes], /) -> None: ...

    @property
    def prefix(self) -> list[int]:
        """Ids before those of every text."""

    @prefix.setter
    def prefix(self, arg: Sequence[int], /) -> None: ...

    @property
    def suffix(self) -> list[int]:
        """Ids after those of every text."""

    @suffix.setter
    def suffix(self, arg: Sequence[int], /) -> None: ...

    @property
    def words(self) -> WordMap:
        """How raw text becomes words; None if it is as tokens have it."""

    @words.setter
    def words(self, arg: WordMap | None, /) -> None: ...

    @property
    def normalizer(self) -> Normalizer:
        """
        The steps that a text as a whole goes through first; None if there are none.
        """

    @normalizer.setter
    def normalizer(self, arg: Normalizer | None, /) -> None: ...

    @property
    def rewriting(self) -> Rewriting:
        """
        The steps that find the spans in a text of their own; None if others do.
        """

    @rewriting.setter
    def rewriting(self, arg: Rewriting | None, /) -> None: ...

    @property
    def cuts(self) -> bool:
        """Whether spans end where no token crosses."""

    @cuts.setter
    def cuts(self, arg: bool, /) -> None: ...

    @property
    def cuts_at_spaces(self) -> bool:
        """Whether a span ends before each space, too."""

    @cuts_at_spaces.setter
    def cuts_at_spaces(self, arg: bool, /) -> None: ...

    @property
    def space_mark(self) -> str:
        """
        The character that the vocab spells a space as; empty if it is a space.
        """

    @space_mark.setter
    def space_mark(self, arg: str, /) -> None: ...

    @property
    def prepend(self) -> str:
        """Where a space is inserted before text: never, stretch, piece or first."""

    @prepend.setter
    def prepend(self, arg: str, /) -> None: ...

    @property
    def joins_bytes(self) -> bool:
        """Whether the joined bytes of the tokens are the text."""

    @joins_bytes.setter
    def joins_bytes(self, arg: bool, /) -> None: ...

    @property
    def threads(self) -> int:
        """The most threads for one text."""

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

    @property
    def simd(self) -> str:
        """The name of one of simd_levels()."""

    @simd.setter
    def simd(self, arg: str, /) -> None: ...

class Engine:
    """Text to ids and back, for one vocab and one set of options."""

    def __init__(self, tables: VocabTables, arguments: EngineArguments) -> None: ...

    def encode(self, text: object, as_text: bytes | None) -> object: ...

    def encode_quickly(self, text: object | None, special: object | None) -> object: ...

    def count_quickly(self, text: object | None, special: object | None) -> object: ...

    def decode_quickly(self, ids: object | None, errors: str, skip_special: object | None) -> object: ...

    def use_steps(self, steps: StepDecoder) -> StepDecoder:
        """
        Decode with steps from now on: these, or those given before; returns the ones used.
        """

    def encode_to_numpy(self, text: object, as_text: bytes | None) -> object: ...

    def count(self, text: object, as_text: bytes | None) -> object: ...

    def encode_batch(self, texts: list[Any], as_text: bytes | None, threads: int) -> object: ...

    def count_batch(self, texts: list[Any], as_text: bytes | None, threads: int) -> object: ...

    def encode_batch_to_numpy(self, texts: list[Any], as_text: bytes | None, threads: int) -> object: ...

    def encode_column(self, column: TextColumn, as_text: bytes | None, threads: int, into: TokenLists) -> None:
        """Encode the rows of a column into lists, reusing their memory."""

    def encode_with_offsets(self, text: object, as_text: bytes | None) -> object: ...

    def encode_with_words(self, text: object, as_text: bytes | None) -> object: ...

    def span_ends(self, text: bytes) -> list[int]: ...

    def encode_spans(self, text: bytes, ends: Sequence[int]) -> object: ...

    def pieces(self, text: object, as_text: bytes | None) -> object: ...

    def decode(self, ids: object, errors: str, skip_special: object | None) -> str | None: ...

    def decode_bytes(self, ids: object, skip_special: object | None) -> bytes | None: ...

    def token_bytes(self, ids: object, others: dict[int, bytes]) -> list[bytes] | None: ...

    def cache_info(self) -> tuple[int, int]: ...

    def span_counts(self) -> dict[str, int]: ...

    def cache_clear(self) -> None: ...

def quick_method(function: Callable[..., Any], /) -> Any:
    """
    A method of a class, whose usual calls go to the engine in the attribute `_core`.
    """

class SpanCounter:
    """How often each span of the training texts occurs."""

    def __init__(self, threads: int) -> None: ...

    def count_texts(self, spans: SpanFinder, nfc: bool, texts: list[Any]) -> tuple[int, int]:
        """
        Count the spans of texts by a scanner; returns their number and the texts' bytes.
        """

    def add_spans(self, text: bytes, ends: Sequence[int]) -> None:
        """Count the spans of a text, given their ends."""

    def add(self, span: bytes, times: int) -> None:
        """Count one span a number of times."""

    def write_run(self, write: Callable[[bytes], None]) -> None:
        """Pass the counts to a function, in chunks of bytes."""

    def clear(self) -> None: ...

    def __len__(self) -> int: ...

    @property
    def memory(self) -> int:
        """Bytes in use."""

    @property
    def n_bytes(self) -> int:
        """The bytes of the distinct spans that may be merged, plus one for each."""

def merge_runs(runs: list[Any], write: Callable[[bytes], None]) -> None:
    """Merge runs and pass the result to a function."""

def count_distinct(runs: list[Any]) -> int:
    """The number of distinct spans in runs."""

class Merger:
    """The merges of byte-pair encoding, made from counted spans."""

    def __init__(self, tokens: Sequence[bytes], taken: Sequence[bytes], min_frequency: int, max_token_bytes: int, lexicographic: bool, by_span: bool, threads: int, tables: VocabTables | None = None, ignore_merges: bool = False, ids: Sequence[int] = []) -> None: ...

    def take_counts(self, counter: SpanCounter) -> None:
        """Take the spans of a counter."""

    def take_runs(self, runs: list[Any], most_bytes: int) -> tuple[int, int]:
        """
        Take the spans of runs, as many as fit; returns how many do not, and the highest count among them.
        """

    def run(self, most: int, seconds: float) -> bool:
        """Make merges for some time; False when none is left."""

    def __len__(self) -> int:
        """The number of merges made."""

    def last(self) -> tuple[bytes, int]:
        """The token that the last merge makes, and its frequency."""

    def merges(self) -> list[tuple[int, int, int]]:
        """(left, right, frequency) of the merges, as numbers of symbols."""

def read_ids(text: bytes) -> tuple[list[int], int]:
    """
    The ids in a text, and the offset of the first word that is not one (or the text's size).
    """

def write_ids(ids: list[Any], separator: bytes) -> bytes:
    """Ids in decimal, with a separator between them."""

def write_json_strings(utf8: bytes, ends: object, separator: bytes) -> object:
    """
    Spans of valid UTF-8 as JSON strings; None if one ends within a character.
    """

def json_tokens(blob: object, ends: object, ids: object, text_ids: object, between: str) -> str | None:
    """
    The tokens of a table and their ids as JSON, without braces, in the byte-level alphabet except for those that are text; None if one of these is not UTF-8, or if two are spelled the same.
    """

def json_merges(blob: object, ends: object, ids: object, text_ids: object, flat: object, comma: str, between: str) -> str | None:
    """
    Merges of the tokens of a table as JSON, without brackets; None as json_tokens().
    """

def json_outline(data: bytes, member: str, fields: Sequence[str]) -> tuple[bytes, dict[str, tuple[int, int]]] | None:
    """
    A JSON object in which large values of some fields of one member are replaced by null, and the positions of these values; None if the data is not an object, or if a name is escaped or occurs twice.
    """

def json_members_with(data: bytes, begin: int, end: int, values: Sequence[int]) -> dict[str, int] | None:
    """
    The members of the object at a position that have one of the given values; None if there is no object.
    """

def table_of_spellings(vocab: dict[str, int], most: int) -> tuple[bytes, bytes, bytes] | None:
    """
    Blob, ends and ids of tokens spelled in the byte-level alphabet, in order of ids, as 32-bit words; None if a token is not spelled in it, or if an id is above the maximum or occurs twice.
    """

def ids_of_pairs(pairs: object, vocab: dict[str, int] | dict[bytes, int]) -> bytes | None:
    """
    The ids of both tokens of each merge, as 32-bit words; None if a merge is invalid, or names or makes something that is not a token. A merge is "a b", ["a", "b"], the same as a tuple, or bytes that are divided at the first space after the first byte.
    """

def ids_of_json_pairs(data: bytes, begin: int, end: int, vocab: dict[str, int] | dict[bytes, int]) -> bytes | None:
    """
    The same of a list in JSON, at a position; None for what is not as usual.
    """

def spellings_of(blob: object, ends: object) -> list[str]:
    """The spelling of each token of a table in the byte-level alphabet."""

def find_token(blob: object, ends: object, ids: object, token: bytes) -> int | None:
    """The id of the last token of a table with these bytes."""

def replaced_in_tokens(blob: object, ends: object, text: bytes, by: bytes) -> tuple[bytes, bytes]:
    """The blob and the ends of a table with a text replaced."""

def is_inside_token(blob: object, ends: object, text: bytes) -> bool:
    """Whether a text is in a token of a table, not at its beginning."""

def is_sound_table(blob: object, ends: object, ids: object, most: int) -> bool:
    """
    Whether a table has tokens, in order of ids up to the maximum, whose ends ascend to that of the blob.
    """

def words_among(words: object, wanted: object) -> bytes:
    """
    Those of some 32-bit words that occur among others, in ascending order.
    """

def longest_token(ends: object) -> int:
    """
    The length of the longest token of a table, in bytes; 0 if it has none.
    """

def ids_by_bytes(blob: object, ends: object, ids: object) -> dict[bytes, int]:
    """
    The id of each token of a table by its bytes; of two with the same bytes, the last.
    """

def rounded_as_by_serde(spelled: str) -> float:
    """A number of JSON, rounded as serde_json does."""

def usual_pieces(data: bytes) -> tuple[list[str], bytes, bytes, int]:
    """
    The texts, scores (32 bits) and types of the pieces at the beginning of a SentencePiece file that are as usual, and where they end. Such a piece has less than 128 bytes: a text, a finite score, and a type unless it is 1, in this order.
    """
