"""Pre-tokenization patterns: the named schemes, regex dialects, and compiled steps."""
