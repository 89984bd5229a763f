"""Every normalizer and pre-tokenizer of `tokenizers` with every option, as in a tokenizer.json; and texts for them."""

import random

from charsmaps import charsmap
from generated import BROKE_OTHERS, from_unicode, random_char

# What normalizers change, and what pre-tokenizers split.
TO_NORMALIZE = [
    *"aZ éÉßẞİıſﬁΣς²½ ",
    *("e\u0301", "\u0301", "\u0327\u0301", "a\u0323\u0302", "\u1e9b\u0323", "\u0344", "\u0958", "q\u0345\u0334"),
    *("각", "\u1100\u1161\u11a8", "\uac00\u11a8", "你", "ｶﾞ", "\uff76\uff9e", "ﷺ", "㎏", "\u2126", "\u1d15e", "🦜"),
    *("\x00", "\x01", "\x7f", "\x85", "\xa0", "\xad", "\u200b", "\u200d", "\u2028", "\u3000", "\ufeff", "\ufffd"),
    *("\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff", "\r\n", "\t", "  ", "\u2581", "क्ष", "👩\u200d👩", "🇩🇪"),
]
TO_SPLIT = [
    *"aZ09_-.,!'² ½$+\n\t\r",
    *("  ", "\u2581", "\u2581a", " \u2581", "don't", "'s", "\u0085", "\u00a0", "\u3000", "\u200b", "\u200d", "\ufeff"),
    *(
        "你",
        "日本",
        "カタカナ",
        "ひらがな",
        "ー",
        "한국",
        "प्र",
        "ру",
        "ελ",
        "ﬁ",
        "e\u0301",
        "\u0301",
        "🦜",
        "¡",
        "…",
        "«",
    ),
    *("\u061d", "\u166d", "\U000111c9", "\U00011de3", "٣", "Ⅷ", "\ud7ff", "\ue000", "\U0010ffff"),
]


MAPS = {
    "letters": {"a": "b", "é": "e", "e\u0301": "E", "ﬁ": "fi", "㎏": "kg", "İ": "", "\u200b": "", "x": "", "Z": "zzz"},
    "marks": {
        "\u0301": "",
        "\u0323": "..",
        "q": "\u0301",
        " ": "\u2581",
        "你": "",
        "🦜": "bird",
        "각": "\u1100\u1161\u11a8",
    },
    "bytes": {bytes([byte]): "Z" for byte in range(1, 256)},
    "spaces": {"\u3000": " ", "\u00a0": " ", "\u200b": "", "x\u0301": " ", "ﬁ": "fi", "\u00a8": " \u0308"},
    "prefixes": {"a": "1", "ab": "2", b"\xcc": "!", b"\xe1\x84": "??", "e\u0301": "3", "1": "", "2": "\u0301"},
}


BEHAVIORS = ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]


def bert(clean_text, handle_chinese_chars, strip_accents, lowercase):
    return {
        "type": "BertNormalizer",
        "clean_text": clean_text,
        "handle_chinese_chars": handle_chinese_chars,
        "strip_accents": strip_accents,
        "lowercase": lowercase,
    }


NORMALIZERS = [
    *({"type": kind} for kind in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt", "ByteLevel")),
    *({"type": "Strip", "strip_left": left, "strip_right": right} for left in (False, True) for right in (False, True)),
    *({"type": "Prepend", "prepend": text} for text in ("\u2581", "ab\u0301")),
    *(bert(*(bool(flags & bit) for bit in (1, 2, 4, 8))) for flags in range(16)),
    *(bert(True, True, None, lowercase) for lowercase in (False, True)),
    *({"type": "Precompiled", "precompiled_charsmap": charsmap(pairs)} for pairs in MAPS.values()),
    *(
        {"type": "Replace", "pattern": pattern, "content": content}
        for content in ("", "\u2581", "ab\u0301")
        for pattern in (
            {"String": " "},
            {"Regex": r"\s+"},
            {"Regex": " {2,}"},
            {"String": "e"},
            {"Regex": r"\p{M}|[a-f]+"},
        )
    ),
    *(
        {"type": "Replace", "pattern": {"Regex": pattern}, "content": ""}
        for pattern in ("", "a*", r"\b", "$", "^", "(?=a)")
    ),
    *(
        {"type": "Replace", "pattern": {"Regex": pattern}, "content": "x\u0301"}
        for pattern in (r"(?<=\w)", r"(?<=a)b*", r"\s+|(?<=.)$")
    ),
]


def byte_level(prefix, regex):
    return {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": True, "use_regex": regex}


def split(pattern, behavior="Isolated", invert=False):
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}


METASPACES = [
    {"type": "Metaspace", "replacement": char, "prepend_scheme": scheme, "split": cut}
    for char in ("\u2581", "_")
    for scheme in ("always", "first", "never")
    for cut in (True, False)
]
PRE_TOKENIZERS = [
    *METASPACES,
    {"type": "Metaspace", "replacement": "\u2581"},
    {
        "type": "Metaspace",
        "replacement": "\u2581",
        "add_prefix_space": True,
        "str_rep": "\u2581",
        "prepend_scheme": "first",
    },
    *(
        {"type": kind}
        for kind in ("BertPreTokenizer", "UnicodeScripts", "Whitespace", "WhitespaceSplit", "Punctuation")
    ),
    *({"type": "Punctuation", "behavior": behavior} for behavior in BEHAVIORS),
    *({"type": "Digits", "individual_digits": individual} for individual in (True, False)),
    *({"type": "CharDelimiterSplit", "delimiter": char} for char in (" ", "a", "ー")),
    {"type": "FixedLength"},
    *({"type": "FixedLength", "length": length} for length in (1, 2, 7, 1000)),
    *(byte_level(prefix, regex) for prefix in (True, False) for regex in (True, False)),
    *(
        split(pattern, behavior, invert)
        for pattern in ({"String": "a"}, {"String": "\u2581"}, {"Regex": r"\s+"}, {"Regex": r"\w+"}, {"Regex": "a*"})
        for behavior in BEHAVIORS
        for invert in (False, True)
    ),
]


def texts(seed, spice, count):
    """Texts that broke others, and random ones of ``spice`` and other characters."""
    rng = random.Random(seed)
    yield from (" ", "  a", "\n \u3000", *(text[:300] for text in BROKE_OTHERS if text))
    for at in range(count):
        parts = rng.choices(spice, k=rng.randint(1, 10))
        parts += [random_char(rng) for _ in range(rng.choice([0, 0, 1, 3]))]
        rng.shuffle(parts)
        yield "".join(parts) if at % 4 else from_unicode(rng)
