"""Schemes: the registered names of pre-tokenization patterns, each with its exact steps.

A scheme's name is what a .tiktoken file or a GGUF's ``tokenizer.ggml.pre`` is resolved to, since those
hold no pattern. The patterns are those of the models' own files, to the letter.
"""

from __future__ import annotations

from wordsplit.errors import UnknownNameError
from wordsplit.registry import nearest
from wordsplit.vocab import Split

__all__ = ["SCHEMES", "scheme_of", "scheme_steps"]

_CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"

SCHEMES: dict[str, tuple[Split, ...]] = {
    # GPT-2 as tokenizers' ByteLevel has it; tiktoken spells the same spans differently.
    "gpt2": (Split(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"),),
    "r50k": (Split(r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"),),
    "cl100k": (
        Split(
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
            r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
            dialect="tiktoken",
        ),
    ),
    "o200k": (
        Split(
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
            + _CONTRACTIONS
            + r"?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
            + _CONTRACTIONS
            + r"?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
        ),
    ),
    "llama3": (
        Split(
            _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
            r"|\s*[\r\n]+|\s+(?!\S)|\s+"
        ),
    ),
    "qwen2": (
        Split(
            _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
            r"|\s*[\r\n]+|\s+(?!\S)|\s+"
        ),
    ),
    # Qwen3.5: as qwen2, with marks among the letters.
    "qwen35": (
        Split(
            _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*"
            r"|\s*[\r\n]+|\s+(?!\S)|\s+"
        ),
    ),
    # Mistral's Tekken: as o200k, without contractions and with one digit a span.
    "tekken": (
        Split(
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
            r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
            r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
        ),
    ),
    # Kimi K2: as o200k, with ideographs in spans of their own and no slashes behind punctuation.
    "kimi_k2": (
        Split(
            r"[\p{Han}]+"
            r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+"
            + _CONTRACTIONS
            + r"?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*"
            + _CONTRACTIONS
            + r"?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
        ),
    ),
    # tokenizers' Digits(individual_digits=True), then its ByteLevel.
    "starcoder": (
        Split(r"\p{N}"),
        Split(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"),
    ),
    # In the published file the line ends stand as characters.
    "deepseek_v3": (
        Split(r"\p{N}{1,3}"),
        Split("[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"),
        Split(
            r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^"""
            "\r\n"
            r"\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+["
            "\r\n"
            r"]*|\s*["
            "\r\n"
            r"]+|\s+(?!\S)|\s+"
        ),
    ),
    "bailingmoe": (
        Split(
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*"
            r"|\s*[\r\n]|\s+(?!\S)|\s+"
        ),
    ),
    "seed_coder": (  # likewise
        Split(
            _CONTRACTIONS
            + "|[^\r\n"
            + r"\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}"
            + "\r\n]+|\\s*[\r\n"
            + r"]+|\s+(?!\S)|\s+"
        ),
    ),
}


def scheme_steps(name: str) -> tuple[Split, ...]:
    """The steps of a scheme.

    Raises:
        UnknownNameError: No scheme of that name.
    """
    try:
        return SCHEMES[name]
    except KeyError:
        raise UnknownNameError(f"no scheme named {name!r}. {nearest(name, list(SCHEMES))}") from None


def scheme_of(steps: tuple[Split, ...]) -> str | None:
    """The name of the scheme with exactly these steps, if there is one."""
    return next((name for name, known in SCHEMES.items() if known == steps), None)
