"""The GGUF format of llama.cpp.

This module reads byte-level BPE, of which ``tokenizer.ggml.model`` is ``gpt2``; `kinds` has the other kinds of vocabs.

Only the metadata are read, at the beginning of the file, so a model of 40 GB loads as fast as its vocab alone. The
ids are those of llama.cpp, which does no normalization: a vocab whose tokenizer.json has NFC gives other ids than
its GGUF file.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from wordsplit.byte_level import from_byte_level
from wordsplit.errors import VocabFormatError
from wordsplit.model import ByteLevelBPE, CharacterBPE, Unigram, WordPiece
from wordsplit.patterns.schemes import SCHEMES, pattern_steps
from wordsplit.tables import MAX_ID, MergeList, TokenTable
from wordsplit.vocab import AddedToken, Split, Vocab
from wordsplit.vocabs.formats.base import Loader, Overrides, Source
from wordsplit.vocabs.formats.gguf.fields import (
    ADD,
    MERGES,
    MODEL,
    OLD_ROLES,
    PRE,
    ROLES,
    SCORES,
    TEMPLATE,
    TEMPLATE_NAMES,
    TOKENS,
    TYPES,
    Fields,
    wanted,
)
from wordsplit.vocabs.formats.gguf.kinds import KINDS, Kind
from wordsplit.vocabs.formats.gguf.pre_tokenizers import (
    KNOWN_UNSUPPORTED,
    PRE_TOKENIZERS,
    UNNAMED,
    PreTokenizer,
)
from wordsplit.vocabs.formats.gguf.reader import Value, read_metadata, read_metadata_of_file
from wordsplit.vocabs.formats.gguf.token_types import (
    BYTE,
    CONTROL,
    LAST_TYPE,
    NORMAL,
    UNKNOWN,
    USER_DEFINED,
    types_by_text,
)
from wordsplit.vocabs.formats.tokenizer_json.bpe import without_doubled

try:
    from wordsplit._native import ids_of_pairs, table_of_spellings
except ImportError:  # a pure-Python build
    table_of_spellings = ids_of_pairs = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["GgufLoader"]

_MAX_TEMPLATES = 256


class GgufLoader(Loader):
    """Reader of GGUF files."""

    models: ClassVar[tuple[type, ...]] = (ByteLevelBPE, CharacterBPE, Unigram, WordPiece)

    def recognizes(self, source: Source) -> bool:
        """Check the extension or the first four bytes."""
        return source.name.endswith(".gguf") or source.head(4) == b"GGUF"

    def load(self, source: Source, overrides: Overrides) -> Vocab:
        """Read a GGUF file; see `Loader.load`. ``pre`` may be a name of llama.cpp or of a scheme."""
        fields = Fields(_metadata(source), source.label)
        model = fields.text(MODEL)
        if model in KINDS:
            return _of_characters(KINDS[model], fields, source, overrides)
        if model != "gpt2":
            known = ", ".join(map(repr, ("gpt2", *KINDS)))
            fields.refuse(MODEL, f"not supported: model {model!r}; wordsplit supports {known}")
        steps, pre, notes = _pre_tokenizer(fields, overrides)
        names = fields.strings(TOKENS)
        ids = _ids_by_name(names, fields)
        merges = _merges(fields, ids)
        roles = _roles(fields, names)
        tokens, unreachable_ids, added = _tokens(names, types_by_text(ids, _types(names, fields), roles), fields, pre)
        added += [AddedToken(content, i) for content, i in overrides.special_tokens.items()]
        tokens = without_doubled(tokens, merges, {token.id for token in added})
        return Vocab(
            tokens=tokens,
            merges=merges,
            pre_tokenizer=steps,
            added_tokens=added,
            ignore_merges=pre.ignore_merges,
            prefix_ids=_put(fields, "bos", roles),
            suffix_ids=_put(fields, "eos", roles),
            unreachable_ids=unreachable_ids & tokens.keys(),
            notes=notes,
            **_named(roles, fields, source, overrides),
        )


def _named(roles: dict[str, int], fields: Fields, source: Source, overrides: Overrides) -> dict[str, Any]:
    """Return the arguments of `Vocab` that do not depend on the kind of model."""
    return {
        "name": overrides.name or source.stem,
        "eos_token_id": roles.pop("eos", None),
        "bos_token_id": roles.pop("bos", None),
        "pad_token_id": roles.pop("pad", None),
        "role_ids": roles,
        "chat_template": fields.text(TEMPLATE),
        "chat_templates": _templates(fields),
        "source": source.label,
    }


def _of_characters(kind: Kind, fields: Fields, source: Source, overrides: Overrides) -> Vocab:
    """Return the vocab of a kind whose tokens are text."""
    names = fields.strings(TOKENS)
    ids = _ids_by_name(names, fields)
    texts = _texts(names, fields)
    listed = _types(names, fields)
    roles = kind.default_roles(len(names)) | _roles(fields, names)
    types = types_by_text(ids, listed, roles)
    added = [
        AddedToken(texts[i], i, special=type_ != USER_DEFINED)
        for i, type_ in enumerate(types)
        if type_ in (UNKNOWN, CONTROL, USER_DEFINED)
    ]
    added += [AddedToken(content, i) for content, i in overrides.special_tokens.items()]
    rules = kind.rules(texts, types, listed, roles, fields)
    if overrides.pattern is not None:
        rules["pre_tokenizer"] = pattern_steps(overrides.pattern)
    return Vocab(added_tokens=added, **_named(roles, fields, source, overrides), **rules)


def _roles(fields: Fields, names: Sequence[bytes]) -> dict[str, int]:
    keys = [*ROLES.items(), *OLD_ROLES.items()]
    return {role: i for role, key in keys if (i := fields.token_id(key, len(names))) is not None}


def _texts(names: Sequence[bytes], fields: Fields) -> list[str]:
    out: list[str] = []
    for i, name in enumerate(names):
        try:
            out.append(name.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise fields.error(f"{TOKENS}[{i}]", f"{name[:60]!r} is not UTF-8 ({error.reason})") from None
    return out


def _types(names: Sequence[bytes], fields: Fields) -> array[int]:
    """Return the types of tokens in the file, after checking them and the scores."""
    types = fields.numbers(TYPES, "int32")
    scores = fields.numbers(SCORES, "float32", "int32")
    for key, values in ((TYPES, types), (SCORES, scores)):
        if values is not None and len(values) != len(names):
            raise fields.error(key, f"has {len(values)} items for {len(names)} tokens")
    for i, type_ in enumerate(types or ()):
        if not 0 <= type_ <= LAST_TYPE:
            raise fields.error(f"{TYPES}[{i}]", f"is {type_}, which is not one of 0 to {LAST_TYPE}")
    return array("i", [NORMAL]) * len(names) if types is None else types


def _metadata(source: Source) -> dict[str, Value]:
    if source.data is not None or source.path is None:
        return read_metadata(source.data or b"", source.label, wanted)
    try:
        with source.path.open("rb") as file:
            return read_metadata_of_file(file, source.label, wanted)
    except OSError as error:
        raise VocabFormatError(f"cannot be read: {error.strerror or error}", file=source.label, field="file") from None


def _pre_tokenizer(fields: Fields, overrides: Overrides) -> tuple[tuple[Split, ...], PreTokenizer, list[str]]:
    """Return the steps and the settings of the pre-tokenizer's name, and notes. An unknown name is never guessed."""
    own = fields.text(PRE) or UNNAMED
    notes = []
    if not fields.text(PRE) and overrides.pre is None and overrides.pattern is None:
        notes.append(
            f"{fields.label}: {PRE}: names no pre-tokenizer, which decides the ids; using {UNNAMED!r}, as llama.cpp "
            "does, whose ids are hardly those of the model. Pass pre= llama.cpp's name of the right one or a scheme's "
            "name, or pattern= a regular expression"
        )
    wanted = own if overrides.pre is None else overrides.pre
    known = PRE_TOKENIZERS.get(wanted)
    if known is None:
        # The file's own name still decides whether whole spans are looked up, even if the caller gives a pattern.
        table = KNOWN_UNSUPPORTED | {name: row.ignore_merges for name, row in PRE_TOKENIZERS.items()}
        known = PreTokenizer(wanted, ignore_merges=table.get(own, False))
    sound = known.scheme in SCHEMES and (wanted in PRE_TOKENIZERS or overrides.pre is not None)
    if not sound and (overrides.pattern is None or overrides.pre is not None):
        if wanted in KNOWN_UNSUPPORTED:
            found = f"not supported: pre-tokenizer {wanted!r}, which no scheme matches"
        else:
            found = f"not supported: pre-tokenizer {wanted!r}, which is unknown"
        fields.refuse(
            PRE,
            f"{found}. Pass pre= llama.cpp's name of the right one or a scheme's name "
            f"({', '.join(SCHEMES)}), or pattern= a regular expression",
        )
    if overrides.pattern is not None:
        return pattern_steps(overrides.pattern), known, notes
    return SCHEMES[known.scheme], known, notes


def _ids_by_name(names: Sequence[bytes], fields: Fields) -> dict[bytes, int]:
    ids = dict(zip(names, range(len(names)), strict=True))
    if len(ids) < len(names):
        at = next(i for i, name in enumerate(names) if ids[name] != i)
        raise fields.error(f"{TOKENS}[{at}]", f"{names[at]!r:.80} occurs twice, as {at} and {ids[names[at]]}")
    if b"" in ids:
        raise fields.error(f"{TOKENS}[{ids[b'']}]", "is empty")
    return ids


def _tokens(
    names: Sequence[bytes], types: Sequence[int], fields: Fields, pre: PreTokenizer
) -> tuple[TokenTable, set[int], list[AddedToken]]:
    """Return the base tokens, the ids of those outside the byte-level alphabet, and the added tokens."""
    texts = _texts(names, fields)
    tokens, unreachable_ids = _bytes_of(texts, names)
    added: list[AddedToken] = []
    for i, kind in enumerate(types):
        if kind == NORMAL:
            continue
        text = texts[i]
        if kind in (UNKNOWN, CONTROL, USER_DEFINED):
            lstrip = pre.mask_lstrip and text == "<mask>"
            added.append(AddedToken(text, i, special=kind != USER_DEFINED, lstrip=lstrip))
        elif kind == BYTE:
            _refuse_byte_token(text, i, fields)
    return tokens, unreachable_ids, added


def _bytes_of(texts: Sequence[str], names: Sequence[bytes]) -> tuple[TokenTable, set[int]]:
    """Return the tokens, and the ids of those outside the byte-level alphabet, which are as they are spelled."""
    if table_of_spellings is not None:
        found = table_of_spellings(dict(zip(texts, range(len(texts)), strict=True)), MAX_ID)
        if found is not None:
            return TokenTable.of_bytes(*found), set()
    spelled = [from_byte_level(text) for text in texts]
    unreachable_ids = {i for i, data in enumerate(spelled) if data is None}
    tokens = {i: names[i] if data is None else data for i, data in enumerate(spelled)}
    return TokenTable.pack(tokens), unreachable_ids


def _refuse_byte_token(text: str, i: int, fields: Fields) -> NoReturn:
    digits = text[3:-1]
    if text != f"<0x{digits}>" or len(digits) != 2 or not set(digits) <= set("0123456789ABCDEFabcdef"):
        raise fields.error(f"{TOKENS}[{i}]", f"a byte token is spelled <0x00> to <0xFF>, found {text!r:.40}")
    fields.refuse(f"{TYPES}[{i}]", f"not supported: byte token {text!r}; byte-level BPE has none")


def _merges(fields: Fields, ids: dict[bytes, int]) -> MergeList:
    """Return merges by rank, from ``"a b"``, split at the first space after the first byte as in llama.cpp."""
    merges = fields.strings(MERGES)
    words = None
    if ids_of_pairs is not None:
        words = ids_of_pairs(merges, ids)
    flat = _ids_of_pairs(merges, fields, ids) if words is None else array("I", words)
    if len(set(merges)) < len(merges):
        first: dict[bytes, int] = {}
        rank = next(rank for rank, merge in enumerate(merges) if first.setdefault(merge, rank) != rank)
        raise fields.error(f"{MERGES}[{rank}]", f"{merges[rank]!r:.80} is also at {first[merges[rank]]}")
    return MergeList(flat)


def _ids_of_pairs(merges: Sequence[bytes], fields: Fields, ids: dict[bytes, int]) -> array[int]:
    """Do the same as the function of the core, and report errors precisely."""
    flat = array("I")
    for rank, merge in enumerate(merges):
        cut = merge.find(b" ", 1)
        left, right = merge[:cut], merge[cut + 1 :]
        if cut < 0 or left not in ids or right not in ids or left + right not in ids:
            raise _merge_error(merge, rank, fields, ids)
        flat.append(ids[left])
        flat.append(ids[right])
    return flat


def _merge_error(merge: bytes, rank: int, fields: Fields, ids: dict[bytes, int]) -> VocabFormatError:
    field = f"{MERGES}[{rank}]"
    cut = merge.find(b" ", 1)
    if cut < 0:
        return fields.error(field, f"a merge has two parts with a space between, found {merge!r:.80}")
    parts = merge[:cut], merge[cut + 1 :]
    lacking = next((part for part in parts if part not in ids), b"".join(parts))
    return fields.error(field, f"merge {merge!r:.80} names {lacking!r:.60}, which is not a token of the vocab")


def _put(fields: Fields, role: str, roles: dict[str, int]) -> tuple[int, ...]:
    """Return the ids to put before (``bos``) or after (``eos``) a text."""
    if not fields.flag(ADD[role]):
        return ()
    if role not in roles:
        raise fields.error(ADD[role], f"is true, but {ROLES[role]} is missing")
    return (roles[role],)


def _templates(fields: Fields) -> dict[str, str]:
    """Return the chat templates other than the default one, by name."""
    keys = fields.keys(TEMPLATE + ".")
    if len(keys) > _MAX_TEMPLATES:
        raise fields.error(TEMPLATE, f"there are {len(keys)} of them; at most {_MAX_TEMPLATES} are read")
    found = {key.removeprefix(TEMPLATE + "."): fields.text(key) or "" for key in keys}
    for at, name in enumerate(fields.strings(TEMPLATE_NAMES, default=())):
        if name.decode("utf-8", "replace") not in {"default", *found}:
            raise fields.error(f"{TEMPLATE_NAMES}[{at}]", f"names {name!r:.80}, which no key {TEMPLATE}.* has")
    return found
