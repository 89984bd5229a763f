"""A cut changes nothing: not for any scheme, whatever stands around it."""

import itertools
import random
import re

import pytest
from depth import by_depth
from features.toks import PARTS, TEXT, VOCABS, changed, tokenizer
from hypothesis import given, settings

import wordsplit
from wordsplit import Split, spanners
from wordsplit.features import cuts as module
from wordsplit.features.cuts import Cuts
from wordsplit.patterns.schemes import SCHEMES
from wordsplit.testing.vocabs import random_vocab
from wordsplit.unicode import members
from wordsplit.unicode.nfc import FORMS, nfc

KNOWN = {}
for _steps in SCHEMES.values():
    _scheme = spanners.scanner_of(random_vocab(0, pre_tokenizer=_steps))
    if _scheme:
        KNOWN.setdefault(_scheme, _steps)

# One character of each kind that a pattern may treat in its own way, and of those that decide on a cut.
ALPHABET = "aZ1٣你é.'/_，\u0301 \t\n\r\u3000\x00ſL"


def all_cuts(cuts, text):
    end, out = len(text), []
    while (at := cuts.last(text, 0, end)) is not None:
        out.append(at)
        end = at
    return out


def spans(spanner, text):
    data = text.encode()
    ends = list(spanner.ends(data)) if data else []
    return [data[a:b] for a, b in itertools.pairwise([0, *ends])]


def test_every_scanner_is_among_those_tried():
    assert set(KNOWN) == set(spanners.names()) - set(spanners.OF_PATTERN)


# Of no known shape: without cuts in words, with text between matches, look-behind, several steps.
OTHERS = {
    "kept": [Split(r"[a-zA-Z]+('[a-z]+)?|\p{N}{2}|\s+|\p{L}|[^\s\p{L}\p{N}]+")],
    "gaps": [Split(r"[a-z]+|\p{N}{2}")],
    "no gaps": [Split(r"\p{N}{2,}(?=\s)|\w+|\W")],
    "behind": [Split(r"(?<=a)\w+|.|\n")],
    "steps": [Split(r"\p{N}"), Split(r"[\p{P}\p{S}]+", behavior="isolated"), Split(r"\s?\S+|\s+(?!\S)|\s+")],
    "words": [Split(r"\p{N}{1,3}"), Split(r" ?\p{L}+|\s+")],
}


@pytest.mark.parametrize("name", [*list(KNOWN)[:: by_depth(6, 1, 1)], *list(OTHERS)[:: by_depth(6, 1, 1)]])
def test_spans_never_cross_a_cut_nor_see_beyond_it(name):
    vocab = random_vocab(0, pre_tokenizer=KNOWN.get(name) or OTHERS[name])
    scheme = name if name in KNOWN else "compiled"
    cuts, spanner = Cuts(vocab, scheme), spanners.get(scheme)(vocab)
    heads = ["".join(t) for n in (1, 2, 3) for t in itertools.product(ALPHABET, repeat=n)]
    tails = heads[: len(ALPHABET) + len(ALPHABET) ** 2]
    head_spans, tail_spans = {t: spans(spanner, t) for t in heads}, {t: spans(spanner, t) for t in tails}
    pairs = {x + y for x, y in itertools.product(ALPHABET, repeat=2) if cuts.last(x + y) == 1}
    assert len(pairs) > len(ALPHABET) / 2
    count = 0
    for pair in sorted(pairs):
        for head in heads:
            if head[-1] != pair[0]:
                continue
            for tail in tails[:: 1 if len(head) < 3 else 7]:
                if tail[0] == pair[1]:
                    count += 1
                    assert spans(spanner, head + tail) == head_spans[head] + tail_spans[tail], (head, tail)
    assert count > 5000


COMPOSING = {  # patterns that tell characters from what they compose
    "digit and é": [Split(r"\p{N}é|\p{L}+|.|\n")],
    "unequal": [Split(r"[a-z]+|≠.|\s+|\p{N}|.")],
    "case": [Split(r"\p{Lu}?\p{Ll}+|\p{Lo}+|\s|.")],
    "marks": [Split(r"\p{L}\p{M}*|\s+(?!\S)|\s|\p{N}{1,2}|.")],
}
COMPOSED = [*"aeZ1=<>' \n,é½ﬁａ１＝가か你。ſ\u0301\u0338\u0327\u1100\u1161\u11a8\u3099\u212b\u0344"]


@pytest.mark.parametrize("form", FORMS)
def test_a_normal_form_does_not_act_across_a_cut(form):
    """The spans of the normalized parts are those of the normalized text."""
    rng, normal, count = random.Random(form), FORMS[form], 0
    for name, steps in {**KNOWN, **OTHERS, **COMPOSING}.items():
        vocab = changed(random_vocab(0, pre_tokenizer=steps), normalizer=[wordsplit.Normalize(form)])
        scheme = name if name in KNOWN else "compiled"
        cuts, spanner = Cuts(vocab, scheme), spanners.get(scheme)(vocab)
        for _ in range(by_depth(60, 500, 100_000)):
            text = "".join(
                rng.choices([*COMPOSED, *PARTS], [3] * len(COMPOSED) + [1] * len(PARTS), k=rng.randint(2, 14))
            )
            for at in all_cuts(cuts, text):
                parts = spans(spanner, normal(text[:at])) + spans(spanner, normal(text[at:]))
                assert parts == spans(spanner, normal(text)), (name, text, at)
                count += 1
    assert count > 500


@pytest.mark.parametrize("name", VOCABS)
@settings(max_examples=by_depth(25, 75, 4000))
@given(text=TEXT, special=...)
def test_ids_on_both_sides_of_a_cut_are_those_of_the_whole(name, text, special: bool):
    tok = tokenizer(name)
    around = len(tok.encode(""))
    prefix = around - len(tok.vocab.suffix_ids)
    how = "parse" if special else "text"

    def bare(part):
        ids = tok.encode(part, special=how)
        return ids[prefix : len(ids) - (around - prefix)]

    for given_text in (text, text.encode()):
        for at in all_cuts(tok._cuts, given_text):
            behind = given_text[tok._cuts.begin(at) :]
            assert bare(given_text[:at]) + bare(behind) == bare(given_text), at


@pytest.mark.full
def test_the_letters_that_are_cut_at_are_letters_in_all_versions_and_no_nfc_starts_at_what_follows():
    letters = re.compile(f"[{module._LETTERS}]")
    is_letter = members("L")
    assert all(is_letter[cp] for cp in range(0x110000) if letters.match(chr(cp)))
    after = set(re.sub(r"\\(.)", r"\1", module._PUNCTUATION)) | set(module._WIDE) | set(" \r\n\tAz09")
    for char in after:
        assert all(nfc(before + char) == nfc(before) + char for before in ("a", "e\u0301", "\u1100", "\u3042"))
    candidates = [chr(cp) for cp in range(0x10000) if module._CANDIDATES.match(chr(cp))]
    assert len(candidates) > 30_000
    for before in ("a", "e\u0301", "\u1100", "\uac00", "\u3042"):
        assert all(nfc(before + char) == nfc(before) + char for char in candidates)
    wide = members("P")
    assert all(wide[ord(char)] for char in module._WIDE)


def test_there_are_none_where_less_is_known():
    vocab = wordsplit.load_vocab("qwen3")
    assert Cuts(vocab, "qwen2").known
    assert Cuts(vocab, "regex").known
    assert not Cuts(vocab, "a plug-in").known
    for changes in (
        {"pre_tokenizer": [wordsplit.Split(r"(\w)\1+|.")]},
        {"normalizer": [wordsplit.Normalize("lowercase")]},
        {"pre_tokenizer": ()},
    ):
        assert not Cuts(changed(vocab, **changes), "regex").known


def test_there_are_none_before_what_composes_if_a_pattern_tells_it_from_its_composition():
    text = "1e\u0301"
    plain = random_vocab(0, pre_tokenizer=COMPOSING["digit and é"])
    composing = changed(plain, normalizer="nfc")
    assert Cuts(plain, "compiled").last(text) == 1
    assert list(spanners.get("compiled")(composing).ends(nfc(text).encode())) == [3]  # one span
    assert Cuts(composing, "compiled").last(text) is None
    assert Cuts(composing, "compiled").last("1 e\u0301") == 1


@pytest.mark.parametrize("form", ["nfkc", "nfkd"])
def test_there_are_none_in_a_literal_as_it_is_normalized(form):
    vocab = changed(
        random_vocab(0, pre_tokenizer=SCHEMES["qwen2"]),
        normalizer=[wordsplit.Normalize(form)],
        added_tokens=[wordsplit.AddedToken("a\u00bd", 5000, normalized=True, special=False)],
    )
    text = "a1\u20442"  # what a form makes of the literal
    assert wordsplit.load_tokenizer(vocab).encode(text) == [5000]
    assert Cuts(vocab, "qwen2").last(text) is None
    assert Cuts(vocab, "qwen2").last("a3") == 1


def test_cuts_are_where_words_end():
    cuts = tokenizer("qwen3")._cuts
    text = "It's tall.len(x1);\n\n  done，好。"
    assert sorted(all_cuts(cuts, text)) == sorted(map(text.index, (" tall", ".len", "(", "1", ")", "，", "。")))
