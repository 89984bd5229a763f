"""Train vocabularies, extend them, and prune them.

>>> from wordsplit.training import BpeTrainer
>>> vocab = BpeTrainer(300, pattern="cl100k").update(["the cat sat on the mat"] * 10).train()
>>> vocab.tokens[256]
b'at'
"""

from wordsplit.training.edit import add_special_tokens, extend, prune
from wordsplit.training.progress import Counting, Merging, Progress
from wordsplit.training.result import Merge
from wordsplit.training.trainer import BpeTrainer

__all__ = ["BpeTrainer", "Counting", "Merge", "Merging", "Progress", "add_special_tokens", "extend", "prune"]
