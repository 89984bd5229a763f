"""What the core needs besides the tables of a vocab, for portable files.

Other programs, such as the JavaScript package, build an engine of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wordsplit.engine import build_engine, resolve_options
from wordsplit.engine.decoding import normalized_contents
from wordsplit.errors import UnsupportedVocabError
from wordsplit.model import ByteLevelBPE
from wordsplit.options import EngineOptions

if TYPE_CHECKING:
    from wordsplit.vocab import Vocab

__all__ = ["core_settings"]

_SETTINGS = (
    *("encoder", "long_encoder", "normal_form", "ignore_merges", "add_prefix_space"),
    *("cuts", "cuts_at_spaces", "space_mark", "prepend"),
)


def core_settings(vocab: Vocab) -> tuple[dict[str, Any], list[bytes]] | None:
    """Return the settings of the core for a vocab, and its maps of characters to words.

    ``None`` if the core alone cannot encode its texts, and for byte-level BPE, for which the fields of the vocab say
    everything. Of two maps, the second is for texts with characters that the first one lacks.
    """
    # Pure-Python builds lack it.
    from wordsplit.engine.native import NativeEngine, NativeWordEngine  # noqa: PLC0415

    if isinstance(vocab.model, ByteLevelBPE) and vocab.missing_bytes is None and vocab.normalizer in (None, "nfc"):
        return None
    try:
        engine = build_engine(vocab, resolve_options(vocab, EngineOptions(engine="native")))
    except UnsupportedVocabError:
        return None  # its tables can be compiled all the same
    if not isinstance(engine, NativeEngine) or not engine.is_portable:
        return None
    given = engine.arguments
    settings: dict[str, Any] = {name: getattr(given, name) for name in _SETTINGS}
    settings["literals"] = {number: literal.decode() for number, literal in given.literals.items()}
    settings["spellings"] = normalized_contents(vocab)
    maps = engine.word_maps() if isinstance(engine, NativeWordEngine) else []
    return settings, [each.to_bytes() for each in maps]
