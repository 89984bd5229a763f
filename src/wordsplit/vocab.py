"""A vocabulary: everything that decides which ids a text gets, and nothing else.

A `Vocab` is data. It is made by a loader (`wordsplit.load_vocab`) or by hand, never changes, and is what
a tokenizer is built from.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from wordsplit.added_list import AddedTokenList
from wordsplit.consistency import check
from wordsplit.errors import InputTypeError, InvalidTokenIdError, UnknownTokenError, VocabFormatError
from wordsplit.rules import AddedToken, Normalize, Split
from wordsplit.saving import Saving
from wordsplit.tables import MAX_ID, MergeList, TokenTable

if TYPE_CHECKING:
    from wordsplit import _native
    from wordsplit.merges import MergeTables

__all__ = ["MAX_ID", "AddedToken", "MergeList", "Normalize", "Split", "TokenTable", "Vocab"]


class Vocab(Saving):
    """An immutable vocabulary.

    Args:
        name: What to call it.
        tokens: The base tokens: id -> bytes. Ids may have holes and need not start at 0.
        merges: (left id, right id) in order of rank. ``None`` for a vocab of mergeable ranks, as a
            .tiktoken file is: a pair merges when its concatenation is a token, lowest id first.
        pre_tokenizer: The steps that cut text into spans. None at all: the whole text is one span.
        added_tokens: Tokens found as literals. Two may share an id, which then decodes
                to the first (o200k_harmony has such a pair).
        normalizer: ``"nfc"``, ``None``, or the steps of another normalization.
        ignore_merges: Whether a span that is a token as a whole gets that id without any merging.
        add_prefix_space: Whether text that does not begin with a space is given one.
        prefix_ids: Ids put before every encoded text (a template's bos).
        suffix_ids: Ids put after it.
        literal_ids: Base tokens that no text reaches, since their name is not in the byte-level alphabet.
        eos_token_id: End of sequence.
        bos_token_id: Beginning of sequence.
        pad_token_id: Padding.
        chat_template: The model's Jinja template, as data; it is never run on loading.
        chat_templates: Further templates by name.
        role_ids: The ids of further tokens by what they are for; see the property.
        source: Where the vocab came from: a path, or a catalog name.
        merges_are_live: A promise that each merge is the last one of the encoding of the token that it makes,
            as those of a vocab of mergeable ranks are; it saves the native core the search for them.

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

    def __init__(
        self,
        *,
        name: str,
        tokens: Mapping[int, bytes],
        merges: Sequence[tuple[int, int]] | None = None,
        pre_tokenizer: Sequence[Split] = (),
        added_tokens: Iterable[AddedToken] = (),
        normalizer: str | Sequence[Normalize] | None = None,
        ignore_merges: bool = False,
        add_prefix_space: bool = False,
        prefix_ids: Sequence[int] = (),
        suffix_ids: Sequence[int] = (),
        literal_ids: Iterable[int] = (),
        eos_token_id: int | None = None,
        bos_token_id: int | None = None,
        pad_token_id: int | None = None,
        chat_template: str | None = None,
        chat_templates: Mapping[str, str] | None = None,
        role_ids: Mapping[str, int] | None = None,
        source: str = "",
        merges_are_live: bool = False,
    ) -> None:
        self._name = name
        self._tokens = tokens if isinstance(tokens, TokenTable) else TokenTable.pack(tokens)
        self._merges = merges if merges is None or isinstance(merges, MergeList) else MergeList.pack(merges)
        self._pre_tokenizer = tuple(pre_tokenizer)
        try:
            self._added_tokens = AddedTokenList.pack(added_tokens)
        except VocabFormatError as error:
            raise VocabFormatError(error.found, file=source, field=error.field) from None
        self._normalizer = _named(normalizer)
        self._ignore_merges = ignore_merges
        self._add_prefix_space = add_prefix_space
        self._prefix_ids, self._suffix_ids = tuple(prefix_ids), tuple(suffix_ids)
        self._literal_ids = frozenset(literal_ids)
        self._eos, self._bos, self._pad = eos_token_id, bos_token_id, pad_token_id
        self._chat_template, self._chat_templates = chat_template, dict(chat_templates or {})
        self._role_ids = dict(role_ids or {})
        self._source = source
        self._merges_are_live = merges_are_live
        check(self)

    # What it is called and where it came from.

    @property
    def name(self) -> str:
        """The vocab's name."""
        return self._name

    @property
    def source(self) -> str:
        """Where it came from: a path or a catalog name."""
        return self._source

    @cached_property
    def fingerprint(self) -> str:
        """The sha256 of all that decides ids and text, in hex: equal for equal vocabs of any format.

        Name, source, chat template and the bos, eos and pad marks are not part of it.
        """
        from wordsplit.fingerprint import fingerprint  # noqa: PLC0415 - 3 ms of OpenSSL that most programs never need

        return fingerprint(self)

    # Tokens and merges.

    @property
    def tokens(self) -> TokenTable:
        """Base tokens: a read-only mapping of id to bytes, in order of ids."""
        return self._tokens

    @cached_property
    def merges(self) -> MergeList:
        """(left id, right id) of each merge, in order of rank.

        For a vocab of mergeable ranks these are derived: one merge a token, the one by which byte-pair
        encoding reaches it. They give the same ids as the ranks do.
        """
        if self._merges is not None:
            return self._merges
        from wordsplit.merges import derive_merges  # noqa: PLC0415 - vocab and merges know each other

        return derive_merges(self)

    @property
    def has_explicit_merges(self) -> bool:
        """Whether the source listed its merges (a .tiktoken file does not)."""
        return self._merges is not None

    @cached_property
    def merge_tables(self) -> MergeTables:
        """Look-up tables for span encoders written in Python."""
        from wordsplit.merges import MergeTables  # noqa: PLC0415 - as above

        return MergeTables(self)

    @cached_property
    def ids_by_bytes(self) -> Mapping[bytes, int]:
        """Base tokens the other way round: bytes -> id."""
        skip = self._literal_ids
        return {token: i for i, token in self._tokens.items() if i not in skip}

    @cached_property
    def native_tables(self) -> _native.VocabTables:
        """Look-up tables of the native core."""
        from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it

        literal_ids = array("I", sorted(self._literal_ids))
        table = self._tokens
        try:
            flat = self.merges.flat
            return _native.VocabTables(table.blob, table.ends, table.ids, flat, literal_ids, self._merges_are_live)
        except ValueError as error:
            raise VocabFormatError(str(error), file=self._source) from None

    @property
    def literal_ids(self) -> frozenset[int]:
        """Base tokens that no text reaches, since their name is not in the byte-level alphabet."""
        return self._literal_ids

    @property
    def ignore_merges(self) -> bool:
        """Whether a span that is a token as a whole gets its id without any merging."""
        return self._ignore_merges

    # Sizes.

    @cached_property
    def max_id(self) -> int:
        """The largest id, added tokens included."""
        added = self._added_tokens.ids[-1] if self._added_tokens else 0
        return max(self._tokens.ids[-1], added)

    @property
    def n_vocab(self) -> int:
        """``max_id + 1``: the rows an embedding needs. Holes are counted; `len` does not count them."""
        return self.max_id + 1

    @property
    def n_base(self) -> int:
        """The number of base tokens: those that are no added tokens alone."""
        return len(self._tokens)

    def __len__(self) -> int:
        """The number of ids that mean something: base and added tokens, each id once."""
        return len(self._tokens) + len(set(self._added_tokens.ids).difference(self._tokens.ids))

    # Rules.

    @property
    def pre_tokenizer(self) -> tuple[Split, ...]:
        """The steps that cut text into spans."""
        return self._pre_tokenizer

    @property
    def pattern(self) -> str:
        """The pre-tokenization regex; with several steps, theirs joined by line feeds."""
        return "\n".join(step.pattern for step in self._pre_tokenizer)

    @property
    def normalizer(self) -> str | tuple[Normalize, ...] | None:
        """``"nfc"``, ``None``, or the steps of another normalization."""
        return self._normalizer

    @property
    def add_prefix_space(self) -> bool:
        """Whether text that does not begin with a space is given one."""
        return self._add_prefix_space

    @property
    def added_tokens(self) -> AddedTokenList:
        """Tokens found as literals, in order of ids: a sequence of `AddedToken`."""
        return self._added_tokens

    @property
    def special_tokens(self) -> dict[str, int]:
        """The added tokens that are special: literal -> id (a new dict each time)."""
        return self._added_tokens.special_tokens()

    @cached_property
    def added_contents(self) -> frozenset[str]:
        """The literals of all added tokens."""
        return frozenset(token.content for token in self._added_tokens)

    @cached_property
    def special_contents(self) -> frozenset[str]:
        """The literals of the added tokens that are special."""
        return frozenset(self.special_tokens)

    @property
    def unk_token_id(self) -> int | None:
        """The token for what the vocab lacks, if the source says."""
        return self._role_ids.get("unk")

    @property
    def prefix_ids(self) -> tuple[int, ...]:
        """Ids put before every encoded text, unless the options say no."""
        return self._prefix_ids

    @property
    def suffix_ids(self) -> tuple[int, ...]:
        """Ids put after every encoded text, unless the options say no."""
        return self._suffix_ids

    @property
    def eos_token_id(self) -> int | None:
        """End of sequence, if the source says."""
        return self._eos

    @property
    def bos_token_id(self) -> int | None:
        """Beginning of sequence, if the source says."""
        return self._bos

    @property
    def pad_token_id(self) -> int | None:
        """Padding, if the source says."""
        return self._pad

    @property
    def chat_template(self) -> str | None:
        """The model's chat template (Jinja), if the source has one: of several, the default one."""
        return self._chat_template

    @property
    def chat_templates(self) -> dict[str, str]:
        """All chat templates by name, the default one as ``"default"`` (a new dict each time)."""
        default = {} if self._chat_template is None else {"default": self._chat_template}
        return default | self._chat_templates

    @property
    def role_ids(self) -> dict[str, int]:
        """The ids of tokens by what they are for, as far as the source says (a new dict each time).

        The roles are ``bos``, ``eos``, ``pad``, ``unk``, ``sep``, ``cls``, ``mask``, ``eot`` and ``eom`` (end of turn,
        of message), and of fill-in-the-middle ``fim_pre``, ``fim_suf``, ``fim_mid``, ``fim_pad``, ``fim_rep`` and
        ``fim_sep``.
        """
        marks = {"bos": self._bos, "eos": self._eos, "pad": self._pad}
        return {role: i for role, i in marks.items() if i is not None} | self._role_ids

    # Look-ups.

    @cached_property
    def _added_bytes(self) -> dict[int, bytes]:
        out: dict[int, bytes] = {}
        for i, content in zip(self._added_tokens.ids, self._added_tokens.contents(), strict=True):
            out.setdefault(i, content.encode())
        return out

    @cached_property
    def _added_ids(self) -> dict[bytes, int]:
        contents = (content.encode() for content in self._added_tokens.contents())
        return dict(zip(contents, self._added_tokens.ids, strict=True))

    def token_bytes(self, token_id: int) -> bytes:
        """The bytes that an id stands for.

        Raises:
            InvalidTokenIdError: No token has that id.

        Example:
            >>> import wordsplit
            >>> wordsplit.load_vocab("qwen3").token_bytes(1879)
            b' world'
        """
        added = self._added_bytes.get(token_id)
        if added is not None:
            return added
        try:
            return self._tokens[token_id]
        except (KeyError, TypeError):
            raise InvalidTokenIdError(
                f"{token_id!r} is not a token id of {self._name} (ids run to {self.max_id}"
                + (", with holes)" if len(self) < self.n_vocab else ")")
            ) from None

    def token_id(self, token: bytes | str) -> int:
        """The id of a token, given as bytes or as text; an added token wins over a base token.

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
            found = self.ids_by_bytes.get(key)
        if found is None:
            raise UnknownTokenError(f"{token!r} is not a token of {self._name}")
        return found

    # The object itself.

    def __repr__(self) -> str:
        return f"<Vocab {self._name!r}: {len(self)} tokens, {len(self._added_tokens)} added, from {self._source!r}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocab) and (self is other or self.fingerprint == other.fingerprint)

    def __hash__(self) -> int:
        return hash((len(self._tokens), self._tokens.ids[-1], self._pre_tokenizer, self._added_tokens))

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self._tokens, self._merges, self.rest())

    def rest(self) -> dict[str, Any]:
        """All arguments that it was made of but ``tokens`` and ``merges``: what a copy with changes begins with.

        Example:
            >>> import wordsplit
            >>> vocab = wordsplit.load_vocab("r50k_base")
            >>> wordsplit.Vocab(tokens=vocab.tokens, merges=vocab.merges, **vocab.rest() | {"name": "mine"}).name
            'mine'
        """
        return {
            "name": self._name,
            "pre_tokenizer": self._pre_tokenizer,
            "added_tokens": self._added_tokens,
            "normalizer": self._normalizer,
            "ignore_merges": self._ignore_merges,
            "add_prefix_space": self._add_prefix_space,
            "prefix_ids": self._prefix_ids,
            "suffix_ids": self._suffix_ids,
            "literal_ids": self._literal_ids,
            "eos_token_id": self._eos,
            "bos_token_id": self._bos,
            "pad_token_id": self._pad,
            "chat_template": self._chat_template,
            "chat_templates": self._chat_templates,
            "role_ids": self._role_ids,
            "source": self._source,
            "merges_are_live": self._merges_are_live,
        }


def _rebuild(tokens: TokenTable, merges: MergeList | None, rest: dict[str, Any]) -> Vocab:
    return Vocab(tokens=tokens, merges=merges, **rest)


def _named(normalizer: str | Sequence[Normalize] | None) -> str | tuple[Normalize, ...] | None:
    """A normalization by its name, where it has one."""
    if normalizer is None or isinstance(normalizer, str):
        return normalizer
    steps = tuple(normalizer)
    return "nfc" if steps == (Normalize("nfc"),) else steps or None
