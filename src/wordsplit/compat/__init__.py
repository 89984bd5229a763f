"""Stand-ins for other tokenizer libraries: change one import line, keep the rest of the program.

* `wordsplit.compat.tiktoken` for `tiktoken`
* `wordsplit.compat.tokenizers` for Hugging Face's `tokenizers`

``import wordsplit`` imports neither, and neither imports the library that it replaces. What they do not
support raises a named error; docs/compat.md has the tables.
"""
