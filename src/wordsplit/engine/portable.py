"""The settings of the core other than the tables of a vocab, for portable files.

Other programs, such as the JavaScript package, build an engine of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wordsplit import spanners
from wordsplit.engine import build_engine, resolve_options
from wordsplit.engine.decoding import normalized_contents
from wordsplit.errors import UnsupportedVocabError
from wordsplit.model import ByteLevelBPE
from wordsplit.options import EngineOptions
from wordsplit.rules import Rewrite

if TYPE_CHECKING:
    from wordsplit.vocab import Vocab

__all__ = ["CoreSettings", "core_settings"]

_SETTINGS = (
    *("encoder", "long_encoder", "nfc", "ignore_merges", "add_prefix_space"),
    *("cuts", "cuts_at_spaces", "space_mark", "prepend"),
)


class CoreSettings(NamedTuple):
    """The settings of the core other than the tables of a vocab.

    Attributes:
        values: Plain values, by name.
        maps: The maps from characters to words. The second one is for texts with characters that the first one lacks.
        rules: The automata that find spans, and the rules in steps; ``None`` if there are neither.
        scheme: The scheme whose scanner finds spans for ``maps`` or ``rules``, if one does.
    """

    values: dict[str, Any]
    maps: list[bytes]
    rules: bytes | None
    scheme: str | None


def core_settings(vocab: Vocab) -> CoreSettings | None:
    """Return the settings of the core for a vocab.

    ``None`` if the core alone cannot encode its texts, and for byte-level BPE where the vocab's fields say everything.
    """
    # Pure-Python builds lack it.
    from wordsplit import _native  # noqa: PLC0415
    from wordsplit.engine.native import NativeEngine, NativeWordEngine  # noqa: PLC0415

    plain = isinstance(vocab.model, ByteLevelBPE) and vocab.missing_bytes is None and vocab.normalizer in (None, "nfc")
    if plain and spanners.scanner_of(vocab) is not None:
        return None
    try:
        engine = build_engine(vocab, resolve_options(vocab, EngineOptions(engine="native")))
    except UnsupportedVocabError:
        return None  # its tables can be compiled all the same
    if not isinstance(engine, NativeEngine):
        return None
    given = engine.arguments
    values: dict[str, Any] = {name: getattr(given, name) for name in _SETTINGS}
    values["literals"] = {number: literal.decode() for number, literal in given.literals.items()}
    values["spellings"] = normalized_contents(vocab)
    maps = engine.word_maps() if isinstance(engine, NativeWordEngine) else []
    rules = _native.write_text_rules(given)
    finds_for_others = given.spans is not None and (bool(maps) or rules is not None)
    scheme = _scheme_of(vocab) if finds_for_others else None
    return CoreSettings(values, [each.to_bytes() for each in maps], rules, scheme)


def _scheme_of(vocab: Vocab) -> str | None:
    """Return the scheme whose scanner finds the spans of a vocab, of which letters may then stand for bytes."""
    steps = vocab.pre_tokenizer
    if steps[-1:] == (Rewrite("byte_level"),):
        vocab = vocab.replace(pre_tokenizer=steps[:-1])
    return spanners.scanner_of(vocab)
