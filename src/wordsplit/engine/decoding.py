"""Decoding by steps: from the texts of tokens to text.

Each step does what the decoder of the same name does in `tokenizers`. It takes and returns a list of texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from wordsplit.byte_level import from_byte_level, to_byte_level
from wordsplit.engine.aligned import AlignedText
from wordsplit.engine.normalization import content_normalizer, normalizer_of
from wordsplit.errors import UnsupportedVocabError
from wordsplit.model import ByteLevelBPE
from wordsplit.rules import Decode, Normalize, Split, finds_as_spelled

if TYPE_CHECKING:
    from wordsplit.vocab import Vocab

__all__ = [
    "CLEANUP",
    "Decoder",
    "PieceTexts",
    "Table",
    "byte_of",
    "normalized_contents",
    "spelled_bytes",
    "spellings",
    "step_function",
]

Texts = list[str]
V = TypeVar("V")
_Function = Callable[[Texts, str], Texts]

_ONE_BY_ONE = frozenset({"byte_fallback", "metaspace", "replace", "strip", "word_piece"})
"""Steps that change each text separately, unless it spells a byte; the first text may be an exception."""

_LONGEST_RUN, _MOST_RUNS = 8, 1 << 14  # of bytes, in a cache
_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2}|\+[0-9A-Fa-f])>")  # the oracle's parser of numbers takes a sign
_BYTE_PIECE = re.compile(r"<0x([0-9A-F]{2})>")
_SPACE = "\u2581"  # in pieces
CLEANUP = (
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" do not", " don't"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
)
"""The replacements that remove spaces before punctuation, in this order."""


class Decoder:
    """Decode by the steps of a vocab.

    Most tokens have the same text wherever they are, except at the beginning. These texts are kept in tables, made on
    first use, so that decoding is a look-up of each id. Only runs of bytes that spell characters take the steps.

    Args:
        vocab: A vocab with a decoder.

    Attributes:
        spelled: How the vocab's file spells each token: id -> text.
        has_tables: Whether most tokens have the same text wherever they are.
        each: The steps that change each text separately, with their functions, if there are tables.
        whole: The steps after that, on the text as a whole.
        first: The text of each token at the beginning; ``None`` if it becomes a byte.
        later: The same after other tokens.

    Raises:
        UnsupportedVocabError: A step is unknown, or its pattern does not compile.
    """

    def __init__(self, vocab: Vocab) -> None:
        steps = vocab.decoder or ()
        self._functions = [step_function(step, vocab.source) for step in steps]
        self.spelled: Mapping[int, str] = spellings(vocab)
        fused = next((at for at, step in enumerate(steps) if step.kind == "fuse"), len(steps))
        self.has_tables: bool = all(step.kind in _ONE_BY_ONE for step in steps[:fused])
        self.each: list[tuple[Decode, _Function]] = list(zip(steps[:fused], self._functions, strict=False))
        self.whole: Sequence[Decode] = steps[fused + 1 :]
        self._whole = self._functions[fused + 1 :]
        if self.has_tables:  # unless a step turns an empty text into a byte
            self.has_tables = None not in (self._alone([""]), self._alone(["", ""]))
        self._runs: dict[tuple[object, ...], str] = {}  # what runs of bytes spell
        self.first: Table[str | None] = Table(lambda i: self._alone([self.spelled[i]]))
        self.later: Table[str | None] = Table(lambda i: self._alone(["", self.spelled[i]]))

    def decode(self, ids: list[int], errors: str) -> str:
        """Decode ids; ``errors`` says what to do with bytes that are not UTF-8."""
        if self.has_tables and ids:
            texts = list(map(self.later.__getitem__, ids))
            texts[0] = self.first[ids[0]]
            known = self._with_bytes(texts, ids, errors) if None in texts else texts
            whole = "".join(known)  # type: ignore[arg-type]
            return "".join(_changed([whole], self._whole, errors)) if self._whole else whole
        return "".join(_changed([self.spelled[i] for i in ids], self._functions, errors))

    def data_after_others(self, ids: Sequence[int]) -> list[bytes] | None:
        """Return what each token adds to a text after other tokens; ``None`` if that depends on which they are.

        A control token that decodes to nothing has no bytes, and one that spells a byte has this.
        """
        spelled = [self.spelled[i] for i in ids]
        if len(self.each) == 1 and not self.whole:
            step = self.each[0][0]
            if step.kind in ("pieces", "pieces_and_bytes"):
                return list(map(PieceTexts(step, "strict").data_after_others, spelled))
            if step.kind == "byte_level":
                return list(map(spelled_bytes, spelled))
            if step.kind == "join":
                return [f"{step.content}{text}".encode("utf-8", "surrogatepass") for text in spelled]
        if not self.has_tables:
            return None
        texts, single = ["", *spelled], dict[int, bytes]()
        for step, function in self.each:
            if step.kind == "byte_fallback":
                single |= {at: byte for at, byte in enumerate(map(byte_of, texts)) if byte}
                texts = ["" if at in single else text for at, text in enumerate(texts)]
            else:
                texts = function(texts, "strict")
        return [single.get(at, text.encode("utf-8", "surrogatepass")) for at, text in enumerate(texts)][1:]

    def _with_bytes(self, texts: list[str | None], ids: list[int], errors: str) -> list[str | None]:
        """Return the texts with each run of byte tokens replaced by the text that it spells."""
        out: list[str | None] = []
        end = 0
        for start in (at for at, text in enumerate(texts) if text is None):
            if start < end:
                continue  # within the run before
            out += texts[end:start]
            end = start + 1
            while end < len(texts) and texts[end] is None:
                end += 1
            key = (errors, start > 0, *ids[start:end])
            spelled = self._runs.get(key)
            if spelled is None:
                spelled = self._spelled_run(ids[start:end], errors, is_first=start == 0)
                if len(key) < _LONGEST_RUN and len(self._runs) < _MOST_RUNS:
                    self._runs[key] = spelled
            out.append(spelled)
        return out + texts[end:]

    def _spelled_run(self, ids: list[int], errors: str, *, is_first: bool) -> str:
        run = [self.spelled[i] for i in ids]
        functions = self._functions[: len(self.each)]
        return "".join(_changed(run, functions, errors) if is_first else _changed(["", *run], functions, errors)[1:])

    def _alone(self, texts: Texts) -> str | None:
        """Return the last text after the steps that change one text at a time; ``None`` if it becomes a byte."""
        for step, function in self.each:
            if step.kind == "byte_fallback" and any(map(byte_of, texts)):
                return None
            texts = function(texts, "strict")
        return texts[-1]


def _changed(texts: Texts, functions: Iterable[_Function], errors: str) -> Texts:
    for function in functions:
        texts = function(texts, errors)
    return texts


class Table(dict[int, V]):
    """A value for each id, created on first use.

    Args:
        make: Makes the value of an id.
    """

    def __init__(self, make: Callable[[int], V]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, token_id: int) -> V:
        found = self[token_id] = self._make(token_id)
        return found


def spellings(vocab: Vocab) -> Mapping[int, str]:
    """Return a mapping of id to how the vocab's file spells a token. A look-up may raise `InvalidTokenIdError`.

    An added token that is searched for in normalized text is spelled normalized, as in `tokenizers`.
    """
    normalized = normalized_contents(vocab)
    as_bytes = isinstance(vocab.model, ByteLevelBPE)

    def spelled(token_id: int) -> str:
        if token_id in normalized:
            return normalized[token_id]
        data = vocab.token_bytes(token_id)
        if as_bytes and not vocab.added_tokens.has_id(token_id) and token_id not in vocab.unreachable_ids:
            return to_byte_level(data)
        return data.decode("utf-8", "replace")

    return Table(spelled)


def normalized_contents(vocab: Vocab) -> dict[int, str]:
    """Return how the added tokens are spelled that are searched for in normalized text, by their ids."""
    if finds_as_spelled(vocab.normalizer):
        return {}
    normalize = content_normalizer(vocab.normalizer or (), vocab.source)
    added = vocab.added_tokens
    contents = added.contents()
    return {added.ids[at]: normalize(contents[at]) for at in reversed(added.numbers_of("normalized"))}


def step_function(step: Decode, source: str) -> Callable[[Texts, str], Texts]:
    """Return the function of a step: texts, and what to do with bytes that are not UTF-8 -> texts.

    Raises:
        UnsupportedVocabError: The step is unknown, or its pattern does not compile.
    """
    if step.kind == "replace":
        return _replacing(step, source)
    if step.kind == "charsmap":
        normalize = normalizer_of((Normalize("charsmap", content=step.content),), source)
        return lambda texts, _: [normalize(AlignedText(text)).text for text in texts]
    try:
        function = _KINDS[step.kind]
    except KeyError:
        known = ", ".join([*_KINDS, "charsmap", "replace"])
        raise UnsupportedVocabError(
            f"decoding step {step.kind!r} (known: {known})", file=source, field="decoder"
        ) from None
    return lambda texts, errors: function(step, texts, errors)


def _byte_level(_: Decode, texts: Texts, errors: str) -> Texts:
    return [b"".join(map(spelled_bytes, texts)).decode("utf-8", errors)]


def spelled_bytes(text: str) -> bytes:
    """Return the bytes that a text in the byte-level alphabet stands for, or those of another text."""
    data = from_byte_level(text)
    return text.encode("utf-8", "surrogatepass") if data is None else data


def byte_of(text: str) -> bytes:
    """Return the byte that a text spells in byte fallback, or nothing."""
    found = _BYTE.fullmatch(text) if len(text) == 6 else None
    return bytes([int(found[1], 16)]) if found else b""


def _byte_fallback(_: Decode, texts: Texts, errors: str) -> Texts:
    out: Texts = []
    held = bytearray()

    def release() -> None:
        if held:
            try:
                out.append(held.decode())
            except UnicodeDecodeError:
                # Each byte of the whole run is replaced, by a separate text.
                out.extend("\ufffd" * len(held) if errors == "replace" else [held.decode("utf-8", errors)])
            held.clear()

    for text in texts:
        byte = byte_of(text)
        if byte:
            held += byte
        else:
            release()
            out.append(text)
    release()
    return out


class PieceTexts:
    """The texts of pieces that arrive one by one, as `sentencepiece` has them. A run of bytes is held back.

    The kind of a piece decides, not its spelling after its space is dropped: the text of ``\u2581<unk>`` is ``<unk>``.

    Args:
        step: The step.
        errors: What to do with bytes that are not UTF-8.
    """

    def __init__(self, step: Decode, errors: str) -> None:
        self._unknown, *control = step.pattern.split("\0")
        self._surface, self._control = step.content, frozenset(control)
        self._has_bytes = step.kind == "pieces_and_bytes"
        self._drops, self._drops_all = step.prepended, step.cleanup  # spaces at the beginning
        self._errors = errors
        self._held = bytearray()

    def feed(self, texts: Texts) -> Texts:
        """Add texts of pieces and return the final text."""
        out: Texts = []
        for text in texts:
            byte = self._byte(text)
            if byte:
                self._held += byte
            else:
                out += [*self.end(), self._text(text)]
        return out

    def end(self) -> Texts:
        """Return what was held back."""
        if not self._held:
            return []
        self._drops = False
        held, self._held = self._held, bytearray()
        return [_text_of(held, self._errors)]

    def data_after_others(self, piece: str) -> bytes:
        """Return the text that a piece adds after other pieces."""
        self._drops = False
        return self._byte(piece) or self._text(piece).encode("utf-8", "surrogatepass")

    def _byte(self, piece: str) -> bytes:
        """Return the byte that a piece spells, or nothing."""
        found = _BYTE_PIECE.fullmatch(piece) if self._has_bytes else None
        return bytes([int(found[1], 16)]) if found else b""

    def _text(self, piece: str) -> str:
        if piece in self._control:
            return ""
        if self._unknown and piece == self._unknown:
            self._drops &= not self._surface
            return self._surface
        if self._drops:
            bare = piece.removeprefix(_SPACE)
            self._drops = not bare and (bare == piece or self._drops_all)
            piece = bare
        return piece.replace(_SPACE, " ")


def _pieces(step: Decode, texts: Texts, errors: str) -> Texts:
    pieces = PieceTexts(step, errors)
    return pieces.feed(texts) + pieces.end()


def _text_of(data: bytearray, errors: str) -> str:
    """Decode bytes. Each one that is not part of a character is replaced, unlike in `bytes.decode`."""
    out = ""
    while True:
        try:
            return out + data.decode("utf-8", "strict" if errors == "replace" else errors)
        except UnicodeDecodeError as error:
            if errors != "replace":
                raise
            out += data[: error.start].decode() + "\ufffd"
            data = data[error.start + 1 :]


def _fuse(_: Decode, texts: Texts, __: str) -> Texts:
    return ["".join(texts)]


def _join(step: Decode, texts: Texts, _: str) -> Texts:
    return [step.content.join(texts)]


def _strip(step: Decode, texts: Texts, _: str) -> Texts:
    return [_stripped(text, step) for text in texts]


def _stripped(text: str, step: Decode) -> str:
    start, end = 0, len(text)
    while start < min(step.left, len(text)) and text[start] == step.content:
        start += 1
    # The two sides are counted apart, as in `tokenizers`, and may meet.
    while len(text) - end < min(step.right, len(text)) and text[end - 1] == step.content:
        end -= 1
    return text[start:end]


def _metaspace(step: Decode, texts: Texts, _: str) -> Texts:
    # All marks of the first text are dropped, not only the one that was prepended.
    return [text.replace(step.content, "" if step.prepended and at == 0 else " ") for at, text in enumerate(texts)]


def _word_piece(step: Decode, texts: Texts, _: str) -> Texts:
    out = []
    for at, text in enumerate(texts):
        if at:
            text = text[len(step.content) :] if text.startswith(step.content) else " " + text  # noqa: PLW2901
        out.append(_cleaned(text) if step.cleanup else text)
    return out


def _cleaned(text: str) -> str:
    for old, new in CLEANUP:
        text = text.replace(old, new)
    return text


def _suffix(step: Decode, texts: Texts, _: str) -> Texts:
    last = len(texts) - 1
    return [text.replace(step.content, "" if at == last else " ") for at, text in enumerate(texts)]


def _ctc(step: Decode, texts: Texts, _: str) -> Texts:
    out = []
    for at, text in enumerate(texts):
        if at and text == texts[at - 1]:
            continue
        text = text.replace(step.content, "")  # noqa: PLW2901
        if step.cleanup:
            text = _cleaned(text).replace(step.delimiter, " ")  # noqa: PLW2901
        if text:
            out.append(text)
    return out


def _replacing(step: Decode, source: str) -> Callable[[Texts, str], Texts]:
    # An empty text has no matches, not even of an empty pattern.
    if step.literal:
        return lambda texts, _: [text and text.replace(step.pattern, step.content) for text in texts]
    from wordsplit.patterns.package import finder  # noqa: PLC0415 - few vocabs need the regex package here

    find = finder(Split(step.pattern), source, "decoder")

    def replace(texts: Texts, _: str) -> Texts:
        return [
            text and "".join([step.content if is_match else text[start:end] for start, end, is_match in find(text)])
            for text in texts
        ]

    return replace


_KINDS: dict[str, Callable[[Decode, Texts, str], Texts]] = {
    "byte_level": _byte_level,
    "byte_fallback": _byte_fallback,
    "pieces": _pieces,
    "pieces_and_bytes": _pieces,
    "fuse": _fuse,
    "join": _join,
    "strip": _strip,
    "metaspace": _metaspace,
    "word_piece": _word_piece,
    "suffix": _suffix,
    "ctc": _ctc,
}
