"""Read the model files of SentencePiece.

The ids are those of the package `sentencepiece`, with its default options: no bos or eos, no sampling.
"""

from __future__ import annotations

import base64
from collections import defaultdict
from itertools import chain
from typing import Any, ClassVar

from wordsplit.charsmap import CharacterMap
from wordsplit.errors import UnsupportedVocabError, VocabFormatError
from wordsplit.model import CharacterBPE, Model, Unigram, WordLevel
from wordsplit.patterns.schemes import pattern_steps
from wordsplit.rules import Decode, Normalize
from wordsplit.vocab import AddedToken, Vocab
from wordsplit.vocabs.formats.base import Loader, Overrides, Source
from wordsplit.vocabs.formats.sentencepiece.merges import merges_of_scores, of_unknown_character
from wordsplit.vocabs.formats.sentencepiece.model_proto import (
    BYTE,
    CONTROL,
    NORMAL,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    ModelProto,
    read_model_proto,
)

__all__ = ["SPACE", "SentencePieceLoader", "decoder"]

SPACE = "\u2581"
"""How pieces spell a space."""

_UNIGRAM, _BPE, _WORD, _CHAR = range(1, 5)
_HEAD = 512


class SentencePieceLoader(Loader):
    """Reader of SentencePiece's model files."""

    models: ClassVar[tuple[type, ...]] = (CharacterBPE, Unigram, WordLevel)

    def recognizes(self, source: Source) -> bool:
        """Check that the file begins with a piece: its text, and its score."""
        head = source.head(_HEAD)
        if len(head) < 4 or head[0] != 0x0A or head[2] != 0x0A or max(head[1], head[3]) >= 0x80:
            return False
        end = 4 + head[3]
        return 2 + head[1] >= end + 5 and head[end : end + 1] == b"\x15"

    def load(self, source: Source, overrides: Overrides) -> Vocab:
        """Read a model file; see `Loader.load`."""
        return _Reader(read_model_proto(source.read(), source.label), source.label).vocab(source, overrides)


class _Reader:
    """The parts of the vocab of a file."""

    def __init__(self, proto: ModelProto, label: str) -> None:
        self._label = label
        self._pieces = proto.pieces
        self._by_type: defaultdict[int, list[int]] = defaultdict(list)
        for i, type_ in enumerate(proto.types):
            self._by_type[type_].append(i)
        self._specs = proto.specs
        self._trainer, self._normalizer = proto.specs["trainer_spec"], proto.specs["normalizer_spec"]
        self._scores = dict(enumerate(proto.scores))
        self._ids = self._checked_ids()
        self._unk_id = self._checked_unk_id()

    def vocab(self, source: Source, overrides: Overrides) -> Vocab:
        """Return the vocab."""
        user_defined = [self._pieces[i] for i in self._of(USER_DEFINED)]
        model = self._model()
        # A Unigram model has scores for them, and a word model has them as words only.
        added = self._found() if isinstance(model, CharacterBPE) else []
        listed = [AddedToken(self._pieces[i], i, special=False, normalized=True) for i in added]
        listed += [AddedToken(content, i) for content, i in overrides.special_tokens.items()]
        control = {self._pieces[i]: i for i in self._of(CONTROL)}
        return Vocab(
            name=overrides.name or source.stem,
            model=model,
            pre_tokenizer=() if overrides.pattern is None else pattern_steps(overrides.pattern),
            added_tokens=listed,
            normalizer=self._normalization(user_defined, found=bool(added)),
            decoder=[
                *decoder(
                    list(control),
                    self._pieces[self._unk_id],
                    self._trainer["unk_surface"],
                    byte_fallback=bool(self._trainer["byte_fallback"]),
                    leading=self._leading(),
                ),
                *self._denormalization(),
            ],
            eos_token_id=control.get(self._trainer["eos_piece"]),
            bos_token_id=control.get(self._trainer["bos_piece"]),
            pad_token_id=control.get(self._trainer["pad_piece"]),
            role_ids={"unk": self._unk_id},
            source=self._label,
        )

    def _checked_ids(self) -> dict[str, int]:
        """Return the id of each piece."""
        ids = {piece: i for i, piece in enumerate(self._pieces)}
        if len(ids) < len(self._pieces):
            i = next(i for i, piece in enumerate(self._pieces) if ids[piece] != i)
            raise self._error(
                f"{self._pieces[i]!r:.80} occurs twice, as {i} and {ids[self._pieces[i]]}", f"pieces[{i}]"
            )
        if "" in ids:
            raise self._error("is empty", f"pieces[{ids['']}]")
        return ids

    def _checked_unk_id(self) -> int:
        unknown = self._of(UNKNOWN)
        if len(unknown) != 1:
            raise self._error(f"there are {len(unknown)} pieces for the unknown; there must be one", "pieces")
        fallback = self._of(BYTE)
        if self._trainer["byte_fallback"]:
            expected = {f"<0x{byte:02X}>" for byte in range(256)}
            if {self._pieces[i] for i in fallback} != expected:
                raise self._error(f"there are {len(fallback)} pieces for bytes; there must be 256", "pieces")
        elif fallback:
            raise self._error("is for a byte, but trainer_spec.byte_fallback is false", f"pieces[{fallback[0]}]")
        return unknown[0]

    def _of(self, *types: int) -> list[int]:
        """Return the ids of the pieces of some types."""
        return sorted(chain.from_iterable(self._by_type[type_] for type_ in types))

    def _found(self) -> list[int]:
        """Return the user-defined pieces that normalized text can have: without spaces if these are escaped."""
        escapes = self._normalizer["escape_whitespaces"]
        return [i for i in self._of(USER_DEFINED) if not (escapes and " " in self._pieces[i])]

    def _model(self) -> Model:
        kind = self._trainer["model_type"]
        tokens = {i: piece.encode() for i, piece in enumerate(self._pieces)}
        arguments: dict[str, Any] = {
            "tokens": tokens,
            "unk_id": self._unk_id,
            "byte_fallback": bool(self._trainer["byte_fallback"]),
        }
        never = self._of(UNKNOWN, CONTROL, BYTE, UNUSED)
        if kind == _UNIGRAM:
            return Unigram(
                scores=list(self._scores.values()),
                user_defined_ids=self._of(USER_DEFINED),
                unreachable_ids=never,
                single_precision=True,
                **arguments,
            )
        if kind == _CHAR:
            return CharacterBPE(fuse_unk=True, unreachable_ids=never, **arguments)
        if kind == _BPE:
            merges, ranks = self._merges()
            return CharacterBPE(explicit_merges=merges, ranks=ranks, fuse_unk=True, unreachable_ids=never, **arguments)
        if kind == _WORD:
            inside = (i for i, piece in enumerate(self._pieces) if SPACE in piece[1:])  # where a word would begin
            return WordLevel(word_start=SPACE, unreachable_ids=[*never, *inside], **arguments)
        raise self._error(f"is {kind}, which is not one of {_UNIGRAM} to {_CHAR}", "trainer_spec.model_type")

    def _merges(self) -> Any:
        # A symbol that the user has defined never merges.
        parts = {self._pieces[i]: i for i in self._of(NORMAL, UNUSED)}
        strange = of_unknown_character(parts, parts)
        if strange is not None:
            raise self._unsupported("a piece with a character that is not a piece", f"pieces[{self._ids[strange]}]")
        merges, ranks = merges_of_scores(parts, self._scores)
        unused = set(self._of(UNUSED))
        if unused:
            for left, right in merges:
                for i in (left, right, self._ids[self._pieces[left] + self._pieces[right]]):
                    if i in unused:
                        raise self._unsupported("an unused piece that merges use or make", f"pieces[{i}]")
        return merges, ranks

    def _normalization(self, user_defined: list[str], *, found: bool) -> list[Normalize]:
        """Return the normalization steps.

        Args:
            user_defined: The pieces of the user.
            found: Whether they are searched for in the normalized text.
        """
        spec = self._normalizer
        charsmap = self._charsmap("normalizer_spec")
        squeeze, dummy = spec["remove_extra_whitespaces"], spec["add_dummy_prefix"]
        as_suffix = self._trainer["treat_whitespace_as_suffix"]
        space = SPACE if spec["escape_whitespaces"] else " "
        ends: list[Normalize] = []
        if dummy:
            ends = [Normalize("replace", r"\z", space) if as_suffix else Normalize("prepend", content=space)]
        steps: list[Normalize] = []
        if charsmap or (found and (squeeze or dummy)):
            left_alone = "\0".join(user_defined) if charsmap else ""
            steps.append(Normalize("charsmap", left_alone, charsmap))
        if squeeze:
            steps += [Normalize("replace", r"\A +", ""), Normalize("replace", " {2,}", " ")]
        else:  # a text from which the map removes everything also has it
            steps = ends + steps
        if space != " ":
            steps.append(Normalize("replace", " ", space, literal=True))
        if squeeze and dummy and as_suffix:  # also of a text that consists of the mark of spaces
            steps.append(Normalize("replace", rf"(?:{space}+|(?<!{space}))\z", space))
        elif squeeze:
            steps += [Normalize("replace", rf"{space}+\z", ""), *ends]
        return steps

    def _denormalization(self) -> list[Decode]:
        """Return the steps that change decoded text."""
        charsmap = self._charsmap("denormalizer_spec")
        if not charsmap:
            return []
        for name in ("add_dummy_prefix", "remove_extra_whitespaces", "escape_whitespaces"):
            if self._specs["denormalizer_spec"][name]:
                raise self._unsupported("rules for spaces in decoded text", f"denormalizer_spec.{name}")
        return [Decode("fuse"), Decode("charsmap", content=charsmap)]

    def _charsmap(self, spec: str) -> str:
        """Return a character map in Base64."""
        charsmap = base64.b64encode(self._specs[spec]["precompiled_charsmap"]).decode()
        try:
            if charsmap:
                CharacterMap(charsmap)
        except ValueError as error:
            raise self._error(f"is damaged: {error}", f"{spec}.precompiled_charsmap") from None
        return charsmap

    def _leading(self) -> str:
        """Return which spaces at the beginning of a text are dropped in decoding."""
        if self._normalizer["remove_extra_whitespaces"]:
            return "all"
        return "first" if self._normalizer["add_dummy_prefix"] else ""

    def _error(self, found: str, field: str) -> VocabFormatError:
        return VocabFormatError(found, file=self._label, field=field)

    def _unsupported(self, found: str, field: str) -> UnsupportedVocabError:
        return UnsupportedVocabError(f"not supported: {found}", file=self._label, field=field)


def decoder(control: list[str], unknown: str, surface: str, *, byte_fallback: bool, leading: str) -> list[Decode]:
    """Return the decoding steps.

    Args:
        control: The pieces that have no text.
        unknown: The piece for the unknown, or ``""``.
        surface: Its text.
        byte_fallback: Whether pieces spell bytes.
        leading: Which spaces at the beginning of a text are dropped: ``"first"``, ``"all"`` or ``""``.
    """
    pattern = "\0".join([unknown, *control])
    kind = "pieces_and_bytes" if byte_fallback else "pieces"
    return [Decode(kind, pattern, surface, prepended=bool(leading), cleanup=leading == "all")]
