"""`Tokenizer`: encode and decode text with the rules and names of `tokenizers`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from wordsplit.atomic_file import write_atomically
from wordsplit.compat.errors import NotSupportedError
from wordsplit.compat.ids import checked_id
from wordsplit.compat.missing_names import Explained, explain_missing_names
from wordsplit.compat.tokenizers import _finish
from wordsplit.compat.tokenizers._collection import collection_paused
from wordsplit.compat.tokenizers._components import component, spelling
from wordsplit.compat.tokenizers._document import (
    Parts,
    document,
    document_of_model,
    parts_of_rules,
    read_parts,
    rules,
    spelled_out,
    text_of,
    with_lengths,
)
from wordsplit.compat.tokenizers._draft import Draft
from wordsplit.compat.tokenizers._names import Names
from wordsplit.compat.tokenizers._outline import Outline
from wordsplit.compat.tokenizers._plan import EmptyPlan, Plan
from wordsplit.compat.tokenizers._processing import read_processing
from wordsplit.compat.tokenizers._rows import Rows
from wordsplit.compat.tokenizers._texts import Texts, texts_of
from wordsplit.compat.tokenizers._tokenizer_repr import tokenizer_repr
from wordsplit.compat.tokenizers.encoding import Encoding
from wordsplit.compat.tokenizers.models import Model
from wordsplit.compat.tokenizers.tokens import AddedToken
from wordsplit.compat.tokenizers.trainers import BpeTrainer, Trainer
from wordsplit.errors import (
    InputTypeError,
    InvalidTokenIdError,
    UnsupportedVocabError,
    VocabFormatError,
    WordsplitError,
)
from wordsplit.lengths import Padding, Truncation
from wordsplit.text import each
from wordsplit.tokenizer import TokenizerOptions
from wordsplit.vocab import Vocab
from wordsplit.vocabs.formats.base import Source
from wordsplit.vocabs.formats.tokenizer_json.loader import TokenizerJsonLoader, with_rules
from wordsplit.vocabs.formats.tokenizer_json.writer import written_post_processor
from wordsplit.vocabs.resolve import load_located, load_vocab, load_vocab_bytes, locate

with suppress(ImportError):  # a pure-Python build
    import wordsplit.engine.native  # noqa: F401 - which the first tokenizer would import

T = TypeVar("T")

__all__ = ["Tokenizer"]

explain_missing_names(__name__)

_COMPONENTS = ("normalizer", "pre_tokenizer", "post_processor", "decoder", "model")
_MANY = 100  # texts: to pause the collection costs as much as a short text

_BUNDLED = {"xenova/gpt-4o": "o200k_base"} | dict.fromkeys(
    (f"openai-community/gpt2{size}" for size in ("", "-medium", "-large", "-xl")), "r50k_base"
)
"""Repositories of the hub whose tokenizer is a bundled vocab."""


class Tokenizer(Explained):
    """A tokenizer that is compatible with `tokenizers.Tokenizer`.

    Made by `from_file`, `from_str`, `from_buffer` and `from_pretrained`, or from a model or a wordsplit vocab. Several
    threads may encode and decode at once, but not while one changes it (`add_tokens`, `enable_padding`, ...).

    Args:
        model: A model: one of `models`, or of those of `tokenizers`; or a `wordsplit.Vocab`.

    Example:
        >>> from wordsplit.compat.tokenizers import Tokenizer
        >>> tok = Tokenizer.from_pretrained("Qwen/Qwen3-0.6B")
        >>> tok.enable_padding(pad_id=151643, pad_token="<|endoftext|>")
        >>> [(each.ids, each.attention_mask) for each in tok.encode_batch(["Hello, world!", "Hi"])]
        [([9707, 11, 1879, 0], [1, 1, 1, 1]), ([13048, 151643, 151643, 151643], [1, 0, 0, 0])]
        >>> tok.decode([9707, 11, 1879, 0])
        'Hello, world!'
    """

    _as_text = False
    _pending: dict[str, Any] | None = None  # the tokenizer.json to build _names from, on its first use
    _model: Any = None
    _made: Texts | None = None
    _plans: dict[tuple[bool, bool], Plan]

    def __init__(self, model: Vocab | Model) -> None:
        if isinstance(model, Vocab):
            self._take(model)
        else:
            self._use_parts(Parts(None, None, None, doubled={}, spelled={}))
            with collection_paused():  # a list for each merge
                self._wait(document_of_model(spelling("model", model)))

    def _take(self, vocab: Vocab) -> None:
        vocab = _with_one_name_each(vocab)
        processing = read_processing(written_post_processor(vocab))
        self._set_up(vocab, Parts(processing, vocab.truncation, vocab.padding, doubled={}, spelled={}))
        self._texts()  # raises an error if there is one

    def _set_up(self, vocab: Vocab, parts: Parts) -> None:
        self._model = None
        self._use(Names(vocab, parts.doubled))
        self._use_parts(parts)

    def _wait(self, root: dict[str, Any]) -> None:
        """Build from a tokenizer.json, on first use."""
        self._pending, self._model = root, None
        self._made, self._plans = None, {}
        self.__dict__.pop("_names", None)

    def _build(self) -> None:
        if self._pending is None:
            return
        if self._is_empty:
            raise NotSupportedError("the model has no tokens: train it, or set Tokenizer.model")
        root = self._document()
        vocab = _without_post_processor(root)  # which may name tokens that are yet to be added
        self._set_up(vocab, read_parts(Outline(root), vocab))
        self._texts()  # raises an error if there is one, and keeps the first text from waiting for tables
        self._pending = None  # last: another thread may look

    @property
    def _is_empty(self) -> bool:
        return self._pending is not None and not self._pending["model"]["vocab"] and not self._pending["added_tokens"]

    def _document(self) -> dict[str, Any]:
        if self._pending is not None:
            return with_lengths(self._pending, self._parts)
        return document(self._names.vocab, self._parts)

    if not TYPE_CHECKING:  # for which each name would exist

        def __getattr__(self, name: str) -> object:
            if name != "_names":
                return super().__getattr__(name)
            self._build()
            return self.__dict__[name]

    def _use(self, names: Names) -> None:
        # Everything that depends on them is created on first use: programs add tokens one by one.
        self._names = names
        self._made, self._plans = None, {}

    def _use_parts(self, parts: Parts) -> None:
        self._parts = parts
        self._plans = {}

    def _texts(self) -> Texts:  # not a property, for `inspect.getmembers` where the model has no tokens
        made = self._made
        if made is None:
            tokenizer = TokenizerOptions(add_bos=False, add_eos=False).build(self._names.vocab)
            made = self._made = Texts(self._names, tokenizer, "text" if self._as_text else "parse")
        return made

    def _plan(self, special: bool, blank: bool = False) -> Plan:
        """Return how texts are encoded; ``special``: with the tokens of the template."""
        plan = self._plans.get((special, blank))
        if plan is None:
            processing, truncation = self._parts.processing, self._parts.truncation
            if self._is_empty and self._document()["model"]["type"] == "BPE":
                plan = EmptyPlan(processing, truncation, special=special)
            else:
                texts = self._texts().without_columns() if blank else self._texts()
                plan = Plan(texts, processing, truncation, special=special)
            self._plans[special, blank] = plan
        return plan

    # Loading and saving.

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Tokenizer:
        """Load a tokenizer.json.

        Raises:
            VocabFormatError: The file is damaged.
            UnsupportedVocabError: It has an unsupported part.
            NotSupportedError: The post-processor is not supported.
        """
        data = Path(path).read_bytes()
        return cls._of(data, partial(load_vocab, os.fspath(path), format="tokenizer_json"))

    @classmethod
    def from_str(cls, json: str) -> Tokenizer:
        """Load the content of a tokenizer.json; see `from_file`."""
        return cls.from_buffer(json.encode())

    @classmethod
    def from_buffer(cls, buffer: bytes | bytearray | memoryview) -> Tokenizer:
        """Load the content of a tokenizer.json given as bytes; see `from_file`."""
        data = bytes(buffer)
        return cls._of(data, partial(load_vocab_bytes, data, format="tokenizer_json"))

    @classmethod
    def from_pretrained(cls, identifier: str, revision: str = "main", token: str | None = None) -> Tokenizer:
        """Load the tokenizer of a model, from the package if it ships the vocab, else from the hub.

        Args:
            identifier: A repository, such as ``Qwen/Qwen3-0.6B``, or any other name that `wordsplit.load_vocab` knows.
            revision: A branch, a tag or a commit.
            token: The hub's token, instead of ``HF_TOKEN``.

        Raises:
            UnknownNameError: There is no such vocab. Other errors are those of `wordsplit.load_vocab`.
        """
        if revision == "main" and identifier.lower() in _BUNDLED and not Path(identifier).exists():
            identifier = _BUNDLED[identifier.lower()]
        fetcher = None
        if token is not None:
            from wordsplit.vocabs.hub.download import HttpFetcher  # noqa: PLC0415 - most loads are of bundled vocabs

            fetcher = HttpFetcher(token=token)
        found = locate(identifier, revision=None if revision == "main" else revision, fetcher=fetcher)
        data = found.source.read() if found.source.name == "tokenizer.json" else None
        return cls._of(data, partial(load_located, found))

    @classmethod
    def _of(cls, data: bytes | None, load: Callable[[], Vocab]) -> Tokenizer:
        self = cls.__new__(cls)  # whose constructor may take other arguments
        if data is None:
            self._take(load())
            return self
        outline = Outline.of(data)
        if _has_no_tokens(outline.root):
            root = document_of_model({}) | outline.root
            self._use_parts(parts_of_rules(root))
            self._wait(root)
        else:
            try:
                vocab = load()
            except (UnsupportedVocabError, VocabFormatError) as error:
                if not error.field.startswith("$.post_processor"):
                    raise
                vocab = _without_post_processor(json.loads(data))  # the stand-in supports more of them than a vocab
            self._set_up(vocab, read_parts(outline, vocab))
            self._texts()  # raises an error if there is one
        return self

    def to_str(self, pretty: bool = False) -> str:
        """Return a tokenizer.json with which `tokenizers` gives the same results.

        The rules are spelled as in the original file, if there is one.

        Raises:
            UnsupportedVocabError: The format cannot express it.
        """
        if self._pending is not None:
            return json.dumps(self._document(), ensure_ascii=False, indent=2 if pretty else None)
        with collection_paused():
            return text_of(self._names.vocab, self._parts, pretty=pretty)

    def save(self, path: str | os.PathLike[str], pretty: bool = True) -> None:
        """Write a tokenizer.json; see `to_str`."""
        write_atomically(Path(path), self.to_str(pretty).encode())

    # Text to ids.

    def encode(
        self, sequence: Any, pair: Any = None, is_pretokenized: bool = False, add_special_tokens: bool = True
    ) -> Encoding:
        """Encode a text or a pair.

        Args:
            sequence: The text; with ``is_pretokenized`` a list of words, each encoded on its own.
            pair: A second text.
            is_pretokenized: Whether texts are lists of words.
            add_special_tokens: Whether the template adds its special tokens.

        Raises:
            InputTypeError: A text has the wrong type. (A `TypeError`.)
            OptionsError: The text cannot be truncated as configured. (A `ValueError`.)
        """
        plan = self._plans.get((add_special_tokens, False)) or self._plan(bool(add_special_tokens))
        found: Draft | Rows
        if is_pretokenized:
            found = plan.of_words([sequence] if pair is None else [sequence, pair])
        else:
            found = plan.of_text(sequence) if pair is None else plan.of_pair(sequence, pair)
        return Encoding(found if self._parts.padding is None else self._padded([found])[0])

    def encode_batch(
        self,
        input: Iterable[Any],  # noqa: A002 - the name of the original
        is_pretokenized: bool = False,
        add_special_tokens: bool = True,
    ) -> list[Encoding]:
        """Encode each text or pair (a tuple or list of two), padded to one length if padding is enabled."""
        return self._batch(self._plan(bool(add_special_tokens)), input, is_pretokenized)

    def encode_batch_fast(
        self,
        input: Iterable[Any],  # noqa: A002 - as above
        is_pretokenized: bool = False,
        add_special_tokens: bool = True,
    ) -> list[Encoding]:
        """Encode as `encode_batch`, with blank tokens, words and offsets."""
        return self._batch(self._plan(bool(add_special_tokens), blank=True), input, is_pretokenized)

    def post_process(
        self, encoding: Encoding, pair: Encoding | None = None, add_special_tokens: bool = True
    ) -> Encoding:
        """Truncate encodings, add the template, and pad them."""
        rows = [each.rows.settled() for each in (encoding, pair) if each is not None]
        return Encoding(self._padded([self._plan(bool(add_special_tokens)).of_rows(rows)])[0])

    def num_special_tokens_to_add(self, is_pair: bool) -> int:
        """Return the number of tokens that the template adds."""
        return 0 if self._parts.processing is None else self._parts.processing.count(is_pair=is_pair)

    # Ids to text.

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        """Decode ids to text. Unknown ids are left out.

        Args:
            ids: Ids.
            skip_special_tokens: Whether to leave out special tokens.

        Raises:
            OverflowError: One is negative, or does not fit into 32 bits.
            TypeError: One is not an integer.
        """
        texts = self._made
        if texts is None:
            if self._is_empty:
                return ""
            texts = self._texts()
        found = texts.decode_quickly(ids, "replace", skip_special_tokens)
        if found is not None:
            return found
        odd = self._names.spelled_as_bytes
        if not odd and type(ids) is list:
            with suppress(InvalidTokenIdError):  # an id that no token has
                return texts.engine.decode(ids, "replace", skip_special=skip_special_tokens)
        if isinstance(ids, (str, bytes)) or not isinstance(ids, Iterable):
            raise InputTypeError(f"ids are a list of int, not {type(ids).__name__}")
        known = [i for i in map(checked_id, ids) if self._names.name_of(i) is not None]
        if skip_special_tokens:
            special = {token.id for token in self._names.added.values() if token.special}
            known = [i for i in known if i not in special]
        if not odd:
            return texts.tokenizer.decode(known)
        token_bytes = self._names.vocab.token_bytes
        return b"".join([odd[i] if i in odd else token_bytes(i) for i in known]).decode("utf-8", "replace")

    def decode_batch(self, sequences: Iterable[Iterable[int]], skip_special_tokens: bool = True) -> list[str]:
        """Decode each list of ids."""
        return [self.decode(ids, skip_special_tokens) for ids in each(sequences, "lists of ids")]

    # Tokens.

    def token_to_id(self, token: str) -> int | None:
        """Return the id of a token by its name, such as ``Ġworld``; ``None`` if there is none.

        Raises:
            InputTypeError: The name is not a ``str``. (A `TypeError`.)
        """
        return None if self._is_empty else self._names.id_of(token)

    def id_to_token(self, id: int) -> str | None:  # noqa: A002 - the name of the original
        """Return the name of a token; ``None`` if there is none."""
        name = None if self._is_empty else self._names.name_of(id)
        if name is None:
            checked_id(id)
        return name

    def get_vocab(self, with_added_tokens: bool = True) -> dict[str, int]:
        """Return all tokens by name."""
        return {} if self._is_empty else self._names.all(with_added=with_added_tokens)

    def get_vocab_size(self, with_added_tokens: bool = True) -> int:
        """Return the number of tokens."""
        return 0 if self._is_empty else self._names.size(with_added=with_added_tokens)

    def get_added_tokens_decoder(self) -> dict[int, AddedToken]:
        """Return the added tokens by id."""
        return {i: AddedToken.of(token) for i, token in sorted(self._names.by_id.items())}

    def add_tokens(self, tokens: Sequence[str | AddedToken]) -> int:
        """Add tokens.

        Args:
            tokens: Literals, or tokens with flags, which may be of `tokenizers`. A base token becomes an added token of
                the same id.

        Returns:
            How many were added. Empty ones and existing added tokens are not.

        Raises:
            InputTypeError: A token has another type. (A `TypeError`.)
        """
        return self._add(list(map(AddedToken.given, each(tokens, "tokens"))))

    def add_special_tokens(self, tokens: Sequence[str | AddedToken]) -> int:
        """Add special tokens; see `add_tokens`. Objects become special themselves, as in `tokenizers`."""
        given = list(each(tokens, "tokens"))
        for token in given:
            if isinstance(token, AddedToken):
                token.make_special()
            elif not isinstance(token, str) and hasattr(token, "special"):
                token.special = True
        return self._add([AddedToken.given(token).as_special() for token in given])

    def _add(self, tokens: list[AddedToken]) -> int:
        if self._is_empty:
            return self._add_first(tokens)
        names, taken = self._names.with_tokens(tokens)
        if taken:
            self._use(names)
        return taken

    def _add_first(self, tokens: list[AddedToken]) -> int:
        """Add the only tokens of a tokenizer whose model has none."""
        given = {token.content: token for token in tokens if token.content}
        nodes = [{"id": i} | token.__getstate__() for i, token in enumerate(given.values())]
        self._wait(self._document() | {"added_tokens": nodes})
        return len(given)

    # Settings.

    @property
    def padding(self) -> dict[str, Any] | None:
        """The padding settings: the arguments of `enable_padding`; ``None`` if it does not."""
        return None if self._parts.padding is None else self._parts.padding.asdict()

    def enable_padding(
        self,
        direction: str = "right",
        pad_id: int = 0,
        pad_type_id: int = 0,
        pad_token: str = "[PAD]",  # noqa: S107 - a token of text
        length: int | None = None,
        pad_to_multiple_of: int | None = None,
    ) -> None:
        """Enable padding to ``length``, or to the longest text of a batch.

        Raises:
            OptionsError: The direction is neither ``"right"`` nor ``"left"``. (A `ValueError`.)
        """
        how = Padding(length, pad_to_multiple_of, pad_id, pad_token, pad_type_id, direction)
        self._use_parts(self._parts._replace(padding=how))

    def no_padding(self) -> None:
        """Disable padding."""
        self._use_parts(self._parts._replace(padding=None))

    @property
    def truncation(self) -> dict[str, Any] | None:
        """The truncation settings: the arguments of `enable_truncation`; ``None`` if it does not."""
        return None if self._parts.truncation is None else self._parts.truncation.asdict()

    def enable_truncation(
        self, max_length: int, stride: int = 0, strategy: str = "longest_first", direction: str = "right"
    ) -> None:
        """Enable truncation.

        Args:
            max_length: The largest number of tokens, including those of the template.
            stride: How many tokens each overflowing piece shares with the one before.
            strategy: Which text of a pair to cut: ``"longest_first"``, ``"only_first"`` or ``"only_second"``.
            direction: The side to cut off, ``"right"`` or ``"left"``.

        Raises:
            OptionsError: There is no such strategy or direction, or the stride is too long. (A `ValueError`.)
        """
        how = Truncation(max_length, stride, strategy, direction)
        _finish.check_room(how, self.num_special_tokens_to_add(is_pair=False))
        self._use_parts(self._parts._replace(truncation=how))

    def no_truncation(self) -> None:
        """Disable truncation."""
        self._use_parts(self._parts._replace(truncation=None))

    @property
    def encode_special_tokens(self) -> bool:
        """Whether special tokens in a text are treated as ordinary text."""
        return self._as_text

    @encode_special_tokens.setter
    def encode_special_tokens(self, value: bool) -> None:
        if value != self._as_text:
            self._as_text = value
            self._plans = {}
            if self._made is not None:
                self._made = Texts(self._names, self._made.tokenizer, "text" if value else "parse")

    # Components. Reading one returns a copy; changes to it have no effect until it is set again.

    @property
    def post_processor(self) -> Any:
        """The post-processor, one of `processors`, or ``None``. It may also be set to one of `tokenizers`.

        Raises:
            InputTypeError: The value is not a post-processor. (A `TypeError`.)
            NotSupportedError: The value is of an unknown kind.
        """
        return self._component("post_processor")

    @post_processor.setter
    def post_processor(self, value: Any) -> None:
        node = spelling("post_processor", value)
        spelled = {**self._parts.spelled, "post_processor": node} if self._parts.spelled else {}
        self._use_parts(self._parts._replace(processing=read_processing(node), spelled=spelled))
        if self._pending is not None:
            self._pending = {**self._pending, "post_processor": node}

    @property
    def normalizer(self) -> Any:
        """The normalizer, one of `normalizers`, or ``None``. It may also be set to one of `tokenizers`.

        Raises:
            InputTypeError: The value is not a normalizer. (A `TypeError`.)
            NotSupportedError: What is set cannot be written to a tokenizer.json.
            UnsupportedVocabError: wordsplit does not support the value; or, on the next use, not with the model.
        """
        return self._component("normalizer")

    @normalizer.setter
    def normalizer(self, value: Any) -> None:
        self._set_component("normalizer", value)

    @property
    def pre_tokenizer(self) -> Any:
        """The pre-tokenizer, one of `pre_tokenizers`; see `normalizer`."""
        return self._component("pre_tokenizer")

    @pre_tokenizer.setter
    def pre_tokenizer(self, value: Any) -> None:
        self._set_component("pre_tokenizer", value)

    @property
    def decoder(self) -> Any:
        """The decoder, one of `decoders`; see `normalizer`."""
        return self._component("decoder")

    @decoder.setter
    def decoder(self, value: Any) -> None:
        self._set_component("decoder", value)

    @property
    def model(self) -> Any:
        """The model, one of `models`, made from the whole vocab on first use; see `normalizer`."""
        if self._model is None:
            with collection_paused():
                self._model = self._component("model")
        return self._model

    @model.setter
    def model(self, value: Any) -> None:
        with collection_paused():
            node, root = spelling("model", value), self._document()  # each takes time
            if node != root["model"]:
                self._wait(root | {"model": node})

    def _component(self, field: str) -> Any:
        return component(field, self._node(field))

    def _node(self, field: str) -> Any:
        """Return a component as in the tokenizer.json."""
        if self._pending is None and field != "model":
            return rules(self._names.vocab, self._parts)[field]
        return (self._pending or self._document())[field]

    def _set_component(self, field: str, value: Any) -> None:
        node, before = spelling(field, value), component(field, self._node(field))
        if node == (before and before.to_json()):  # with the defaults that a file may leave out
            return
        if self._pending is None:
            parts = spelled_out(self._names.vocab, self._parts)
            spelled = {**parts.spelled, field: node}
            vocab = with_rules(self._names.vocab, spelled)
            if vocab is not None:
                self._replace(vocab, parts._replace(spelled=spelled))
                return
        self._wait(self._document() | {field: node})

    def _replace(self, vocab: Vocab, parts: Parts) -> None:
        before = self._names, self._parts, self._made
        self._use(Names(vocab, parts.doubled))
        self._use_parts(parts)
        try:
            self._texts()
        except WordsplitError:  # the engine does not support the value
            self._names, self._parts, self._made = before
            self._plans = {}
            raise

    # Training.

    def train(self, files: Iterable[str | os.PathLike[str]], trainer: Trainer | None = None) -> None:
        """Train the model on files of plain text, of which each line is a text; see `train_from_iterator`."""
        from wordsplit.compat.tokenizers._training import lines_of  # noqa: PLC0415 - takes time to import

        self._train(lines_of(each(files, "paths")), trainer)

    def train_from_iterator(
        self, iterator: Iterable[str | Iterable[str]], trainer: Trainer | None = None, length: int | None = None
    ) -> None:
        """Train the model: byte-level BPE, with the vocab and merges of the trainer of `tokenizers`.

        Args:
            iterator: Texts, or lists of texts.
            trainer: A `trainers.BpeTrainer`; ``None`` for one with default settings.
            length: Has no effect.

        Raises:
            InputTypeError: The trainer is something else. (A `TypeError`.)
            NotSupportedError: The model, a component or a setting is not supported for training.
        """
        del length
        self._train(iterator, trainer)

    def _train(self, texts: Iterable[str | Iterable[str]], trainer: Trainer | None) -> None:
        trainer = BpeTrainer() if trainer is None else trainer
        if not isinstance(trainer, BpeTrainer):
            raise InputTypeError(f"a trainer is a trainers.BpeTrainer, not {type(trainer).__name__}")
        from wordsplit.compat.tokenizers._training import trained  # noqa: PLC0415 - takes time to import

        self._wait(trained(self._document(), trainer, texts))

    # In a thread.

    async def async_encode(self, *args: Any, **kwargs: Any) -> Encoding:
        """Run `encode` in a thread."""
        return await _in_thread(self.encode, *args, **kwargs)

    async def async_encode_batch(self, *args: Any, **kwargs: Any) -> list[Encoding]:
        """Run `encode_batch` in a thread."""
        return await _in_thread(self.encode_batch, *args, **kwargs)

    async def async_encode_batch_fast(self, *args: Any, **kwargs: Any) -> list[Encoding]:
        """Run `encode_batch_fast` in a thread."""
        return await _in_thread(self.encode_batch_fast, *args, **kwargs)

    async def async_decode_batch(self, *args: Any, **kwargs: Any) -> list[str]:
        """Run `decode_batch` in a thread."""
        return await _in_thread(self.decode_batch, *args, **kwargs)

    # Internal.

    def _batch(self, plan: Plan, batch: Iterable[Any], is_pretokenized: bool) -> list[Encoding]:
        items = list(each(batch, "texts"))
        if len(items) < _MANY:
            return self._encoded(plan, items, is_pretokenized)
        with collection_paused():
            return self._encoded(plan, items, is_pretokenized)

    def _encoded(self, plan: Plan, items: list[Any], is_pretokenized: bool) -> list[Encoding]:
        if is_pretokenized:
            found: list[Draft | Rows] = [plan.of_words(texts_of(item, pretokenized=True)) for item in items]
        elif len(items) == 1 and type(items[0]) is str:  # as `transformers` encodes a text
            found = [plan.of_text(items[0])]
        else:
            found = plan.of_batch([(item,) if type(item) is str else tuple(texts_of(item)) for item in items])
        return [Encoding(each) for each in (found if self._parts.padding is None else self._padded(found))]

    def _padded(self, found: list[Draft | Rows]) -> list[Draft | Rows]:
        """Pad all to the same number of tokens."""
        how = self._parts.padding
        if how is None or not found:
            return found
        length = max(len(each.ids) for each in found) if how.length is None else how.length
        if how.pad_to_multiple_of:
            length += -length % how.pad_to_multiple_of
        return [each.padded(length, how) for each in found]

    def __deepcopy__(self, memo: dict[int, Any]) -> Tokenizer:
        copy = memo[id(self)] = type(self).__new__(type(self))
        # None of these changes; methods replace them. But a model that a caller has read may change, and a method that
        # a program has replaced may be bound to this one. The original does not copy those, either.
        mine = {name: value for name, value in vars(self).items() if not callable(getattr(type(self), name, None))}
        copy.__dict__ |= mine | {"_model": None}
        return copy

    def __getstate__(self) -> dict[str, Any]:
        vocab = None if self._pending is not None else self._names.vocab
        return {"vocab": vocab, "parts": self._parts, "as_text": self._as_text, "pending": self._pending}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._as_text = state["as_text"]
        if state["pending"] is None:
            self._set_up(state["vocab"], state["parts"])
        else:
            self._use_parts(state["parts"])
            self._wait(state["pending"])

    def __repr__(self) -> str:
        """Return all parts, as `tokenizers` writes them: of large tables the first items."""
        if self._pending is not None and self._is_empty:
            added = self._pending["added_tokens"]
        else:
            added = [{"id": i} | token.__getstate__() for i, token in self.get_added_tokens_decoder().items()]
        components = {name: getattr(self, name) for name in _COMPONENTS}
        return tokenizer_repr(self._parts.truncation, self._parts.padding, added, components)


Model.tokenizer_type = Tokenizer


async def _in_thread(function: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    from asyncio import to_thread  # noqa: PLC0415 - it takes 30 ms, and most programs do without

    return await to_thread(function, *args, **kwargs)


def _has_no_tokens(root: Any) -> bool:
    """Return whether a tokenizer.json has rules alone, as `transformers` makes one to read them."""
    model = root.get("model") if isinstance(root, dict) and not root.get("added_tokens") else None
    return isinstance(model, dict) and model.get("vocab") == {} and isinstance(model.get("type"), str)


def _without_post_processor(root: dict[str, Any]) -> Vocab:
    return TokenizerJsonLoader().load_document(root | {"post_processor": None}, Source(data=b""))


def _with_one_name_each(vocab: Vocab) -> Vocab:
    """Return a vocab without added tokens that share the id of one before them, which no tokenizer.json can have."""
    ids = vocab.added_tokens.ids
    if len(set(ids)) == len(ids):
        return vocab
    first = {token.id: token for token in reversed(vocab.added_tokens)}
    return vocab.replace(added_tokens=reversed(first.values()))
