"""Write the decoder of a tokenizer.json; the inverse of `decoders`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wordsplit.errors import UnsupportedVocabError
from wordsplit.vocab import Decode
from wordsplit.vocabs.formats.tokenizer_json.decoders import JOINED_BY_SPACES
from wordsplit.vocabs.formats.tokenizer_json.rule_writer import BYTE_LEVEL

__all__ = ["written_decoder"]


def written_decoder(steps: Sequence[Decode], label: str) -> dict[str, Any] | None:
    """Return a decoder.

    Raises:
        UnsupportedVocabError: The format has no such step.
    """
    if tuple(steps) == JOINED_BY_SPACES:
        return None
    parts = [_step(step, label) for step in steps]
    return parts[0] if len(parts) == 1 else {"type": "Sequence", "decoders": parts}


def _step(step: Decode, label: str) -> dict[str, Any]:
    if step.kind not in _KINDS:
        raise UnsupportedVocabError(f"decoding step {step.kind!r} is not in the format", file=label, field="decoder")
    return _KINDS[step.kind](step)


_KINDS: dict[str, Callable[[Decode], dict[str, Any]]] = {
    "byte_level": lambda _: BYTE_LEVEL,
    "byte_fallback": lambda _: {"type": "ByteFallback"},
    "fuse": lambda _: {"type": "Fuse"},
    "replace": lambda step: {
        "type": "Replace",
        "pattern": {"String" if step.literal else "Regex": step.pattern},
        "content": step.content,
    },
    "strip": lambda step: {"type": "Strip", "content": step.content, "start": step.left, "stop": step.right},
    "metaspace": lambda step: {
        "type": "Metaspace",
        "replacement": step.content,
        "prepend_scheme": "always" if step.prepended else "never",
        "split": True,
    },
    "word_piece": lambda step: {"type": "WordPiece", "prefix": step.content, "cleanup": step.cleanup},
    "suffix": lambda step: {"type": "BPEDecoder", "suffix": step.content},
    "ctc": lambda step: {
        "type": "CTC",
        "pad_token": step.content,
        "word_delimiter_token": step.delimiter,
        "cleanup": step.cleanup,
    },
}
