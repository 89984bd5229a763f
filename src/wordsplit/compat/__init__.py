"""Stand-ins for other tokenizer libraries: change one import line, keep the rest of the program.

* `wordsplit.compat.tiktoken` for `tiktoken`
* `wordsplit.compat.tokenizers` for Hugging Face's `tokenizers`

`install` substitutes them for the originals in libraries that import these themselves.

``import wordsplit`` imports neither, and neither imports the library that it replaces. Unsupported features raise a
named error; docs/compat.md has the tables.
"""

from wordsplit.compat.aliases import install, installed, uninstall
from wordsplit.compat.missing_names import explain_missing_names

__all__ = ["install", "installed", "uninstall"]

explain_missing_names(__name__)
