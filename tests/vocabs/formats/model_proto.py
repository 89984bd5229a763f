"""SentencePiece files, written field by field."""

import struct

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
UNIGRAM, BPE, WORD, CHAR = range(1, 5)
META = [("<unk>", 0.0, UNKNOWN), ("<s>", 0.0, CONTROL), ("</s>", 0.0, CONTROL)]


def model_proto(pieces, *, model_type=BPE, trainer=(), normalizer=((3, 0), (4, 0)), denormalizer=()):
    """The bytes of a model.

    Args:
        pieces: (text, score, type) of each.
        model_type: The type of the model.
        trainer: (number, value) of other fields of the trainer's settings.
        normalizer: The same of the normalizer's.
        denormalizer: And of the denormalizer's.
    """
    out = b"".join(field(1, message([(1, text), (2, score), (3, type_)])) for text, score, type_ in pieces)
    out += field(2, message([(3, model_type), *trainer])) + field(3, message(normalizer))
    return out + (field(5, message(denormalizer)) if denormalizer else b"")


def message(fields):
    return b"".join(field(number, value) for number, value in fields)


def field(number, value):
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
