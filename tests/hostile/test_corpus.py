"""The corpus of malformed files: each a typed error that names file and place, within a second, in bounded memory."""

import tracemalloc

import pytest
from depth import by_depth
from hostile.corpus import gguf_files, json_files, tiktoken_files
from hostile.refusal import refused

FORMATS = {
    "gguf": (gguf_files, 400, {}),
    "json": (json_files, 350, {}),
    "tiktoken": (tiktoken_files, 150, {"pattern": "cl100k"}),
}


@pytest.mark.parametrize("ending", list(FORMATS)[:: by_depth(3, 1, 1)])
def test_every_file_is_refused(tmp_path, ending):
    files, least, options = FORMATS[ending]
    seen, wrong = set(), {}
    path = tmp_path / f"bad.{ending}"
    tracemalloc.start()
    try:
        for what, data in files():
            seen.add(data)
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            try:
                refused(path, data, **options)
                peak = tracemalloc.get_traced_memory()[1] - before
                assert peak < (64 << 20) + 20 * len(data)
            except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - none may come through
                wrong[what] = repr(error)
    finally:
        tracemalloc.stop()
    assert not wrong, "\n".join(f"{what}: {error:.200}" for what, error in wrong.items())
    assert len(seen) >= least


def test_the_corpus_is_always_the_same():
    for files, _, _ in FORMATS.values():
        assert list(files()) == list(files())
