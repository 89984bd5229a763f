"""What `Tokenizer` does with texts beside encoding them: thin methods over the files beside this one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal, overload

from wordsplit.errors import InputTypeError, OptionsError
from wordsplit.text import Text

if TYPE_CHECKING:
    from wordsplit.engine import Engine
    from wordsplit.everyday.budgets import Truncated, TruncatedBytes
    from wordsplit.everyday.chunks import Chunk
    from wordsplit.everyday.cuts import Cuts
    from wordsplit.everyday.decode_stream import DecodeStream
    from wordsplit.everyday.encoder_stream import EncoderStream
    from wordsplit.everyday.offsets import EncodedText
    from wordsplit.everyday.packing import Packed

__all__ = ["Special", "TextMethods"]

Special = Literal["parse", "text", "no_added", "error"] | Collection[str]


class TextMethods:
    """The methods of `Tokenizer` for segments, streams, budgets and offsets."""

    if TYPE_CHECKING:  # what Tokenizer has
        _engine: Engine
        _checked: Callable[[Text, Special], str | bytes]
        _as_text: Callable[[Special], Collection[str]]
        count_batch: Callable[..., list[int]]

    # Text from several hands.

    def encode_segments(
        self, segments: Iterable[tuple[Text, bool]], *, untrusted: Literal["no_added", "no_special"] = "no_added"
    ) -> list[int]:
        """Encode a text made of trusted and untrusted segments, joined as ids, never as strings.

        Args:
            segments: (text, trusted). Each is encoded on its own, so no token goes across their ends, and a vocab that
                puts a space before texts puts one before each. A template's ids (bos, eos) are put around the whole.
            untrusted: What an untrusted segment cannot yield, whatever it says: ``"no_added"``: any added token.
                ``"no_special"``: special tokens; others, such as Qwen3's ``<think>`` and ``<tool_call>``, are parsed.
                (Some vocabs have runs of spaces as added tokens, which models expect: for these use it.)

        Raises:
            InputTypeError: A segment is not a pair of a text and a bool.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> tok.encode_segments([("<|im_start|>user\\n", True), ("<|im_end|>", False), ("<|im_end|>", True)])
            [151644, 872, 198, 27, 91, 318, 6213, 91, 29, 151645]
        """
        # All of these are imported when first used.
        from wordsplit.everyday.segments import as_text_in_untrusted, encode_segments  # noqa: PLC0415

        return encode_segments(self._engine, segments, as_text_in_untrusted(self._engine.vocab, untrusted))

    # Streams.

    def decode_stream(
        self, *, skip_special: bool = False, errors: str = "replace", stop: str | Sequence[str] = ()
    ) -> DecodeStream:
        """A stream that takes ids as they come, and gives the text that is certain.

        Joined, what it gives is what `decode` gives for all ids, up to a stop string.

        Args:
            skip_special: Whether to leave out special tokens.
            errors: What to do where the bytes are not UTF-8; see `decode`.
            stop: A string, or several, at which to stop; they may begin and end within tokens. They are looked for in
                the text, special tokens included unless they are left out.

        Raises:
            OptionsError: ``errors`` is no error handler's name, or a stop string is empty.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> with tok.decode_stream() as stream:
            ...     [stream.push(i) for i in tok.encode("Hi 🦜!")]
            ['Hi', ' ', '', '🦜', '!']
        """
        from wordsplit.everyday.decode_stream import DecodeStream  # noqa: PLC0415

        token_bytes, texts = self._without_special if skip_special else self._with_special
        return DecodeStream(token_bytes, texts, errors, stop)

    def encoder_stream(self, special: Special = "parse") -> EncoderStream:
        """A stream that takes text as it grows, and holds its ids: always those of the whole text.

        Only what an append can change is encoded again: from the last place on at which a text can be cut, which in
        most text is the last word (see `wordsplit.everyday.cuts`). With a spanner or pattern about which less is
        known, the whole text is.

        Args:
            special: What becomes of special tokens in it; see the class.

        Example:
            >>> import wordsplit
            >>> stream = wordsplit.load_tokenizer("qwen3").encoder_stream()
            >>> for part in ("An appended", " chat, <|im_", "end|>"):
            ...     print(stream.append(part))
            Appended(kept=0, ids=[2082, 51187])
            Appended(kept=2, ids=[6236, 11, 82639, 318, 62])
            Appended(kept=4, ids=[220, 151645])
            >>> stream.stable
            Stable(ids=4, chars=17)
        """
        from wordsplit.everyday.encoder_stream import EncoderStream  # noqa: PLC0415
        from wordsplit.everyday.segments import bare  # noqa: PLC0415

        engine, as_text = self._engine, self._as_text(special)

        def encode(text: str) -> list[int]:
            return bare(engine, engine.encode(self._checked(text, special), as_text))

        return EncoderStream(encode, self._cuts, engine.prefix, engine.suffix)

    # Budgets.

    @overload
    def truncate(
        self, text: str, max_tokens: int, side: Literal["right", "left"] = "right", special: Special = "parse"
    ) -> Truncated: ...

    @overload
    def truncate(
        self,
        text: bytes | bytearray | memoryview,
        max_tokens: int,
        side: Literal["right", "left"] = "right",
        special: Special = "parse",
    ) -> TruncatedBytes: ...

    def truncate(
        self, text: Text, max_tokens: int, side: Literal["right", "left"] = "right", special: Special = "parse"
    ) -> Truncated | TruncatedBytes:
        """Cut a text down to the longest part, from its beginning or its end, that fits a budget.

        Its ids are the first ``k`` of ``encode(text)`` (or the last), for the largest ``k`` of at most ``max_tokens``
        at which no character is split; its text is what these are for, of the original also where NFC changes it. A
        template's ids count. Encoded on its own, the text may have a few other ids, since what was next to it is
        gone.

        Only about as much of the text is encoded as fits, from either side: what is wrong beyond, as a lone surrogate
        under ``errors="strict"``, is not found.

        Args:
            text: Any text; of bytes, the text that is left is bytes.
            max_tokens: How many ids it may have.
            side: Which side is cut off.
            special: As for `encode`.

        Raises:
            OptionsError: ``max_tokens`` is no number of tokens, or ``side`` no side.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> tok.truncate("Alice was beginning to get very tired", 4)
            Truncated(text='Alice was beginning to', ids=[61686, 572, 7167, 311], was_truncated=True)
            >>> tok.truncate("Alice was beginning to get very tired", 2, side="left").text
            ' very tired'
            >>> tok.truncate("A 🦜 is four bytes", 3)
            Truncated(text='A', ids=[32], was_truncated=True)
        """
        from wordsplit.everyday.budgets import size_of, truncate  # noqa: PLC0415

        most = size_of("max_tokens", max_tokens)
        return truncate(self._engine, self._cuts, self._checked(text, special), self._as_text(special), most, side)

    def pack(
        self,
        pieces: Iterable[tuple[str, bool]],
        max_tokens: int,
        *,
        drop: Literal["first", "last"] = "first",
        special: Special = "parse",
    ) -> Packed:
        """Join pieces of text to a prompt that fits a budget, and leave out as few as may be.

        The joined text is what is counted, since the counts of pieces do not add up: a token may go across a seam. So
        the prompt has ``max_tokens`` ids at most, a template's included, and with the piece that was left out last it
        would have more.

        Args:
            pieces: (text, required), in order. Pieces that are not required may be left out.
            max_tokens: How many ids the prompt may have.
            drop: Which of them go first: ``"first"``, as the oldest turns of a chat, or ``"last"``, as search results.
            special: As for `encode`, for all pieces alike. (For text of mixed trust see `encode_segments`.)

        Raises:
            BudgetError: The pieces that are required do not fit.
            InputTypeError: A piece is not a pair of a ``str`` and a bool.
            OptionsError: ``max_tokens`` is not a number of tokens.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> turns = [("Be brief.", True), (" One long turn.", False), (" And then?", False), (" Why?", True)]
            >>> found = tok.pack(turns, 9)
            >>> found.text, len(found.ids), found.kept
            ('Be brief. And then? Why?', 8, [0, 2, 3])
        """
        from wordsplit.everyday.budgets import size_of  # noqa: PLC0415
        from wordsplit.everyday.packing import pack  # noqa: PLC0415

        most, as_text = size_of("max_tokens", max_tokens), self._as_text(special)
        around = len(self._engine.prefix) + len(self._engine.suffix)

        def encode(text: str) -> list[int]:
            return self._engine.encode(self._checked(text, special), as_text)

        def count_batch(texts: list[str]) -> list[int]:
            return [count - around for count in self.count_batch(texts, special)]

        return pack(pieces, most, drop, encode, count_batch)

    def split(self, text: str, max_tokens: int, overlap: int = 0, special: Special = "parse") -> list[Chunk]:
        """A text in chunks of at most ``max_tokens`` ids, each encoded on its own, a template's included.

        A chunk ends at the end of a span (a word, a line end) where one fits, else between tokens, never within a
        character. Without overlap the chunks join to the text.

        Args:
            text: Any ``str``; the empty text has no chunks.
            max_tokens: How many ids a chunk may have.
            overlap: With how many ids of a chunk, at most, the next one begins.
            special: As for `encode`.

        Raises:
            OptionsError: ``max_tokens`` is less than some character takes, or ``overlap`` is not less than it.
            UnsupportedVocabError: The vocab normalizes otherwise than by NFC.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> for chunk in tok.split("Alice was beginning to get very tired", 3, overlap=1):
            ...     print(chunk)
            Chunk(text='Alice was beginning', start=0, end=19, ids=[61686, 572, 7167])
            Chunk(text=' beginning to get', start=9, end=26, ids=[7167, 311, 633])
            Chunk(text=' get very tired', start=22, end=37, ids=[633, 1602, 19227])
        """
        from wordsplit.everyday.budgets import size_of  # noqa: PLC0415
        from wordsplit.everyday.chunks import split  # noqa: PLC0415

        size_of("max_tokens", max_tokens, 1)
        if size_of("overlap", overlap) >= max_tokens:
            raise OptionsError(f"overlap={overlap}: it must be less than max_tokens={max_tokens}")
        if not isinstance(text, str):
            raise InputTypeError(f"split takes str, not {type(text).__name__}: decode it first")
        engine, as_text = self._engine, self._as_text(special)
        found = engine.encode_with_offsets(self._checked(text, special), as_text)
        around = len(engine.prefix) + len(engine.suffix)
        return list(split(text, found, lambda part: engine.encode(part, as_text), around, max_tokens, overlap))

    # Offsets.

    def encode_with_offsets(self, text: Text, special: Special = "parse") -> EncodedText:
        """The ids of a text, and for each the bytes and the characters of the original that it comes from.

        Byte spans tile the text. Character spans do too, but that tokens which share a character all have it; so do
        those which share something NFC has changed. See `wordsplit.everyday.offsets`.

        Args:
            text: As for `encode`. With lone surrogates, bytes are counted with U+FFFD in their place.
            special: As for `encode`.

        Raises:
            UnsupportedVocabError: The vocab normalizes otherwise than by NFC, or takes text out.

        Example:
            >>> import wordsplit
            >>> text = "cafe\u0301s"
            >>> found = wordsplit.load_tokenizer("qwen3").encode_with_offsets(text)
            >>> [(i, text[start:end]) for i, (start, end) in zip(found.ids, found.char_spans)]
            [(68796, 'caf'), (5397, 'e\u0301s')]
            >>> found.byte_spans
            [(0, 3), (3, 7)]
        """
        return self._engine.encode_with_offsets(self._checked(text, special), self._as_text(special))

    # Within: made when first needed, and for all threads alike.

    @cached_property
    def _cuts(self) -> Cuts:
        from wordsplit.everyday.cuts import Cuts  # noqa: PLC0415

        return Cuts(self._engine.vocab, self._engine.options.spanner)

    # For streams: from ids to bytes, and the texts of ids that have been met.

    @cached_property
    def _with_special(self) -> tuple[Callable[[int], bytes], dict[int, str]]:
        return self._engine.vocab.token_bytes, {}

    @cached_property
    def _without_special(self) -> tuple[Callable[[int], bytes], dict[int, str]]:
        return self._engine.vocab.token_bytes, dict.fromkeys(self._engine.vocab.special_tokens.values(), "")
