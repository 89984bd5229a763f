"""Schemes: the registered names of pre-tokenization patterns, each with its exact steps.

A scheme is what the name of a .tiktoken file or a GGUF's ``tokenizer.ggml.pre`` stands for, because these formats
hold no pattern. The patterns are exactly those of the models' own files.

The table also lists which schemes have a native scanner. ``tools/generate_patterns.py`` writes the scanners' patterns
in C++ from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from wordsplit.errors import UnknownNameError
from wordsplit.patterns.components import class_of, digits, punctuation
from wordsplit.registry import nearest
from wordsplit.rules import Step
from wordsplit.vocab import Split

__all__ = ["SCHEMES", "TABLE", "Scheme", "pattern_steps", "scheme_name", "scheme_steps"]


class Scheme(NamedTuple):
    """A row of the table of schemes.

    Attributes:
        steps: The pattern of each step. If a step's dialect is ``"tiktoken"``, only tiktoken reads it as intended;
            tiktoken and `tokenizers` agree on the others.
        scanner: The native scanner that gives the same spans; ``None`` if there is none. A scanner has the name of the
            first scheme that it was written for.
        models: The models that use the scheme, for the documentation of its scanner.
        also: Other spellings, without a name, that give the same spans. ``tests/exhaustive`` proves that the spellings
            of all schemes with the same scanner are equivalent.
    """

    steps: tuple[Split, ...]
    scanner: str | None = None
    models: str = ""
    also: tuple[tuple[Split, ...], ...] = ()


_CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_GPT2 = Split(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")
_O200K = Split(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    + _CONTRACTIONS
    + r"?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    + _CONTRACTIONS
    + r"?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_KIMI_UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"
_KIMI_LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"
_BLOOM = Split(r" ?[^(\s|[.,!?" + class_of("2026 3002 FF0C 3001 964 6D4 60C") + "])]+")
_CASED = (  # the letters of scripts with two cases, as listed by DeepSeek's first models
    "B5 C0-D6 D8-F6 F8-1BA 1BC-1BF 1C4-293 295-2AF 370-373 376-377 37B-37D 37F 386 388-38A 38C 38E-3A1 3A3-3F5 3F7-481 "
    "48A-52F 531-556 10A0-10C5 13A0-13F5 13F8-13FD 1C90-1CBA 1CBD-1CBF 1D00-1D2B 1D6B-1D77 1D79-1D9A 1E00-1F15 "
    "1F18-1F1D 1F20-1F45 1F48-1F4D 1F50-1F57 1F59 1F5B 1F5D 1F5F-1F7D 1F80-1FB4 1FB6-1FBC 1FBE 1FC2-1FC4 1FC6-1FCC "
    "1FD0-1FD3 1FD6-1FDB 1FE0-1FEC 1FF2-1FF4 1FF6-1FFC 2102 2107 210A-2113 2115 2119-211D 2124 2126 2128 212A-212D "
    "212F-2134 2139 213C-213F 2145-2149 214E 2183-2184 2C00-2C7B 2C7E-2CE4 2CEB-2CEE 2CF2-2CF3 A640-A66D A680-A69B "
    "A722-A76F A771-A787 A78B-A78E AB70-ABBF FB00-FB06 FB13-FB17 FF21-FF3A FF41-FF5A 10400-1044F 104B0-104D3 "
    "104D8-104FB 10C80-10CB2 10CC0-10CF2 118A0-118DF 1E900-1E943"
)
_LINE_END = Split("[\r\n]")
_HAN_AND_HANGUL = Split("[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+")

TABLE: dict[str, Scheme] = {
    # tokenizers' ByteLevel; the other spelling was tiktoken's before 0.14.
    "gpt2": Scheme(
        (_GPT2,),
        scanner="gpt2",
        models="GPT-2, r50k_base and p50k_base",
        also=((Split(r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"),),),
    ),
    # tiktoken's spelling as of 0.14.
    "r50k": Scheme(
        (Split(r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"),),
        scanner="gpt2",
    ),
    "cl100k": Scheme(
        (
            Split(
                r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
                r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
                dialect="tiktoken",
            ),
        ),
        scanner="cl100k",
        models="cl100k_base",
    ),
    "o200k": Scheme(
        (_O200K,),
        scanner="o200k",
        models="o200k_base and o200k_harmony",
    ),
    # The other spelling was tiktoken's for cl100k_base before 0.14.
    "llama3": Scheme(
        (
            Split(
                _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
                r"|\s*[\r\n]+|\s+(?!\S)|\s+"
            ),
        ),
        scanner="llama3",
        models="Llama 3, GLM 4 and others",
        also=(
            (
                Split(
                    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*"
                    r"|\s*[\r\n]|\s+(?!\S)|\s+"
                ),
            ),
        ),
    ),
    "qwen2": Scheme(
        (
            Split(
                _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
                r"|\s*[\r\n]+|\s+(?!\S)|\s+"
            ),
        ),
        scanner="qwen2",
        models="Qwen 2, 2.5 and 3",
    ),
    # As qwen2, with marks among the letters.
    "qwen35": Scheme(
        (
            Split(
                _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*"
                r"|\s*[\r\n]+|\s+(?!\S)|\s+"
            ),
        ),
        scanner="qwen35",
        models="Qwen 3.5",
    ),
    # As o200k, without contractions and with one digit per span.
    "tekken": Scheme(
        (
            Split(
                r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
                r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
                r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
            ),
        ),
        scanner="tekken",
        models="Mistral's Tekken",
    ),
    # As o200k, with ideographs in separate spans and no slashes after punctuation.
    "kimi_k2": Scheme(
        (
            Split(
                rf"[\p{{Han}}]+|[^\r\n\p{{L}}\p{{N}}]?{_KIMI_UPPER}*{_KIMI_LOWER}+{_CONTRACTIONS}?"
                rf"|[^\r\n\p{{L}}\p{{N}}]?{_KIMI_UPPER}+{_KIMI_LOWER}*{_CONTRACTIONS}?"
                r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
            ),
        ),
        scanner="kimi_k2",
        models="Kimi K2",
    ),
    # tokenizers' Digits(individual_digits=True), then its ByteLevel.
    "starcoder": Scheme(
        (Split(r"\p{N}"), _GPT2),
        scanner="starcoder",
        models="StarCoder and others",
    ),
    # In the published file the line ends are the characters themselves.
    "deepseek_v3": Scheme(
        (
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
        scanner="deepseek_v3",
        models="DeepSeek V3 and R1",
        also=(
            (
                Split(r"\p{N}{1,3}"),
                Split("[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"),
                Split(
                    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
                    r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
                ),
            ),
        ),
    ),
    "bailingmoe": Scheme(
        (
            Split(
                r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*"
                r"|\s*[\r\n]|\s+(?!\S)|\s+"
            ),
        ),
        scanner="qwen2",
    ),
    "seed_coder": Scheme(
        (  # In the published file the line ends are the characters themselves.
            Split(
                _CONTRACTIONS
                + "|[^\r\n"
                + r"\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}"
                + "\r\n]+|\\s*[\r\n"
                + r"]+|\s+(?!\S)|\s+"
            ),
        ),
        scanner="seed_coder",
        models="Seed-Coder",
        also=(
            (
                Split(
                    _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+"
                    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
                ),
            ),
        ),
    ),
    "falcon": Scheme(
        (
            punctuation("contiguous"),
            _GPT2,
            replace(digits(individual=False), byte_level=True),
            Split("[0-9][0-9][0-9]", byte_level=True),
        ),
    ),
    # llama.cpp's own, for GGUF files that name no pre-tokenizer.
    "llama_cpp_default": Scheme((Split(r"[\p{P}$+<=>^~|]+"), _GPT2, Split(r"\p{N}+"), Split("[0-9][0-9][0-9]"))),
    "deepseek_coder": Scheme(
        (
            _LINE_END,
            Split(r"\s?\p{L}+"),
            Split(r"\s?\p{P}+"),
            _HAN_AND_HANGUL,
            digits(individual=True),
        ),
    ),
    "deepseek_llm": Scheme(
        (
            _LINE_END,
            Split(r"\s?[A-Za-z" + class_of(_CASED) + "]+"),
            Split(r"\s?[!-/:-~" + class_of("FF01-FF0F FF1A-FF5E 2018-201F 3000-3002") + "]+"),
            Split(r"\s+$"),
            _HAN_AND_HANGUL,
            digits(individual=True),
        ),
    ),
    "bloom": Scheme(
        (_BLOOM,),
    ),
    "viking": Scheme(
        (_BLOOM, digits(individual=True)),
    ),
    "chameleon": Scheme(
        (
            Split("<sentinel:[0-9]+>"),
            Split("(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z"),
            Split(r"([\t\n]|    |  )"),
            digits(individual=True),
            punctuation("isolated"),
            _GPT2,
        ),
    ),
    # Digits by threes, counted from the right.
    "tiny_aya": Scheme(
        (Split(r"\d{1,3}(?=(?:\d{3})*\b)"), _O200K),
    ),
    "superbpe": Scheme(
        (Split(r"\p{N}+"), Split(r"(?=(\d{3})+(?!\d))")),
    ),
    # As qwen2, without contractions.
    "ufakzeka": Scheme(
        (Split(r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"),),
    ),
    "exaone_moe": Scheme(
        (
            Split(
                _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}"
                r"| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+"
            ),
        ),
    ),
    "minicpm5": Scheme(
        (
            Split(r"\p{N}{1,3}"),
            Split(
                _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}+| ?[^\s\p{L}\p{N}]+[\r\n]*"
                r"|\s*[\r\n]+|\s+(?!\S)|\s+"
            ),
        ),
    ),
}
SCHEMES: dict[str, tuple[Split, ...]] = {name: scheme.steps for name, scheme in TABLE.items()}


def scheme_steps(name: str) -> tuple[Split, ...]:
    """Return the steps of a scheme.

    Raises:
        UnknownNameError: There is no scheme of that name.
    """
    try:
        return SCHEMES[name]
    except KeyError:
        raise UnknownNameError(f"no scheme named {name!r}. {nearest(name, list(SCHEMES))}") from None


def pattern_steps(pattern: str, dialect: str = "tokenizers") -> tuple[Split, ...]:
    """Return the steps of a caller's ``pattern``: those of a scheme, or one step with a regular expression.

    Raises:
        UnknownNameError: It looks like a name (only letters, digits and underscores), but is not a scheme.
    """
    if pattern in SCHEMES or pattern.isidentifier():
        return scheme_steps(pattern)
    return (Split(pattern, dialect=dialect),)


def scheme_name(steps: Sequence[Step]) -> str | None:
    """Return the name of the scheme with exactly these steps, if there is one."""
    return next((name for name, known in SCHEMES.items() if known == tuple(steps)), None)
