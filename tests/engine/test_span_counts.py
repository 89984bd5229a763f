"""Where spans are found is counted."""

import wordsplit


def test_each_span_is_counted_once():
    tok = wordsplit.load_tokenizer("qwen3")
    assert set(tok._engine.span_counts().values()) == {0}
    text = "the quokkaesque quokkaesque 的 " + "x" * 300
    spans = tok.spans(text)
    tok.encode(text)
    found = tok._engine.span_counts()
    assert sum(found.values()) == len(spans)
    assert found["repeated"] == found["encoded"] == found["too long"] == 1
    assert found["hot cache"] == found["shared cache"] == 0
    tok.encode(text)
    again = tok._engine.span_counts()
    assert again["hot cache"] == len(spans) - 1
    assert again["too long"] == 2
    tok.cache_clear()
    assert set(tok._engine.span_counts().values()) == {0}


def test_phrases_are_encoded_in_parts():
    tok = wordsplit.load_tokenizer("qwen3")
    text = "今天天气很好我们一起去公园散步吧"
    assert len(tok.spans(text)) == 1
    ids = tok.encode(text)
    found = tok._engine.span_counts()
    assert found["in parts"] == 1
    assert sum(found.values()) > 2  # the whole, and its parts
    assert tok.encode(text) == ids
    assert tok._engine.span_counts()["shared cache"] == found["shared cache"] + 1
    assert wordsplit.load_tokenizer("qwen3", cache_bytes=0).encode(text) == ids
    assert wordsplit.load_tokenizer("qwen3", engine="python").encode(text) == ids


def test_spans_of_another_thread_are_in_the_shared_cache():
    tok = wordsplit.load_tokenizer("qwen3")
    words = [f"quokkaesque{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(500)]
    tok.encode_batch([" ".join(words)] * 64, threads=2)
    found = tok._engine.span_counts()
    assert sum(found.values()) == 64 * len(tok.spans(" ".join(words)))
    assert found["encoded"] <= 2 * len(words)


def test_without_a_cache_nothing_is_found_in_one():
    tok = wordsplit.load_tokenizer("qwen3", cache_bytes=0)
    for _ in range(2):
        tok.encode("quokkaesque wombats")
    found = tok._engine.span_counts()
    assert found["hot cache"] == found["shared cache"] == 0
    assert sum(found.values()) == 4
