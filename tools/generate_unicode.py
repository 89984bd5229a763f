"""Generate the pinned Unicode tables, for Python and for C++, from one source of truth.

    pip install unicodedata2==16.0.0 tokenizers tiktoken regex
    python tools/generate_unicode.py

Several Unicode versions are pinned, because the engines that define "exact" use several:

* classes (general category, White_Space, word characters, Han) follow **Unicode 16.0**, as
  ``tokenizers`` and ``tiktoken`` do. Categories come from ``unicodedata2`` 16.0.0. The other three
  have no table there, so they are read from ``tiktoken``'s engine. ``tests/exhaustive`` compares
  every scalar value with both engines.
* normalization (NFC) follows the tables inside ``tokenizers``, which are older. Decompositions and
  combining classes never change once assigned, so the older data are the newer ones less what the
  engine does not know. This script asks the engine which those are.
* scripts are those that the pre-tokenizer ``UnicodeScripts`` tells apart, asked from ``tokenizers``.
* grapheme clusters follow Unicode 17.0. The properties come from ``regex``, less the characters that are newer, which
  ``tokenizers`` is asked for.
"""

from __future__ import annotations

import pathlib
import struct
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

import regex
import tiktoken
import unicodedata2 as ucd
from tokenizers import normalizers, pre_tokenizers

ROOT = pathlib.Path(__file__).resolve().parent.parent
PYTHON_OUT = ROOT / "src/wordsplit/unicode/data.py"
SEGMENTATION_OUT = ROOT / "src/wordsplit/unicode/segmentation.py"
CPP_OUT = ROOT / "native/include/wordsplit/text/unicode_data.hpp"

LIMIT = 0x110000
SCALARS = [cp for cp in range(LIMIT) if not 0xD800 <= cp < 0xE000]
CATEGORIES = [
    "Lu",
    "Ll",
    "Lt",
    "Lm",
    "Lo",
    "Mn",
    "Mc",
    "Me",
    "Nd",
    "Nl",
    "No",
    "Pc",
    "Pd",
    "Ps",
    "Pe",
    "Pi",
    "Pf",
    "Po",
    "Sm",
    "Sc",
    "Sk",
    "So",
    "Zs",
    "Zl",
    "Zp",
    "Cc",
    "Cf",
    "Cs",
    "Co",
    "Cn",
]
SPACE, HAN, WORD = 32, 64, 128
Combining = dict[int, int]
Decompositions = dict[int, tuple[int, ...]]
Pairs = dict[tuple[int, int], int]
HANGUL = range(0xAC00, 0xAC00 + 11172)


def members_in_tiktoken(cls: str) -> set[int]:
    """The scalar values that ``cls`` matches in tiktoken's regex engine."""
    single = {bytes([b]): b for b in range(256)}
    probe = tiktoken.Encoding("probe", pat_str=cls, mergeable_ranks=single, special_tokens={})
    text = "".join(map(chr, SCALARS))
    return set(map(ord, bytes(probe.encode_ordinary(text)).decode()))


def class_bytes() -> bytes:
    """One byte a code point: category in the low five bits, then space, Han and word flags."""
    index = {name: i for i, name in enumerate(CATEGORIES)}
    out = bytearray(index[ucd.category(chr(cp))] for cp in range(LIMIT))
    for cls, flag in ((r"\s", SPACE), (r"\p{Han}", HAN), (r"\w", WORD)):
        for cp in members_in_tiktoken(cls):
            out[cp] |= flag
    return bytes(out)


def normalization() -> tuple[Combining, Decompositions, Pairs]:
    """Combining classes, full canonical decompositions, and composition pairs of ``tokenizers``."""
    assert ucd.unidata_version == "16.0.0", ucd.unidata_version
    nfc, nfd = normalizers.NFC().normalize_str, normalizers.NFD().normalize_str
    ccc: dict[int, int] = {}
    for cp in SCALARS:
        value = ucd.combining(chr(cp))
        # Between a mark of a higher and one of a lower class, a known mark must move; both
        # neighbours are as old as Unicode itself.
        if value:
            probe = "q\u0345" + chr(cp) + "\u0334"
            if nfd(probe) == ucd.normalize("NFD", probe):
                ccc[cp] = value
    full: dict[int, tuple[int, ...]] = {}
    pairs: dict[tuple[int, int], int] = {}
    for cp in SCALARS:
        if cp in HANGUL:
            continue
        parts = nfd(chr(cp))
        if parts == chr(cp):
            continue
        full[cp] = tuple(map(ord, parts))
        step = [int(part, 16) for part in ucd.decomposition(chr(cp)).split()]
        if len(step) == 2 and nfc(chr(step[0]) + chr(step[1])) == chr(cp):
            pairs[step[0], step[1]] = cp
    return ccc, full, pairs


def compatibility() -> Decompositions:
    """Full compatibility decompositions of ``tokenizers``, where they differ from the canonical ones."""
    nfd, nfkd = normalizers.NFD().normalize_str, normalizers.NFKD().normalize_str
    return {cp: tuple(map(ord, nfkd(chr(cp)))) for cp in SCALARS if nfkd(chr(cp)) != nfd(chr(cp))}


def runs(values: Sequence[int]) -> list[tuple[int, int]]:
    """``(start, value)`` of each run of equal values."""
    return [(i, v) for i, v in enumerate(values) if i == 0 or values[i - 1] != v]


def lines(values: Iterable[int], show: Callable[[int], str] = str, width: int = 96) -> str:
    out, line = [], "   "
    for text in map(show, values):
        if len(line) + len(text) + 2 > width:
            out.append(line)
            line = "   "
        line += f" {text},"
    return "\n".join([*out, line])


def two_stage(values: Sequence[int], shift: int) -> tuple[list[int], list[int]]:
    size = 1 << shift
    index: list[int] = []
    blocks: dict[tuple[int, ...], int] = {}
    for start in range(0, LIMIT, size):
        block = tuple(values[start : start + size])
        index.append(blocks.setdefault(block, len(blocks)))
    return index, [v for block in blocks for v in block]


def write_python(classes: bytes, ccc: Combining, full: Decompositions, pairs: Pairs) -> None:
    flat = [n for run in runs(classes) for n in run]
    deltas = [n - (flat[i - 2] if i >= 2 else 0) if i % 2 == 0 else n for i, n in enumerate(flat)]
    PYTHON_OUT.write_text(
        '"""Pinned Unicode tables. Generated by tools/generate_unicode.py: do not edit.\n\n'
        "Classes: Unicode 16.0. Normalization: the older data inside ``tokenizers``.\n"
        '"""\n\n'
        'CLASS_VERSION = "16.0.0"\n'
        f"CATEGORIES = {tuple(CATEGORIES)!r}\n"
        f"SPACE, HAN, WORD = {SPACE}, {HAN}, {WORD}\n"
        "# Runs of equal class bytes: distance from the last run's start, class byte, and so on.\n"
        f"CLASS_RUNS: tuple[int, ...] = (\n{lines(deltas)}\n)\n"
        "# Code point, canonical combining class, and so on.\n"
        f"COMBINING: tuple[int, ...] = (\n{lines(n for item in sorted(ccc.items()) for n in item)}\n)\n"
        "# Code point -> its full canonical decomposition (Hangul is computed).\n"
        f"DECOMPOSITION = {{\n" + lines(sorted(full), lambda cp: f"{cp}: {full[cp]}".replace(", ", ",")) + "\n}\n"
        "# First, second, composed, and so on (Hangul is computed).\n"
        f"COMPOSITION: tuple[int, ...] = (\n{lines(n for k in sorted(pairs) for n in (*k, pairs[k]))}\n)\n",
        encoding="ascii",
    )


def write_cpp(classes: bytes, ccc: Combining, full: Decompositions, pairs: Pairs, compatible: Decompositions) -> None:
    class_index, class_blocks = two_stage(classes, 7)
    ccc_index, ccc_blocks = two_stage([ccc.get(cp, 0) for cp in range(LIMIT)], 7)
    seconds = {second for _, second in pairs} | set(range(0x1161, 0x1176)) | set(range(0x11A8, 0x11C3))
    stable = [cp for cp in full if ucd.normalize("NFC", chr(cp)) == chr(cp) and cp in pairs.values()]
    unsafe = [int(cp in seconds or cp in ccc or (cp in full and cp not in set(stable))) for cp in range(LIMIT)]
    qc_index, qc_blocks = two_stage([unsafe[cp] or 2 * (cp in compatible) for cp in range(LIMIT)], 7)

    def array(ctype: str, name: str, values: Iterable[int], show: Callable[[int], str] = str) -> str:
        return f"inline constexpr {ctype} {name}[] = {{\n{lines(values, show)}\n}};\n"

    def decompositions(name: str, of: Decompositions) -> str:
        order = sorted(of)
        offsets = [0, *accumulate(len(of[cp]) for cp in order)]
        return (
            array("std::uint32_t", f"k{name}", order)
            + array("std::uint16_t", f"k{name}Offset", offsets)
            + array("std::uint32_t", f"k{name}Pool", (part for cp in order for part in of[cp]))
        )

    CPP_OUT.write_text(
        "// Pinned Unicode tables. Generated by tools/generate_unicode.py: do not edit.\n"
        "// Classes: Unicode 16.0. Normalization: the older data inside `tokenizers`.\n"
        "#pragma once\n\n#include <cstdint>\n\nnamespace wordsplit::unicode_data {\n\n"
        "inline constexpr unsigned kShift = 7;\n"
        "// Class byte: general category (index into kCategories) | 32 space | 64 Han | 128 word.\n"
        "inline constexpr const char* kCategories[] = {"
        + ", ".join(f'"{c}"' for c in CATEGORIES)
        + "};\n"
        + array("std::uint16_t", "kClassIndex", class_index)
        + array("std::uint8_t", "kClassBlocks", class_blocks)
        + "// Canonical combining class.\n"
        + array("std::uint8_t", "kCombiningIndex", ccc_index)
        + array("std::uint8_t", "kCombiningBlocks", ccc_blocks)
        + "// 1 where a code point can change or change what stands before it; 2 where it can under NFKC only.\n"
        + array("std::uint8_t", "kUnstableIndex", qc_index)
        + array("std::uint8_t", "kUnstableBlocks", qc_blocks)
        + "// Full canonical decompositions: sorted code points, offsets into the pool.\n"
        + decompositions("Decomposed", full)
        + "// Full compatibility decompositions, where they differ from the canonical ones.\n"
        + decompositions("Compatible", compatible)
        + "// Composition pairs, sorted: first << 32 | second, and what they compose to.\n"
        + array("std::uint64_t", "kComposePair", ((a << 32 | b) for a, b in sorted(pairs)), lambda n: f"{n}ULL")
        + array("std::uint32_t", "kComposed", (pairs[k] for k in sorted(pairs)))
        + "\n}  // namespace wordsplit::unicode_data\n",
        encoding="ascii",
    )
    print(f"class blocks {len(class_blocks)}, ccc blocks {len(ccc_blocks)}, qc blocks {len(qc_blocks)}")


def scripts() -> list[int]:
    """The number of each code point's script; 0 where ``UnicodeScripts`` knows none."""
    split = pre_tokenizers.UnicodeScripts().pre_tokenize_str
    known = [cp for cp in SCALARS if split(chr(cp))]
    out = [0] * LIMIT
    first: list[str] = []  # one character of each script
    for piece, _ in split("".join(map(chr, known))):
        same = (number for number, char in enumerate(first, 1) if len(split(char + piece[0])) == 1)
        number = next(same, None)
        if number is None:
            first.append(piece[0])
            number = len(first)
        for char in piece:
            out[ord(char)] = number
    return out


# Values of Grapheme_Cluster_Break, and for Hindi and other languages of India of Indic_Conjunct_Break.
BREAKS = [
    "Other",
    "CR",
    "LF",
    "Control",
    "Extend",
    "ZWJ",
    "Regional_Indicator",
    "Prepend",
    "SpacingMark",
    "L",
    "V",
    "T",
    "LV",
    "LVT",
    "Pictographic",
    "Consonant",
    "Linker",
    "Joiner",
]


def clusters() -> Callable[[str], int]:
    """A function that counts the grapheme clusters of a short text as ``tokenizers`` does.

    It asks a normalizer that replaces each cluster of less than six bytes, whatever its first byte, by one character.
    """
    units = [256 << 10, *[0] * 255, 1 << 31, *(byte | 1 << 8 | byte << 10 for byte in range(1, 256))]
    charsmap = struct.pack("<513I", 4 * len(units), *units) + b"Z"
    normalize = normalizers.Precompiled(charsmap).normalize_str
    return lambda text: len(normalize(text))


def breaks() -> list[int]:
    """The class of each code point that decides where grapheme clusters end: an index into ``BREAKS``."""
    text = "".join(map(chr, SCALARS))
    count = clusters()

    def members(pattern: str) -> list[int]:
        return list(map(ord, regex.findall(f"(?V1){pattern}", text)))

    out = [0] * LIMIT
    for number, name in enumerate(BREAKS[1:14], 1):
        for cp in members(rf"\p{{GCB={name}}}"):
            out[cp] = number
    for name, pattern in (
        ("Pictographic", r"\p{ExtPict}"),
        ("Consonant", r"[\p{InCB=Consonant}&&\p{GCB=Other}]"),
        ("Linker", r"\p{InCB=Linker}"),
        ("Joiner", r"[\p{InCB=Extend}&&\p{GCB=Extend}]"),
    ):
        for cp in members(pattern):
            out[cp] = BREAKS.index(name)
    for cp in members(r"[\p{GCB=Extend}\p{GCB=SpacingMark}\p{InCB=Linker}]"):
        if count("q" + chr(cp)) == 2:
            out[cp] = 0
    return out


def write_segmentation() -> None:
    def table(values: Sequence[int]) -> str:
        flat = [(start, value) for start, value in runs(values)]
        starts = [start for start, _ in flat]
        distances = [b - a for a, b in zip([0, *starts], starts, strict=False)]
        return lines(n for distance, (_, value) in zip(distances, flat, strict=True) for n in (distance, value))

    names = ", ".join(f'"{name}"' for name in BREAKS)
    SEGMENTATION_OUT.write_text(
        '"""Pinned Unicode tables of scripts and clusters. Generated by tools/generate_unicode.py: do not edit.\n\n'
        "Scripts: those of the pre-tokenizer ``UnicodeScripts`` of `tokenizers`, numbered; 0 is none.\n"
        "Grapheme clusters: Unicode 17.0.\n"
        '"""\n\n'
        f"BREAKS = ({names})\n"
        "# Runs of equal values: distance from the last run's start, value, and so on.\n"
        f"SCRIPT_RUNS: tuple[int, ...] = (\n{table(scripts())}\n)\n"
        "# The same; the values are indices into BREAKS.\n"
        f"BREAK_RUNS: tuple[int, ...] = (\n{table(breaks())}\n)\n",
        encoding="ascii",
    )


def main() -> None:
    classes = class_bytes()
    ccc, full, pairs = normalization()
    write_python(classes, ccc, full, pairs)
    write_cpp(classes, ccc, full, pairs, compatibility())
    write_segmentation()
    print(f"{len(runs(classes))} class runs, {len(ccc)} marks, {len(full)} decompositions, {len(pairs)} pairs")


if __name__ == "__main__":
    main()
