"""Run one client of tiktoken on a text: print the module that its encodings are of, and the result, as JSON.

python program.py CLIENT FILE
"""

import json
import pathlib
import sys


def langchain_text_splitters(text):
    from langchain_text_splitters import CharacterTextSplitter, TokenTextSplitter

    by_tokens = TokenTextSplitter(encoding_name="cl100k_base", chunk_size=200, chunk_overlap=20)
    by_length = CharacterTextSplitter.from_tiktoken_encoder(encoding_name="o200k_base", chunk_size=100, chunk_overlap=0)
    return by_tokens.split_text(text), by_length.split_text(text)


def semchunk(text):
    import semchunk
    import tiktoken

    encodings = ("cl100k_base", tiktoken.get_encoding("o200k_base"))
    return [semchunk.chunkerify(encoding, 100, memoize=False)(text) for encoding in encodings]


def chonkie(text):
    import tiktoken
    from chonkie import SentenceChunker, TokenChunker

    encoding = tiktoken.get_encoding("cl100k_base")
    chunkers = TokenChunker(encoding, chunk_size=200, chunk_overlap=20), SentenceChunker(encoding, chunk_size=200)
    return [[(chunk.text, chunk.token_count) for chunk in chunker.chunk(text)] for chunker in chunkers]


def llama_index(text):
    from llama_index.core.node_parser import SentenceSplitter, TokenTextSplitter

    return [
        splitter(chunk_size=200, chunk_overlap=20).split_text(text)
        for splitter in (SentenceSplitter, TokenTextSplitter)
    ]


def litellm(text):
    from litellm import decode, encode, token_counter

    ids = encode(model="gpt-3.5-turbo", text=text)
    messages = [{"role": "user", "content": text[:5000]}] * 3
    return ids, decode(model="gpt-3.5-turbo", tokens=ids), token_counter(model="gpt-4", messages=messages)


def haystack(text):
    from haystack import Document
    from haystack.components.preprocessors import RecursiveDocumentSplitter

    splitter = RecursiveDocumentSplitter(split_length=200, split_unit="token", separators=["\n\n", "\n", " "])
    splitter.warm_up()
    return [document.content for document in splitter.run([Document(content=text)])["documents"]]


CLIENTS = (langchain_text_splitters, semchunk, chonkie, llama_index, litellm, haystack)

if __name__ == "__main__":
    run = {client.__name__: client for client in CLIENTS}[sys.argv[1]]
    result = run(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
    import tiktoken

    print(json.dumps([tiktoken.Encoding.__module__, result]))  # noqa: T201 - its result
