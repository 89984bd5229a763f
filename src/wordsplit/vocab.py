"""A vocabulary: everything that determines the ids of a text, and nothing else.

A `Vocab` is immutable data. A loader (`wordsplit.load_vocab`) or a program creates it, and a tokenizer is built from
it.
"""

from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property, partial
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from wordsplit import hints
from wordsplit.added_list import AddedTokenList
from wordsplit.errors import InputTypeError, InvalidTokenIdError, PluginError, UnknownTokenError, VocabFormatError
from wordsplit.fields import Converted, OfModel
from wordsplit.lengths import Padding, Truncation
from wordsplit.merges import MergeTables
from wordsplit.missing_bytes import MissingBytes
from wordsplit.model import ByteLevelBPE, CharacterBPE, Model, Unigram
from wordsplit.model.ended_words import spells_bytes
from wordsplit.model.native import is_native, native_tables
from wordsplit.registry import Modules, Registry
from wordsplit.rules import AddedToken, Decode, Normalize, Rewrite, Split, Step, canonical, finds_as_spelled
from wordsplit.space_mark import SpaceMark, space_mark_of
from wordsplit.tables import MAX_ID, MergeList, TokenTable, Words
from wordsplit.template import TemplatePart, around_each, joined

T = TypeVar("T")

Normalizer: TypeAlias = "str | tuple[Normalize, ...] | None"

__all__ = [
    "MAX_ID",
    "AddedToken",
    "Decode",
    "MergeList",
    "Normalize",
    "Padding",
    "Rewrite",
    "Split",
    "TemplatePart",
    "TokenTable",
    "Truncation",
    "Vocab",
    "facts_of",
    "kind_of",
    "require_vocab",
    "writers",
]


def _as_given(model: Model | None) -> Model:
    return model  # type: ignore[return-value]  # Vocab.__post_init__ makes one if it is None


def _dict(values: Mapping[str, T] | None) -> dict[str, T]:
    return dict(values or {})


def _named(normalizer: str | Sequence[Normalize] | None) -> Normalizer:
    """Return the name of a normalization if it has one, else its steps."""
    if normalizer is None or isinstance(normalizer, str):
        return normalizer
    steps = tuple(normalizer)
    return "nfc" if steps == (Normalize("nfc"),) else steps or None


def _splits(steps: Sequence[Step]) -> tuple[Step, ...]:
    if isinstance(steps, str):
        raise TypeError(
            f"pre_tokenizer={steps!r} is a string, not a sequence of steps: a pattern is [Split({steps!r})], the "
            f"steps of a known scheme are wordsplit.patterns.schemes.scheme_steps({steps!r})"
        )
    return tuple(steps)


def _steps(decoder: Sequence[Decode] | None) -> tuple[Decode, ...] | None:
    return None if decoder is None else tuple(decoder)


def _template(parts: Iterable[TemplatePart] | None) -> tuple[TemplatePart, ...] | None:
    return None if parts is None else joined(parts)


# Fields that are also entries of `Vocab.role_ids`, with their role.
_ROLE_FIELDS = {"bos_token_id": "bos", "eos_token_id": "eos", "pad_token_id": "pad"}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Vocab:
    """An immutable vocabulary.

    Instead of a ``model``, the constructor also takes the arguments of `ByteLevelBPE`: ``tokens``, ``merges``,
    ``ignore_merges``, ``unreachable_ids``, ``merges_are_live`` and ``missing_bytes``. Both create equal objects.

    Attributes:
        name: The vocab's name, used in messages.
        source: Where the vocab came from: a path, or a catalog name.
        model: The model, which turns a span into tokens.
        tokens: The base tokens: id -> bytes. Ids may have holes and need not start at 0.
        merges: (left id, right id) in order of rank. The constructor takes ``None`` for mergeable ranks, as a .tiktoken
            file has them: a pair merges when its concatenation is a token, lowest id first.
        ignore_merges: Whether a span that is itself a token gets that id without any merging.
        unreachable_ids: Base tokens that no text can produce, because their name is not in the byte-level alphabet.
        merges_are_live: See `ByteLevelBPE`.
        missing_bytes: How byte-level BPE encodes bytes without a token; ``None`` for an error.
        pre_tokenizer: The steps that split text into spans. Without steps, the whole text is one span.
        added_tokens: Tokens found in text as literals, ordered by id: a sequence of `AddedToken`. Two may share an id,
            which then decodes to the first (o200k_harmony has such a pair).
        normalizer: ``"nfc"``, ``None``, or the steps of another normalization.
        decoder: The steps that convert tokens to text, or ``None`` if their joined bytes are the text.
        add_prefix_space: Whether to prepend a space to text that does not begin with one.
        prefix_ids: Ids put before every encoded text (such as bos), unless the options turn them off.
        suffix_ids: Ids put after every encoded text, unless the options turn them off.
        pair_template: The ids around the two texts of a pair, see `Tokenizer.encode_pair`. ``None``: the prefix and the
            suffix around each.
        eos_token_id: End of sequence.
        bos_token_id: Beginning of sequence.
        pad_token_id: Padding.
        chat_template: The model's Jinja template, as a string. Loading never runs it. If there are several, the default
            one.
        chat_templates: All chat templates by name, the default one as ``"default"``.
        role_ids: Token ids by role, if the source names them. The roles are ``bos``, ``eos``, ``pad``, ``unk``,
            ``sep``, ``cls``, ``mask``, ``eot`` and ``eom`` (end of turn, of message), and for fill-in-the-middle
            ``fim_pre``, ``fim_suf``, ``fim_mid``, ``fim_pad``, ``fim_rep`` and ``fim_sep``.
        truncation: How the source truncates encodings. `Tokenizer.encode` never truncates; methods that create batches
            do so on request, see `Tokenizer.encode_for_model`.
        padding: How the source pads encodings; likewise.
        notes: Assumptions that the loader made where the source is incomplete. Loading issues each as a `VocabWarning`.

    Raises:
        VocabFormatError: The parts contradict each other.

    Example:
        >>> import wordsplit
        >>> vocab = wordsplit.load_vocab("qwen3")
        >>> vocab.n_vocab, vocab.n_base, vocab.max_id, len(vocab.merges)
        (151669, 151643, 151668, 151387)
        >>> vocab.tokens[14990]
        b'hello'
    """

    name: str
    source: str = ""
    model: Converted[Model | None, Model] = Converted(_as_given, None)
    tokens: OfModel[Mapping[int, bytes], TokenTable] = OfModel()
    merges: OfModel[Sequence[tuple[int, int]] | None, MergeList] = OfModel("explicit_merges")
    ignore_merges: OfModel[bool, bool] = OfModel()
    unreachable_ids: OfModel[Iterable[int], frozenset[int]] = OfModel()
    merges_are_live: OfModel[bool, bool] = OfModel()
    missing_bytes: OfModel[MissingBytes | None, MissingBytes | None] = OfModel()
    pre_tokenizer: Converted[Sequence[Step], tuple[Step, ...]] = Converted(_splits, ())
    added_tokens: Converted[Iterable[AddedToken], AddedTokenList] = Converted(AddedTokenList.pack, ())
    normalizer: Converted[str | Sequence[Normalize] | None, Normalizer] = Converted(_named, None)
    decoder: Converted[Sequence[Decode] | None, tuple[Decode, ...] | None] = Converted(_steps, None)
    add_prefix_space: bool = False
    prefix_ids: Converted[Sequence[int], tuple[int, ...]] = Converted(tuple, ())
    suffix_ids: Converted[Sequence[int], tuple[int, ...]] = Converted(tuple, ())
    pair_template: Converted[Iterable[TemplatePart] | None, tuple[TemplatePart, ...] | None] = Converted(
        _template, None
    )
    eos_token_id: int | None = None
    bos_token_id: int | None = None
    pad_token_id: int | None = None
    chat_template: str | None = None
    chat_templates: Converted[Mapping[str, str] | None, dict[str, str]] = Converted(_dict, None)
    role_ids: Converted[Mapping[str, int] | None, dict[str, int]] = Converted(_dict, None)
    truncation: Truncation | None = None
    padding: Padding | None = None
    notes: Converted[Sequence[str], tuple[str, ...]] = Converted(tuple, ())

    def __post_init__(self) -> None:
        arguments = vars(self).pop("_model_arguments", None)
        if vars(self)["_model"] is None:
            vars(self)["_model"] = ByteLevelBPE(**(arguments or {}))
        elif arguments is not None:
            raise TypeError(f"give model or {', '.join(arguments)}, not both")
        roles = {role: getattr(self, field) for field, role in _ROLE_FIELDS.items()}
        vars(self)["_role_ids"] = {role: i for role, i in roles.items() if i is not None} | self.role_ids
        if self.chat_template is not None:
            vars(self)["_chat_templates"] = {"default": self.chat_template} | self.chat_templates
        for check in (_check_sizes, _check_added_tokens, _check_ids):
            for field, problem in check(self):
                raise VocabFormatError(problem, file=self.source, field=field)

    def replace(self, **changes: Any) -> Vocab:
        """Return a copy with some fields changed.

        Args:
            **changes: Arguments of the constructor.

        Raises:
            VocabFormatError: The parts contradict each other.

        Example:
            >>> import wordsplit
            >>> vocab = wordsplit.load_vocab("r50k_base").replace(name="mine", eos_token_id=None)
            >>> vocab.name, vocab.eos_token_id, vocab.n_vocab
            ('mine', None, 50257)
        """
        values = self._arguments()
        for name in _ROLE_FIELDS.keys() & changes.keys():
            values["role_ids"].pop(_ROLE_FIELDS[name], None)
        if "chat_template" in changes:
            values["chat_templates"].pop("default", None)
        of_model = {_OF_MODEL[name]: changes.pop(name) for name in _OF_MODEL.keys() & changes.keys()}
        if of_model:
            values["model"] = self.model.replace(**of_model)
        return Vocab(**values | changes)

    # Derived from the model.

    @property
    def has_explicit_merges(self) -> bool:
        """Whether the source listed its merges (a .tiktoken file does not)."""
        return self.model.explicit_merges is not None

    @property
    def ids_by_bytes(self) -> Mapping[bytes, int]:
        """The ids of the base tokens that text can produce: bytes -> id."""
        return self.model.ids_by_bytes

    @cached_property
    def merge_tables(self) -> MergeTables:
        """Look-up tables for span encoders written in Python."""
        return MergeTables(self.tokens, self.merges, self.ids_by_bytes, self.name, self.missing_bytes)

    @cached_property
    def space_mark(self) -> SpaceMark | None:
        """How the vocab spells a space, if its rules do nothing else to a text, or nothing after their first steps.

        ``None`` for word models, because the native core would split words at spaces that a word may contain, and for
        models that drop characters, because these may be between spans that a merge joins.
        """
        model = self.model
        if not isinstance(model, Unigram) and not (isinstance(model, CharacterBPE) and not model.drops_characters):
            return None
        if b" " in bytes(self.tokens.blob):  # a token that no text produces, but whose bytes others would then have
            return None
        found = None if self.add_prefix_space else space_mark_of(self.normalizer, self.pre_tokenizer)
        if found is None or model.id_of(found.mark.encode()) is None:  # unknown, or spelled in byte tokens
            return None
        added = self.added_tokens
        if finds_as_spelled(self.normalizer) and b" " in bytes(added.blob):  # no normalized text has such a token
            return None
        normalized = (added[at] for at in added.numbers_of("normalized"))
        return None if any(_needs_spaces(token, found, self.normalizer) for token in normalized) else found

    @cached_property
    def native_tables(self) -> hints.native.VocabTables:
        """Look-up tables of the native core, which vocabs of the same model share.

        Raises:
            UnsupportedVocabError: The core does not support the model, see `has_native_model`.
        """
        try:
            return native_tables(self.model, self.space_mark.mark if self.space_mark else "")
        except ValueError as error:
            raise VocabFormatError(str(error), file=self.source) from None

    @cached_property
    def has_native_model(self) -> bool:
        """Whether the native core can run the model."""
        if not is_native(self.model):
            return False
        if not isinstance(self.model, CharacterBPE) or not self.model.ends_words:
            return True
        # If the tokens may be letters that stand for bytes, its tables have the bytes.
        spelled = spells_bytes(self.model.ids_by_bytes, self.model.end_of_word_suffix)
        return spelled == (self.pre_tokenizer[-1:] == (Rewrite("byte_level"),))

    @cached_property
    def fingerprint(self) -> str:
        """The sha256 of everything that determines ids and text, in hex. It is equal for equal vocabs of any format.

        It does not include the name, the source, the notes, the chat template, the roles bos, eos and pad, the pair
        template, truncation and padding.
        """
        import hashlib  # noqa: PLC0415 - 3 ms of OpenSSL that most programs never need

        digest = hashlib.sha256(b"wordsplit vocab 1\n")
        added = [asdict(token) for token in self.added_tokens]
        steps = [canonical(step) for step in self.pre_tokenizer]
        rules = (steps, added, self.normalizer, self.ignore_merges, self.add_prefix_space)
        digest.update(repr((rules, self.prefix_ids, self.suffix_ids, sorted(self.unreachable_ids))).encode())
        for words in (self.tokens.ids, self.tokens.ends, self.merges.flat):
            digest.update(f"\n{len(words)}\n".encode())
            digest.update(words if sys.byteorder == "little" else _swapped(words))
        digest.update(self.tokens.blob)
        if more := (*self.model.rules, *(() if self.decoder is None else (self.decoder,))):
            digest.update(repr(more).encode())
        return digest.hexdigest()

    # Sizes.

    @cached_property
    def max_id(self) -> int:
        """The largest id, added tokens included."""
        return max((ids[-1] for ids in (self.tokens.ids, self.added_tokens.ids) if len(ids)), default=0)

    @property
    def n_vocab(self) -> int:
        """``max_id + 1``: the number of rows an embedding needs. It counts holes; `len` does not."""
        return self.max_id + 1

    @property
    def n_base(self) -> int:
        """The number of base tokens, without tokens that are only added tokens."""
        return len(self.tokens)

    def __len__(self) -> int:
        """Return the number of ids that have a token, base or added. Each id counts once."""
        return len(self.tokens) + len(set(self.added_tokens.ids).difference(self.tokens.ids))

    # Rules.

    @property
    def pattern(self) -> str:
        """The pre-tokenization regex; the patterns of several steps are joined by line feeds."""
        return "\n".join(step.pattern for step in self.pre_tokenizer if isinstance(step, Split))

    @property
    def pair_parts(self) -> tuple[TemplatePart, ...]:
        """The parts of a row of two texts: `pair_template`, or else the prefix and the suffix around each text."""
        own = self.pair_template
        return around_each(self.prefix_ids, self.suffix_ids) if own is None else own

    @property
    def special_tokens(self) -> dict[str, int]:
        """The special tokens: literal -> id (a new dict each time)."""
        return self.added_tokens.special_tokens()

    @cached_property
    def added_contents(self) -> frozenset[str]:
        """The literals of all added tokens."""
        return frozenset(token.content for token in self.added_tokens)

    @cached_property
    def special_contents(self) -> frozenset[str]:
        """The literals of the special tokens."""
        return frozenset(self.special_tokens)

    @property
    def unk_token_id(self) -> int | None:
        """The id of the unknown token, if the source names one."""
        return self.role_ids.get("unk")

    # Look-ups.

    @cached_property
    def _added_bytes(self) -> dict[int, bytes]:
        out: dict[int, bytes] = {}
        for i, content in zip(self.added_tokens.ids, self.added_tokens.contents(), strict=True):
            out.setdefault(i, content.encode())
        return out

    @cached_property
    def _added_ids(self) -> dict[bytes, int]:
        contents = (content.encode() for content in self.added_tokens.contents())
        return dict(zip(contents, self.added_tokens.ids, strict=True))

    def to_dict(self) -> dict[int, bytes]:
        """Return a new dict of the bytes of every token, base and added, by id in ascending order.

        Example:
            >>> import wordsplit
            >>> tokens = wordsplit.load_vocab("cl100k_base").to_dict()
            >>> len(tokens), tokens[1917], tokens[100257]
            (100261, b' world', b'<|endoftext|>')
        """
        return dict(sorted({**self.tokens, **self._added_bytes}.items()))

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of a token.

        Raises:
            InvalidTokenIdError: No token has that id.

        Example:
            >>> import wordsplit
            >>> wordsplit.load_vocab("qwen3").token_bytes(1879)
            b' world'
        """
        try:
            added = self._added_bytes.get(token_id)
            return self.tokens[token_id] if added is None else added
        except (KeyError, TypeError, ValueError):  # it need not be hashable
            raise InvalidTokenIdError(
                f"{token_id!r:.100} is not a token id of {self.name} (ids run to {self.max_id}"
                + (", with holes)" if len(self) < self.n_vocab else ")")
            ) from None

    def token_id(self, token: bytes | str) -> int:
        """Return the id of a token, given as bytes or text.

        Added tokens take precedence over base tokens, and base tokens that text can produce over others, such as the
        control tokens and ``<0x0A>`` of a SentencePiece file.

        Raises:
            UnknownTokenError: There is no such token.

        Example:
            >>> import wordsplit
            >>> vocab = wordsplit.load_vocab("qwen3")
            >>> vocab.token_id(b" world"), vocab.token_id("<|im_end|>")
            (1879, 151645)
        """
        if not isinstance(token, (str, bytes, bytearray, memoryview)):
            raise InputTypeError(f"a token is bytes or str, not {type(token).__name__}")
        key = token.encode("utf-8", "surrogatepass") if isinstance(token, str) else bytes(token)
        found = self._added_ids.get(key)
        if found is None:
            found = self.model.id_of(key)
        if found is None and self.model.unreachable_ids:
            found = self.tokens.id_of(key)
        if found is None:
            raise UnknownTokenError(f"{token!r} is not a token of {self.name}")
        return found

    # Files.

    def save_tiktoken(self, path: str | os.PathLike[str]) -> None:
        """Write the base tokens as a .tiktoken file.

        Raises:
            UnsupportedVocabError: The vocab's ranks are not its ids, or it has decoding steps, which the format cannot
                express.
        """
        writers.get("tiktoken")(self, path)

    def save_tokenizer_json(self, path: str | os.PathLike[str]) -> None:
        """Write a tokenizer.json from which `tokenizers` gives the same ids."""
        writers.get("tokenizer_json")(self, path)

    def save_gguf(self, path: str | os.PathLike[str]) -> None:
        """Write a GGUF file that holds the vocab, without tensors.

        Raises:
            UnsupportedVocabError: The format cannot express the vocab, for example a pattern that llama.cpp has no name
                for.

        Example:
            >>> import tempfile, wordsplit
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     wordsplit.load_vocab("r50k_base").save_gguf(f"{folder}/r50k.gguf")
            ...     wordsplit.load_tokenizer(f"{folder}/r50k.gguf").encode("hello world")
            [31373, 995]
        """
        writers.get("gguf")(self, path)

    def save_compiled(self, path: str | os.PathLike[str]) -> None:
        """Write a compiled file, with the extension ``.ws``: the vocab with tables that need no parsing.

        It loads in milliseconds on any machine, and also in the JavaScript package.

        Raises:
            UnsupportedVocabError: The core cannot run the model, or the native module, which builds the tables, is
                missing.

        Example:
            >>> import tempfile, wordsplit
            >>> vocab = wordsplit.load_vocab("r50k_base")
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     vocab.save_compiled(f"{folder}/r50k.ws")
            ...     wordsplit.load_vocab(f"{folder}/r50k.ws") == vocab
            True
        """
        writers.get("ws")(self, path)

    def save_vocab_merges(self, folder: str | os.PathLike[str]) -> None:
        """Write vocab.json and merges.txt into a folder.

        Neither file can hold the pattern, the normalizer, the decoder or added tokens. These go to
        ``wordsplit_rules.json`` in the same folder, so that `load_vocab` reads the same vocab again. Other programs
        read only the first two files.

        Example:
            >>> import tempfile, wordsplit
            >>> vocab = wordsplit.load_vocab("cl100k_base")
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     vocab.save_vocab_merges(folder)
            ...     wordsplit.load_vocab(folder) == vocab
            True
        """
        writers.get("vocab_merges")(self, folder)

    # The object itself.

    def _repr_html_(self) -> str:
        from wordsplit.palette import facts_fragment  # noqa: PLC0415 - most programs display nothing

        return facts_fragment(self.name, facts_of(self))

    def __repr__(self) -> str:
        return f"<Vocab {self.name!r}: {len(self)} tokens, {len(self.added_tokens)} added, from {self.source!r}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocab) and (self is other or self.fingerprint == other.fingerprint)

    def __hash__(self) -> int:
        return hash((len(self.tokens), self.max_id, self.pre_tokenizer, self.added_tokens))

    def __reduce__(self) -> tuple[object, ...]:
        return partial(Vocab, **self._arguments()), ()

    def _arguments(self) -> dict[str, Any]:
        """Return the arguments of the constructor that make an equal vocab, with the model as one of them."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name not in _OF_MODEL}


def require_vocab(given: object, *, by_name: str = "load_vocab") -> None:
    """Raise an error unless an argument is a vocab.

    Args:
        given: The argument.
        by_name: The function of `wordsplit` that takes a name instead.

    Raises:
        InputTypeError: It is something else, such as a name.
    """
    if not isinstance(given, Vocab):
        raise InputTypeError(f"give a Vocab, not {type(given).__name__}; wordsplit.{by_name}() takes names and paths")


def kind_of(vocab: Vocab) -> str:
    """Describe the model of a vocab.

    Example:
        >>> import wordsplit
        >>> kind_of(wordsplit.load_vocab("r50k_base"))
        'byte-level BPE, merges'
    """
    if isinstance(vocab.model, ByteLevelBPE):
        return "byte-level BPE, " + ("merges" if vocab.has_explicit_merges else "mergeable ranks")
    return _KIND_NAMES.get(type(vocab.model).__name__, type(vocab.model).__name__)


def _missing(vocab: Vocab, rule: MissingBytes) -> str:
    """Describe how bytes without a token are encoded."""
    from wordsplit.palette import visible  # noqa: PLC0415 - as below

    gives = "left out" if rule.unk_id is None else f"{visible(vocab.token_bytes(rule.unk_id))} for each"
    fused = gives.replace("each", "a run of them") if rule.fuse_unk else gives
    return f"byte tokens, or {fused}" if rule.byte_fallback else fused


_KIND_NAMES = {"CharacterBPE": "character BPE", "WordLevel": "word level"}


def facts_of(vocab: Vocab) -> list[tuple[str, object]]:
    """Return the main facts about a vocab, one per line: (name, value).

    Example:
        >>> import wordsplit
        >>> facts_of(wordsplit.load_vocab("r50k_base"))[:2]
        [('tokens', '50,257'), ('merges', '50,000')]
    """
    from wordsplit.palette import shortened, visible  # noqa: PLC0415 - as above

    some = [shortened(token.content, 40) for token in islice(vocab.added_tokens, 20)]
    rest = len(vocab.added_tokens) - len(some)
    normalizer = vocab.normalizer
    kinds = normalizer if isinstance(normalizer, str) else ", ".join(step.kind for step in normalizer or ())
    return [
        ("tokens", f"{len(vocab):,}"),
        *(() if isinstance(vocab.model, ByteLevelBPE) else (("model", kind_of(vocab)),)),
        ("merges", f"{len(vocab.merges):,}" if vocab.has_explicit_merges else "mergeable ranks"),
        ("added tokens", " ".join([*some, f"… and {rest:,} more"] if rest else some)),
        ("pattern", vocab.pattern),
        ("normalizer", kinds or "none"),
        *(() if vocab.missing_bytes is None else (("missing bytes", _missing(vocab, vocab.missing_bytes)),)),
        *((role, f"{visible(vocab.token_bytes(i))} ({i})") for role, i in vocab.role_ids.items()),
        ("chat template", "none" if vocab.chat_template is None else f"{len(vocab.chat_template):,} characters"),
        ("source", vocab.source),
    ]


# Arguments of the constructor that belong to the model, and their names in the model's constructor.
_OF_MODEL = {name: kind.argument for name, kind in vars(Vocab).items() if isinstance(kind, OfModel)}


def _check_sizes(vocab: Vocab) -> Iterator[tuple[str, str]]:
    """Yield (field, problem) for sizes and types."""
    if not len(vocab.tokens) and not len(vocab.added_tokens):
        yield "tokens", "the vocab has no tokens"
    if vocab.max_id > MAX_ID:
        yield "tokens", f"id {vocab.max_id} is above the limit of {MAX_ID}"
    if isinstance(vocab.normalizer, str) and vocab.normalizer != "nfc":
        yield "normalizer", f"normalizer {vocab.normalizer!r}: use 'nfc', None, or steps"


def _check_added_tokens(vocab: Vocab) -> Iterator[tuple[str, str]]:
    tokens = vocab.added_tokens
    if tokens.order is not None:
        return  # see AddedTokenList
    contents = tokens.contents()
    if all(contents) and len(set(contents)) == len(contents) and _is_text("".join(contents)):
        return
    seen: dict[str, int] = {}
    for token in tokens:
        field = f"added_tokens[{token.content!r:.80}]"
        if not token.content:
            yield field, f"added token {token.id} is empty"
        if not token.content.isascii() and not _is_text(token.content):
            yield field, f"added token {token.id} is not text: it has a lone surrogate"
        if token.content in seen:
            yield field, f"listed twice, as {seen[token.content]} and {token.id}"
        seen[token.content] = token.id


def _check_ids(vocab: Vocab) -> Iterator[tuple[str, str]]:
    named = {"prefix_ids": vocab.prefix_ids, "suffix_ids": vocab.suffix_ids}
    named |= {f"role_ids[{role!r}]": (i,) for role, i in vocab.role_ids.items()}
    named |= {f"pair_template[{at}]": part.ids for at, part in enumerate(vocab.pair_template or ())}
    added = vocab.added_tokens
    for field, ids in named.items():
        for i in ids:
            if not added.has_id(i) and i not in vocab.tokens:
                yield field, f"names id {i!r}, which no token has"


def _is_text(content: str) -> bool:
    try:
        content.encode()
    except UnicodeEncodeError:
        return False
    return True


def _swapped(words: Words) -> array[int]:
    out = array("I", words.tobytes())
    out.byteswap()
    return out


def _check_writer(name: str, part: object) -> Callable[[Vocab, str | os.PathLike[str]], None]:
    if callable(part):
        return part
    raise PluginError(f"vocab writer {name!r} must be a function of a vocab and a path, not {part!r}")


writers: Registry[Callable[[Vocab, str | os.PathLike[str]], None]] = Registry(
    "vocab writer",
    group="wordsplit.writers",
    in_tree=Modules("wordsplit.vocabs.formats", but=("sentencepiece", "tekken", "vocab_txt"), attribute="save"),
    check=_check_writer,
)
"""The functions that write a vocab, by name of the format. Each is next to the format's loader."""


def _needs_spaces(token: AddedToken, spelled: SpaceMark, normalizer: str | tuple[Normalize, ...] | None) -> bool:
    """Return whether a token in normalized text matches differently if spaces are not respelled, as in the core."""
    # The spelling of a space is not white space that a token could strip, and a pre-tokenizer spells it after
    # tokens were found.
    if token.lstrip or token.rstrip:
        return True
    is_late = spelled.before == ((Normalize(normalizer),) if isinstance(normalizer, str) else normalizer or ())
    return is_late and (bool(spelled.before) or " " in token.content or spelled.mark in token.content)
