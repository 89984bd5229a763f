"""What `Vocab.save_gguf` writes loads as the same vocab, and the `gguf` package reads it, too."""

import gguf
import pytest
from depth import by_depth
from generated import BROKE_OTHERS
from vocabs.formats.gguf_writer import fields, small

import wordsplit
from wordsplit.patterns.schemes import SCHEMES
from wordsplit.template import bert_pair
from wordsplit.vocabs.formats.gguf.pre_tokenizers import PRE_TOKENIZERS

BASE = {b: bytes([b]) for b in range(256)} | {256: b"he", 257: b"ll", 258: b"hell", 259: b"hello", 260: b" hello"}
MERGES = [(104, 101), (108, 108), (256, 257), (258, 111), (32, 259)]


def vocab(**changes):
    parts = {"name": "small", "tokens": BASE, "merges": MERGES, "pre_tokenizer": SCHEMES["qwen2"]}
    return wordsplit.Vocab(**parts | changes)


def again(tmp_path, written):
    written.save_gguf(tmp_path / "x.gguf")
    return wordsplit.load_vocab(tmp_path / "x.gguf")


@pytest.mark.parametrize("name", by_depth(["r50k_base"], ["r50k_base", "p50k_base", "o200k_base"], ["qwen3"]))
def test_a_bundled_vocab_travels(tmp_path, name):
    """Their pattern is spelled otherwise than llama.cpp's, and `ignore_merges` matters to none of their tokens."""
    first = wordsplit.load_vocab(name)
    second = again(tmp_path, first)
    ours, theirs = wordsplit.load_tokenizer(first), wordsplit.load_tokenizer(second)
    for text in [*BROKE_OTHERS[:40], "x<|endoftext|>y"]:
        assert ours.encode(text[:2000]) == theirs.encode(text[:2000])


@pytest.mark.parametrize("name", sorted(PRE_TOKENIZERS))
def test_every_scheme_with_a_name(tmp_path, name):
    row = PRE_TOKENIZERS[name]
    first = vocab(pre_tokenizer=SCHEMES[row.scheme], ignore_merges=row.ignore_merges)
    assert again(tmp_path, first).fingerprint == first.fingerprint


def test_two_tokens_with_one_spelling_among_many(tmp_path):
    """The search for them must not take time in the square of the number of tokens."""
    first = wordsplit.load_vocab("r50k_base")
    doubled = first.replace(added_tokens=[*first.added_tokens, wordsplit.AddedToken("Ġcompr", first.n_vocab)])
    with pytest.raises(wordsplit.UnsupportedVocabError, match="two tokens are spelled"):
        doubled.save_gguf(tmp_path / "x.gguf")


def test_roles_templates_added_tokens_and_holes(tmp_path):
    added = [wordsplit.AddedToken("<|end|>", 270), wordsplit.AddedToken("<user>", 280, special=False)]
    first = vocab(
        added_tokens=added,
        eos_token_id=270,
        bos_token_id=270,
        prefix_ids=[270],
        role_ids={"fim_pre": 280, "unk": 260, "sep": 270, "eot": 270},
        chat_template="{{ né }}",
        chat_templates={"rag": "{{ x }}", "tool_use": ""},
    )
    second = again(tmp_path, first)
    assert second.added_tokens == first.added_tokens
    assert (
        second.role_ids
        == first.role_ids
        == {"bos": 270, "eos": 270, "fim_pre": 280, "unk": 260, "sep": 270, "eot": 270}
    )
    assert second.chat_template == "{{ né }}"
    assert second.chat_templates == {"default": "{{ né }}", "rag": "{{ x }}", "tool_use": ""}
    assert (second.prefix_ids, second.suffix_ids) == ((270,), ())
    ours, theirs = wordsplit.load_tokenizer(first), wordsplit.load_tokenizer(second)
    for text in ("hello hello<user>né<|end|>", "[UNUSED_261]", ""):
        assert ours.encode(text) == theirs.encode(text)
    assert second.n_vocab == first.n_vocab
    once_more = again(tmp_path, second)
    assert once_more.fingerprint == second.fingerprint


CANNOT = {
    "a pattern of no name": ({"pre_tokenizer": [wordsplit.Split(r"\S+")]}, "tokenizer.ggml.pre"),
    "a scheme of no name": ({"pre_tokenizer": SCHEMES["cl100k"]}, "tokenizer.ggml.pre"),
    "whole spans first": ({"tokens": BASE | {261: b"no merge"}, "ignore_merges": True}, "tokenizer.ggml.pre"),
    "a normalizer": ({"normalizer": "nfc"}, "normalizer"),
    "a space before": ({"add_prefix_space": True}, "add_prefix_space"),
    "a prefix that is not bos": ({"prefix_ids": [1]}, "tokenizer.ggml.add_bos_token"),
    "a suffix of two": ({"suffix_ids": [1, 2], "eos_token_id": 1}, "tokenizer.ggml.add_eos_token"),
    "a template for pairs": ({"pair_template": bert_pair(1, 2)}, "pair_template"),
    "the spelling of another": ({"added_tokens": [wordsplit.AddedToken("he", 270)]}, "tokenizer.ggml.tokens"),
    "the id of another": ({"added_tokens": [wordsplit.AddedToken("<x>", 256)]}, "added_tokens"),
    **{
        flag: ({"added_tokens": [wordsplit.AddedToken("<x>", 270, **{flag: True})]}, "added_tokens")
        for flag in ("lstrip", "rstrip", "single_word")
    },
}


@pytest.mark.parametrize("what", CANNOT)
def test_what_the_format_cannot_say(tmp_path, what):
    changes, place = CANNOT[what]
    with pytest.raises(wordsplit.UnsupportedVocabError) as caught:
        vocab(**changes).save_gguf(tmp_path / "x.gguf")
    assert place in caught.value.field
    assert "x.gguf" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_the_tests_own_files_come_back(tmp_path):
    first = wordsplit.load_vocab_bytes(small())
    assert again(tmp_path, first).fingerprint == first.fingerprint
    assert len(fields()) == 8


def test_the_gguf_package_reads_it(tmp_path):
    added = [wordsplit.AddedToken("<|end|>", 261), wordsplit.AddedToken("<user>", 262, special=False)]
    first = vocab(added_tokens=added, eos_token_id=261, chat_template="{{ né }}", chat_templates={"rag": "x"})
    first.save_gguf(tmp_path / "x.gguf")
    read = gguf.GGUFReader(tmp_path / "x.gguf").fields
    assert read["tokenizer.ggml.pre"].contents() == "qwen2"
    tokens, types = read["tokenizer.ggml.tokens"].contents(), read["tokenizer.ggml.token_type"].contents()
    assert (tokens[260:], types[259:]) == (["Ġhello", "<|end|>", "<user>"], [1, 1, 3, 4])
    assert read["tokenizer.ggml.merges"].contents()[-1] == "Ġ hello"
    assert read["tokenizer.ggml.eos_token_id"].contents() == 261
    assert read["tokenizer.ggml.add_bos_token"].contents() is False
    assert read["tokenizer.chat_template"].contents() == "{{ né }}"
    assert read["tokenizer.chat_templates"].contents() in ("rag", ["rag"])


def test_tokens_that_llama_cpp_knows_by_their_text(tmp_path):
    """Those of fill-in-the-middle are named, so that it guesses none; others cannot be written as they are."""
    fill_in = [wordsplit.AddedToken(text, 261 + at, special=False) for at, text in enumerate(("<PRE>", "<|file_sep|>"))]
    first = vocab(added_tokens=[*fill_in, wordsplit.AddedToken("<|end|>", 263)])
    second = again(tmp_path, first)
    assert second == first
    assert second.role_ids == {"fim_pre": 261, "fim_sep": 262}
    for changes in (
        {"tokens": BASE | {261: b"</s>"}, "merges": [*MERGES]},
        {"added_tokens": [wordsplit.AddedToken("<|im_end|>", 261, special=False)]},
        {
            "added_tokens": [
                wordsplit.AddedToken(text, 261 + at) for at, text in enumerate(("</s>", "<|tool_response>"))
            ]
        },
    ):
        with pytest.raises(wordsplit.UnsupportedVocabError, match=r"tokens\[261\]: llama\.cpp treats .* by its text"):
            vocab(**changes).save_gguf(tmp_path / "x.gguf")
