"""Texts to compare engines on: the inputs that broke real tokenizers, and generated ones."""

import random

from wordsplit.unicode import class_runs

# EXACTNESS names these; sizes are kept where an engine compares in reasonable time.
BROKE_OTHERS = [
    "",
    "^" * 20_000,
    " " * 20_000,
    " " * 20_000 + "x",
    "a" * 20_000,
    "Z" * 20_000,
    "\n" * 20_000,
    "\r\n" * 5_000,
    "a  b",
    "def f():\n    return  x",
    "!\u0085",
    "क्ष" * 50,
    "का" * 100,
    "e\u0301\u0302" * 200,
    "a 🫨",
    "a\u1df6\u0301",
    "\U00011935\U00011930",
    "\U00011938",
    "x'ſ",
    "x'ſS'T'Ll'RE'D'vE",
    " Việt",
    ".data",
    "\ufeffbom",
    "nul\0nul",
    " Japón",
    "Japo\u0301n",
    "각" * 10,
    "\u1100\u1161\u11a8" * 10,
    "\u0344\u0301\u0327",
    "\u0958\u2126\u212b",
    "\u1e9b\u0323",
    "ﬁ ﬂ ℌ",
    "1234567890 12 1 123",
    "٣٤٥٦ ⅷ ²³",
    "\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\u200b",
    "a\n\n\n  \n b \t\n\t",
    "//\n/* * */ http://a.b/c?d=e&f",
    "don't DON'T I'll WE'VE it's 'tis ''s '' '",
    "你好，世界。これは日本語です。한국어도",
    "<|endoftext|>",
    "<|im_start|>user\nhi<|im_end|>\n<think>\n</think><tool_call>",
    "<|endoftext|><|fim_prefix|> x <|endofprompt|><|reserved_200018|>",
    "<|endoftext",
    "<|<|endoftext|>|>",
]

_ENDS: list[int] = []
_RUNS: list[tuple[int, int]] = []


def random_char(rng: random.Random) -> str:
    """A character of a random class run: rare classes come as often as common ones."""
    if not _RUNS:
        _RUNS.extend((a, b) for a, b, _ in class_runs() if not 0xD800 <= a < 0xE000)
    start, end = rng.choice(_RUNS)
    return chr(rng.randrange(start, end))


def from_unicode(rng: random.Random) -> str:
    """Characters of all of Unicode, mixed with what patterns are about."""
    common = " \n\r\t'aAzZ09.,!/-_sStTlLdDmMrReEvVſ\u0301\u0300\u3000你é"
    return "".join(rng.choice(common) if rng.random() < 0.6 else random_char(rng) for _ in range(rng.randrange(1, 24)))


def from_tokens(rng: random.Random, tokens: list[bytes]) -> str:
    """Tokens of the vocab put together, so that merges meet across their boundaries."""
    data = b"".join(rng.choice(tokens) for _ in range(rng.randrange(1, 8)))
    return data.decode("utf-8", "ignore")
