"""The steps of a decoder, run on texts of tokens as they arrive.

Each step becomes a stage, which returns the final text and holds back text that may change. Up to a step that joins all
texts (`fuse`, `join`, `byte_level`), stages pass on the texts of tokens; after it, parts of one text. The text that a
stage holds back is short, with these exceptions: a run of byte tokens, which is replaced as a whole if it is not UTF-8;
and, after all texts are joined, the whole text, if a step replaces the matches of a regular expression in it.
"""

from __future__ import annotations

import codecs
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence

from wordsplit.engine.decoding import CLEANUP, PieceTexts, byte_of, spelled_bytes, step_function
from wordsplit.rules import Decode

__all__ = ["StepStream"]

Texts = list[str]
_Function = Callable[[Texts, str], Texts]


class StepStream:
    """Decode texts of tokens as they arrive. The joined parts equal the result of the steps for all texts.

    Args:
        steps: The steps.
        errors: What to do with bytes that are not UTF-8.
        source: The name of the vocab's source, for errors.
    """

    def __init__(self, steps: Sequence[Decode], errors: str, source: str) -> None:
        self._stages: list[_Stage] = []
        joined = False
        for step in steps:
            function = step_function(step, source)
            if joined:
                self._stages += _of_whole(step, function, errors)
            else:
                self._stages.append(_of_texts(step, function, errors))
                joined = step.kind in _JOINING

    def add(self, texts: Texts) -> str:
        """Add texts of tokens and return the text that is now final."""
        for stage in self._stages:
            texts = stage.feed(texts)
        return "".join(texts)

    def finish(self) -> str:
        """Return what was held back."""
        texts: Texts = []
        for stage in self._stages:
            texts = stage.feed(texts) + stage.end()
        return "".join(texts)


_JOINING = frozenset({"fuse", "join", "byte_level"})


def _of_texts(step: Decode, function: _Function, errors: str) -> _Stage:
    """Return the stage of a step that sees the texts of tokens."""
    if step.kind in ("pieces", "pieces_and_bytes"):
        return _Pieces(step, errors)
    if step.kind == "byte_level":
        return _ByteLevel(errors)
    if step.kind in ("fuse", "join"):
        return _Join(step.content)
    stages: dict[str, Callable[[_Function, str], _Stage]] = {
        "byte_fallback": _Bytes,
        "suffix": _Suffix,
        "ctc": _Distinct,
    }
    return stages.get(step.kind, _Each)(function, errors)


def _of_whole(step: Decode, function: _Function, errors: str) -> Iterator[_Stage]:
    """Yield the stages of a step that sees one text."""
    if step.kind == "strip":
        yield _Strip(step)
        return
    replaced = _replaced(step)
    if replaced is None or any(not old for old, _ in replaced):
        yield _Whole(function, errors)
    else:
        yield from (_Replace(old, new) for old, new in replaced)


def _replaced(step: Decode) -> list[tuple[str, str]] | None:
    """Return the replacements of a step in one text, in order; ``None`` for any other kind of step."""
    cleanup = list(CLEANUP) if step.cleanup else []
    if step.kind == "replace":
        return [(step.pattern, step.content)] if step.literal else None
    if step.kind == "metaspace":
        return [(step.content, "" if step.prepended else " ")]
    if step.kind == "suffix":
        return [(step.content, "")]
    if step.kind == "ctc":
        return [(step.content, ""), *cleanup, *([(step.delimiter, " ")] if step.cleanup else [])]
    return {"word_piece": cleanup, "fuse": [], "join": []}.get(step.kind)


class _Stage(ABC):
    @abstractmethod
    def feed(self, texts: Texts) -> Texts:
        """Add texts and return what is final."""

    def end(self) -> Texts:
        """Return what was held back."""
        return []


class _Each(_Stage):
    """A step that changes each text separately, and may treat the first one differently."""

    def __init__(self, function: _Function, errors: str) -> None:
        self._function, self._errors, self._begun = function, errors, False

    def feed(self, texts: Texts) -> Texts:
        if not texts:
            return []
        if self._begun:
            return self._function(["", *texts], self._errors)[1:]
        self._begun = True
        return self._function(texts, self._errors)


class _Bytes(_Stage):
    """Byte tokens: a run of them is held back."""

    def __init__(self, function: _Function, errors: str) -> None:
        self._function, self._errors = function, errors
        self._held: Texts = []

    def feed(self, texts: Texts) -> Texts:
        done = len(texts)
        while done and byte_of(texts[done - 1]):
            done -= 1
        if not done:
            self._held += texts
            return []
        ready, self._held = [*self._held, *texts[:done]], texts[done:]
        return self._function(ready, self._errors)

    def end(self) -> Texts:
        held, self._held = self._held, []
        return self._function(held, self._errors)


class _Pieces(PieceTexts, _Stage):
    """Pieces of `sentencepiece`."""


class _ByteLevel(_Stage):
    """Texts in the byte-level alphabet."""

    def __init__(self, errors: str) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors)

    def feed(self, texts: Texts) -> Texts:
        return [self._decoder.decode(b"".join(map(spelled_bytes, texts)))]

    def end(self) -> Texts:
        return [self._decoder.decode(b"", final=True)]


class _Join(_Stage):
    """All texts, joined by a text."""

    def __init__(self, between: str) -> None:
        self._between, self._begun = between, False

    def feed(self, texts: Texts) -> Texts:
        if not texts:
            return []
        before = self._between if self._begun else ""
        self._begun = True
        return [before + self._between.join(texts)]


class _Suffix(_Stage):
    """Texts with a word suffix: the last text is held back, because no space follows it."""

    def __init__(self, function: _Function, errors: str) -> None:
        self._function, self._errors = function, errors
        self._held: Texts = []

    def feed(self, texts: Texts) -> Texts:
        if not texts:
            return []
        ready, self._held = [*self._held, *texts[:-1]], texts[-1:]
        return self._function([*ready, ""], self._errors)[:-1]

    def end(self) -> Texts:
        held, self._held = self._held, []
        return self._function(held, self._errors)


class _Distinct(_Stage):
    """Texts without consecutive duplicates."""

    def __init__(self, function: _Function, errors: str) -> None:
        self._function, self._errors = function, errors
        self._last: str | None = None

    def feed(self, texts: Texts) -> Texts:
        out: Texts = []
        for text in texts:
            if text != self._last:
                out += self._function([text], self._errors)
            self._last = text
        return out


class _Replace(_Stage):
    """One text, in which a string is replaced: a possible beginning of a match is held back."""

    def __init__(self, old: str, new: str) -> None:
        self._old, self._new, self._held = old, new, ""

    def feed(self, texts: Texts) -> Texts:
        *done, rest = (self._held + "".join(texts)).split(self._old)
        size = min(len(self._old) - 1, len(rest))
        while not rest.endswith(self._old[:size]):
            size -= 1
        at = len(rest) - size
        self._held = rest[at:]
        return [self._new.join([*done, rest[:at]])]

    def end(self) -> Texts:
        held, self._held = self._held, ""
        return [held]


class _Strip(_Stage):
    """One text, from whose ends a character is removed."""

    def __init__(self, step: Decode) -> None:
        self._char, self._left, self._right = step.content, step.left, step.right
        self._held = ""

    def feed(self, texts: Texts) -> Texts:
        text = "".join(texts)
        start = 0
        while start < min(self._left, len(text)) and text[start] == self._char:
            start += 1
        self._left = self._left - start if start == len(text) else 0
        text = self._held + text[start:]
        end = len(text)
        while len(text) - end < min(self._right, len(text)) and text[end - 1] == self._char:
            end -= 1
        self._held = text[end:]
        return [text[:end]]


class _Whole(_Stage):
    """One text, any part of which may change until its end."""

    def __init__(self, function: _Function, errors: str) -> None:
        self._function, self._errors = function, errors
        self._held: Texts = []

    def feed(self, texts: Texts) -> Texts:
        self._held += texts
        return []

    def end(self) -> Texts:
        held, self._held = "".join(self._held), []
        return self._function([held], self._errors)
