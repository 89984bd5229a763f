"""Vocabs of models other than byte-level BPE, trained on the texts of ``expected.py``, and what is to be expected."""

from __future__ import annotations

import base64
import io
import itertools
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import sentencepiece
from expected_cuts import cuts
from random_files import random_files
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

import wordsplit
from wordsplit import _native
from wordsplit.engine.native import NativeEngine, NativeWordEngine
from wordsplit.errors import UnsupportedVocabError
from wordsplit.vocabs.formats.sentencepiece.model_proto import read_model_proto

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from parity import test_order_of_spaces as spaces
from parity.test_affixes_of_bytes import complete
from random_models import MODELS, random_oracle
from random_models import texts as random_texts
from vocabs.formats.gguf_writer import F32, items, of_bert, of_kind, of_t5

UNK = "<unk>"
SPECIAL = (UNK, "[CLS]", "[SEP]")
TRAINED_ON = 3000  # texts
COMPILED = 15  # random vocabs of a kind
USUAL = 5  # a character in as many texts
EXPLAINED = 100  # the most characters of an explained text
MARK = "\u2581"
AS_IS = {"normalization_rule_name": "identity", "remove_extra_whitespaces": False}
SENTENCEPIECE: dict[str, dict[str, object]] = {
    "sp-bpe": {"model_type": "bpe", "byte_fallback": True},
    "sp-unigram": {"model_type": "unigram"},
    "sp-char": {"model_type": "char", "vocab_size": 300},
    "sp-llama": {"model_type": "bpe", "byte_fallback": True, "user_defined_symbols": ["<sep>", "the"], **AS_IS},
    "sp-plain": {"model_type": "unigram", "user_defined_symbols": ["<sep>", "the"], **AS_IS},
    "sp-across": {"model_type": "bpe", "split_by_whitespace": False},
    "sp-word": {"model_type": "word"},
    "sp-word-bytes": {"model_type": "word", "byte_fallback": True},
}
"""The settings of models of SentencePiece."""
LETTERS = pre_tokenizers.ByteLevel.alphabet()
SPECIAL_IDS = {"padding": 0, "unknown": 1, "cls": 2, "seperator": 3, "mask": 4}

Made = tuple[Tokenizer, trainers.Trainer]


def _made(
    tok: Tokenizer, trainer: type, normalizer: object, pre_tokenizer: object, decoder: object, **more: object
) -> Made:
    if normalizer is not None:
        tok.normalizer = normalizer
    if pre_tokenizer is not None:
        tok.pre_tokenizer = pre_tokenizer
    tok.decoder = decoder
    return tok, trainer(vocab_size=2000, special_tokens=list(SPECIAL), show_progress=False, **more)


def bert() -> Made:
    """BERT's."""
    tok = Tokenizer(models.WordPiece(unk_token=UNK))
    rules = (normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer(), decoders.WordPiece())
    return _made(tok, trainers.WordPieceTrainer, *rules)


def steps() -> Made:
    """WordPiece behind steps that look at several characters."""
    tok = Tokenizer(models.WordPiece(unk_token=UNK))
    normalizer = normalizers.Sequence(
        [normalizers.Strip(), normalizers.NFKC(), normalizers.Replace("``", '"'), normalizers.Lowercase()]
    )
    rules = (normalizer, pre_tokenizers.Whitespace(), decoders.WordPiece(cleanup=False))
    return _made(tok, trainers.WordPieceTrainer, *rules)


def unigram() -> Made:
    """Words that begin with a space, without a map of characters."""
    normalizer = normalizers.Replace(Regex(" {2,}"), " ")
    rules = (normalizer, pre_tokenizers.Metaspace(), decoders.Metaspace())
    return _made(Tokenizer(models.Unigram()), trainers.UnigramTrainer, *rules, unk_token=UNK)


def llama() -> Made:
    """Llama 2's: spaces are spelled by the normalizer, and bytes by tokens."""
    tok = Tokenizer(models.BPE(unk_token=UNK, byte_fallback=True, fuse_unk=True))
    normalizer = normalizers.Sequence([normalizers.Prepend(MARK), normalizers.Replace(" ", MARK)])
    decoder = decoders.Sequence(
        [decoders.Replace(MARK, " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    tokens = [*SPECIAL, *(f"<0x{byte:02X}>" for byte in range(256))]
    tok.normalizer, tok.decoder = normalizer, decoder
    return tok, trainers.BpeTrainer(vocab_size=2500, special_tokens=tokens, show_progress=False, max_token_length=16)


def folded() -> Made:
    """Llama 2's behind steps that look at several characters."""
    tok, trainer = llama()
    tok.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase(), tok.normalizer])
    return tok, trainer


def metaspace() -> Made:
    """BPE of characters, without bytes."""
    tok = Tokenizer(models.BPE(unk_token=UNK))
    return _made(tok, trainers.BpeTrainer, None, pre_tokenizers.Metaspace(prepend_scheme="first"), decoders.Metaspace())


def suffix() -> Made:
    """GPT-1's kind."""
    tok = Tokenizer(models.BPE(unk_token=UNK, end_of_word_suffix="</w>"))
    rules = (normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer(), decoders.BPEDecoder(suffix="</w>"))
    return _made(tok, trainers.BpeTrainer, *rules, end_of_word_suffix="</w>")


def cased() -> Made:
    """BERT's with case."""
    tok = Tokenizer(models.WordPiece(unk_token=UNK))
    normalizer = normalizers.BertNormalizer(lowercase=False)
    return _made(tok, trainers.WordPieceTrainer, normalizer, pre_tokenizers.BertPreTokenizer(), decoders.WordPiece())


def signs() -> Made:
    """BPE of characters between signs."""
    tok = Tokenizer(models.BPE(unk_token=UNK, fuse_unk=True))
    return _made(tok, trainers.BpeTrainer, normalizers.Lowercase(), pre_tokenizers.Whitespace(), None)


def gemma() -> Made:
    """Gemma's rules, without byte tokens."""
    decoder = decoders.Sequence([decoders.Replace(MARK, " "), decoders.ByteFallback(), decoders.Fuse()])
    rules = (normalizers.Replace(" ", MARK), pre_tokenizers.Split(" ", "merged_with_previous"), decoder)
    return _made(Tokenizer(models.BPE(unk_token=UNK)), trainers.BpeTrainer, *rules, max_token_length=16)


def pieces() -> Made:
    """WordPiece of words that begin with a space."""
    tok = Tokenizer(models.WordPiece(unk_token=UNK))
    return _made(tok, trainers.WordPieceTrainer, None, pre_tokenizers.Metaspace(), decoders.Metaspace())


def words() -> Made:
    """Whole words."""
    tok = Tokenizer(models.WordLevel(unk_token=UNK))
    return _made(tok, trainers.WordLevelTrainer, normalizers.Lowercase(), pre_tokenizers.WhitespaceSplit(), None)


def compatible() -> Made:
    """Byte-level BPE with NFKC, and bytes without a token."""
    tok = Tokenizer(models.BPE(unk_token=UNK))
    return _made(
        tok,
        trainers.BpeTrainer,
        normalizers.NFKC(),
        pre_tokenizers.ByteLevel(add_prefix_space=False),
        decoders.ByteLevel(),
    )


def replaced() -> Made:
    """Byte-level BPE behind several steps, one of them with a pattern."""
    normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    rules = (normalizer, pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel())
    return _made(Tokenizer(models.BPE()), trainers.BpeTrainer, *rules, initial_alphabet=LETTERS)


def pattern() -> Made:
    """Byte-level BPE with a pattern that has no scanner, and one that merges its matches with others."""
    split = pre_tokenizers.Split(Regex(r"[a-m]+|\p{L}+(?=\d)| ?\p{L}+|\s+(?!\S)"), "isolated")
    signs = pre_tokenizers.Split(Regex(r"[.,!]"), "merged_with_next")
    pre_tokenizer = pre_tokenizers.Sequence(
        [split, signs, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    rules = (normalizers.NFC(), pre_tokenizer, decoders.ByteLevel())
    return _made(Tokenizer(models.BPE()), trainers.BpeTrainer, *rules, initial_alphabet=LETTERS)


def falcon() -> Made:
    """Byte-level BPE with steps that see bytes, as Falcon has them."""
    signs, digits = pre_tokenizers.Punctuation("contiguous"), pre_tokenizers.Digits(individual_digits=False)
    letters, by_threes = (
        pre_tokenizers.ByteLevel(add_prefix_space=False),
        pre_tokenizers.Split(Regex("[0-9]{3}"), "isolated"),
    )
    rules = (None, pre_tokenizers.Sequence([signs, letters, digits, by_threes]), decoders.ByteLevel())
    return _made(Tokenizer(models.BPE()), trainers.BpeTrainer, *rules, initial_alphabet=LETTERS)


def removed() -> Made:
    """Byte-level BPE with a step that removes text, behind a normalizer."""
    blanks, letters = pre_tokenizers.Split(Regex(r"\s+"), "removed"), pre_tokenizers.ByteLevel(add_prefix_space=True)
    rules = (normalizers.NFKC(), pre_tokenizers.Sequence([blanks, letters]), decoders.ByteLevel())
    return _made(Tokenizer(models.BPE()), trainers.BpeTrainer, *rules, initial_alphabet=LETTERS)


def removed_bytes() -> Made:
    """Byte-level BPE with a step that removes letters which stand for bytes."""
    pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.ByteLevel(add_prefix_space=False), pre_tokenizers.Whitespace()]
    )
    rules = (None, pre_tokenizer, decoders.ByteLevel())
    return _made(Tokenizer(models.BPE()), trainers.BpeTrainer, *rules, initial_alphabet=LETTERS)


def letters() -> Made:
    """WordPiece of letters that stand for bytes."""
    tok = Tokenizer(models.WordPiece(unk_token=UNK))
    rules = (None, pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel())
    return _made(tok, trainers.WordPieceTrainer, *rules)


def spelled() -> Made:
    """The same of Unigram, behind a normalizer."""
    normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(r"\d+"), "0")])
    rules = (normalizer, pre_tokenizers.ByteLevel(), decoders.ByteLevel())
    return _made(Tokenizer(models.Unigram()), trainers.UnigramTrainer, *rules, unk_token=UNK)


def scripts() -> Made:
    """Unigram with spans of one script."""
    pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.UnicodeScripts(), pre_tokenizers.Metaspace()])
    rules = (normalizers.NFKD(), pre_tokenizer, decoders.Metaspace())
    return _made(Tokenizer(models.Unigram()), trainers.UnigramTrainer, *rules, unk_token=UNK)


def first() -> Made:
    """BPE of characters, with a space before the first of several words, and without signs."""
    signs = pre_tokenizers.Split(Regex(r"[^\w\s]+"), "removed")
    pre_tokenizer = pre_tokenizers.Sequence([signs, pre_tokenizers.Metaspace(prepend_scheme="first")])
    rules = (normalizers.Replace(Regex(r"\n+"), " "), pre_tokenizer, decoders.Metaspace())
    return _made(Tokenizer(models.BPE(unk_token=UNK, fuse_unk=True)), trainers.BpeTrainer, *rules)


def across() -> Made:
    """BPE of characters whose tokens cross spaces, behind a pattern."""
    tok = Tokenizer(models.BPE(unk_token=UNK))
    return _made(tok, trainers.BpeTrainer, normalizers.Replace(Regex(r"\s+"), " "), None, None, max_token_length=16)


def blanks() -> Made:
    """WordPiece with BERT's rules behind a pattern."""
    tok = Tokenizer(models.WordPiece(unk_token=UNK))
    normalizer = normalizers.Sequence([normalizers.Replace(Regex(r"\b[0-9]{2,}\b"), "0"), normalizers.BertNormalizer()])
    return _made(tok, trainers.WordPieceTrainer, normalizer, pre_tokenizers.BertPreTokenizer(), decoders.WordPiece())


VOCABS: tuple[Callable[[], Made], ...] = (
    *(bert, cased, pieces, steps, words),
    *(llama, folded, gemma, metaspace, signs, suffix, compatible, unigram),
    *(replaced, pattern, falcon, removed, removed_bytes, letters, spelled, scripts, first, across, blanks),
)


def t5(charsmap: bytes) -> Made:
    """T5's, with the map of characters of a file of SentencePiece."""
    normalizer = normalizers.Sequence([normalizers.Precompiled(charsmap), normalizers.Replace(Regex(" {2,}"), " ")])
    pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    rules = (normalizer, pre_tokenizer, decoders.Metaspace())
    return _made(Tokenizer(models.Unigram()), trainers.UnigramTrainer, *rules, unk_token=UNK)


def trained(folder: Path, texts: Sequence[str]) -> list[Path]:
    """Train every vocab, and return their files in their own formats."""
    counts = Counter(char for text in texts for char in set(text))
    usual = [text for text in texts if all(counts[char] >= USUAL for char in text)][:TRAINED_ON]
    files = []
    lines = [line for text in usual for line in text.splitlines() if line.strip("\0")]
    for name, settings in SENTENCEPIECE.items():
        model = io.BytesIO()
        more = {"vocab_size": 2000, "minloglevel": 2, "hard_vocab_limit": False} | settings
        sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(lines), model_writer=model, **more)
        path = folder / f"model-{name}.model"
        path.write_bytes(model.getvalue())
        files.append(path)
    clip = folder / "model-clip.json"
    clip.write_text(complete(), encoding="utf-8")
    files.append(clip)
    charsmap = base64.b64decode(wordsplit.load_vocab(folder / "model-sp-unigram.model").normalizer[0].content)
    makers = {make.__name__: make for make in VOCABS} | {"t5": partial(t5, charsmap)}
    for name, make in makers.items():
        tok, trainer = make()
        tok.train_from_iterator(usual, trainer)
        tok.add_tokens([AddedToken("Zzyzx", normalized=True), AddedToken("<|x|>", normalized=False)])
        path = folder / f"model-{name}.json"
        tok.save(str(path))
        files.append(path)
    return [*files, *_of_other_formats(folder)]


def _of_other_formats(folder: Path) -> list[Path]:
    """Write the tokens of some of the vocabs to files of other formats."""
    vocab = json.loads((folder / "model-bert.json").read_bytes())["model"]["vocab"]
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(token for token in vocab if token not in SPECIAL)]
    llama = read_model_proto((folder / "model-sp-bpe.model").read_bytes(), "")
    t5 = read_model_proto((folder / "model-sp-unigram.model").read_bytes(), "")
    contents = {
        "model-vocab.txt": "\n".join([*tokens, ""]).encode(),
        "model-gguf-bert.gguf": of_bert(tokens, **SPECIAL_IDS),
        "model-gguf-llama.gguf": of_kind("llama", llama.pieces, list(llama.types), scores=items(F32, llama.scores)),
        "model-gguf-t5.gguf": of_t5(t5),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in contents]


def write_random_models(folder: Path, seeds: int) -> None:
    """Write random tokenizer.json files, compiled files of the first of them, and what `tokenizers` gives for texts."""
    found = []
    for kind, seed in itertools.product(MODELS, range(seeds)):
        oracle, rng, tokens = random_oracle(kind, seed)
        compiled = folder / "random.ws" if seed < COMPILED else None
        found.append(_compared(f"{kind} {seed}", oracle, random_texts(rng, tokens), compiled))
    (folder / "random-models.json").write_text(json.dumps(found), encoding="utf-8")


def write_spaces(folder: Path) -> None:
    """Write the same for normalizers that strip and join spaces, in every order."""
    orders = itertools.product((*spaces.STRIPS, *spaces.JOINS), repeat=2)
    made = [spaces.document(*each) for each in itertools.product(orders, spaces.PRE_TOKENIZERS)]
    found = [_compared("spaces", Tokenizer.from_str(data), spaces.TEXTS[::5], None) for data in made]
    (folder / "spaces.json").write_text(json.dumps(found), encoding="utf-8")


def _compared(name: str, oracle: Tokenizer, texts: Iterable[str], compiled: Path | None) -> dict[str, object]:
    data, ours, in_base64 = oracle.to_str(), None, ""
    with suppress(UnsupportedVocabError):
        vocab = wordsplit.load_vocab_bytes(data.encode(), name=name)
        ours = wordsplit.TokenizerOptions(add_bos=False, add_eos=False).build(vocab)
        if compiled is not None:
            vocab.save_compiled(compiled)
            in_base64 = base64.b64encode(compiled.read_bytes()).decode()
    rows = []
    for text in texts:
        encoded = oracle.encode(text, add_special_tokens=False)
        decoded = oracle.decode(encoded.ids, skip_special_tokens=False)
        cut = cuts(ours, text) if ours else {}
        rows.append([text, encoded.ids, list(itertools.chain(*encoded.offsets)), decoded, cut])
    return {"name": name, "json": data, "compiled": in_base64, "rows": rows}


class _Nowhere:
    """Stands for the engine in Python."""

    def __getattr__(self, name: str) -> Callable[..., object]:
        def refuse(*_: object) -> object:
            raise _native.NotInCore

        return refuse


def write_random_files(folder: Path, seeds: int) -> None:
    """Write random files of other formats, and what Python gives for texts."""
    (folder / "random-files.json").write_text(json.dumps(random_files(seeds)), encoding="utf-8")


def write_models(folder: Path, texts: Sequence[str]) -> None:
    """Write a file for each vocab, and for each text the ids, their places and what they decode to.

    Where the core alone encodes texts, there is a compiled file, too, and for each text whether the core alone encodes
    it, without its added tokens, too, and locates the ids. Some are explained.
    """
    (folder / "model-texts.json").write_text(json.dumps(texts), encoding="utf-8")
    for path in trained(folder, texts):
        vocab = wordsplit.load_vocab(path, format="vocab_txt" if path.suffix == ".txt" else None)
        tok, alone = wordsplit.load_tokenizer(vocab), wordsplit.load_tokenizer(vocab)
        core = alone._engine
        is_portable = isinstance(core, NativeEngine)
        if is_portable:
            tok.vocab.save_compiled(folder / f"{path.stem}.ws")
        if isinstance(core, NativeWordEngine):
            vars(core)["_others"] = _Nowhere()
            core._outside = 1 << 40
            core._elsewhere("")  # makes the larger table, so that it is used from the first text on
        short = [text for text in texts if len(text) <= EXPLAINED]
        explained = [[text, tok.explain(text, max_span=60).to_dict()["spans"], tok.spans(text)] for text in short[::4]]
        (folder / f"{path.stem}.explained.json").write_text(json.dumps(explained), encoding="utf-8")
        rows = []
        for text in texts:
            encoded = tok.encode_with_offsets(text)
            found = [encoded.ids, tok.encode(text, special="no_added"), encoded.char_spans]
            decoded = [tok.decode(encoded.ids), tok.decode(encoded.ids, skip_special=True)]
            rows.append([*found, decoded, _in_core(alone, text) if is_portable else None])
        (folder / f"{path.stem}.rows.json").write_text(json.dumps(rows), encoding="utf-8")


def _in_core(alone: wordsplit.Tokenizer, text: str) -> list[bool]:
    located = alone._engine._located(text, ()) is not None
    return [_encodes(alone, text, "parse"), _encodes(alone, text, "no_added"), located]


def _encodes(tok: wordsplit.Tokenizer, text: str, special: str) -> bool:
    try:
        tok.encode(text, special=special)
    except _native.NotInCore:
        return False
    return True
