"""Freeze the ids that `transformers` gives for chats, for tests/golden/chats.json.

    pip install transformers
    python tools/freeze_chats.py TOKENIZER_JSON

TOKENIZER_JSON is Qwen3's own. The chats have no control tokens in what users say: for these the ids must be the same.
"""

from __future__ import annotations

import json
import pathlib
import sys
from typing import Any

import tokenizers
import transformers

import wordsplit

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHATS = ROOT / "tests/golden/chats.json"


def main() -> None:
    """Write the ids of every chat of the file again."""
    tok = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizers.Tokenizer.from_file(sys.argv[1]))
    tok.chat_template = wordsplit.load_vocab("qwen3").chat_template
    frozen: dict[str, Any] = json.loads(CHATS.read_text(encoding="utf-8"))
    frozen["made_by"] = f"transformers {transformers.__version__}, tokenizers {tokenizers.__version__}"
    for chat in frozen["chats"]:
        variables = dict(chat.get("variables", {}))
        chat["ids"] = tok.apply_chat_template(chat["messages"], tools=chat.get("tools"), return_dict=False, **variables)
    text = json.dumps(frozen["chats"], ensure_ascii=False, separators=(",", ":")).replace('},{"name"', '},\n{"name"')
    head = {key: value for key, value in frozen.items() if key != "chats"}
    CHATS.write_text(json.dumps(head)[:-1] + ', "chats": ' + text + "}\n", encoding="utf-8")
    print(f"{len(frozen['chats'])} chats")


if __name__ == "__main__":
    main()
