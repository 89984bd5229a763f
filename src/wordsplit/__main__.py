"""``python -m wordsplit``."""

from wordsplit.cli import main

main()
