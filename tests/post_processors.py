"""Post-processors of a tokenizer.json in every order."""

from itertools import product

NAMES = ["[C]", "[S]", "[X]"]
IDS = {name: i for i, name in enumerate([*NAMES, "a", "b", "c"])}


def special(name, type_id):
    return {"SpecialToken": {"id": name, "type_id": type_id}}


def text(name, type_id):
    return {"Sequence": {"id": name, "type_id": type_id}}


def template(single, pair):
    tokens = {
        "[X]": {"id": "[X]", "ids": [2], "tokens": ["[X]"]},
        "two": {"id": "two", "ids": [0, 1], "tokens": ["", ""]},
    }
    return {"type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": tokens}


KINDS = {
    "bert": {"type": "BertProcessing", "sep": ["[S]", 1], "cls": ["[C]", 0]},
    "roberta": {
        "type": "RobertaProcessing",
        "sep": ["[S]", 1],
        "cls": ["[C]", 0],
        "trim_offsets": True,
        "add_prefix_space": False,
    },
    "byte_level": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
    "template": template(
        [special("[X]", 3), text("A", 2)], [special("[X]", 3), text("A", 2), text("B", 5), special("two", 7)]
    ),
    "swapped": template([text("A", 0)], [text("B", 1), special("[X]", 1), text("A", 2), text("B", 0)]),
    "after": template([text("A", 1), special("two", 0)], [special("two", 1), special("[X]", 1), text("A", 0)]),
}
ORDERS = [None, *((kind,) for kind in KINDS), *(order for n in (2, 3) for order in product(KINDS, repeat=n))]
_ENDS = {name: KINDS["bert"][name] for name in ("sep", "cls")}
_OFFSETS = {"add_prefix_space": False, "trim_offsets": True}
_TEMPLATE = {name: value for name, value in KINDS["template"].items() if name != "type"}
TOLD_BY_FIELDS = [
    ({"type": "RobertaProcessing", **_ENDS}, "BertProcessing"),
    ({"type": "BertProcessing", **_ENDS, **_OFFSETS}, "RobertaProcessing"),
    ({"type": "Nonsense", **_ENDS, **_TEMPLATE}, "BertProcessing"),
    ({"type": "ByteLevel", **_OFFSETS, **_TEMPLATE}, "ByteLevel"),
    ({"type": "ByteLevel", **_TEMPLATE}, "TemplateProcessing"),
    ({"type": "BertProcessing", **_OFFSETS, **_TEMPLATE}, "TemplateProcessing"),
    ({"type": "Sequence", "processors": [], **_TEMPLATE}, "TemplateProcessing"),
    (_TEMPLATE, "TemplateProcessing"),
    (_ENDS, "BertProcessing"),
]


def document(order):
    parts = [KINDS[kind] for kind in order or ()]
    return {
        "version": "1.0",
        "added_tokens": [
            {"id": IDS[name], "content": name, "special": True}
            | dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
            for name in NAMES
        ],
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": None
        if order is None
        else parts[0]
        if len(parts) == 1
        else {"type": "Sequence", "processors": parts},
        "model": {"type": "WordLevel", "vocab": IDS, "unk_token": "[X]"},
    }
