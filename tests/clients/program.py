"""Run one client of tiktoken or tokenizers: print the module that its encodings are of, results and times, as JSON.

python program.py CLIENT FOLDER

The folder has a ``text``, and ``gpt2`` and ``bert``: a tokenizer.json and a tokenizer_config.json each. A client is a
generator: what it does before its first ``yield`` is not timed (it imports the library), and each later one ends a
step, of which it gives the name and the result.
"""

import gc
import importlib
import json
import pathlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

Steps = Iterator[tuple[str, Any] | None]


class Client(NamedTuple):
    """A client: the module that it needs, the original that it imports, and what to run."""

    module: str
    original: str
    run: Callable[[pathlib.Path], Steps]


CLIENTS: dict[str, Client] = {}


def client(original, module=None):
    """Enter a function into `CLIENTS`, by its name."""

    def enter(run):
        CLIENTS[run.__name__] = Client(module or run.__name__, original, run)
        return run

    return enter


def text_of(folder):
    return (folder / "text").read_text(encoding="utf-8")


def paragraphs(folder):
    return [part for part in text_of(folder).split("\n\n") if part]


# Of tiktoken.


@client("tiktoken")
def langchain_text_splitters(folder):
    from langchain_text_splitters import CharacterTextSplitter, TokenTextSplitter

    yield
    by_tokens = TokenTextSplitter(encoding_name="cl100k_base", chunk_size=200, chunk_overlap=20)
    by_length = CharacterTextSplitter.from_tiktoken_encoder(encoding_name="o200k_base", chunk_size=100, chunk_overlap=0)
    yield "load", None
    yield "split by tokens", by_tokens.split_text(text_of(folder))
    yield "split by length", by_length.split_text(text_of(folder))


@client("tiktoken")
def semchunk(folder):
    import semchunk
    import tiktoken

    yield
    encodings = ("cl100k_base", tiktoken.get_encoding("o200k_base"))
    by_name, by_encoding = (semchunk.chunkerify(encoding, 100, memoize=False) for encoding in encodings)
    yield "load", None
    yield "chunk, by name", by_name(text_of(folder))
    yield "chunk, by encoding", by_encoding(text_of(folder))


@client("tiktoken")
def chonkie(folder):
    import tiktoken
    from chonkie import SentenceChunker, TokenChunker

    yield
    encoding = tiktoken.get_encoding("cl100k_base")
    chunkers = TokenChunker(encoding, chunk_size=200, chunk_overlap=20), SentenceChunker(encoding, chunk_size=200)
    yield "load", None
    for chunker, step in zip(chunkers, ("chunk by tokens", "chunk by sentences"), strict=True):
        yield step, [(chunk.text, chunk.token_count) for chunk in chunker.chunk(text_of(folder))]


@client("tiktoken")
def llama_index(folder):
    from llama_index.core.node_parser import SentenceSplitter, TokenTextSplitter

    yield
    splitters = [splitter(chunk_size=200, chunk_overlap=20) for splitter in (SentenceSplitter, TokenTextSplitter)]
    yield "load", None
    for splitter, step in zip(splitters, ("split by sentences", "split by tokens"), strict=True):
        yield step, splitter.split_text(text_of(folder))


@client("tiktoken")
def litellm(folder):
    from litellm import decode, encode, token_counter

    text = text_of(folder)
    yield
    yield "load", encode(model="gpt-3.5-turbo", text="")
    ids = encode(model="gpt-3.5-turbo", text=text)
    yield "encode", ids
    yield "decode", decode(model="gpt-3.5-turbo", tokens=ids)
    messages = [{"role": "user", "content": text[:5000]}] * 3
    yield "count messages", token_counter(model="gpt-4", messages=messages)


@client("tiktoken")
def haystack(folder):
    from haystack import Document
    from haystack.components.preprocessors import RecursiveDocumentSplitter

    yield
    splitter = RecursiveDocumentSplitter(split_length=200, split_unit="token", separators=["\n\n", "\n", " "])
    splitter.warm_up()
    yield "load", None
    yield "split", [document.content for document in splitter.run([Document(content=text_of(folder))])["documents"]]


@client("tiktoken")
def mistral_common(folder):
    from mistral_common.protocol.instruct.messages import AssistantMessage, UserMessage
    from mistral_common.protocol.instruct.request import ChatCompletionRequest
    from mistral_common.tokens.tokenizers.mistral import MistralTokenizer

    yield
    tokenizer = MistralTokenizer.v3(is_tekken=True)
    yield "load", tokenizer.instruct_tokenizer.tokenizer.n_words
    tekken = tokenizer.instruct_tokenizer.tokenizer
    ids = [tekken.encode(text, bos=True, eos=True) for text in paragraphs(folder)]
    yield "encode", ids
    yield "decode", [tekken.decode(each) for each in ids]
    asked, answered = text_of(folder)[:5000], AssistantMessage(content="I see.")
    chat = ChatCompletionRequest(messages=[UserMessage(content=asked), answered, UserMessage(content=asked)])
    yield "chat", tokenizer.encode_chat_completion(chat).tokens


@client("tiktoken", "llguidance")
def llguidance_of_tiktoken(folder):
    import tiktoken
    from llguidance.tiktoken import lltokenizer_from_encoding

    yield
    encoding = tiktoken.get_encoding("cl100k_base")
    yield "load", None
    made = lltokenizer_from_encoding(encoding)
    yield "build", (made.vocab_size, made.eos_token)
    yield "encode", [made.tokenize_str(text) for text in paragraphs(folder)]
    yield "masks", masks_of(made, encoding.encode('{"name": "a b", "size": 12}'))


# Of tokenizers.


@client("tokenizers")
def transformers(folder):
    from transformers import AutoTokenizer

    yield
    for kind in ("gpt2", "bert"):
        tokenizer = AutoTokenizer.from_pretrained(folder / kind)
        yield f"{kind}: load", (type(tokenizer).__name__, tokenizer("Hi").input_ids, len(tokenizer))
        found = tokenizer(paragraphs(folder), padding=True, truncation=True, max_length=50)
        yield f"{kind}: batch", [found.input_ids, found.attention_mask]
        found = tokenizer(
            paragraphs(folder), return_offsets_mapping=True, return_overflowing_tokens=True, truncation=True,
            max_length=50, stride=5,
        )  # fmt: skip
        windows = [[found.word_ids(i), found.sequence_ids(i)] for i in range(len(found.input_ids))]
        yield f"{kind}: offsets", [found.input_ids, found.offset_mapping, found.overflow_to_sample_mapping, windows]
        yield f"{kind}: one by one", [tokenizer.encode(text) for text in paragraphs(folder)]
        yield f"{kind}: decode", tokenizer.batch_decode(found.input_ids, skip_special_tokens=True)
        messages = [{"role": "user", "content": text} for text in paragraphs(folder)[:50]]
        yield f"{kind}: chat", dict(tokenizer.apply_chat_template(messages, return_dict=True))
        yield f"{kind}: add tokens", (tokenizer.add_tokens(["<new>", "newer"]), tokenizer.tokenize("<new>newer new"))
        yield f"{kind}: to JSON", json.loads(tokenizer.backend_tokenizer.to_str())


@client("tokenizers")
def datasets(folder):
    from datasets import Dataset, disable_progress_bars
    from tokenizers import Tokenizer

    disable_progress_bars()
    yield
    tokenizer = Tokenizer.from_file(str(folder / "gpt2" / "tokenizer.json"))
    texts = Dataset.from_dict({"text": paragraphs(folder)})
    yield "load", None

    def encoded(batch):
        return {"ids": [each.ids for each in tokenizer.encode_batch(batch["text"])]}

    yield "map", texts.map(encoded, batched=True, batch_size=100)["ids"][:]
    yield "map, two processes", texts.map(encoded, batched=True, batch_size=50, num_proc=2)["ids"][:]


class Texts:
    """A data set for PyTorch, that encodes in the processes of its loader."""

    def __init__(self, folder):
        from tokenizers import Tokenizer

        self.tokenizer = Tokenizer.from_file(str(folder / "gpt2" / "tokenizer.json"))
        self.tokenizer.enable_truncation(32)
        self.tokenizer.enable_padding(length=32)
        self.texts = paragraphs(folder)

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, index):
        import torch

        return torch.tensor(self.tokenizer.encode(self.texts[index]).ids)


@client("tokenizers")
def torch(folder):
    from torch.utils.data import DataLoader

    yield
    texts = Texts(folder)
    yield "load", None
    for context in ("fork", "spawn"):
        loader = DataLoader(texts, batch_size=16, num_workers=2, multiprocessing_context=context)
        yield f"DataLoader, {context}", [batch.tolist() for batch in loader]


@client("tokenizers")
def sentence_transformers(folder):
    import numpy as np
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer

    yield
    tokenizer = Tokenizer.from_file(str(folder / "bert" / "tokenizer.json"))
    weights = np.random.default_rng(1).standard_normal((tokenizer.get_vocab_size(), 16), dtype="float32")
    model = SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=weights)], device="cpu")
    yield "load", None
    yield "encode", model.encode(paragraphs(folder), batch_size=64).tolist()


@client("tokenizers")
def model2vec(folder):
    import numpy as np
    from model2vec import StaticModel
    from tokenizers import Tokenizer

    yield
    tokenizer = Tokenizer.from_file(str(folder / "bert" / "tokenizer.json"))
    weights = np.random.default_rng(1).standard_normal((tokenizer.get_vocab_size(), 16), dtype="float32")
    model = StaticModel(weights, tokenizer)
    yield "load", None
    yield "encode", model.encode(paragraphs(folder)).tolist()
    yield "encode as a sequence", [each.tolist() for each in model.encode_as_sequence(paragraphs(folder)[:100])]
    model.save_pretrained(folder / tokenizer.__module__)
    again = StaticModel.from_pretrained(folder / tokenizer.__module__)
    yield "save and load", again.encode("once more").tolist()


@client("tokenizers")
def xgrammar(folder):
    import xgrammar
    from transformers import AutoTokenizer

    yield
    tokenizer = AutoTokenizer.from_pretrained(folder / "gpt2")
    yield "load", None
    info = xgrammar.TokenizerInfo.from_huggingface(tokenizer)
    yield "build", (info.dump_metadata(), len(info.decoded_vocab))
    matcher = xgrammar.GrammarMatcher(xgrammar.GrammarCompiler(info).compile_builtin_json_grammar())
    mask, masks = xgrammar.allocate_token_bitmask(1, info.vocab_size), []
    for token in tokenizer.encode('{"name": "a b", "size": 12}'):
        matcher.fill_next_token_bitmask(mask)
        masks.append([mask.tolist(), matcher.accept_token(token)])
    yield "masks", masks


@client("tokenizers")
def llguidance(folder):
    from llguidance.hf import from_tokenizer
    from transformers import AutoTokenizer

    yield
    tokenizer = AutoTokenizer.from_pretrained(folder / "gpt2")
    yield "load", None
    made = from_tokenizer(tokenizer)
    yield "build", (made.vocab_size, made.eos_token)
    yield "encode", [made.tokenize_str(text) for text in paragraphs(folder)]
    yield "masks", masks_of(made, tokenizer.encode('{"name": "a b", "size": 12}'))


def masks_of(tokenizer, ids):
    """What a grammar permits before each id, and whether it takes the id."""
    from llguidance import LLMatcher

    matcher = LLMatcher(tokenizer, LLMatcher.grammar_from_json_schema({"type": "object"}))
    return [(matcher.compute_bitmask().hex(), matcher.consume_token(i)) for i in ids]


def main(name, folder):
    found = CLIENTS[name]
    results, times, start = {}, {}, 0.0
    for step in found.run(pathlib.Path(folder)):
        if step is not None:
            results[step[0]], times[step[0]] = step[1], time.perf_counter() - start
        # To look through the objects of the libraries takes up to 0.2 s, and would fall to any step by chance.
        gc.collect()
        gc.freeze()
        start = time.perf_counter()
    kind = {"tiktoken": "Encoding", "tokenizers": "Tokenizer"}[found.original]
    module = getattr(importlib.import_module(found.original), kind).__module__
    print(json.dumps({"module": module, "results": results, "times": times}))  # noqa: T201 - its result


if __name__ == "__main__":
    main(*sys.argv[1:])
