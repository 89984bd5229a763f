"""Pack a prompt: join pieces of text, some of them optional, within a budget.

The ids of joined texts are not the joined ids of the texts, because a token may cross a boundary. So the counts of
pieces do not add up; they only give a first estimate of how many pieces to omit. The joined text is then encoded again
with one piece more or fewer until it fits and would not fit with the piece that was omitted last.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple

from wordsplit.errors import BudgetError, InputTypeError, OptionsError
from wordsplit.features.budgets import size_of
from wordsplit.text import Special, each

if TYPE_CHECKING:
    from wordsplit.engine import Engine
    from wordsplit.engine.inputs import Inputs

__all__ = ["Packed", "pack"]


class Packed(NamedTuple):
    """A prompt that fits a budget.

    Attributes:
        text: The pieces that were kept, joined.
        ids: The ids of that text.
        kept: The indices of these pieces, in order.
    """

    text: str
    ids: list[int]
    kept: list[int]


def pack(
    engine: Engine,
    inputs: Inputs,
    pieces: Iterable[tuple[str, bool]],
    max_tokens: int,
    drop: Literal["first", "last"],
    special: Special,
) -> Packed:
    """See `Tokenizer.pack`."""
    max_tokens, as_text = size_of("max_tokens", max_tokens), inputs.as_text(special)
    if drop not in ("first", "last"):
        raise OptionsError(f"drop={drop!r}: use 'first' or 'last'")
    listed = [_piece(piece) for piece in each(pieces, "pieces")]
    texts = [text for text, _ in listed]
    droppable = [at for at, (_, required) in enumerate(listed) if not required]
    if drop == "last":
        droppable.reverse()

    def without(dropped: int) -> Packed:
        gone = set(droppable[:dropped])
        kept = [at for at in range(len(texts)) if at not in gone]
        text = "".join([texts[at] for at in kept])
        return Packed(text, engine.encode(inputs.checked(text, special), as_text), kept)

    around = len(engine.prefix) + len(engine.suffix)
    counts = [count - around for count in inputs.batch(engine.count_batch, texts, special, None)]
    guess, total = 0, sum(counts)
    while guess < len(droppable) and total > max_tokens:
        total -= counts[droppable[guess]]
        guess += 1
    best = without(guess)
    while len(best.ids) > max_tokens:
        if guess == len(droppable):
            raise BudgetError(
                f"the required pieces have {len(best.ids):,} tokens together, and max_tokens={max_tokens:,}"
            )
        guess += 1
        best = without(guess)
    while guess:
        guess -= 1
        more = without(guess)
        if len(more.ids) > max_tokens:
            break
        best = more
    return best


def _piece(piece: object) -> tuple[str, bool]:
    if isinstance(piece, (tuple, list)) and len(piece) == 2:
        text, required = piece
        if isinstance(text, str) and isinstance(required, bool):
            return text, required
    raise InputTypeError(f"a piece is (text, required), such as ('Hello', True); found {piece!r:.200}")
