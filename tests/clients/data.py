"""What the clients work on: a text, and small models' tokenizers."""

import json
import pathlib

import pytest

import wordsplit
from wordsplit.compat.tiktoken import load
from wordsplit.compat.tokenizers import Tokenizer

ROOT = pathlib.Path(__file__).parents[2]
BLOBS = "https://openaipublic.blob.core.windows.net/encodings"
CHAT = "{% for m in messages %}{{ m.role }}: {{ m.content }}{{ eos_token }}{% endfor %}"


def make(folder, size):
    """Write the text, the tokenizers, and a cache in which tiktoken finds OpenAI's files."""
    text = "\n\n".join(page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs").glob("*.md")))
    text = text.replace("<|", "<")
    (folder / "text").write_text((text * (size // len(text) + 1))[:size], encoding="utf-8")
    gpt2 = Tokenizer(wordsplit.load_vocab("r50k_base"))
    end = "<|endoftext|>"
    write(folder / "gpt2", gpt2.to_str(), {"tokenizer_class": "GPT2TokenizerFast", "eos_token": end, "pad_token": end})
    names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    write(folder / "bert", bert(text, list(names.values())), names | {"tokenizer_class": "BertTokenizerFast"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(folder / "cache"))
        for name in ("r50k_base", "cl100k_base", "o200k_base"):
            load.read_file_cached(f"{BLOBS}/{name}.tiktoken")
        for name in ("vocab.bpe", "encoder.json"):
            load.read_file_cached(f"{BLOBS.removesuffix('encodings')}gpt-2/encodings/main/{name}")


def bert(text, special):
    """Train a tokenizer such as BERT's, of a few thousand tokens."""
    import tokenizers

    made = tokenizers.Tokenizer(tokenizers.models.WordPiece(unk_token="[UNK]"))  # noqa: S106 - a token of text
    made.normalizer = tokenizers.normalizers.BertNormalizer()
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.decoder = tokenizers.decoders.WordPiece()
    trainer = tokenizers.trainers.WordPieceTrainer(vocab_size=4000, special_tokens=special, show_progress=False)
    made.train_from_iterator(text.splitlines(), trainer)
    made.post_processor = tokenizers.processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return made.to_str()


def write(folder, document, config):
    folder.mkdir()
    (folder / "tokenizer.json").write_text(document, encoding="utf-8")
    config |= {"model_max_length": 10**6, "chat_template": CHAT}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")


def environment(folder):
    """Return environment variables for the clients, which shall download nothing."""
    return {
        "TIKTOKEN_CACHE_DIR": str(folder / "cache"),
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "HAYSTACK_TELEMETRY_ENABLED": "False",
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(folder / "home"),
    }
