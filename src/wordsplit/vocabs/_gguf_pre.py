r"""What ``tokenizer.ggml.pre`` of a GGUF file means: llama.cpp's names of pre-tokenizers.

A GGUF file names its pre-tokenizer and holds no pattern. The names, which of them share a pattern, and for
which of them a whole span is looked up before any merging, are facts read in llama.cpp
(``src/llama-vocab.cpp`` at commit 00ad355e009e83abf98f96a6ded7193b95763681), whose ids are the measure for
GGUF files.

Each name here stands for a scheme that cuts as the patterns listed there do, read step by step, text that no
pattern matches being a span of its own. The schemes are the models' own patterns; llama.cpp spells some of
them for a matcher without ``(?i…)`` and ``\p{Lu}``, and so departs from them in two places: ``'s`` written
with U+017F (long s) is no contraction there; and for the names of ``o200k`` and ``tekken`` it tells upper
from lower case for ASCII letters only, and leaves marks out of words.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["KNOWN_UNSUPPORTED", "PRE_TOKENIZERS", "PreTokenizer"]


class PreTokenizer(NamedTuple):
    """What a name of llama.cpp stands for.

    Attributes:
        scheme: The name of the scheme.
        ignore_merges: Whether a span that is a token as a whole gets its id without any merging.
        mask_lstrip: Whether the token ``<mask>`` swallows the white space before it.
    """

    scheme: str
    ignore_merges: bool = False
    mask_lstrip: bool = False


# Scheme, its flags, its names.
_ROWS: tuple[tuple[PreTokenizer, str], ...] = (
    (
        PreTokenizer("gpt2"),
        "gpt-2 phi-2 gigachat a.x-4.0 mellum modern-bert mpt olmo jais trillion granite-docling exaone4",
    ),
    (PreTokenizer("gpt2"), "jina-es jina-de jina-v1-en roberta-bpe"),
    (PreTokenizer("gpt2", mask_lstrip=True), "jina-v2-es jina-v2-de jina-v2-code"),
    (
        PreTokenizer("llama3", ignore_merges=True),
        "llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano",
    ),
    (PreTokenizer("llama3"), "dbrx smaug-bpe glm4 chatglm-bpe"),
    (
        PreTokenizer("qwen2"),
        "qwen2 deepseek-r1-qwen kormo f2llmv2 megrez stablelm2 hunyuan solar-open grok-2",
    ),
    (PreTokenizer("qwen35"), "qwen35"),
    (PreTokenizer("o200k"), "gpt-4o llama4 kanana2 talkie minimax-m2"),
    (PreTokenizer("tekken", ignore_merges=True), "tekken"),
    (PreTokenizer("starcoder"), "starcoder refact command-r smollm codeshell exaone minerva-7b mellum2"),
    (PreTokenizer("deepseek_v3"), "deepseek-v3 hunyuan-dense joyai-llm hy_v4"),
    (PreTokenizer("bailingmoe"), "bailingmoe bailingmoe2 llada-moe"),
    (PreTokenizer("seed_coder"), "seed-coder"),
)

PRE_TOKENIZERS: dict[str, PreTokenizer] = {name: row for row, names in _ROWS for name in names.split()}
"""The names that are supported."""

KNOWN_UNSUPPORTED: dict[str, bool] = {
    # Those of SentencePiece-style BPE, which no byte-level scheme can stand for.
    "gemma4": False,
    "granite-embed-multi-311m": False,
    "sarvam-moe": False,
    "whitespace": False,
    # Those whose pattern is not in the schemes.
    "afmoe": False,
    "bloom": False,
    "chameleon": False,
    "cohere2moe": False,
    "deepseek-coder": False,
    "deepseek-llm": False,
    "default": False,  # llama.cpp's stand-in for a name that was never written: no model's own pattern
    "exaone-moe": False,
    "falcon": False,
    "gpt3-finnish": False,
    "granite-embed-multi-97m": True,
    "jais-2": False,
    "kimi-k2": False,
    "laguna": False,
    "minicpm5": True,
    "poro-chat": False,
    "spark2_5": False,
    "superbpe": False,
    "tiny_aya": False,
    "ufakzeka": False,
    "viking": False,
    "youtu": True,
}
"""Names that llama.cpp knows and that are refused, and whether a whole span is looked up first for them."""
