# ruff: noqa: E501
"""What a template puts out is, to the letter, what it puts out in Jinja alone: marks and bounds do not show."""

import json
import random

import pytest
from depth import by_depth
from features.toks import tokenizer
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

import wordsplit

VALUES = [
    "m.content", "m.role", "'<|im_start|>'", "'a<think> b'", "('<|im_end|>\n' ~ m.content)", "('<|im_start|>' + m.role)", "m['content'] + '</think>'",
    "messages | length", "loop.index0", "m.calls", "m", "none", "m.nosuch", "['<think>', m.content]", "{'<think>': '<|im_end|>x', 'é': m.content}", "1.5", "true", "x", "y",
]  # fmt: skip
DOINGS = [
    "{v}", "{v}", "{v}", "{v} | trim", "{v} | upper", "{v} | lower", "{v} | title", "{v} | capitalize", "{v} | length", "{v} | string", "{v} | tojson", "{v} | tojson(indent=2)",
    "{v} | tojson(ensure_ascii=true)", "{v} | e", "{v} | replace('<', '[')", "{v} | replace('im', {w})", "{v} | replace('<|im_end|>', {w})", "{v} | join('<think>')", "{v} | list | join",
    "{v} | first", "{v} | last", "{v} | default({w})", "{v} | reverse | list | join", "{v} | indent(3)", "{v} | center(40)", "{v} | truncate(9)", "{v} | urlencode", "{v} | striptags", "{v} | wordcount",
    "{v} | int", "{v} | unique | join", "{v} | sort | join", "{v} | map('string') | join('-')", "{v} | select('string') | join", "{v} | items | list", "{v} | batch(3) | list | length", "{v} | safe", "{v} | pprint",
    "{v}.split('<')", "{v}.split('<|im_end|>')[-1]", "{v}.split()", "{v}.rsplit('t', 1) | join('+')", "{v}.strip()", "{v}.strip('<|>\n')", "{v}.lstrip('<')", "{v}.rstrip('\n>')", "{v}.startswith('<|')", "{v}.endswith({w})",
    "{v}.find('im')", "{v}.count('t')", "{v}.replace('t', {w})", "{v}.partition('|')", "{v}.rpartition('>') | join", "{v}.splitlines()", "{v}.upper()", "{v}.title()", "{v}.swapcase()", "{v}.center(30, '*')", "{v}.ljust(20)",
    "{v}.rjust(21, '.')", "{v}.zfill(20)", "{v}.removeprefix('<|im_start|>')", "{v}.removesuffix('\n')", "{v}.isalpha()", "{v}.join(['a', 'b'])", "', '.join([{v}, {w}])", "{v}.encode('utf-8').hex()", "{v}.format(1)",
    "{v} ~ {w}", "{v} + {w}", "{v} * 2", "2 * {v}", "{v} * '2'", "{v} % 2", "'%s-%s' % ({v}, {w})", "'%r' % [{v}]", "'{{}}|{{:>20}}'.format({v}, {w})", "'%s' | format({v})", "{v}[1:]", "{v}[:5]", "{v}[::-1]", "{v}[2]", "{v}[-3:-1]",
    "{v} == {w}", "{v} in {w}", "{v} is string", "{v} is mapping", "{v} is iterable", "{v} is defined", "{v} is none", "{v} is in({w})", "{v} is eq({w})", "{v} if {w} else '-'", "({v}, {w}) | sum(start='')", "[[{v}], [{w}]] | sum(start=[])",
    "({v}).__class__", "{v} < {w}", "{v} and {w}", "not {v}", "[{v}, {w}] | map('upper') | list", "dict(a={v})", "namespace(a={v}).a", "range(3) | list", "{v} | wordwrap(1000)",
]  # fmt: skip
FRAMES = [
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ D }}<|im_end|>\n{% endfor %}",
    "{% for m in messages if m.role != 'tool' %}{% set x = D %}{{ x }}{% if loop.last %}<think>{% endif %}{% if loop.index > 2 %}{% break %}{% endif %}{% else %}none{% endfor %}",
    "{% set ns = namespace(x='<think>') %}{% for m in messages[::-1] %}{% set ns.x = ns.x ~ (D) %}{{ loop.length }}{{ loop.cycle('a', 'b') }}{% endfor %}{{ ns.x }}",
    "{% macro f(m, x='<think>') %}{{ D }}{{ caller() if caller }}</think>{% endmacro %}{% for m in messages %}{{ f(m) | trim }}{{ f(m, '<|im_end|>') }}{% call f(m) %}c<think>{% endcall %}{% endfor %}",
    "{% for m in messages %}{% set y %}<|im_start|>{{ D }}{% endset %}{{ y }}{{ y | length }}{{ y.split('<|im_start|>') }}{% filter upper %}{{ y }}{% endfilter %}{% endfor %}",
    "{% for m in messages recursive %}{{ D }}{{ loop(m.children) if m.children }}{% endfor %}",
]
CHATS = [
    [{"role": "user", "content": "Hi <b>you</b> & co"}],
    [{"role": "system", "content": ""}, {"role": "user", "content": " <|im_end|>\ntat "}, {"role": "assistant", "content": "é<think>x</think>", "calls": [{"a": "<think>"}]}, {"role": "tool", "content": "12"}],
    [{"role": "user", "content": "a b", "children": [{"role": "tool", "content": "%s {} {0}"}]}] * 3,
]  # fmt: skip


def plain():
    """Jinja, as `transformers` sets it up."""
    made = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])

    def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    made.filters["tojson"] = tojson
    return made


def attempt(make):
    try:
        return make()
    except Exception as error:  # noqa: BLE001
        return error


@pytest.mark.full
@pytest.mark.parametrize("frame", range(0, len(FRAMES), by_depth(3, 1, 1)))
def test_the_text_is_that_of_jinja_alone(frame):
    rng, jinja, tok = random.Random(frame), plain(), tokenizer("qwen3")
    rendered = 0
    for doing in DOINGS * 2:
        source = FRAMES[frame].replace("D", doing.format(v=rng.choice(VALUES), w=rng.choice(VALUES)))
        for chat in CHATS:
            want = attempt(lambda: jinja.from_string(source).render(messages=chat))  # noqa: B023
            found = attempt(lambda: tok.apply_chat_template(chat, template=source, tokenize=False))  # noqa: B023
            if isinstance(want, Exception):
                assert isinstance(found, wordsplit.ChatTemplateError), (source, chat, want, found)
            else:
                assert found == want, (source, chat)
                rendered += 1
    assert rendered > 200
