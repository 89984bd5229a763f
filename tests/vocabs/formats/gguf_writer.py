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


def of_kind(model, tokens, types, **more):
    """A file of a kind; ``more`` are other keys, encoded, and ``None`` takes one out."""
    keys = {
        "model": scalar(STRING, model),
        "pre": scalar(STRING, "default"),
        "tokens": items(STRING, tokens),
        "token_type": items(I32, types),
    }
    return document([(f"tokenizer.ggml.{name}", value) for name, value in (keys | more).items() if value is not None])


def of_bert(tokens, **roles):
    """A file of the kind bert with the tokens of a vocab.txt, and the ids of roles."""
    spelled = [t if t.startswith("[") else t[2:] if t.startswith("##") else f"\u2581{t}" for t in tokens]
    keys = {f"{role}_token_id": scalar(U32, i) for role, i in roles.items()}
    return of_kind("bert", spelled, [3 if t.startswith("[") else 1 for t in tokens], **keys)


def of_t5(proto):
    """A file of the kind t5 of the content of a Unigram model of SentencePiece."""
    charsmap = proto.specs["normalizer_spec"]["precompiled_charsmap"]
    return of_kind(
        "t5",
        proto.pieces,
        list(proto.types),
        scores=items(F32, proto.scores),
        precompiled_charsmap=items(I8, memoryview(charsmap).cast("b")),
        remove_extra_whitespaces=scalar(BOOL, 1),
        eos_token_id=scalar(U32, 2),
        unknown_token_id=scalar(U32, 0),
        bos_token_id=scalar(U32, 1),
    )


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
