"""What people do with a tokenizer all day, one concept a file.

Each file has functions or classes that work on an engine; `wordsplit.everyday.text_methods` and `model_methods` make
methods of `Tokenizer` of them. All but these two are imported when they are first used.
"""
