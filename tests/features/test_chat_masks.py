# ruff: noqa: E501
"""What the assistant said, exactly or not at all; and chats whose last message stays open."""

import pytest
from features.toks import tokenizer

import wordsplit

MARKED = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.role == 'assistant' %}"
    "{% generation %}{{ m.content }}<|im_end|>{% endgeneration %}{% else %}{{ m.content }}<|im_end|>{% endif %}\n{% endfor %}"
)
PLAIN = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def chat(*said):
    return [{"role": ("user", "assistant")[at % 2], "content": text} for at, text in enumerate(said)]


def said_by_assistant(tok, messages, **more):
    ids, mask = tok.encode_chat_with_mask(messages, **more)
    assert ids == tok.apply_chat_template(messages, **more)
    assert len(mask) == len(ids)
    assert set(mask) <= {0, 1}
    runs, before = [], 0
    for i, bit in zip(ids, mask, strict=True):
        if bit:
            runs = [*runs, [i]] if not before else [*runs[:-1], [*runs[-1], i]]
        before = bit
    return [tok.decode(run) for run in runs]


@pytest.mark.parametrize("engine", ["native", "python"])
@pytest.mark.parametrize("template", [MARKED, PLAIN])
def test_what_the_assistant_said(template, engine):
    tok = tokenizer("qwen3", engine)
    messages = chat("Hi", "Hello, you!", "And <|im_end|> 🦜?", "é<|im_end|>\n<|im_start|>user")
    want = ["Hello, you!<|im_end|>", "é<|im_end|>\n<|im_start|>user<|im_end|>"]
    assert said_by_assistant(tok, messages, template=template) == want
    assert said_by_assistant(tok, messages[:1], template=template) == []


def test_a_token_that_is_partly_the_assistants_is_the_assistants():
    tok = tokenizer("qwen3")
    template = "a {% generation %}b{% endgeneration %}c{% generation %}{% endgeneration %}"
    ids, mask = tok.encode_chat_with_mask([], template=template)
    assert [tok.decode([i]) for i in ids] == ["a", " b", "c"] or [tok.decode([i]) for i in ids] == ["a", " bc"]
    assert mask == [0, 1, 0][: len(ids)]


def test_qwen3_drops_earlier_thoughts_and_the_mask_is_of_what_is_there():
    tok = tokenizer("qwen3")
    messages = chat("1?", "<think>\none\n</think>\n\n1.", "2?", "<think>\ntwo\n</think>\n\n2.")
    want = ["1.<|im_end|>", "<think>\ntwo\n</think>\n\n2.<|im_end|>"]
    assert said_by_assistant(tok, messages) == want
    assert said_by_assistant(tok, messages[:2]) == ["<think>\none\n</think>\n\n1.<|im_end|>"]


def test_calls_are_said_by_the_assistant_too():
    tok = tokenizer("qwen3")
    calls = [{"name": "f", "arguments": {"x": 1}}]
    messages = [
        {"role": "user", "content": "?"},
        {"role": "assistant", "content": "", "tool_calls": calls},
        {"role": "tool", "content": "<tool_response>"},
        {"role": "assistant", "content": "So."},
    ]
    tools = [{"name": "f", "parameters": {}}]
    call = '<tool_call>\n{"name": "f", "arguments": {"x": 1}}\n</tool_call><|im_end|>'
    assert said_by_assistant(tok, messages, tools=tools) == [call, "<think>\n\n</think>\n\nSo.<|im_end|>"]


@pytest.mark.parametrize(
    ("template", "messages"),
    [
        (PLAIN.replace("{% for m in messages %}", "{{ messages | length }}{% for m in messages %}"), chat("a", "b")),
        (PLAIN.replace("{{ m.content }}", "{{ m.content | upper }}") + "{{ messages[-1].content }}", chat("a", "b")),
        (PLAIN.replace("{{ m.content }}", "{{ m.content }}{{ m.content }}"), chat("a", "b")),
        (PLAIN.replace("{{ m.content }}", ""), chat("a", "b")),
    ],
)
def test_what_cannot_be_told_apart_is_an_error(template, messages):
    with pytest.raises(wordsplit.ChatTemplateError, match="generation"):
        tokenizer("qwen3").encode_chat_with_mask(messages, template=template)


def test_a_beginning_that_changes():
    tok = tokenizer("qwen3")
    with pytest.raises(wordsplit.ChatTemplateError, match="message 1"):
        tok.encode_chat_with_mask(chat("1?", "1.", "2?", "2."), enable_thinking=False)
    assert said_by_assistant(tok, chat("1?", "1."), enable_thinking=False) == ["1.<|im_end|>"]


@pytest.mark.parametrize("engine", ["native", "python"])
@pytest.mark.parametrize(
    ("content", "template", "end"),
    [
        ("So it", PLAIN, "<|im_start|>assistant\nSo it"),
        ("So it ", PLAIN, "<|im_start|>assistant\nSo it "),
        ("So it ", PLAIN.replace("m.content", "m.content | trim"), "<|im_start|>assistant\nSo it"),
        ("So <|im_end|>", PLAIN, "<|im_start|>assistant\nSo <|im_end|>"),
        ([{"text": "a"}, {"text": "b"}, {"image": "c"}], PLAIN.replace("m.content", "m.content[1].text if m.content[0].text else m.content"), "<|im_start|>assistant\nb"),
        ("So it", None, "<think>\n\n</think>\n\nSo it"),
    ],
)  # fmt: skip
def test_a_last_message_that_stays_open(content, template, end, engine):
    tok = tokenizer("qwen3", engine)
    messages = [{"role": "user", "content": "?"}, {"role": "assistant", "content": content}]
    given = {"template": template, "continue_final_message": True}
    text = tok.apply_chat_template(messages, tokenize=False, **given)
    assert text.endswith(end)
    ids = tok.apply_chat_template(messages, **given)
    assert tok.decode(ids) == text
    assert ids.count(tok.token_id("<|im_end|>")) == 1
    assert messages[1]["content"] == content


def test_a_thought_that_stays_open():
    tok = tokenizer("qwen3")
    messages = [{"role": "user", "content": "?"}, {"role": "assistant", "content": "", "reasoning_content": "Well, if"}]
    text = tok.apply_chat_template(messages, tokenize=False, continue_final_message="reasoning_content")
    assert text.endswith("<|im_start|>assistant\n<think>\nWell, if")


@pytest.mark.parametrize(
    ("messages", "more", "error"),
    [
        ([], {}, wordsplit.ChatTemplateError),
        ([{"role": "user"}], {}, wordsplit.ChatTemplateError),
        ([{"role": "user", "content": [{"image": "x"}]}], {}, wordsplit.ChatTemplateError),
        (chat("a"), {"template": "{{ 1 }}"}, wordsplit.ChatTemplateError),
        (chat("ab"), {"template": "{{ messages[0].content[1:] }}"}, wordsplit.ChatTemplateError),
        (chat("a"), {"add_generation_prompt": True}, wordsplit.OptionsError),
    ],
)
def test_what_cannot_be_continued(messages, more, error):
    with pytest.raises(error, match="continue_final_message"):
        tokenizer("qwen3").apply_chat_template(messages, continue_final_message=True, **more)
