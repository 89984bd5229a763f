"""The tokenizer.json format of Hugging Face's `tokenizers`."""

from wordsplit.vocabs.formats.tokenizer_json.loader import TokenizerJsonLoader
from wordsplit.vocabs.formats.tokenizer_json.writer import save

__all__ = ["TokenizerJsonLoader", "plugin", "save"]

plugin = TokenizerJsonLoader
