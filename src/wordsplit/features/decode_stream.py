"""Decode ids to text as they arrive.

A token may end within a character. Its last bytes, at most three, are then held back until the next token. Bytes that
are not UTF-8 are replaced by Python's incremental decoder, as `bytes.decode` would in the whole text. Text that may be
the beginning of a stop string is also held back. All other text is returned at once and never changes: joined, it
equals the result of `Tokenizer.decode` for all ids.

If the vocab has decoding steps, they run as the ids arrive: see `wordsplit.features.decode_steps`.

The cost of a push does not depend on the number of ids before it. Each stop string costs a search of the new text. Most
tokens are whole characters: while no bytes are held back, the text of such a token is looked up, not decoded.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar

from wordsplit.engine.base import as_id
from wordsplit.engine.decoding import spellings
from wordsplit.errors import InputTypeError, InvalidTextError, OptionsError, StreamFinishedError
from wordsplit.features.decode_steps import StepStream
from wordsplit.text import check_handler, each, is_utf8

if TYPE_CHECKING:
    from wordsplit.vocab import Vocab

__all__ = ["DecodeStream", "TokenTexts"]

_NONE: dict[int, str] = {}


class TokenTexts:
    """A cache of the texts of a vocab's tokens, shared by all streams of a tokenizer.

    Args:
        vocab: The vocab.
        skip_special: Whether to leave out the text of special tokens.

    Attributes:
        whole: The texts of tokens that are whole characters, by id. Empty if the vocab has decoding steps.
    """

    def __init__(self, vocab: Vocab, *, skip_special: bool = False) -> None:
        self._vocab = vocab
        self._special = frozenset(vocab.special_tokens.values() if skip_special else ())
        self._spelled = None if vocab.decoder is None else spellings(vocab)
        self.whole: dict[int, str] = dict.fromkeys(self._special, "") if self._spelled is None else {}

    def stream(self, errors: str) -> _ByteStream | _StepStream:
        """Return a new stream."""
        if self._spelled is None:
            return _ByteStream(self, errors)
        steps = StepStream(self._vocab.decoder or (), errors, self._vocab.source)
        return _StepStream(steps, self._spelled, self._special)

    def shared(self) -> dict[int, object]:
        """Return what copies of a stream share, by address, as `copy.deepcopy` takes it."""
        return {id(table): table for table in (self, self.whole, self._spelled, _NONE)}

    def bytes_of(self, token_id: int) -> bytes:
        """Return the bytes of a token. Raises `InvalidTokenIdError`."""
        text = self.whole.get(token_id)
        if text is not None:
            return text.encode()
        data = self._vocab.token_bytes(token_id)
        if is_utf8(data):
            self.whole[token_id] = data.decode()
        return data


class _ByteStream:
    """Decode tokens whose bytes, joined, are the text."""

    def __init__(self, tokens: TokenTexts, errors: str) -> None:
        self._tokens = tokens
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors)

    @property
    def holds(self) -> bool:
        """Whether something is held back."""
        return bool(self._decoder.getstate()[0])

    def add(self, ids: list[int]) -> str:
        """Add ids and return the text that is now final."""
        return self._decoder.decode(b"".join(map(self._tokens.bytes_of, ids)))

    def finish(self) -> str:
        """Return what was held back."""
        return self._decoder.decode(b"", final=True)


class _StepStream:
    """Decode tokens by steps."""

    holds: ClassVar[bool] = True  # the steps must see every token

    def __init__(self, steps: StepStream, spelled: Mapping[int, str], special: frozenset[int]) -> None:
        self._steps, self._spelled, self._special = steps, spelled, special
        self.finish: Callable[[], str] = steps.finish

    def add(self, ids: list[int]) -> str:
        """Add ids and return the text that is now final."""
        return self._steps.add([self._spelled[i] for i in ids if i not in self._special])


class DecodeStream:
    """A stream that decodes ids as they arrive, from `Tokenizer.decode_stream`; use it in one thread at a time.

    As a context manager, it calls `finish` at the end and stores the remaining text in ``rest``. `copy.copy` returns an
    independent stream in the same state, for texts that continue in several ways. A stream cannot be pickled.

    Attributes:
        stop: The stop string that was found, or ``None``. The text before it has been returned; the string itself is
            not.
        rest: After a stop, the text that followed it in the same tokens; after a ``with`` block, the text from
            `finish`.

    Example:
        >>> import wordsplit
        >>> tok = wordsplit.load_tokenizer("qwen3")
        >>> stream = tok.decode_stream(stop=["\\nUser:"])
        >>> [stream.push(i) for i in tok.encode('A 🦜: "Hello?"\\nUser: no')]
        ['A', ' ', '', '🦜', ':', ' "', 'Hello', '?"', '', '', '']
        >>> stream.stop, stream.rest, stream.finish()
        ('\\nUser:', '', '')
    """

    def __init__(self, tokens: TokenTexts, errors: str, stop: str | Sequence[str]) -> None:
        stops = [stop] if isinstance(stop, str) else list(each(stop, "stop strings"))
        if not all(map(_is_stop, stops)):
            raise OptionsError(f"stop={stop!r:.100}: give strings that are not empty")
        check_handler(errors)
        self._stream = tokens.stream(errors)
        self._tokens = tokens
        self._ready = tokens.whole  # texts to look up; empty while bytes are held back, after a stop, or at the end
        self._stops = stops
        self._firsts = frozenset(text[0] for text in stops)
        self._beginnings = {text[:n] for text in stops for n in range(1, len(text))}
        self._longest = max(map(len, self._beginnings), default=0)
        self._held = ""
        self._finished = False
        self.stop: str | None = None
        self.rest: str = ""

    def push(self, ids: int | Iterable[int]) -> str:
        """Add one or several ids and return the text that is now final. After a stop it is empty.

        Raises:
            InvalidTokenIdError: An id has no token. None of the ids is added then.
            InvalidTextError: The bytes are not UTF-8, and ``errors`` is ``"strict"``.
            StreamFinishedError: `finish` has been called.
        """
        if type(ids) is int:
            text = self._ready.get(ids)
            if text is not None:
                return self._searched(text) if self._stops else text
        if self._finished:
            raise StreamFinishedError("the stream is finished; create another with decode_stream()")
        if isinstance(ids, (str, bytes)):
            raise InputTypeError(f"push takes ids, not {type(ids).__name__}")
        return self._take(_listed(ids), final=False)

    def finish(self) -> str:
        """Return the text that was held back: a partial character (see ``errors``), or the beginning of a stop string.

        A second call returns ``""``.

        Raises:
            InvalidTextError: The ids end within a character, and ``errors`` is ``"strict"``.
        """
        if self._finished:
            return ""
        self._finished = True
        self._ready = _NONE
        out = self._take([], final=True)
        held, self._held = self._held, ""
        return out + held

    def over(self, ids: Iterable[int]) -> Iterator[str]:
        """Yield the text of ids piece by piece, up to a stop or the end; then call `finish`.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> list(tok.decode_stream().over(tok.encode("half a 🦜")[:-1]))
            ['half', ' a', ' ', '�']
        """
        for i in each(ids, "ids"):
            text = self.push(i)
            if text:
                yield text
            if self.stop is not None:
                break
        text = self.finish()
        if text:
            yield text

    def _take(self, ids: list[int], *, final: bool) -> str:
        if self.stop is not None:
            return ""
        try:
            text = self._stream.finish() if final else self._stream.add(ids)
        except UnicodeDecodeError as error:
            raise InvalidTextError(
                f"the bytes of these ids are not UTF-8 ({error.reason}); use errors='replace'"
            ) from None
        self._ready = _NONE if final or self._stream.holds else self._tokens.whole
        return self._searched(text) if self._stops else text

    def _searched(self, new: str) -> str:
        """Return the text up to a possible stop string. Of those found, the one that ends first counts."""
        if not self._held and self._firsts.isdisjoint(new):
            return new
        text = self._held + new
        found = [(at + len(stop), at, stop) for stop in self._stops if (at := text.find(stop)) >= 0]
        if found:
            end, at, self.stop = min(found)
            self._held, self.rest, self._ready = "", text[end:], _NONE
            return text[:at]
        for size in range(min(self._longest, len(text)), 0, -1):
            if text[-size:] in self._beginnings:
                self._held = text[-size:]
                return text[:-size]
        self._held = ""
        return text

    def __copy__(self) -> DecodeStream:
        return deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> DecodeStream:
        twin = object.__new__(DecodeStream)
        twin.__dict__.update(deepcopy(self.__dict__, {**memo, **self._tokens.shared()}))
        return twin

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a DecodeStream cannot be pickled: pickle the ids, and push them to a new decode_stream()")

    def __enter__(self) -> DecodeStream:  # noqa: PYI034 - Self came with Python 3.11
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if kind is None and not self._finished:
            self.rest += self.finish()


def _listed(ids: Any) -> list[int]:
    """Return one or several ids as a list. An array without dimensions is one, though it has ``__iter__``."""
    try:
        several = iter(ids)
    except TypeError:
        return [as_id(ids)]
    return list(map(as_id, several))


def _is_stop(value: object) -> bool:
    return isinstance(value, str) and value != ""
