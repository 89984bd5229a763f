"""The checks of `wordsplit.testing` pass what is right, and find what is wrong."""

import re
import subprocess
import sys

import pytest
from depth import by_depth

import wordsplit
from wordsplit.encoders import SpanEncoder
from wordsplit.engine.native import NativeEngine
from wordsplit.patterns.schemes import SCHEMES
from wordsplit.spanners import Spanner, TextSpanner
from wordsplit.testing import cells, check_encoder, check_spanner, random_spans, random_vocab, representatives

GPT2 = SCHEMES["gpt2"]
SCANNERS = ["gpt2", "qwen2", "deepseek_v3", "seed_coder", "starcoder", "tekken"]
WORDS = r"\s+|\S+"


class Words(TextSpanner):
    """Right."""

    def pieces(self, text):
        return re.findall(r"[^\S\x1c-\x1f]+|[\S\x1c-\x1f]+", text)  # Python has four more spaces


def changed_gpt2(change):
    """A spanner that is right except for what a function does to the ends it gives."""

    class Changed(Spanner):
        def __init__(self, vocab):
            super().__init__(vocab)
            self.right = wordsplit.spanners.get("gpt2")(vocab)

        def ends(self, data):
            return change(list(self.right.ends(data)), data)

    return Changed


def off_by_one(ends, data):
    return [end - (b"'re" in data and 1 < end < len(data)) for end in ends]


def after_64_bytes(ends, data):
    return [end for end in ends if end != 64 or len(data) == 64]


def repeats_an_end(ends, data):
    return ends if b"\n" not in data else [*ends, ends[-1]]


def beyond_the_text(ends, data):
    return ends if not data.endswith(b"7") else [*ends[:-1], ends[-1] + 1]


def chokes_on_bytes(ends, data):
    data.decode()
    return ends


@pytest.mark.parametrize("name", SCANNERS[: by_depth(2, 6, 6)])
def test_scanners_pass(name):
    assert check_spanner(name, name, length=3) > 5000
    assert check_spanner("regex", name, length=2) > 1000


@pytest.mark.full
def test_classes_and_instances_pass():
    assert check_spanner(Words, WORDS) > 3000
    vocab = wordsplit.load_vocab("r50k_base")
    gpt2 = wordsplit.spanners.get("gpt2")
    for spanner in (gpt2, gpt2(vocab), "gpt2", changed_gpt2(lambda ends, _: ends)):
        assert check_spanner(spanner, vocab.pre_tokenizer, length=2) > 2000
    assert check_spanner("gpt2", "gpt2", alphabet="a '", length=5) == 3 + 9 + 27 + 81 + 243 + 2000


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (off_by_one, r"""Changed splits "(.'re|'re.)" into \["""),
        (after_64_bytes, r"Changed splits '.{17,500}' into \["),
        (repeats_an_end, r"""Changed splits '\\n' into ends \[1, 1\] that do not tile it, and .* \['\\n'\]"""),
        (beyond_the_text, r"""Changed splits '7' into ends \[2\] that do not tile it, and .* \['7'\]"""),
        (chokes_on_bytes, r"""Changed splits '\\udcff' into UnicodeDecodeError: .*, and .* \['\\udcff'\]"""),
    ],
)
def test_a_wrong_spanner_is_found_and_shown_at_its_shortest(change, message):
    alphabet = "re'7 \n" if change in (off_by_one, beyond_the_text) else None
    with pytest.raises(AssertionError, match=message):
        check_spanner(changed_gpt2(change), "gpt2", alphabet=alphabet)


def test_a_scanner_of_another_pattern_is_found():
    with pytest.raises(AssertionError, match="Cl100k splits '00' into"):
        check_spanner(wordsplit.spanners.get("cl100k")(wordsplit.load_vocab("gpt-4")), "qwen2", alphabet="a0")
    with pytest.raises(wordsplit.UnsupportedVocabError):
        check_spanner("cl100k", "qwen2")
    with pytest.raises(wordsplit.UnknownNameError, match="qwen2"):
        check_spanner("qwen2", "qwen22")
    with pytest.raises(wordsplit.UnknownNameError, match="gpt2"):
        check_spanner("gpt22", "gpt2")


def test_cells_follow_flags_classes_and_literals():
    def of(pattern, **options):
        return [cell for cell in cells([wordsplit.Split(pattern)], **options) if len(cell) < 100]

    assert of(r"(?i:k)s") == ["Kk\u212a", "s"]
    assert of(r"(?i)k(?-i)s") == ["Kk\u212a", "s"]
    assert of(r"(?:(?i)k)s(?=x)") == ["Kk\u212a", "s", "x"]
    assert of(r"[a-d][^b]\u0065\.|(?<!f)$") == ["\n", ".", "acd", "b", "e", "f"]
    assert of(r"[0-9]ab", literals="b") == ["0123456789", "b"]
    assert [len(c) for c in cells(GPT2, literals="")] == [len(c) for c in cells([wordsplit.Split(r"\s\p{L}\p{N}")])]
    assert "".join(sorted("".join(cells(GPT2)))) == "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    assert set(representatives(GPT2)) <= set(representatives(GPT2, 3))


class Greedy(SpanEncoder):
    """The longest token at each place: what merges often give, and not always."""

    def encode_span(self, span, out):
        ids = self.vocab.ids_by_bytes
        while span:
            size = next(n for n in range(len(span), 0, -1) if span[:n] in ids)
            out.append(ids[span[:size]])
            span = span[size:]


class Merges(SpanEncoder):
    """Right."""

    def encode_span(self, span, out):
        wordsplit.encoders.get("heap_merge")(self.vocab).encode_span(span, out)


class ClearsTheList(Merges):
    """Right, but does not append."""

    def encode_span(self, span, out):
        out.clear()
        super().encode_span(span, out)


class ForgetsBytes(Merges):
    """Right, but drops a byte without a token, as others do."""

    def encode_span(self, span, out):
        super().encode_span(bytes(b for b in span if self.tables.byte_ids[b] >= 0), out)


@pytest.mark.full
def test_right_encoders_pass():
    vocab = wordsplit.load_vocab("qwen3")
    for encoder in (Merges, Merges(vocab), wordsplit.encoders.get("backtracking")(vocab), "reference"):
        assert check_encoder(encoder, None if isinstance(encoder, SpanEncoder) else vocab, seeds=[1]) == 400
    assert check_encoder(Merges, seeds=range(10)) == 10 * 400 + 3
    assert check_encoder(Merges, vocab, [b"hello"]) == 1


@pytest.mark.parametrize(
    ("encoder", "message"),
    [
        (Greedy, r"Greedy gives \[.*\] for b'\w{2,9}' with random_vocab\(\d+\), and the reference \[.*\]"),
        (ClearsTheList, r"ClearsTheList gives _ChangedError for b'.' with random_vocab\(0\)"),
        (ForgetsBytes, r"ForgetsBytes gives \[\] for b'c' with a, b, ab, and the reference UnknownTokenError"),
    ],
)
def test_a_wrong_encoder_is_found_and_shown_at_its_shortest(encoder, message):
    with pytest.raises(AssertionError, match=message):
        check_encoder(encoder)


def test_a_wrong_encoder_is_found_on_a_given_vocab():
    vocab = wordsplit.load_vocab("qwen3")
    for encoder in (Greedy, Greedy(vocab)):
        with pytest.raises(AssertionError, match=r"Greedy gives .* with qwen3"):
            check_encoder(encoder, vocab)


def test_nothing_compared_is_an_error():
    vocab = random_vocab(1)
    for arguments in ({"vocab": vocab, "spans": []}, {"vocab": vocab, "seeds": []}):
        with pytest.raises(wordsplit.OptionsError, match="nothing was compared"):
            check_encoder(Merges, **arguments)
    with pytest.raises(wordsplit.OptionsError, match="built for random_vocab"):
        check_encoder(Merges(vocab), random_vocab(1))


def test_a_name_stands_for_its_native_kernel_as_well(monkeypatch):
    """A kernel that is wrong is found, where the Python of the same name is right."""
    right = NativeEngine.encode
    monkeypatch.setattr(NativeEngine, "encode", lambda self, *args: [i + (i == 14990) for i in right(self, *args)])
    with pytest.raises(AssertionError, match=r"encoder 'heap_merge' gives \[14991\] for b'hello' .* \[14990\]"):
        check_encoder("heap_merge", wordsplit.load_vocab("qwen3"), [b"hello there"])


def test_random_vocabs_are_as_awkward_as_they_say():
    vocabs = [random_vocab(seed) for seed in range(40)]
    assert 10 < sum(vocab.ignore_merges for vocab in vocabs) < 30
    assert 3 < sum(not vocab.has_explicit_merges for vocab in vocabs) < 20
    unreachable = by_rank = 0
    for vocab in vocabs:
        made = {vocab.tokens[left] + vocab.tokens[right] for left, right in vocab.merges}
        unreachable += any(len(token) > 1 and token not in made for token in vocab.tokens.values())
        ids = [vocab.ids_by_bytes[vocab.tokens[left] + vocab.tokens[right]] for left, right in vocab.merges]
        by_rank += ids == sorted(ids)
        assert vocab.max_id >= vocab.n_base  # holes
    assert unreachable == 40
    assert by_rank < 20
    assert random_vocab(1, ignore_merges=True, letters=b"xy").ignore_merges
    assert set(b"".join(t for t in random_vocab(1, letters=b"xy").tokens.values() if len(t) > 1)) == set(b"xy")


def test_random_spans_keep_to_bytes_that_have_a_token():
    vocab = wordsplit.Vocab(name="few", tokens={0: b"a", 1: b"b", 2: b"ab", 3: b"xa"})
    spans = list(random_spans(vocab, 1))
    assert len(spans) == 400
    assert all(spans)
    assert set(b"".join(spans)) == set(b"ab")
    assert max(map(len, spans)) > 128  # what TokenizerOptions calls long


def test_no_test_framework_is_needed():
    code = "import sys, wordsplit.testing; print({'pytest', 'hypothesis', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
