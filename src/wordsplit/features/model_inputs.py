"""Batches for models: the ids of several texts padded to one length, with an attention mask."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, cast

from wordsplit.arrays import numpy
from wordsplit.engine.base import as_id, listed, prefix_and_suffix
from wordsplit.errors import OptionsError
from wordsplit.features.segments import bare
from wordsplit.text import each

if TYPE_CHECKING:
    from wordsplit.engine import Engine
    from wordsplit.vocab import Vocab

__all__ = ["Padding", "ReturnType", "Side", "encode_for_model", "pad"]

Padding = bool | Literal["longest", "max_length"]
Side = Literal["right", "left"]
ReturnType = Literal["np", "list", "torch"]
Rows = list[list[int]]


def encode_for_model(
    engine: Engine,
    encode_batch: Callable[[], list[list[int]]],
    *,
    padding: Padding,
    truncation: bool | Side,
    max_length: int | None,
    pad_to_multiple_of: int | None,
    padding_side: Side | None,
    add_bos: bool | None,
    add_eos: bool | None,
    return_type: ReturnType,
) -> dict[str, Any]:
    """See `Tokenizer.encode_for_model`; ``encode_batch`` encodes its texts."""
    _check(padding, truncation, max_length, pad_to_multiple_of, padding_side, return_type)
    cut_to, cut_side = _truncation(engine.vocab, truncation, max_length)
    width = _fixed_width(engine.vocab, padding, max_length, cut_to)
    finish = _arrays(return_type)  # raises early if NumPy or PyTorch is not installed
    options = engine.options
    options = replace(
        options,
        add_bos=options.add_bos if add_bos is None else add_bos,
        add_eos=options.add_eos if add_eos is None else add_eos,
    )
    prefix, suffix = map(list, prefix_and_suffix(engine.vocab, options))
    room = None
    if cut_to is not None:
        room = cut_to - len(prefix) - len(suffix)
        if room < 0:
            raise OptionsError(f"max_length={cut_to} leaves no room beside {len(prefix) + len(suffix)} bos and eos")
    rows = []
    for ids in encode_batch():
        kept = bare(engine, ids)
        if room is not None and len(kept) > room:
            kept = kept[len(kept) - room :] if cut_side == "left" else kept[:room]
        rows.append(prefix + kept + suffix)
    if not padding:
        return finish(rows, [[1] * len(row) for row in rows])
    width = _rounded(engine.vocab, max(map(len, rows), default=0) if width is None else width, pad_to_multiple_of)
    pad_id = _pad_id(engine.vocab) if any(len(row) < width for row in rows) else 0
    return finish(*_padded(rows, width, pad_id, _padding_side(engine.vocab, padding_side)))


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
    _check_sizes(length=length, multiple_of=multiple_of)
    finish = _arrays(return_type)
    given = list(each(ids, "ids, or of such lists"))
    single = bool(given) and not any(hasattr(row, "__iter__") for row in given)
    rows = [listed(given)] if single else [listed(row) for row in cast("list[Iterable[int]]", given)]
    longest = max(map(len, rows), default=0)
    width = _rounded(vocab, longest if length is None else length, multiple_of)
    if width < longest:
        raise OptionsError(f"length={length}: there are {longest} ids in a row, and pad() cuts none off")
    if pad_id is None and any(len(row) < width for row in rows):
        pad_id = vocab.pad_token_id
        if pad_id is None:
            eos = "" if vocab.eos_token_id is None else f", for example pad_id={vocab.eos_token_id}, its eos token"
            raise OptionsError(f"{vocab.name} names no pad token: give one with pad_id={eos}")
    if pad_id is not None:
        vocab.token_bytes(as_id(pad_id))  # raises if there is no such token
    out = _padded(rows, width, pad_id or 0, _padding_side(vocab, side))
    return finish(*out) if not single else {name: column[0] for name, column in finish(*out).items()}


def _truncation(vocab: Vocab, truncation: bool | Side, max_length: int | None) -> tuple[int | None, str]:
    """Return the length to cut rows to, ``None`` to cut none, and the side to cut off.

    Raises:
        OptionsError: Neither the call nor the vocab says how long rows may be.
    """
    if not truncation:
        return None, "right"
    saved = vocab.truncation
    if saved is not None:
        max_length = saved.max_length if max_length is None else max_length
        truncation = "left" if truncation is True and saved.direction == "left" else truncation
    if max_length is None:
        raise OptionsError(f"truncation={truncation!r} needs max_length")
    return max_length, "left" if truncation == "left" else "right"


def _fixed_width(vocab: Vocab, padding: Padding, max_length: int | None, cut_to: int | None) -> int | None:
    """Return the length to pad rows to, ``None`` for that of the longest.

    Raises:
        OptionsError: Neither the call nor the vocab says how long rows shall be.
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


def _padding_side(vocab: Vocab, side: Side | None) -> str:
    """Return the side to pad: the given one, or else the vocab's."""
    return side or (vocab.padding.direction if vocab.padding else "right")


def _padded(rows: Rows, width: int, pad_id: int, side: str) -> tuple[Rows, Rows]:
    """Pad rows to one width and return them with their masks."""
    left = side == "left"
    input_ids, mask = [], []
    for row in rows:
        missing = max(0, width - len(row))
        input_ids.append([pad_id] * missing + row if left else row + [pad_id] * missing)
        mask.append([0] * missing + [1] * len(row) if left else [1] * len(row) + [0] * missing)
    return input_ids, mask


def _check(
    padding: object,
    truncation: object,
    max_length: object,
    multiple: object,
    side: object,
    return_type: object,
) -> None:
    _check_choices(
        ("padding", padding, (True, False, "longest", "max_length")),
        ("truncation", truncation, (True, False, "right", "left")),
        ("padding_side", side, ("right", "left", None)),
        ("return_type", return_type, ("np", "list", "torch")),
    )
    _check_sizes(max_length=max_length, pad_to_multiple_of=multiple)


def _check_choices(*choices: tuple[str, object, tuple[object, ...]]) -> None:
    for name, value, allowed in choices:
        if not any(type(value) is type(one) and value == one for one in allowed):
            raise OptionsError(f"{name}={value!r:.100}: use one of {', '.join(map(repr, allowed))}")


def _check_sizes(**sizes: object) -> None:
    for name, number in sizes.items():
        if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 1):
            raise OptionsError(f"{name}={number!r:.100}: give a number of tokens, 1 or more")


def _pad_id(vocab: Vocab) -> int:
    for token_id in (vocab.pad_token_id, vocab.eos_token_id):
        if token_id is not None:
            return token_id
    raise OptionsError(
        f"{vocab.name} names no pad token and no eos token; use padding=False with return_type='list', "
        "or build the Vocab with pad_token_id="
    )


def _arrays(return_type: ReturnType) -> Callable[[Rows, Rows], dict[str, Any]]:
    if return_type == "list":
        return lambda ids, mask: {"input_ids": ids, "attention_mask": mask}
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

    def finish(ids: Rows, mask: Rows) -> dict[str, Any]:
        if len(set(map(len, ids))) > 1:
            raise OptionsError("texts of several lengths make no array: use padding=True, or return_type='list'")
        shape = (len(ids), len(ids[0]) if ids else 0)
        return {
            "input_ids": make(ids, dtype=kind).reshape(shape),
            "attention_mask": make(mask, dtype=kind).reshape(shape),
        }

    return finish
