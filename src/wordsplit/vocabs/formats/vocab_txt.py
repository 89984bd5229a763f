"""The vocab.txt of BERT: one token per line, whose number is its id. The model is WordPiece.

The file holds nothing but tokens. The rules are those of BERT, which ``tokenizer_config.json`` in the same folder may
change: ``do_lower_case``, ``strip_accents``, ``tokenize_chinese_chars`` and the special tokens. The ids are those of
`tokenizers` with such rules. If the folder has a tokenizer.json, load that.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from wordsplit.errors import VocabFormatError
from wordsplit.model import WordPiece
from wordsplit.patterns.components import punctuation, whitespace_split
from wordsplit.patterns.schemes import pattern_steps
from wordsplit.rules import AddedToken, Decode, Normalize
from wordsplit.template import bert_pair
from wordsplit.vocab import Vocab
from wordsplit.vocabs.formats.base import Loader, Overrides, Source
from wordsplit.vocabs.formats.tokenizer_json.loader import read_config
from wordsplit.vocabs.json_tree import Node, parse_json, shown

__all__ = ["VocabTxtLoader"]

_SPECIAL = {"unk": "[UNK]", "sep": "[SEP]", "pad": "[PAD]", "cls": "[CLS]", "mask": "[MASK]"}
_PREFIX = "##"
# Whose rules are those of BERT. Others have a vocab.txt as well, for other rules.
_CLASSES = [
    "Bert",
    "ConvBert",
    "DPRContextEncoder",
    "DPRQuestionEncoder",
    "DPRReader",
    "DistilBert",
    "Electra",
    "LayoutLM",
    "Lxmert",
    "MobileBert",
    "RetriBert",
    "SqueezeBert",
]


class VocabTxtLoader(Loader):
    """Reader of vocab.txt."""

    models: ClassVar[tuple[type, ...]] = (WordPiece,)

    def recognizes(self, source: Source) -> bool:
        """Check for the name of the file."""
        return source.name == "vocab.txt"

    def load(self, source: Source, overrides: Overrides) -> Vocab:
        """Read the file; see `Loader.load`."""
        ids = _read_lines(source)
        config = _config(source)
        _refuse_other_classes(config)
        special = {role: _content(config[f"{role}_token"]) or default for role, default in _SPECIAL.items()}
        for role in ("unk", "cls", "sep"):
            if special[role] not in ids:
                raise VocabFormatError(f"lacks {special[role]!r}, the {role} token", file=source.label, field="tokens")
        added = [AddedToken(content, ids[content]) for content in special.values() if content in ids]
        added += [AddedToken(content, i) for content, i in overrides.special_tokens.items()]
        roles = {role: ids[content] for role, content in special.items() if content in ids}
        own = read_config(source, ids)
        roles |= own.get("role_ids", {})
        pad_id = roles.pop("pad", None)
        return Vocab(
            name=overrides.name or source.folder,
            model=WordPiece(tokens={i: token.encode() for token, i in ids.items()}, unk_id=ids[special["unk"]]),
            pre_tokenizer=(
                (whitespace_split(), punctuation("isolated"))
                if overrides.pattern is None
                else pattern_steps(overrides.pattern)
            ),
            added_tokens=added,
            normalizer=_normalization(config),
            decoder=[Decode("word_piece", content=_PREFIX, cleanup=True)],
            prefix_ids=(ids[special["cls"]],),
            suffix_ids=(ids[special["sep"]],),
            pair_template=bert_pair(ids[special["cls"]], ids[special["sep"]]),
            source=source.label,
            **own | {"role_ids": roles, "pad_token_id": own.get("pad_token_id") or pad_id},
        )


def _read_lines(source: Source) -> dict[str, int]:
    """Return token -> id; of equal tokens the last one counts. Empty lines have ids, and no tokens."""
    try:
        text = source.read().decode()
    except UnicodeDecodeError as error:
        raise VocabFormatError(
            f"is not UTF-8 ({error.reason})", file=source.label, field=f"offset {error.start}"
        ) from None
    ids = {line.rstrip(): i for i, line in enumerate(text.removesuffix("\n").split("\n"))}
    ids.pop("", None)
    return ids


def _config(source: Source) -> Node:
    label = str(Path(source.label).with_name("tokenizer_config.json"))
    data = source.sibling("tokenizer_config.json")
    root = Node({} if data is None else parse_json(data, label), label)
    root.require_object()
    return root


def _refuse_other_classes(config: Node) -> None:
    name = config["tokenizer_class"]
    if name.value is not None and name.string().removesuffix("Fast").removesuffix("Tokenizer") not in _CLASSES:
        raise name.unsupported(f"a vocab.txt for {shown(name.value)}; wordsplit supports {', '.join(_CLASSES)}")
    if config["never_split"].value:
        raise config["never_split"].unsupported("words that are never split")
    if not config["do_basic_tokenize"].boolean(default=True):
        raise config["do_basic_tokenize"].unsupported("text that is split elsewhere")


def _normalization(config: Node) -> list[Normalize]:
    lowercase = config["do_lower_case"].boolean(default=True)
    wanted = {
        "bert_clean_text": True,
        "bert_chinese_chars": config["tokenize_chinese_chars"].boolean(default=True),
        "bert_strip_accents": config["strip_accents"].boolean(default=lowercase),
        "lowercase": lowercase,
    }
    return [Normalize(kind) for kind, on in wanted.items() if on]


def _content(node: Node) -> str | None:
    """Return the text of a token, which may be an object."""
    if isinstance(node.value, dict):
        node = node["content"]
    return None if node.value is None else node.string()


plugin = VocabTxtLoader
