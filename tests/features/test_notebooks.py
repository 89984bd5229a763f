"""What notebooks display: every object as HTML of its own, escaped, and bounded in size."""

import re
import time

import pytest
from depth import by_depth
from features.pages import text_of_page

import wordsplit
from wordsplit.compat.tokenizers import Tokenizer as CompatTokenizer
from wordsplit.palette import NOTEBOOK_TOKENS

ATTACK = "<script>alert(1)</script></style></div>\"'><img src=x onerror=alert(1)>&amp;"
LARGEST = 300_000


def attacked():
    """A vocab with HTML wherever it has text."""
    vocab = wordsplit.load_vocab("r50k_base")
    added = [wordsplit.AddedToken(ATTACK, 60000), *vocab.added_tokens]
    return vocab.replace(
        name=ATTACK, source=ATTACK, added_tokens=added, pad_token_id=60000, pre_tokenizer=[wordsplit.Split(ATTACK)]
    )


def views(tok, text):
    """Each object that notebooks display."""
    compat = CompatTokenizer.from_pretrained("r50k_base").encode(text)
    return [tok, tok.vocab, tok.encode_with_offsets(text), tok.show(text), compat]


@pytest.mark.parametrize("at", range(5))
def test_escaped(at):
    tok = wordsplit.TokenizerOptions(spanner="regex").build(attacked())
    page = views(tok, f"hello {ATTACK} {ATTACK[:9]}\x00\n")[at]._repr_html_()
    text_of_page(page)  # which refuses tags of scripts and images
    assert page.count("<style>") == page.count("</style>") == 1
    assert "<script" not in page


@pytest.mark.parametrize("at", range(0, 5, by_depth(2, 1, 1)))
def test_bounded(at):
    tok = wordsplit.load_tokenizer("r50k_base")
    text = "word \n" * 50_000 + "x" * 10_000
    page = views(tok, text)[at]._repr_html_()
    assert len(page) < LARGEST
    if at >= 2:
        assert page.count('class="tok ') == NOTEBOOK_TOKENS
        assert re.search(r"… and [\d,]+ more", text_of_page(page))


@pytest.mark.parametrize("at", range(5))
def test_empty(at):
    text_of_page(views(wordsplit.load_tokenizer("r50k_base"), "")[at]._repr_html_())


def test_a_large_vocab_is_short():
    names = [wordsplit.AddedToken(f"<{'x' * 1000}{i}>", 60000 + i) for i in range(1000)]
    vocab = wordsplit.load_vocab("r50k_base")
    vocab = vocab.replace(added_tokens=[*vocab.added_tokens, *names], chat_template="x" * 10**6)
    assert len(vocab._repr_html_()) < 10_000


def test_facts():
    tok = wordsplit.load_tokenizer("qwen3")
    shown = text_of_page(tok._repr_html_())
    for part in ("qwen3", "priority_merge", "151,669", "nfc", "<|im_end|> (151645)"):
        assert part in shown
    assert "151,387" in text_of_page(tok.vocab._repr_html_())


def test_ids_with_their_places():
    found = wordsplit.load_tokenizer("qwen3").encode_with_offsets("Hi 🦜")
    page = found._repr_html_()
    assert text_of_page(page) == "130480:2111622:4993:42503:4"
    assert re.findall(r'"tok t(\d)"', page) == ["0", "1", "1", "1"]  # one colour for each span


def test_tokens_of_the_compatible_encoding():
    page = CompatTokenizer.from_pretrained("qwen3").encode("Hi there")._repr_html_()
    assert text_of_page(page) == "Hi13048Ġthere1052"


def rules_of(page):
    """(selector, declarations) for each rule of a page's style sheet, without those for the system's theme."""
    css = re.sub(r"@media[^{]*\{([^{}]*\{[^{}]*\})*\}", "", re.search("<style>(.*?)</style>", page)[1])
    return [
        (selector, declared)
        for named, declared in re.findall(r"([^{}]+)\{([^{}]*)\}", css)
        for selector in named.split(",")
    ]


def pages():
    tok = wordsplit.load_tokenizer("qwen3")
    return [shown._repr_html_() for shown in (*views(tok, "Hi there"), tok.explain("Hi there"))]


@pytest.mark.parametrize("at", range(6))
def test_tables_are_coloured_as_their_texts_and_those_of_other_outputs_stay_as_they_are(at):
    """Jupyter colours the rows of tables, and the style sheet of one output applies to all of the notebook."""
    page = pages()[at]
    rules = rules_of(page)
    assert all(re.match(r"\.ws\b|.* \.ws$", selector) for selector, _ in rules)
    cells = [(selector, declared) for selector, declared in rules if re.search(r"\b(table|tr|td|th)\b", selector)]
    assert all("table." in selector for selector, _ in cells)
    tables = set(re.findall("<table([^>]*)>", page))
    for table in tables:
        name = re.search(r'class="?(\w+)', table)[1]
        assert any(selector == f".ws table.{name} tr" and "background" in declared for selector, declared in cells)
        assert any(selector == f".ws table.{name}" and "color:var(--fg)" in declared for selector, declared in cells)
    assert len(tables) == (1 if at in (0, 1, 5) else 0)


@pytest.mark.parametrize(
    ("dark", "light"),
    [
        ("[data-jp-theme-light=false]", "[data-jp-theme-light=true]"),
        (".vscode-dark", ".vscode-light"),
        ("[theme=dark]", "[theme=light]"),
        ("[data-theme=dark]", "[data-theme=light]"),
    ],
)
def test_colours_follow_the_theme_of_the_notebook(dark, light):
    for page in pages():
        rules = dict(rules_of(page))
        usual = dict(re.findall(r"(--\w+):([^;]+)", rules[".ws"]))
        by_light, by_dark = (dict(re.findall(r"(--\w+):([^;]+)", rules[f"{theme} .ws"])) for theme in (light, dark))
        assert by_light == usual
        assert by_dark.keys() == usual.keys()
        assert not set(by_dark.values()) & {usual["--bg"], usual["--fg"], usual["--t0"]}


class Kernel:
    """A kernel of Jupyter that runs cells."""

    def __init__(self):
        self.manager, self.client = pytest.importorskip("jupyter_client.manager").start_new_kernel()

    def run(self, code):
        """The messages of a cell: (type, content), from its start to its end."""
        sent = self.client.execute(code)
        found = []
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            message = self.client.get_iopub_msg(timeout=60)
            if message["parent_header"].get("msg_id") != sent:
                continue
            found.append((message["msg_type"], message["content"]))
            if found[-1] == ("status", {"execution_state": "idle"}):
                assert not [content for kind, content in found if kind == "error"]
                return found
        raise AssertionError(f"the cell still runs after a minute: {code}")

    def stop(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    pytest.importorskip("ipykernel", reason="ipykernel does not support this Python")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        running = Kernel()
    yield running
    running.stop()


def shown_by(messages):
    """The text of each display, with those that replace it."""
    displays = {}
    for kind, content in messages:
        if kind in ("display_data", "update_display_data"):
            displays.setdefault(content["transient"]["display_id"], []).append(content["data"]["text/plain"])
    return list(displays.values())


LONG = """
import pathlib, tempfile, time
from wordsplit import corpus, training
from wordsplit.status_line import StatusLine
folder = pathlib.Path(tempfile.mkdtemp())
(folder / "a.txt").write_text("hello there world " * 200_000)
"""


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("corpus.encode(folder / 'a.txt', folder / 'out');", "tokens"),
        ("corpus.count(folder / 'a.txt');", "tokens"),
        ("training.BpeTrainer(300).update(['some text'], progress=True);", "spans counted"),
        ("training.BpeTrainer(280).update(['some text of some words']).train();", "merges"),
    ],
)
def test_progress_is_one_output_of_the_cell(kernel, code, words):
    """Where standard error is no terminal, nothing was shown."""
    messages = kernel.run(f"{LONG}\n{code}")
    (texts,) = shown_by(messages)
    assert texts[-1] == ""
    assert len(texts) > 1
    assert all(words in text and "\x1b" not in text and "\r" not in text for text in texts[:-1])
    assert "stream" not in {kind for kind, _ in messages}


def test_no_progress_where_it_is_not_wanted(kernel):
    assert shown_by(kernel.run(f"{LONG}\ncorpus.encode(folder / 'a.txt', folder / 'out', progress=False);")) == []


@pytest.mark.parametrize(
    ("code", "begins"),
    [
        ("tok.show('Hello there')", "Hello|␣there\n9707 |1052"),
        ("tok.explain('Hello there')", "qwen3: 11 bytes, 2 spans, 2 ids\n"),
        ("tok.show('word ' * 100_000)", "word|␣word|"),
    ],
)
def test_views_without_html(kernel, code, begins):
    """As text, which front ends without HTML and IPython's shell display, and which exports to LaTeX keep."""
    (data,) = (
        content["data"]
        for kind, content in kernel.run(f"import wordsplit; tok = wordsplit.load_tokenizer('qwen3')\n{code}")
        if kind == "execute_result"
    )
    assert data["text/plain"].startswith(begins)
    assert "text/html" in data
    assert len(data["text/plain"]) < 15_000
    if "100_000" in code:
        assert data["text/plain"].endswith("… and 99,001 more")
