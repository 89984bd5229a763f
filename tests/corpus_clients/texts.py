"""Texts whose ids each library must give, and the ids."""

import wordsplit

TOK = wordsplit.load_tokenizer("qwen3")
TEXTS = ["hello world", None, "", "na\u00efve \u4f60\u597d \U0001f99c", "a <|im_end|> b", " \n\n\tx" * 50] * 40


def ids(special="text", texts=TEXTS):
    """The ids of each text, by another way than `encode_arrow`; null for null."""
    found = iter(TOK.encode_batch([text for text in texts if text is not None], special=special))
    return [None if text is None else next(found) for text in texts]
