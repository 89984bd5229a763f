"""The types of tokens in a GGUF file, and the tokens to which llama.cpp gives another type by their text.

Files made by older converters list tokens such as ``<|im_end|>`` as plain ones; llama.cpp finds them in text all the
same. The texts are facts from llama.cpp (``src/llama-vocab.cpp`` at commit 00ad355e009e83abf98f96a6ded7193b95763681).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = [
    "BYTE",
    "CONTROL",
    "LAST_TYPE",
    "NORMAL",
    "UNKNOWN",
    "UNUSED",
    "USER_DEFINED",
    "fill_in_roles",
    "types_by_text",
]

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
LAST_TYPE = BYTE

_FOUND_ANYWAY = frozenset({UNKNOWN, CONTROL})

# Texts that end an answer.
_ENDS = (
    *("<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<|flush|>", "<|calls|>", "<end_of_turn>"),
    *("<|endoftext|>", "</s>", "<|eom_id|>", "<EOT>", "_<EOT>", "[EOT]", "[EOS]", "<|end_of_text|>", "[e~["),
    *("<end_of_utterance>", "<eos>", "<turn|>", "<|tool_response>", "<\uff5cend\u2581of\u2581sentence\uff5c>"),
)

# The parts of gpt-oss's messages. llama.cpp makes them user-defined, also those that a file lists as control tokens.
_MESSAGE_PARTS = ("<|channel|>", "<|message|>", "<|start|>", "<|constrain|>")

_FILL_IN = {
    "fim_pre": (
        *("<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>", "<\uff5cfim\u2581begin\uff5c>", "<PRE>", "\u2581<PRE>"),
        *("<|code_prefix|>", "<|prefix|>"),
    ),
    "fim_suf": (
        *("<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>", "<\uff5cfim\u2581hole\uff5c>", "<SUF>", "\u2581<SUF>"),
        *("<|code_suffix|>", "<|suffix|>"),
    ),
    "fim_mid": (
        *("<|fim_middle|>", "<fim-middle>", "<fim_middle>", "<\uff5cfim\u2581end\uff5c>", "<MID>", "\u2581<MID>"),
        *("<|code_middle|>", "<|middle|>"),
    ),
    "fim_pad": ("<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"),
    "fim_rep": ("<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"),
    "fim_sep": ("<|file_sep|>",),
}

TYPES_BY_TEXT: dict[str, int] = dict.fromkeys(_ENDS, CONTROL) | dict.fromkeys(_MESSAGE_PARTS, USER_DEFINED)
"""The type of the tokens of some texts."""

FILL_IN_ROLES: dict[str, str] = {text: role for role, texts in _FILL_IN.items() for text in texts}
"""Texts of fill-in-the-middle, of which one for each role is meant if the file does not name the token of the role."""


def fill_in_roles(ids: Mapping[bytes, int]) -> dict[str, int]:
    """Return the roles that tokens have by their text: role -> id. Of several, llama.cpp takes any; this, the first."""
    found = ((role, ids.get(text.encode())) for text, role in FILL_IN_ROLES.items())
    return dict(sorted(((role, i) for role, i in found if i is not None), reverse=True))


def types_by_text(ids: Mapping[bytes, int], types: Sequence[int], roles: Mapping[str, int]) -> Sequence[int]:
    """Return the types that tokens have in llama.cpp.

    A control token stays one where llama.cpp makes it a user-defined one: it finds both in text, and text without
    special tokens must not have the parts of a message.

    Args:
        ids: The ids of tokens by their text.
        types: The types in the file.
        roles: The ids of special tokens that the file names.
    """
    found = {ids.get(text.encode()): type_ for text, type_ in TYPES_BY_TEXT.items()}
    found |= {i: CONTROL for role, i in fill_in_roles(ids).items() if role not in roles}
    changed = {i: type_ for i, type_ in found.items() if i is not None and types[i] not in _FOUND_ANYWAY}
    if b"</s>" in ids and b"<|tool_response>" in ids:
        changed[ids[b"</s>"]] = NORMAL
    if not changed:
        return types
    out = list(types)
    for i, type_ in changed.items():
        out[i] = type_
    return out
