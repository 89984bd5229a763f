"""``wordsplit playground``: a page served on the loopback."""

import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
from cli.run import interruptible, run


@pytest.fixture
def page(tmp_path):
    folder = tmp_path / "page"
    (folder / "vocabs").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>wordsplit playground</title>")
    (folder / "vocabs/a.js").write_text("1")
    (tmp_path / "secret.txt").write_text("not served")
    return folder


@pytest.fixture
def served(page):
    command = [sys.executable, "-m", "wordsplit", "playground", "--no-browser", "--port", "0", "--folder", str(page)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=interruptible) as process:  # noqa: PLW1509 - before any thread
        yield process, process.stdout.readline().strip()
        process.kill()


def get(url):
    with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 - an address of this test
        return answer.read(), answer.headers


def test_serves_the_folder_on_the_loopback(served):
    process, address = served
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
    body, headers = get(address)
    assert b"wordsplit playground" in body
    assert headers["Content-Type"] == "text/html"
    assert headers["X-Content-Type-Options"] == "nosniff"
    body, headers = get(f"{address}vocabs/a.js")
    assert (body, "javascript" in headers["Content-Type"]) == (b"1", True)
    with pytest.raises(urllib.error.HTTPError, match="404") as refused:
        get(f"{address}../secret.txt")
    refused.value.close()
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 0


def test_says_what_to_do_without_a_page(tmp_path):
    done = run("playground", "--no-browser", "--folder", str(tmp_path))
    assert (done.returncode, "make playground" in done.stderr) == (1, True)


def test_refuses_a_port_in_use(page):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run("playground", "--no-browser", "--port", str(port), "--folder", str(page))
    assert (done.returncode, f"--port {port}" in done.stderr) == (1, True)


def test_help_has_examples():
    done = run("playground", "--help")
    assert (done.returncode, "Examples:" in done.stdout, "127" not in done.stderr) == (0, True, True)
