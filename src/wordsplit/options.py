"""How to build a tokenizer: registry names and plain values."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from wordsplit.errors import OptionsError
from wordsplit.registry import nearest

if TYPE_CHECKING:
    from wordsplit.tokenizer import Tokenizer
    from wordsplit.vocab import Vocab

__all__ = ["TokenizerOptions"]

_CHOICES = {"engine": ("native", "python"), "errors": ("replace", "strict")}


def _default_engine() -> Literal["native", "python"]:
    """``"native"``, but in a build that was asked to be pure Python: such a wheel leaves the stub out, too."""
    return "native" if (Path(__file__).parent / "_native.pyi").exists() else "python"


@dataclass(frozen=True, kw_only=True)
class TokenizerOptions:
    """How to build a tokenizer. Every field has a default that is right for most.

    Attributes:
        spanner: A spanner's name, or ``"auto"``: the hand-written scanner of the vocab's pattern, or ``regex``.
        encoder: A span encoder's name, or ``"auto"``.
        long_encoder: The encoder of spans longer than ``long_span`` bytes; ``"auto"``: the same as ``encoder``, or
            if that is ``"auto"`` too, one whose cost does not grow with the square of the length. Where
            ``"backtracking"`` is for long spans only, the native engine makes its table when 256 KB of them have come,
            and takes ``"heap_merge"`` until then.
        long_span: Where long spans begin, in bytes.
        engine: ``"native"``, or ``"python"`` for the executable specification (and the default of a wheel that
            was built with ``WORDSPLIT_PURE_PYTHON=1``).
        errors: What to do with lone surrogates (and bytes that are not UTF-8): ``"replace"`` or ``"strict"``.
        add_bos: Whether to put the vocab's prefix (its bos token) before every text; ``None``: as the vocab says.
        add_eos: Whether to put the vocab's suffix after every text; ``None``: as the vocab says.
        cache_bytes: How much memory the cache of encoded spans may take, which all threads share; each thread has
            half of it besides, for the spans it meets most. It is taken as it fills. 0 for none.

    Raises:
        OptionsError: A value that the field cannot take. Names are looked up by `build`.

    Example:
        >>> import wordsplit
        >>> options = wordsplit.TokenizerOptions(encoder="heap_merge")
        >>> tok = options.build(wordsplit.load_vocab("qwen3"))
        >>> tok.encode("hello world")
        [14990, 1879]
        >>> wordsplit.TokenizerOptions.from_json(options.to_json()) == options
        True
    """

    spanner: str = "auto"
    encoder: str = "auto"
    long_encoder: str = "auto"
    long_span: int = 128
    engine: Literal["native", "python"] = field(default_factory=_default_engine)
    errors: Literal["replace", "strict"] = "replace"
    add_bos: bool | None = None
    add_eos: bool | None = None
    cache_bytes: int = 16 << 20

    def __post_init__(self) -> None:
        for name, allowed in _CHOICES.items():
            if getattr(self, name) not in allowed:
                raise OptionsError(f"{name}={getattr(self, name)!r}: use one of {', '.join(map(repr, allowed))}")
        for name in ("spanner", "encoder", "long_encoder"):
            if not isinstance(getattr(self, name), str):
                raise OptionsError(f"{name}={getattr(self, name)!r}: give a registered name")
        for name in ("long_span", "cache_bytes"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise OptionsError(f"{name}={value!r}: give a number of bytes, 0 or more")
        for name in ("add_bos", "add_eos"):
            if getattr(self, name) not in (None, True, False):
                raise OptionsError(f"{name}={getattr(self, name)!r}: use True, False or None")

    def build(self, vocab: Vocab) -> Tokenizer:
        """Build a tokenizer.

        Raises:
            UnknownNameError: No spanner or encoder of that name.
            UnsupportedVocabError: The vocab does not meet the preconditions of one of them.
        """
        from wordsplit.tokenizer import Tokenizer  # noqa: PLC0415 - the tokenizer knows its options

        return Tokenizer(vocab, self)

    def to_json(self) -> str:
        """The options as a JSON object."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> TokenizerOptions:
        """Options from a JSON object, as `to_json` writes it; fields left out have their defaults.

        Raises:
            OptionsError: Not a JSON object, or a field that does not exist.
        """
        try:
            values = json.loads(text)
        except ValueError as error:
            raise OptionsError(f"options are not JSON: {error}") from None
        if not isinstance(values, dict):
            raise OptionsError(f"options must be a JSON object, not {type(values).__name__}")
        known = [field.name for field in fields(cls)]
        for name in values:
            if name not in known:
                raise OptionsError(f"no option {name!r}. {nearest(name, known)}")
        return cls(**values)
