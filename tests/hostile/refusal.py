"""What every malformed file must meet: a typed error that names the file and the place, within a second."""

import time

import pytest

import wordsplit

REFUSALS = (wordsplit.VocabFormatError, wordsplit.UnsupportedVocabError)


def refused(path, data, **options):
    """Write ``data`` to ``path``, see that it is refused as it should be, and give the message."""
    path.write_bytes(data)
    start = time.process_time()
    with pytest.raises(REFUSALS) as caught:
        wordsplit.load_vocab(path, **options)
    took = time.process_time() - start
    message = str(caught.value)
    assert type(caught.value) in REFUSALS
    assert path.name in message
    assert caught.value.field, message
    assert caught.value.field in message
    assert len(message) < 2000, message[:300]
    assert took < 1, f"{took:.2f} s: {message}"
    return message


def loads_or_refused(path, data, **options):
    """As `refused`, for data that may be sound."""
    path.write_bytes(data)
    try:
        vocab = wordsplit.load_vocab(path, **options)
        wordsplit.load_tokenizer(vocab, engine="python").encode("hello né")
    except REFUSALS as error:
        assert path.name in str(error)
    except wordsplit.WordsplitError:
        return
