"""Batches for models: the ids of several texts padded to one length, with an attention mask."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, cast

from wordsplit.arrays import numpy
from wordsplit.engine.base import as_id, listed, prefix_and_suffix
from wordsplit.errors import InvalidTokenIdError, OptionsError
from wordsplit.features.budgets import size_of
from wordsplit.features.pairs import ids_in, template_for, type_ids_in
from wordsplit.features.segments import bare
from wordsplit.lengths import STRATEGIES, Truncation, kept_lengths
from wordsplit.lengths import Padding as LengthPadding
from wordsplit.template import TemplatePart
from wordsplit.text import Text, each

if TYPE_CHECKING:
    from wordsplit.engine import Engine
    from wordsplit.vocab import Vocab

__all__ = ["Padding", "ReturnType", "Side", "Strategy", "encode_for_model", "pad"]

Padding = bool | Literal["longest", "max_length"]
Side = Literal["right", "left"]
Strategy = Literal["longest_first", "only_first", "only_second"]
ReturnType = Literal["np", "list", "torch"]
Rows = list[list[int]]


def encode_for_model(
    engine: Engine,
    texts: Iterable[Text],
    text_pairs: Iterable[Text] | None,
    encode_batch: Callable[[Iterable[Text]], list[list[int]]],
    *,
    padding: Padding,
    truncation: bool | Side,
    truncation_strategy: Strategy | None,
    max_length: int | None,
    pad_to_multiple_of: int | None,
    padding_side: Side | None,
    add_bos: bool | None,
    add_eos: bool | None,
    return_type: ReturnType,
) -> dict[str, Any]:
    """See `Tokenizer.encode_for_model`; ``encode_batch`` encodes texts."""
    _check_choices(
        ("padding", padding, (True, False, "longest", "max_length")),
        ("truncation", truncation, (True, False, "right", "left")),
        ("truncation_strategy", truncation_strategy, (*STRATEGIES, None)),
        ("padding_side", padding_side, ("right", "left", None)),
        ("return_type", return_type, ("np", "list", "torch")),
    )
    max_length = _size_of("max_length", max_length)
    pad_to_multiple_of = _size_of("pad_to_multiple_of", pad_to_multiple_of)
    vocab = engine.vocab
    cut = _truncation(vocab, truncation, truncation_strategy, max_length)
    width = _fixed_width(vocab, padding, max_length, None if cut is None else cut.max_length)
    finish = _arrays(return_type)  # raises early if NumPy or PyTorch is not installed
    options = engine.options
    options = replace(
        options,
        add_bos=options.add_bos if add_bos is None else add_bos,
        add_eos=options.add_eos if add_eos is None else add_eos,
    )
    if text_pairs is None:
        prefix, suffix = prefix_and_suffix(vocab, options)
        template: tuple[TemplatePart, ...] = (TemplatePart(prefix), TemplatePart(text="first"), TemplatePart(suffix))
        batches = [encode_batch(texts)]
    else:
        template = template_for(vocab, options)
        batches = [encode_batch(texts), encode_batch(text_pairs)]
        if len(batches[0]) != len(batches[1]):
            raise OptionsError(f"text_pairs: there are {len(batches[1])} for {len(batches[0])} texts")
    room = None
    if cut is not None:
        around = sum(len(part.ids) for part in template)
        room = cut.max_length - around
        if room < 0:
            raise OptionsError(f"max_length={cut.max_length} leaves no room besides the {around} ids around the text")
    rows, typed = [], []
    has_types = any(part.type_id for part in template)
    for row in zip(*batches, strict=True):
        kept = [bare(engine, ids) for ids in row]
        if cut is not None and room is not None:
            sizes = kept_lengths([len(ids) for ids in kept], room, cut.strategy if len(kept) > 1 else "longest_first")
            kept = [_cut(ids, size, cut.direction) for ids, size in zip(kept, sizes, strict=True)]
        rows.append(ids_in(template, kept))
        if has_types:
            typed.append(type_ids_in(template, kept))
    columns = {"input_ids": rows, "attention_mask": [[1] * len(row) for row in rows]}
    if has_types:
        columns["token_type_ids"] = typed
    if not padding:
        return finish(columns)
    width = _rounded(vocab, max(map(len, rows), default=0) if width is None else width, pad_to_multiple_of)
    pad_id = _pad_id(vocab) if any(len(row) < width for row in rows) else 0
    return finish(_padded(vocab, columns, width, pad_id, padding_side))


def _cut(ids: list[int], size: int, side: str) -> list[int]:
    """Return the first ids, or the last ones if the left side is cut off."""
    return ids[len(ids) - size :] if side == "left" else ids[:size]


def pad(
    vocab: Vocab,
    ids: Iterable[int] | Iterable[Iterable[int]],
    *,
    length: int | None,
    multiple_of: int | None,
    side: Side | None,
    pad_id: int | None,
    return_type: ReturnType,
) -> dict[str, Any]:
    """See `Tokenizer.pad`."""
    _check_choices(("side", side, ("right", "left", None)), ("return_type", return_type, ("np", "list", "torch")))
    length, multiple_of = _size_of("length", length), _size_of("multiple_of", multiple_of)
    finish = _arrays(return_type)
    given = list(each(ids, "ids, or of such lists"))
    single = bool(given) and not any(hasattr(row, "__iter__") for row in given)
    rows = [listed(given)] if single else [listed(row) for row in cast("list[Iterable[int]]", given)]
    longest = max(map(len, rows), default=0)
    width = _rounded(vocab, longest if length is None else length, multiple_of)
    if width < longest:
        raise OptionsError(f"length={length}: there are {longest} ids in a row, and pad() does not truncate")
    if pad_id is None and any(len(row) < width for row in rows):
        pad_id = vocab.pad_token_id
        if pad_id is None:
            eos = "" if vocab.eos_token_id is None else f", for example pad_id={vocab.eos_token_id}, its eos token"
            raise OptionsError(f"{vocab.name} names no pad token: give one with pad_id={eos}")
    if pad_id is not None:
        vocab.token_bytes(as_id(pad_id))  # raises if there is no such token
    columns = {"input_ids": rows, "attention_mask": [[1] * len(row) for row in rows]}
    try:
        out = finish(_padded(vocab, columns, width, pad_id or 0, side))
    except OverflowError:
        raise InvalidTokenIdError("an id has more than 64 bits, and int64 arrays have no room for it") from None
    return {name: column[0] for name, column in out.items()} if single else out


def _truncation(
    vocab: Vocab, truncation: bool | Side, strategy: Strategy | None, max_length: int | None
) -> Truncation | None:
    """Return how to truncate rows, ``None`` for not at all. The vocab gives the defaults of a call.

    Raises:
        OptionsError: Neither the call nor the vocab gives the maximum length of rows.
    """
    if not truncation:
        return None
    saved = vocab.truncation
    if max_length is None:
        if saved is None:
            raise OptionsError(f"truncation={truncation!r} needs max_length")
        max_length = saved.max_length
    saved = saved or Truncation(max_length)
    direction = saved.direction if truncation is True else truncation
    return Truncation(max_length, strategy=strategy or saved.strategy, direction=direction)


def _fixed_width(vocab: Vocab, padding: Padding, max_length: int | None, cut_to: int | None) -> int | None:
    """Return the length to pad rows to, ``None`` for that of the longest.

    Raises:
        OptionsError: Neither the call nor the vocab gives the length of rows.
    """
    if padding != "max_length":
        return None
    saved = None if vocab.padding is None else vocab.padding.length
    found = next((length for length in (max_length, saved, cut_to) if length is not None), None)
    if found is None:
        raise OptionsError(f"padding={padding!r} needs max_length")
    return found


def _rounded(vocab: Vocab, width: int, multiple: int | None) -> int:
    """Return a length rounded up to a multiple: the given one, or else the vocab's."""
    if multiple is None and vocab.padding is not None:
        multiple = vocab.padding.pad_to_multiple_of
    return -(-width // multiple) * multiple if multiple else width


def _padded(vocab: Vocab, columns: dict[str, Rows], width: int, pad_id: int, side: Side | None) -> dict[str, Rows]:
    """Pad the rows of all columns to one width, on the given side or else the vocab's."""
    how = vocab.padding or LengthPadding()
    fills = {"input_ids": pad_id, "attention_mask": 0, "token_type_ids": how.pad_type_id}
    if (side or how.direction) == "left":
        return {name: [[fills[name]] * (width - len(row)) + row for row in rows] for name, rows in columns.items()}
    return {name: [row + [fills[name]] * (width - len(row)) for row in rows] for name, rows in columns.items()}


def _check_choices(*choices: tuple[str, object, tuple[object, ...]]) -> None:
    for name, value, allowed in choices:
        if not any(type(value) is type(one) and value == one for one in allowed):
            raise OptionsError(f"{name}={value!r:.100}: use one of {', '.join(map(repr, allowed))}")


def _size_of(name: str, number: object) -> int | None:
    return None if number is None else size_of(name, number, 1)


def _pad_id(vocab: Vocab) -> int:
    for token_id in (vocab.pad_token_id, vocab.eos_token_id):
        if token_id is not None:
            return token_id
    raise OptionsError(
        f"{vocab.name} names no pad token and no eos token; use padding=False with return_type='list', "
        "or build the Vocab with pad_token_id="
    )


def _arrays(return_type: ReturnType) -> Callable[[dict[str, Rows]], dict[str, Any]]:
    """Return a function that converts the columns of a batch to arrays."""
    if return_type == "list":
        return dict
    if return_type == "torch":
        try:
            import torch  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - optional
        except ImportError:
            raise OptionsError("return_type='torch' needs PyTorch: pip install torch, or use 'np' or 'list'") from None
        make: Any = torch.tensor
        kind: Any = torch.int64
    else:
        np = numpy()
        make, kind = np.array, np.int64

    def finish(columns: dict[str, Rows]) -> dict[str, Any]:
        ids = columns["input_ids"]
        if len(set(map(len, ids))) > 1:
            raise OptionsError("texts of different lengths form no array: use padding=True, or return_type='list'")
        shape = (len(ids), len(ids[0]) if ids else 0)
        return {name: make(rows, dtype=kind).reshape(shape) for name, rows in columns.items()}

    return finish
