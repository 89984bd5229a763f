"""Writes GGUF files, sound ones and, byte by byte, damaged ones."""

import struct

U8, I8, U16, I16, U32, I32, F32, BOOL, STRING, ARRAY, U64, I64, F64 = range(13)
LETTERS = {U8: "B", I8: "b", U16: "H", I16: "h", U32: "I", I32: "i", F32: "f", BOOL: "B"}
LETTERS |= {U64: "Q", I64: "q", F64: "d"}


def string(text):
    data = text if isinstance(text, bytes) else text.encode()
    return struct.pack("<Q", len(data)) + data


def scalar(kind, value):
    body = string(value) if kind == STRING else struct.pack("<" + LETTERS[kind], value)
    return struct.pack("<I", kind) + body


def items(kind, values):
    body = b"".join(string(v) if kind == STRING else struct.pack("<" + LETTERS[kind], v) for v in values)
    return struct.pack("<IIQ", ARRAY, kind, len(values)) + body


def pair(key, value):
    return string(key) + value


def document(pairs, *, version=3, n_tensors=0, n_keys=None, magic=b"GGUF", tail=b""):
    """A file of (key, encoded value) pairs."""
    count = len(pairs) if n_keys is None else n_keys
    head = magic + struct.pack("<IQQ", version, n_tensors, count)
    return head + b"".join(pair(key, value) for key, value in pairs) + tail


ALPHABET = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
BYTES = [chr(b) for b in ALPHABET] + [chr(0x100 + i) for i in range(68)]
EXTRA = ["he", "ll", "hell", "hello", "Ġhello", "<|end|>", "<user>", "[SPARE]"]
TOKENS = BYTES + EXTRA
MERGES = ["h e", "l l", "he ll", "hell o", "Ġ hello"]
END, USER, PAD = (TOKENS.index(t) for t in ("<|end|>", "<user>", "[SPARE]"))
TYPES = [1] * (len(TOKENS) - 3) + [3, 4, 5]


def fields(**changes):
    """The keys of a small byte-level vocab, encoded; a change replaces one, ``None`` takes it out."""
    out = {
        "general.architecture": scalar(STRING, "gpt2"),
        "tokenizer.ggml.model": scalar(STRING, "gpt2"),
        "tokenizer.ggml.pre": scalar(STRING, "qwen2"),
        "tokenizer.ggml.tokens": items(STRING, TOKENS),
        "tokenizer.ggml.token_type": items(I32, TYPES),
        "tokenizer.ggml.merges": items(STRING, MERGES),
        "tokenizer.ggml.eos_token_id": scalar(U32, END),
        "tokenizer.ggml.padding_token_id": scalar(U32, PAD),
    }
    for name, value in changes.items():
        prefix = "tokenizer." if name == "chat_template" else "tokenizer.ggml."
        out[prefix + name] = value
    return [(key, value) for key, value in out.items() if value is not None]


def small(*, version=3, **changes):
    """A small sound file, changed as asked."""
    return document(fields(**changes), version=version)
