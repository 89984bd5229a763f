"""Added tokens that are normalized, of Unigram with a character map: as in `tokenizers`, found by the core."""

import json
import random

import pytest
import tokenizers as theirs
from charsmaps import charsmap
from depth import by_depth

from wordsplit.compat import tokenizers as ours
from wordsplit.engine.native import NativeWordEngine

PAIRS = {"A": "a", "B": "b", "N": "n", "ﬁ": "fi", "é": "e", "e\u0301": "é", "\x01": "", "\t": " ", "\u3000": " "}
MAP = {"type": "Precompiled", "precompiled_charsmap": charsmap(PAIRS | {"½": "1/2", "n\u0302": "x", "ñ": "n\u0303"})}
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}


def spaces_become(text):
    return {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": text}


RULES = {
    "t5": ([MAP, {"type": "Strip", "strip_left": False, "strip_right": True}, spaces_become("▁")], [METASPACE]),
    "xlm": ([MAP, spaces_become(" ")], [{"type": "WhitespaceSplit"}, METASPACE]),
    "map": ([MAP], [METASPACE]),
}
PIECES = ["<unk>", *"abcdefinx1/2▁é", "▁a", "ab", "▁new", "new", "er", "▁b", "▁▁", "fi"]
LITERALS = ["new", "<x>", "newer", "ab", "fi", "é", "e\u0301x", "n\u0302", "1/", "Newb", "\u0301", "a b", "ﬁx"]
LETTERS = [*"abceéfinx12 ▁AN\t\x01\u3000½ﬁ\u0301\u0302\r\n", "new", "  ", "\u0303\u0303\u0303"]


def file_of(rules):
    normalizers, steps = RULES[rules]
    vocab = [[piece, -1 - at / 7] for at, piece in enumerate(PIECES)]
    return json.dumps(
        {
            "normalizer": {"type": "Sequence", "normalizers": normalizers},
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": steps},
            "model": {"type": "Unigram", "unk_id": 0, "vocab": vocab, "byte_fallback": False},
        }
    )


@pytest.mark.parametrize("rules", RULES)
def test_as_in_the_original(rules):
    rng = random.Random(rules)
    file = file_of(rules)
    for _ in range(by_depth(4, 75, 5_000)):
        tok, mine = theirs.Tokenizer.from_str(file), ours.Tokenizer.from_str(file)
        literals = {tok.normalizer.normalize_str(each): each for each in rng.sample(LITERALS, rng.randrange(1, 4))}
        chances = {"lstrip": 0.1, "rstrip": 0.1, "single_word": 0.2, "normalized": 0.8}
        added = {
            literal: {flag: rng.random() < chance for flag, chance in chances.items()}
            for normal, literal in literals.items()
            if normal  # which splits texts between all bytes, and is refused
        }
        for each, library in ((mine, ours), (tok, theirs)):
            each.add_tokens([library.AddedToken(literal, **flags) for literal, flags in added.items()])
        for _ in range(12):
            text = "".join(rng.choices([*LETTERS, *[*added] * 4], k=rng.randrange(1, 12)))
            found, want = mine.encode(text), tok.encode(text)
            assert (found.ids, found.tokens, found.offsets) == (want.ids, want.tokens, want.offsets), (
                added,
                ascii(text),
            )


@pytest.mark.parametrize("rules", RULES)
def test_the_core_finds_them(rules):
    file = file_of(rules)
    tok, mine = theirs.Tokenizer.from_str(file), ours.Tokenizer.from_str(file)
    for each in (tok, mine):
        each.add_tokens(["<x>", "Newer", "ﬁx"])
    engine = mine._texts().engine
    if not isinstance(engine, NativeWordEngine):
        pytest.skip("a pure-Python build")
    text = "a newera Newer <x>b ﬁxfix  newe ½"
    assert engine.core.encode(text, None) == tok.encode(text).ids
    assert len(set(tok.encode(text).ids) & {len(PIECES), len(PIECES) + 1, len(PIECES) + 2}) == 3
