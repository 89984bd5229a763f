r"""The pre-tokenizer names of llama.cpp, in ``tokenizer.ggml.pre`` of a GGUF file.

A GGUF file names its pre-tokenizer and holds no pattern. The names, which of them share a pattern, and which of
them look up whole spans before merging, are facts from llama.cpp
(``src/llama-vocab.cpp`` at commit 00ad355e009e83abf98f96a6ded7193b95763681), whose ids are the reference for
GGUF files.

Each name here refers to a scheme: the pattern of the models' own tokenizer.json. llama.cpp spells some patterns
for a matcher with fewer features; ``docs/formats.md`` lists where it differs. A name is refused if the pattern of its
models is not known for certain, or if it is not byte-level BPE.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["KNOWN_UNSUPPORTED", "PRE_TOKENIZERS", "UNNAMED", "PreTokenizer"]

UNNAMED = "default"
"""The name of what llama.cpp uses for a file without a name. It is the pattern of no model."""


class PreTokenizer(NamedTuple):
    """The settings of a name of llama.cpp.

    Attributes:
        scheme: The name of the scheme.
        ignore_merges: Whether a span that is a token as a whole gets that id without any merging.
        mask_lstrip: Whether the token ``<mask>`` includes the white space before it.
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
    (PreTokenizer("kimi_k2"), "kimi-k2"),
    (PreTokenizer("falcon"), "falcon"),
    (PreTokenizer("deepseek_coder"), "deepseek-coder"),
    (PreTokenizer("deepseek_llm"), "deepseek-llm"),
    (PreTokenizer("bloom"), "bloom gpt3-finnish poro-chat"),
    (PreTokenizer("viking"), "viking"),
    (PreTokenizer("chameleon"), "chameleon"),
    (PreTokenizer("tiny_aya"), "tiny_aya cohere2moe"),
    (PreTokenizer("superbpe"), "superbpe"),
    (PreTokenizer("ufakzeka"), "ufakzeka"),
    (PreTokenizer("exaone_moe"), "exaone-moe"),
    (PreTokenizer("minicpm5", ignore_merges=True), "minicpm5"),
    (PreTokenizer("llama_cpp_default"), UNNAMED),
)

PRE_TOKENIZERS: dict[str, PreTokenizer] = {name: row for row, names in _ROWS for name in names.split()}
"""The names that are supported."""

KNOWN_UNSUPPORTED: dict[str, bool] = {
    # Those of SentencePiece-style BPE, which no byte-level scheme can represent.
    "gemma4": False,
    "granite-embed-multi-311m": False,
    "sarvam-moe": False,
    "whitespace": False,
    # Those whose models' own pattern is not known for certain.
    "afmoe": False,
    "granite-embed-multi-97m": True,
    "jais-2": False,
    "laguna": False,
    "spark2_5": False,
    "youtu": True,
}
"""Names of llama.cpp that are refused, and whether they look up whole spans first."""
