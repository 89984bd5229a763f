"""Write the normalizer and the pre-tokenizer of a tokenizer.json; the inverse of `rules`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from wordsplit.errors import UnsupportedVocabError
from wordsplit.patterns.dialects import to_tokenizers
from wordsplit.patterns.schemes import SCHEMES
from wordsplit.vocab import Normalize, Split, Vocab
from wordsplit.vocabs.formats.tokenizer_json.rules import NOWHERE

__all__ = ["BYTE_LEVEL", "normalizer", "pre_tokenizers"]

BYTE_LEVEL: dict[str, Any] = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
_FORMS = {name.lower(): name for name in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase")}


def normalizer(steps: str | Sequence[Normalize] | None) -> dict[str, Any] | None:
    """Return a normalizer, or ``None``."""
    if steps is None:
        return None
    parts = [_normalizer(step) for step in ((Normalize(steps),) if isinstance(steps, str) else steps)]
    return parts[0] if len(parts) == 1 else {"type": "Sequence", "normalizers": parts}


def _normalizer(step: Normalize) -> dict[str, Any]:
    if step.kind in _FORMS:
        return {"type": _FORMS[step.kind]}
    if step.kind == "prepend":
        return {"type": "Prepend", "prepend": step.content}
    if step.kind == "replace":
        pattern = {"String" if step.literal else "Regex": step.pattern}
        return {"type": "Replace", "pattern": pattern, "content": step.content}
    return {"type": "Strip", "strip_left": step.kind == "lstrip", "strip_right": step.kind == "rstrip"}


def pre_tokenizers(vocab: Vocab, label: str) -> list[dict[str, Any]]:
    """Return the parts of a sequence of pre-tokenizers.

    Raises:
        UnsupportedVocabError: A space is prepended at a step where the format cannot express it.
    """
    on_text = [step for step in vocab.pre_tokenizer if not step.byte_level]
    on_bytes = [_split(step) for step in vocab.pre_tokenizer if step.byte_level]
    # Only ByteLevel can prepend a space, and steps after it do not see the original text.
    last = replace(on_text.pop(), prefix_space=False) if on_text and on_text[-1].prefix_space else None
    if vocab.add_prefix_space and last is None:
        last = NOWHERE if not on_text else on_text.pop()
    if last is None:
        return [*map(_split, on_text), BYTE_LEVEL, *on_bytes]
    spaced_first = vocab.add_prefix_space and on_text
    if last not in (NOWHERE, *SCHEMES["gpt2"]) or spaced_first or any(step.prefix_space for step in on_text):
        raise UnsupportedVocabError(
            "add_prefix_space needs GPT-2's pattern or none, at the last step", file=label, field="pre_tokenizer"
        )
    byte_level = {**BYTE_LEVEL, "add_prefix_space": True, "use_regex": last != NOWHERE}
    return [*map(_split, on_text), byte_level, *on_bytes]


def _split(step: Split) -> dict[str, Any]:
    return {
        "type": "Split",
        "pattern": {"String" if step.literal else "Regex": to_tokenizers(step)},
        "behavior": "".join(part.capitalize() for part in step.behavior.split("_")),
        "invert": step.invert,
    }
