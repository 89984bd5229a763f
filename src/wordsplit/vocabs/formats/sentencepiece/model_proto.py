"""The message in a SentencePiece file: its pieces, and the settings of the trainer and of the normalizers.

Fields that do not matter for encoding and decoding are skipped. A message that occurs twice counts as one with the
fields of both, as in any reader of Protocol Buffers.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wordsplit.vocabs.formats.sentencepiece.protobuf import BYTES, FIXED32, VARINT, Message

__all__ = ["BYTE", "CONTROL", "NORMAL", "UNKNOWN", "UNUSED", "USER_DEFINED", "ModelProto", "read_model_proto"]

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
"""The types of pieces."""

_PIECES, _TRAINER, _NORMALIZER, _DENORMALIZER = 1, 2, 3, 5
_PIECE, _SCORE, _TYPE = 1, 2, 3
_FLOAT = struct.Struct("<f")

_Spec = Mapping[int, tuple[str, int, Any]]
# Number of a field -> its name, its type, and what it is if it is missing.
_TRAINER_SPEC: _Spec = {
    3: ("model_type", VARINT, 1),
    24: ("treat_whitespace_as_suffix", VARINT, 0),
    35: ("byte_fallback", VARINT, 0),
    44: ("unk_surface", BYTES, " \u2047 "),
    46: ("bos_piece", BYTES, "<s>"),
    47: ("eos_piece", BYTES, "</s>"),
    48: ("pad_piece", BYTES, "<pad>"),
}
_NORMALIZER_SPEC: _Spec = {
    2: ("precompiled_charsmap", BYTES, b""),
    3: ("add_dummy_prefix", VARINT, 1),
    4: ("remove_extra_whitespaces", VARINT, 1),
    5: ("escape_whitespaces", VARINT, 1),
}
_SPECS = {
    _TRAINER: ("trainer_spec", _TRAINER_SPEC),
    _NORMALIZER: ("normalizer_spec", _NORMALIZER_SPEC),
    _DENORMALIZER: ("denormalizer_spec", _NORMALIZER_SPEC),
}


@dataclass
class ModelProto:
    """The content of a file.

    Attributes:
        pieces: The text of each piece, whose id is its place.
        scores: The score of each.
        types: The type of each.
        specs: The fields of each of ``trainer_spec``, ``normalizer_spec`` and ``denormalizer_spec``, by name.
    """

    pieces: list[str] = field(default_factory=list)
    scores: array[float] = field(default_factory=lambda: array("f"))
    types: bytearray = field(default_factory=bytearray)
    specs: dict[str, dict[str, Any]] = field(
        default_factory=lambda: {
            name: {key: default for key, _, default in spec.values()} for name, spec in _SPECS.values()
        }
    )


def read_model_proto(data: bytes, label: str) -> ModelProto:
    """Read the content of a file.

    Raises:
        VocabFormatError: It is damaged.
    """
    out = ModelProto()
    root = Message(data, _read_usual_pieces(data, out), len(data), label, "")
    for number, kind, start, end in root.fields():
        if number == _PIECES:
            name = f"pieces[{len(out.pieces)}]"
            root.require(kind, BYTES, name)
            _read_piece(root.message(start, end, name), out)
        elif number in _SPECS:
            name, spec = _SPECS[number]
            root.require(kind, BYTES, name)
            _read_spec(root.message(start, end, name), spec, out.specs[name])
    return out


def _read_usual_pieces(data: bytes, out: ModelProto) -> int:
    """Let the native core read the usual pieces at the beginning of a file, and return where they end.

    `_read_piece` reads the others, and says what is wrong.
    """
    try:
        from wordsplit._native import usual_pieces  # noqa: PLC0415 - pure-Python builds lack it
    except ImportError:
        return 0
    out.pieces, scores, types, end = usual_pieces(data)
    out.scores, out.types = array("f", scores), bytearray(types)
    return end


def _read_piece(message: Message, out: ModelProto) -> None:
    text, score, type_ = "", 0.0, NORMAL
    for number, kind, start, end in message.fields():
        if number == _PIECE:
            message.require(kind, BYTES, "piece")
            text = message.text(start, end, "piece")
        elif number == _SCORE:
            message.require(kind, FIXED32, "score")
            (score,) = _FLOAT.unpack(message.bytes(start, end))
        elif number == _TYPE:
            message.require(kind, VARINT, "type")
            type_ = start
    if not NORMAL <= type_ <= BYTE:
        raise message.error(f"is {type_}, which is not one of {NORMAL} to {BYTE}", "type")
    if score - score != 0:
        raise message.error(f"is not finite: {score}", "score")
    out.pieces.append(text)
    out.scores.append(score)
    out.types.append(type_)


def _read_spec(message: Message, spec: _Spec, out: dict[str, Any]) -> None:
    for number, kind, start, end in message.fields():
        if number not in spec:
            continue
        name, wanted, default = spec[number]
        message.require(kind, wanted, name)
        if wanted == VARINT:
            out[name] = start
        elif isinstance(default, str):
            out[name] = message.text(start, end, name)
        else:
            out[name] = message.bytes(start, end)
