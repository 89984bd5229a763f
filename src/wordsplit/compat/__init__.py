"""Stand-ins for other tokenizer libraries: change one import line, keep the rest of the program.

* `wordsplit.compat.tiktoken` for `tiktoken`
* `wordsplit.compat.tokenizers` for Hugging Face's `tokenizers`

Neither is imported by ``import wordsplit``, and neither imports the library it stands in for. What they do not
do raises a named error; docs/compat.md has the tables.
"""
