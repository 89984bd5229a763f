"""Patterns that models publish, or that runtimes run for them, besides those of `wordsplit.patterns.schemes`.

Each is a tuple of steps. Those of llama.cpp are the spellings of its table, which differ from the models' own.
"""

from functools import partial

from wordsplit.rules import Split

tiktoken = partial(Split, dialect="tiktoken")

_SPELLED_OUT = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
_CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_WORD = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_REST_WITH_SLASHES = r" ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_HAN_AND_KANA = "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"
_PUNCTUATED = r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
_ASIAN = (
    "[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u3040-\u309f\u30a0-\u30ff\uff65-\uff9f\u2f00-\u2fdf\u0e40-\u0e7f"
    "\u0e80-\u0eff\u1780-\u17ff\u1000-\u109f\uaa60-\uaa7f\ua9e0-\ua9ff\uac00-\ud7af\u1100-\u11ff]+"
)
_BLOOM = " ?[^(\\s|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c)]+"


def _cased(letters: str, contractions: str, digits: str, rest: str = _REST_WITH_SLASHES) -> str:
    """Words of letters in two cases, as llama.cpp tells them apart, or as the models do if ``letters`` is empty."""
    upper = rf"((?=[{letters}])([^a-z]))" if letters else _UPPER
    lower = rf"((?=[{letters}])([^A-Z]))" if letters else _LOWER
    first = r"[^\r\n\p{L}\p{N}]?"
    words = f"{first}{upper}*{lower}+{contractions}|{first}{upper}+{lower}*{contractions}"
    return f"{words}|{digits}|{rest}"


PUBLISHED: dict[str, tuple[Split, ...]] = {
    # tiktoken and vocabularies in its format
    "cl100k_base before tiktoken 0.6": (tiktoken(rf"{_CONTRACTIONS}|{_WORD}|\p{{N}}{{1,3}}|{_REST}"),),
    "cl100k_base before tiktoken 0.12": (
        tiktoken(
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]"
            r"|\s+(?!\S)|\s+"
        ),
    ),
    "r50k_base before tiktoken 0.12": (
        tiktoken(r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"),
    ),
    "r50k_base": (tiktoken(r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"),),
    "Qwen (1)": (tiktoken(rf"{_CONTRACTIONS}|{_WORD}|\p{{N}}|{_REST}"),),
    "nanochat": (
        tiktoken(
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,2}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]"
            r"|\s+(?!\S)|\s+"
        ),
    ),
    "Llama 4": (tiktoken(_cased("", f"{_CONTRACTIONS}?", r"\p{N}{1,3}")),),
    "Hunyuan A13B": (tiktoken(rf"{_CONTRACTIONS}|{_WORD}|\p{{N}}|{_REST}"),),
    "Tekken in Mistral's own file": (tiktoken(_cased("", "", r"\p{N}")),),
    # llama.cpp
    "llama.cpp: Llama 3, DBRX, Smaug, ChatGLM 4": (Split(rf"{_SPELLED_OUT}|{_WORD}|\p{{N}}{{1,3}}|{_REST}"),),
    "llama.cpp: Jais 2": (
        Split(
            rf"{_SPELLED_OUT}|{_WORD}|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|\s*[\r\n]+"
            + "".join(rf"|\s{{{count}}}(?!\S)" for count in (512, 256, 128, 64, 32, 16, 8, 4))
            + r"|\s{1,2}(?!\S)|\s{1}"
        ),
    ),
    "Jais 2": (
        Split(
            rf"{_CONTRACTIONS}|{_WORD}|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|\s*[\r\n]+"
            + "".join(rf"|\s{{{count}}}(?!\S)" for count in (512, 256, 128, 64, 32, 16, 8, 4))
            + r"|\s{1,2}(?!\S)|\s{1}"
        ),
    ),
    "llama.cpp: DeepSeek V3, Hunyuan dense, JoyAI": (
        Split(r"\p{N}{1,3}"),
        Split(_HAN_AND_KANA),
        Split(_PUNCTUATED + r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"),
    ),
    "llama.cpp: Spark 2.5": (
        Split(r"\p{N}{1,3}"),
        Split(_HAN_AND_KANA),
        Split(_PUNCTUATED + r"| ?[\p{P}\p{S}]+|[\r\n]|\s+(?!\S)|\s+"),
        Split(r"\p{N}"),
    ),
    "llama.cpp: Youtu": (
        Split(
            "[\uac00-\ud7a3\u3131-\u318e]+|[\uff01\u2026\u201c\u201d\u2018\u2019\u2014\uff1a\uff1b\uff0c\u3001-\u303f"
            f"\ufe30-\ufe4f]+|[\u3105-\u312f]+|{_HAN_AND_KANA}"
        ),
        Split(_cased("", f"{_SPELLED_OUT}?", r"\p{N}")),
    ),
    "llama.cpp: DeepSeek Coder": (
        Split("[\r\n]"),
        Split(r"\s?\p{L}+"),
        Split(r"\s?\p{P}+"),
        Split("[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+"),
        Split(r"\p{N}"),
    ),
    "llama.cpp: Falcon": (Split(r"[\p{P}\$\+<=>\^~\|`]+"), Split(_GPT2), Split("[0-9][0-9][0-9]")),
    "llama.cpp: StarCoder, Refact, Command R, SmolLM": (Split(r"\p{N}"), Split(_GPT2)),
    "llama.cpp: GPT-2, MPT, OLMo, Jais, Trillion": (Split(_GPT2),),
    "llama.cpp: Qwen 2, StableLM 2, Hunyuan, Solar, Grok 2": (Split(rf"{_SPELLED_OUT}|{_WORD}|\p{{N}}|{_REST}"),),
    "llama.cpp: Qwen 3.5": (
        Split(
            rf"{_SPELLED_OUT}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}"
            r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
        ),
    ),
    "llama.cpp: BLOOM, Poro, GPT-3 Finnish": (Split(_BLOOM),),
    "llama.cpp: Viking": (Split(_BLOOM), Split(r"\p{N}")),
    "llama.cpp: Tekken": (Split(_cased(r"\p{L}", "", r"\p{N}")),),
    "llama.cpp: GPT-4o, MiniMax M2": (Split(_cased(r"\p{L}", f"{_SPELLED_OUT}?", r"\p{N}{1,3}")),),
    "llama.cpp: Granite embedding": (Split(_cased(r"\p{L}\p{M}", f"{_SPELLED_OUT}?", r"\p{N}{1,3}")),),
    "llama.cpp: Chameleon": (
        Split("<sentinel:[0-9]+>"),
        Split("(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z"),
        Split(r"([\t\n]|    |  )"),
        Split(r"\p{N}"),
        Split(r"[\p{P}!-/:-@\[-`{-~]"),
        Split(_GPT2),
    ),
    "llama.cpp: Tiny Aya": (
        Split(r"\d{1,3}(?=(?:\d{3})*\b)"),
        Split(_cased("", f"{_SPELLED_OUT}?", r"\p{N}{1,3}")),
    ),
    "llama.cpp: Kimi K2": (Split(r"\p{Han}+"),),
    "llama.cpp: Bailing": (
        Split(
            rf"'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|{_WORD}|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|\s*[\r\n]"
            r"|\s+(?!\S)|\s+"
        ),
    ),
    "llama.cpp: Seed-Coder": (
        Split(rf"{_SPELLED_OUT}|{_WORD}|\p{{N}}{{1}}| ?[^\s\p{{L}}\p{{N}}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+"),
    ),
    "llama.cpp: AFMoE, except for its digits": (
        Split(_ASIAN),
        Split(_PUNCTUATED + r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"),
    ),
    "llama.cpp: Laguna": (Split(r"[^\n]+|[\n]+"), Split(rf"{_SPELLED_OUT}|{_WORD}|\p{{N}}|{_REST}")),
    "llama.cpp: EXAONE MoE": (
        Split(
            rf"{_SPELLED_OUT}|[^\r\n\p{{L}}\p{{N}}]?(?:\p{{L}}\p{{M}}*(?: \p{{L}}\p{{M}}*)*)+|\p{{N}}"
            r"| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+"
        ),
    ),
    "llama.cpp: MiniCPM 5": (Split(r"\p{N}{1,3}"), Split(rf"{_SPELLED_OUT}|{_WORD}|\p{{N}}+|{_REST}")),
    "llama.cpp: Gemma 4, Sarvam": (Split(r"[^\n]+|[\n]+"),),
    "llama.cpp: Jina v2 in Chinese": (Split(r"\S+"),),
    # tokenizer.json
    "CLIP": (Split(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"),),
    "Whitespace": (Split(r"\w+|[^\w\s]+"),),
    "Gemma 3": (Split(" ", behavior="merged_with_previous", literal=True),),
    "words with their spaces": (Split(r"\s+", behavior="merged_with_next"),),
    "Llama 2, spaces at the beginning of a text too": (Split("\u2581", behavior="merged_with_next", literal=True),),
    "runs of digits": (Split(r"\p{N}", behavior="contiguous"),),
}
