"""Batches for models: ids of many texts as one rectangle, and the mask that says which of them are text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from wordsplit.arrays import numpy
from wordsplit.engine.base import prefix_and_suffix
from wordsplit.errors import OptionsError
from wordsplit.everyday.segments import bare

if TYPE_CHECKING:
    from wordsplit.engine import Engine
    from wordsplit.vocab import Vocab

__all__ = ["Padding", "ReturnType", "Side", "encode_for_model"]

Padding = bool | Literal["longest", "max_length"]
Side = Literal["right", "left"]
ReturnType = Literal["np", "list", "torch"]
Rows = list[list[int]]


def encode_for_model(
    engine: Engine,
    texts: Sequence[str | bytes],
    as_text: Collection[str],
    *,
    padding: Padding,
    truncation: bool | Side,
    max_length: int | None,
    pad_to_multiple_of: int | None,
    padding_side: Side,
    add_bos: bool | None,
    add_eos: bool | None,
    return_type: ReturnType,
    threads: int | None,
) -> dict[str, Any]:
    """See `Tokenizer.encode_for_model`."""
    _check(padding, truncation, max_length, pad_to_multiple_of, padding_side, return_type)
    finish = _arrays(return_type)  # says at once if what it needs is not installed
    options = engine.options
    options = replace(
        options,
        add_bos=options.add_bos if add_bos is None else add_bos,
        add_eos=options.add_eos if add_eos is None else add_eos,
    )
    prefix, suffix = map(list, prefix_and_suffix(engine.vocab, options))
    room = None
    if truncation:
        room = (max_length or 0) - len(prefix) - len(suffix)
        if room < 0:
            raise OptionsError(f"max_length={max_length} leaves no room beside {len(prefix) + len(suffix)} bos and eos")
    rows = []
    for ids in engine.encode_batch(texts, as_text, threads):
        kept = bare(engine, ids)
        if room is not None and len(kept) > room:
            kept = kept[len(kept) - room :] if truncation == "left" else kept[:room]
        rows.append(prefix + kept + suffix)
    width = _width(rows, padding, max_length, pad_to_multiple_of)
    if width is None:
        return finish(rows, [[1] * len(row) for row in rows])
    pad = _pad_id(engine.vocab) if any(len(row) < width for row in rows) else 0
    left = padding_side == "left"
    input_ids, mask = [], []
    for row in rows:
        missing = max(0, width - len(row))
        input_ids.append([pad] * missing + row if left else row + [pad] * missing)
        mask.append([0] * missing + [1] * len(row) if left else [1] * len(row) + [0] * missing)
    return finish(input_ids, mask)


def _check(
    padding: object,
    truncation: object,
    max_length: object,
    multiple: object,
    side: object,
    return_type: object,
) -> None:
    choices: tuple[tuple[str, object, tuple[object, ...]], ...] = (
        ("padding", padding, (True, False, "longest", "max_length")),
        ("truncation", truncation, (True, False, "right", "left")),
        ("padding_side", side, ("right", "left")),
        ("return_type", return_type, ("np", "list", "torch")),
    )
    for name, value, allowed in choices:
        if value not in allowed:
            raise OptionsError(f"{name}={value!r}: use one of {', '.join(map(repr, allowed))}")
    for name, number in (("max_length", max_length), ("pad_to_multiple_of", multiple)):
        if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 1):
            raise OptionsError(f"{name}={number!r}: give a number of tokens, 1 or more")
    if max_length is None and (truncation or padding == "max_length"):
        asked = "truncation" if truncation else "padding"
        raise OptionsError(f"{asked}={truncation or padding!r} needs max_length")


def _width(rows: list[list[int]], padding: Padding, max_length: int | None, multiple: int | None) -> int | None:
    if not padding:
        return None
    width = max(map(len, rows), default=0)
    if padding == "max_length" and max_length is not None:
        width = max_length
    return width if multiple is None else -(-width // multiple) * multiple


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
