"""Pre-tokenization patterns: the named schemes, the dialects of regular expressions, and the steps as code."""
