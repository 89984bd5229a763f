"""The kinds of vocabs in GGUF files whose tokens are text, and the rules of each as llama.cpp has them.

* ``llama`` (SPM): the BPE of SentencePiece. Any two neighbours merge whose text is a token, of whatever type. A space
  is put before each stretch of text between special tokens.
* ``bert`` (WPM): WordPiece. The file spells the beginning of a word with U+2581, and not the rest of it with ``##``;
  here tokens are spelled as in BERT's own files.
* ``t5`` (UGM): the Unigram of SentencePiece.
"""

from __future__ import annotations

import base64
from abc import ABC, abstractmethod
from array import array
from collections.abc import Sequence
from typing import Any

from wordsplit.byte_fallback import BYTE_TOKENS
from wordsplit.charsmap import CharacterMap
from wordsplit.model import CharacterBPE, Unigram, WordPiece
from wordsplit.patterns.components import punctuation, whitespace_split
from wordsplit.rules import Decode, Normalize
from wordsplit.template import bert_pair
from wordsplit.vocabs.formats.gguf.fields import (
    ADD,
    ADD_SPACE,
    CHARSMAP,
    REMOVE_SPACES,
    SCORES,
    TOKENS,
    Fields,
)
from wordsplit.vocabs.formats.gguf.token_types import BYTE, CONTROL, UNKNOWN, USER_DEFINED
from wordsplit.vocabs.formats.sentencepiece.loader import SPACE, decoder
from wordsplit.vocabs.formats.sentencepiece.merges import merges_of_scores, of_unknown_character

__all__ = ["KINDS", "Kind"]

_ANY_LENGTH = 1 << 30


class Kind(ABC):
    """A kind of vocab.

    Attributes:
        roles: The ids of special tokens for which a file names no others.
        adds: Whether bos and eos are added, if a file does not say so.
    """

    roles: dict[str, int]
    adds: dict[str, bool]

    def default_roles(self, n_tokens: int) -> dict[str, int]:
        """Return the ids of special tokens for which a file names no others."""
        return {role: i for role, i in self.roles.items() if i < n_tokens}

    @abstractmethod
    def rules(
        self, texts: Sequence[str], types: Sequence[int], listed: Sequence[int], roles: dict[str, int], fields: Fields
    ) -> dict[str, Any]:
        """Return the model and the rules, as arguments of `Vocab`.

        Args:
            texts: The text of each token.
            types: The type of each in llama.cpp.
            listed: The type of each in the file.
            roles: The ids of special tokens.
            fields: The fields of the file.
        """

    def template(self, roles: dict[str, int], fields: Fields) -> dict[str, Any]:
        """Return the ids before and after each text, as arguments of `Vocab`."""
        put = {
            role: (roles[role],) if role in roles and fields.flag(ADD[role], default=added) else ()
            for role, added in self.adds.items()
        }
        return {"prefix_ids": put["bos"], "suffix_ids": put["eos"]}


class _Llama(Kind):
    roles = {"bos": 1, "eos": 2, "unk": 0}  # noqa: RUF012 - they are those of the kind
    adds = {"bos": True, "eos": False}  # noqa: RUF012

    def rules(
        self, texts: Sequence[str], types: Sequence[int], listed: Sequence[int], roles: dict[str, int], fields: Fields
    ) -> dict[str, Any]:
        del listed
        parts = {text: i for i, text in enumerate(texts)}
        for token in BYTE_TOKENS:
            if token.decode() not in parts:
                fields.refuse(TOKENS, f"not supported: a vocab without byte token {token.decode()!r}")
        merged = [text for text in texts if len(text) > 1]
        strange = of_unknown_character(merged, parts)
        if strange is not None:
            fields.refuse(f"{TOKENS}[{parts[strange]}]", "not supported: a token with a character that is not a token")
        merges, ranks = merges_of_scores(parts, dict(enumerate(_scores(fields))))
        spaced = fields.flag(ADD_SPACE, default=True)
        return {
            "model": CharacterBPE(
                tokens={i: text.encode() for i, text in enumerate(texts)},
                explicit_merges=merges,
                ranks=ranks,
                unk_id=roles.get("unk"),
                byte_fallback=True,
            ),
            "normalizer": [
                *([Normalize("prepend", content=SPACE)] if spaced else []),
                Normalize("replace", " ", SPACE, literal=True),
            ],
            "decoder": _decoder(texts, types, byte_fallback=True, leading="first" if spaced else ""),
            **self.template(roles, fields),
        }


class _Bert(Kind):
    roles = {"cls": 101, "unk": 100, "sep": 102, "pad": 0, "mask": 103}  # noqa: RUF012
    adds = {"bos": True, "eos": False}  # noqa: RUF012

    def rules(
        self, texts: Sequence[str], types: Sequence[int], listed: Sequence[int], roles: dict[str, int], fields: Fields
    ) -> dict[str, Any]:
        del types, listed
        return {
            "model": WordPiece(
                tokens={i: _as_bert(text).encode() for i, text in enumerate(texts)},
                unk_id=roles.get("unk"),
                max_input_chars_per_word=_ANY_LENGTH,
            ),
            "normalizer": [
                Normalize(kind) for kind in ("bert_clean_text", "bert_chinese_chars", "bert_strip_accents", "lowercase")
            ],
            "pre_tokenizer": (whitespace_split(), punctuation("isolated")),
            "decoder": [Decode("word_piece", content="##", cleanup=True)],
            **self.template(roles, fields),
        }

    def template(self, roles: dict[str, int], fields: Fields) -> dict[str, Any]:
        """Return the ids of cls and sep, which are always there."""
        del fields
        first = [roles[role] for role in ("bos", "cls") if role in roles]
        around = {"prefix_ids": first[:1], "suffix_ids": [roles["sep"]] if "sep" in roles else []}
        return around | ({"pair_template": bert_pair(first[0], roles["sep"])} if all(around.values()) else {})


class _T5(Kind):
    roles = {"eos": 1, "unk": 2, "pad": 0}  # noqa: RUF012
    adds = {"bos": False, "eos": True}  # noqa: RUF012

    def rules(
        self, texts: Sequence[str], types: Sequence[int], listed: Sequence[int], roles: dict[str, int], fields: Fields
    ) -> dict[str, Any]:
        # llama.cpp builds the tables of a Unigram model before it looks at the texts of tokens.
        scores = _scores(fields)
        never = [i for i, type_ in enumerate(listed) if type_ in (UNKNOWN, CONTROL, BYTE)]
        charsmap = base64.b64encode(fields.data(CHARSMAP)).decode()
        spaced, squeezed = fields.flag(ADD_SPACE, default=True), fields.flag(REMOVE_SPACES)
        steps = []
        if charsmap:
            try:
                CharacterMap(charsmap)
            except ValueError as error:
                raise fields.error(CHARSMAP, f"is damaged: {error}") from None
            own = [texts[i] for i, type_ in enumerate(listed) if type_ == USER_DEFINED]
            steps.append(Normalize("charsmap", "\0".join(own), charsmap))
        if squeezed:
            steps += [Normalize("replace", " {2,}", " "), Normalize("replace", r"\A | \z", "")]
        steps.append(Normalize("replace", " ", SPACE, literal=True))
        if spaced or squeezed:  # each word has a space before it where spaces are joined
            steps.append(Normalize("prepend", content=SPACE))
        return {
            "model": Unigram(
                tokens={i: text.encode() for i, text in enumerate(texts)},
                scores=[0.0 if type_ == USER_DEFINED else score for score, type_ in zip(scores, listed, strict=True)],
                unk_id=roles.get("unk"),
                unreachable_ids=never,
                single_precision=True,  # as the models' own library adds scores; llama.cpp does with 64 bits
            ),
            "normalizer": steps,
            "decoder": _decoder(texts, types, byte_fallback=False, leading="first" if spaced or squeezed else ""),
            **self.template(roles, fields),
        }


def _scores(fields: Fields) -> array[float] | array[int]:
    found = fields.numbers(SCORES, "float32", "int32")
    if found is None:
        raise fields.error(SCORES, "is missing, but the model needs it")
    for i, score in enumerate(found):
        if score - score != 0:
            raise fields.error(f"{SCORES}[{i}]", f"is not finite: {score}")
    return found


def _decoder(texts: Sequence[str], types: Sequence[int], *, byte_fallback: bool, leading: str) -> list[Decode]:
    """Return the decoding steps, with the text of all tokens but control tokens."""
    control = [texts[i] for i, type_ in enumerate(types) if type_ == CONTROL]
    unknown = next((texts[i] for i, type_ in enumerate(types) if type_ == UNKNOWN), "")
    return decoder(control, unknown, " \u2047 ", byte_fallback=byte_fallback, leading=leading)


def _as_bert(text: str) -> str:
    """Return how BERT's own file spells a token."""
    if text.startswith(SPACE):
        return text[1:]
    return text if text[:1] == "[" and text[-1:] == "]" else f"##{text}"


KINDS: dict[str, Kind] = {"llama": _Llama(), "bert": _Bert(), "t5": _T5()}
"""The kinds by their name in the file."""
