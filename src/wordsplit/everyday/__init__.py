"""What people do with a tokenizer all day, one concept a file.

Each file has functions or classes that work on an engine; `wordsplit.everyday.text_methods`, `model_methods`
and `view_methods` make methods of `Tokenizer` of them. All but these three are imported when they are first used.
"""
