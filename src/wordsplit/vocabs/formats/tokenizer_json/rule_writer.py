"""Write the normalizer and the pre-tokenizer of a tokenizer.json; the inverse of `rules`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from wordsplit.errors import UnsupportedVocabError
from wordsplit.patterns.dialects import to_tokenizers
from wordsplit.patterns.schemes import SCHEMES
from wordsplit.rules import Normalize, Rewrite, Split
from wordsplit.vocab import Vocab
from wordsplit.vocabs.formats.tokenizer_json.rules import NOWHERE

__all__ = ["BYTE_LEVEL", "normalizer", "pre_tokenizers"]

BYTE_LEVEL: dict[str, Any] = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
_WITHOUT_ARGUMENTS = {
    "nfc": "NFC",
    "nfd": "NFD",
    "nfkc": "NFKC",
    "nfkd": "NFKD",
    "lowercase": "Lowercase",
    "strip_accents": "StripAccents",
    "nmt": "Nmt",
    "byte_level": "ByteLevel",
}
_OF_BERT = {
    "bert_clean_text": "clean_text",
    "bert_chinese_chars": "handle_chinese_chars",
    "bert_strip_accents": "strip_accents",
}


def normalizer(steps: str | Sequence[Normalize] | None) -> dict[str, Any] | None:
    """Return a normalizer, or ``None``."""
    if steps is None:
        return None
    parts = [_normalizer(step) for step in ((Normalize(steps),) if isinstance(steps, str) else steps)]
    return parts[0] if len(parts) == 1 else {"type": "Sequence", "normalizers": parts}


def _normalizer(step: Normalize) -> dict[str, Any]:
    if step.kind in _WITHOUT_ARGUMENTS:
        return {"type": _WITHOUT_ARGUMENTS[step.kind]}
    if step.kind == "prepend":
        return {"type": "Prepend", "prepend": step.content}
    if step.kind == "replace":
        pattern = {"String" if step.literal else "Regex": step.pattern}
        return {"type": "Replace", "pattern": pattern, "content": step.content}
    if step.kind == "precompiled":
        return {"type": "Precompiled", "precompiled_charsmap": step.content}
    if step.kind in _OF_BERT:
        flags = {flag: kind == step.kind for kind, flag in _OF_BERT.items()}
        return {"type": "BertNormalizer", **flags, "lowercase": False}
    return {"type": "Strip", "strip_left": step.kind == "lstrip", "strip_right": step.kind == "rstrip"}


def pre_tokenizers(vocab: Vocab, label: str, *, byte_level: bool = True) -> list[dict[str, Any]]:
    """Return the parts of a sequence of pre-tokenizers.

    Args:
        vocab: The vocab.
        label: The name of the file, for errors.
        byte_level: Whether the vocab's tokens are bytes; see `read_pre_tokenizer`.

    Raises:
        UnsupportedVocabError: A space is prepended at a step where the format cannot express it.
    """
    steps = list(vocab.pre_tokenizer)
    if byte_level:
        at = next((at for at, step in enumerate(steps) if isinstance(step, Split) and step.byte_level), len(steps))
        steps.insert(at, Rewrite("byte_level"))
    parts: list[dict[str, Any]] = []
    patterns: list[Split] = []  # not yet written, because ByteLevel has a pattern of its own
    spaced = vocab.add_prefix_space
    for step in steps:
        if isinstance(step, Split):
            patterns.append(step)
        elif step.kind == "byte_level":
            last = _with_byte_level(patterns, spaced=spaced and not parts)
            prepends = last is not None
            parts += [*_splits(patterns, label), _byte_level(last, label)]
            patterns, spaced = [], spaced and not prepends
        else:
            parts += [*_splits(patterns, label), _rewrite(step)]
            patterns = []
    if spaced:
        raise _unspaced(label)
    return parts + _splits(patterns, label)


def _with_byte_level(patterns: list[Split], *, spaced: bool) -> Split | None:
    """Take the pattern that prepends a space from the end of a list; ``spaced``: its only one, before which it does."""
    if spaced and len(patterns) <= 1:
        return patterns.pop() if patterns else NOWHERE
    return replace(patterns.pop(), prefix_space=False) if patterns and patterns[-1].prefix_space else None


def _byte_level(spaced: Split | None, label: str) -> dict[str, Any]:
    """Return a ByteLevel, which alone can prepend a space, and only before GPT-2's pattern or none."""
    if spaced is None:
        return BYTE_LEVEL
    if spaced not in (NOWHERE, *SCHEMES["gpt2"]):
        raise _unspaced(label)
    return {**BYTE_LEVEL, "add_prefix_space": True, "use_regex": spaced != NOWHERE}


def _unspaced(label: str) -> UnsupportedVocabError:
    return UnsupportedVocabError(
        "add_prefix_space needs GPT-2's pattern or none, at the last step", file=label, field="pre_tokenizer"
    )


def _rewrite(step: Rewrite) -> dict[str, Any]:
    if step.kind == "metaspace":
        # Its split is a separate step.
        return {
            "type": "Metaspace",
            "replacement": step.replacement,
            "prepend_scheme": step.prepend,
            "split": False,
        }
    return {"type": "UnicodeScripts"}


def _splits(steps: list[Split], label: str) -> list[dict[str, Any]]:
    if any(step.prefix_space for step in steps):
        raise _unspaced(label)
    return [_split(step) for step in steps]


def _split(step: Split) -> dict[str, Any]:
    return {
        "type": "Split",
        "pattern": {"String" if step.literal else "Regex": to_tokenizers(step)},
        "behavior": "".join(part.capitalize() for part in step.behavior.split("_")),
        "invert": step.invert,
    }
