"""Tokenizers of transformers on wordsplit, against the same on their own backend. `make transformers-test` runs it."""

import copy
import functools
import importlib.util
import io
import json
import pathlib
import pickle
import random
import subprocess
import sys

import generated
import oracles
import pytest
from depth import by_depth

import wordsplit
from wordsplit.compat.errors import NotSupportedError
from wordsplit.compat.tokenizers import Tokenizer
from wordsplit.transformers import AutoTokenizer, accelerate

INSTALLED = importlib.util.find_spec("transformers") is not None
needed = pytest.mark.skipif(not INSTALLED, reason="transformers is not installed: make transformers-test")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
TEXTS = [
    "Hello, world! It's 12 o'clock.",
    "",
    " two  spaces and a tab\t, <s> </s> [CLS] <|endoftext|> ",
    "naïve café, e\u0301 中文 🦜 \u0bb8\u0bcd",
    "x" * 40 + "\n\nthe quick brown fox jumps over the lazy dog, unaffable",
]
SECOND = ["A pair", "of texts", "", "with é", "the lazy dog the quick brown fox"]
CHAT = [{"role": "user", "content": "Hello <s>"}, {"role": "assistant", "content": "Hi, é!"}]
TEMPLATE = "{% for m in messages %}<|{{ m.role }}|> {{ m.content }}{{ eos_token }}{% endfor %}"
CORPUS = pathlib.Path(__file__).resolve().parents[2]


def trained(model, trainer, special, **components):
    """A small tokenizer, trained on this project's documentation."""
    import tokenizers

    made = tokenizers.Tokenizer(model)
    for name, component in components.items():
        setattr(made, name, component)
    texts = [path.read_text(encoding="utf-8") for path in sorted(CORPUS.glob("docs/*.md"))]
    made.train_from_iterator(texts, trainer(vocab_size=900, special_tokens=special, show_progress=False))
    return made


def around(first, last):
    from tokenizers.processors import TemplateProcessing

    ids = [(token, i) for token, i in (first, last) if token]
    head, tail = (f"{first[0]} " if first[0] else ""), (f" {last[0]}" if last[0] else "")
    return TemplateProcessing(f"{head}$A{tail}", f"{head}$A{tail} $B:1{tail and tail + ':1'}", ids)


def llama():
    from tokenizers import decoders, models, normalizers, trainers

    bytes_ = [f"<0x{byte:02X}>" for byte in range(256)]
    made = trained(
        models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True),  # noqa: S106 - a token of text
        trainers.BpeTrainer,
        ["<unk>", "<s>", "</s>"],
        normalizer=normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
        decoder=decoders.Sequence(
            [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
        ),
    )
    made.post_processor = around(("<s>", 1), ("", 0))
    document = json.loads(made.to_str())
    vocab = document["model"]["vocab"]
    vocab |= {name: len(vocab) + at for at, name in enumerate(bytes_)}
    return document, {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "</s>"}


def bert():
    from tokenizers import decoders, models, normalizers, pre_tokenizers, trainers

    made = trained(
        models.WordPiece(unk_token="[UNK]"),  # noqa: S106 - as above
        trainers.WordPieceTrainer,
        ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"],
        normalizer=normalizers.BertNormalizer(),
        pre_tokenizer=pre_tokenizers.BertPreTokenizer(),
        decoder=decoders.WordPiece(),
    )
    made.post_processor = around(("[CLS]", 2), ("[SEP]", 3))
    names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    return json.loads(made.to_str()), names


def unigram():
    from tokenizers import decoders, models, normalizers, pre_tokenizers, trainers

    def trainer(**options):
        return trainers.UnigramTrainer(unk_token="<unk>", **options)  # noqa: S106 - as above

    made = trained(
        models.Unigram(),
        trainer,
        ["<pad>", "</s>", "<unk>"],
        normalizer=normalizers.Sequence([normalizers.NFKC(), normalizers.Replace("  ", " ")]),
        pre_tokenizer=pre_tokenizers.Metaspace(),
        decoder=decoders.Metaspace(),
    )
    made.post_processor = around(("", 0), ("</s>", 1))
    return json.loads(made.to_str()), {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}


def qwen():
    document = json.loads(oracles.qwen3_file().read_bytes())
    return document, {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"}


def gpt2():
    document = json.loads(Tokenizer(wordsplit.load_vocab("r50k_base")).to_str())
    return document, dict.fromkeys(("bos_token", "eos_token", "unk_token", "pad_token"), "<|endoftext|>")


KINDS = {"qwen": qwen, "gpt2": gpt2, "llama": llama, "bert": bert, "unigram": unigram}
CLASSES = {"gpt2": "GPT2TokenizerFast", "bert": "BertTokenizerFast", "llama": "LlamaTokenizerFast"}


@pytest.fixture(scope="module", params=by_depth(["llama", "bert"], list(KINDS), list(KINDS)))
def folder(request, tmp_path_factory):
    """A tokenizer as `save_pretrained` writes it."""
    pytest.importorskip("transformers")
    document, names = KINDS[request.param]()
    made = tmp_path_factory.mktemp(request.param)
    (made / "tokenizer.json").write_text(json.dumps(document), encoding="utf-8")
    kind = CLASSES.get(request.param, "PreTrainedTokenizerFast")
    config = names | {"tokenizer_class": kind, "model_max_length": 10**6, "chat_template": TEMPLATE}
    (made / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def original(folder):
    import transformers

    transformers.logging.set_verbosity_error()
    return transformers.AutoTokenizer.from_pretrained(folder)


def both_of(original):
    theirs = copy.deepcopy(original)
    made = accelerate(original)
    assert type(made) is type(original)
    assert isinstance(made.backend_tokenizer, Tokenizer)
    assert not isinstance(theirs.backend_tokenizer, Tokenizer)
    return theirs, made


@pytest.fixture
def pair(original):
    """Theirs, and ours: new ones for each test, since each keeps the padding and truncation of its last call."""
    return both_of(original)


@pytest.fixture(scope="module")
def lasting_pair(original):
    """The same for tests each of whose calls says all that it needs: the last call must not show."""
    return both_of(original)


def plain(value):
    """Tensors and batches as lists and dicts."""
    if hasattr(value, "items"):
        return {key: plain(each) for key, each in value.items()}
    return value.tolist() if hasattr(value, "tolist") else value


def told(batch):
    """All that a batch says."""
    out = [plain(batch)]
    for i, encoding in enumerate(batch.encodings or ()):
        out += [batch.tokens(i), batch.word_ids(i), batch.sequence_ids(i), encoding.offsets, encoding.type_ids]
        out += [encoding.special_tokens_mask, encoding.attention_mask, len(encoding.overflowing)]
        out += [batch.char_to_token(i, char) for char in range(5)]
        out += [batch.token_to_chars(i, token) for token in range(min(3, len(encoding)))]
        out += [batch.word_to_tokens(i, word) for word in range(3)]
    return out


def both(pair, call):
    out = []
    for tok in pair:
        try:
            out.append(call(tok))
        except Exception:  # noqa: BLE001 - theirs has no class of its own
            out.append("fails")
    return out


def assert_same(pair, call):
    theirs, mine = both(pair, call)
    assert mine == theirs


@needed
@pytest.mark.parametrize("padding", [False, "longest", "max_length"])
@pytest.mark.parametrize("truncation", [False, "longest_first", "only_first", "only_second"])
@pytest.mark.parametrize("stride", by_depth([2], [2], [0, 2]))
@pytest.mark.parametrize("second", [None, SECOND], ids=["single", "pair"])
def test_calls(lasting_pair, padding, truncation, stride, second):
    def call(tok):
        return told(
            tok(
                TEXTS,
                second,
                padding=padding,
                truncation=truncation,
                max_length=32,
                stride=stride,
                return_overflowing_tokens=bool(truncation),
                return_offsets_mapping=True,
                return_special_tokens_mask=True,
                return_token_type_ids=True,
                return_length=True,
            )
        )

    assert_same(lasting_pair, call)


@needed
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"add_special_tokens": False},
        {"padding": True, "return_tensors": "np"},
        {"padding": True, "padding_side": "left", "return_tensors": "np"},
        {"padding": True, "pad_to_multiple_of": 8},
        {"padding": "max_length", "max_length": 9, "truncation": True, "return_tensors": "np"},
        {"padding": True, "return_tensors": "pt"},
        {"truncation": True, "max_length": 4},
        {"split_special_tokens": True},
        {"return_attention_mask": False, "return_token_type_ids": False},
    ],
    ids=str,
)
def test_arguments(lasting_pair, arguments):
    if arguments.get("return_tensors") == "pt":
        pytest.importorskip("torch")
    for texts in ([TEXTS], [TEXTS[0]], TEXTS[:2]):
        assert_same(lasting_pair, lambda tok, texts=texts: told(tok(*texts, **arguments)))


PIECES = [*" ".join(TEXTS).split(), "", " ", "\n", "don't", "Ａｂｃ", "İ", "▁", "##s", "<mask>", "\u200b"]


def random_call(rng):
    """Texts of a random shape, and arguments; with room for the template, without which theirs does not truncate."""

    def text():
        return rng.choice([" ", " ", "", "  "]).join(rng.choices(PIECES, k=rng.randint(0, 8)))

    def words():
        return rng.choices(PIECES, k=rng.randint(1, 8))

    is_split, is_batch, is_pair = (rng.random() < 0.5 for _ in range(3))
    make, count = (words if is_split else text), rng.randint(1, 3)
    texts = [[make() for _ in range(count)] if is_batch else make() for _ in range(1 + is_pair)]
    stride = 0 if is_pair else rng.choice([0, 0, 1, 3])  # theirs panics where a text of a pair is cut to less
    choices = {
        "padding": [True, False, "longest", "max_length"],
        "truncation": [True, "longest_first", "only_first", "only_second", False],
        "return_overflowing_tokens": [True, False],
        "return_special_tokens_mask": [True],
        "return_offsets_mapping": [True],
        "return_token_type_ids": [True, False],
        "return_attention_mask": [True, False],
        "return_length": [True],
        "add_special_tokens": [True, False],
        "pad_to_multiple_of": [1, 4],
        "padding_side": ["left", "right"],
        "split_special_tokens": [True, False],
    }
    names = rng.sample(sorted(choices), rng.randint(0, len(choices)))
    arguments = {name: rng.choice(choices[name]) for name in names}
    return texts, {
        "is_split_into_words": is_split,
        "max_length": rng.randint(stride + 5, 20),
        "stride": stride,
    } | arguments


@needed
def test_random_arguments(lasting_pair):
    rng = random.Random(59)
    for _ in range(by_depth(100, 200, 20_000)):
        texts, arguments = random_call(rng)
        assert_same(lasting_pair, lambda tok, texts=texts, arguments=arguments: told(tok(*texts, **arguments)))


@needed
def test_no_room_for_the_template(pair):
    """Theirs does not truncate then (docs/compat.md)."""
    if pair[1].num_special_tokens_to_add():
        with pytest.raises(wordsplit.OptionsError, match="max_length=0"):
            pair[1](TEXTS, truncation=True, max_length=0)


@needed
def test_words(pair):
    words = [text.split() for text in TEXTS]
    options = {"is_split_into_words": True, "return_offsets_mapping": True, "truncation": True, "max_length": 12}
    assert_same(pair, lambda tok: told(tok(words, **options)))
    assert_same(pair, lambda tok: told(tok(words, words[::-1], **options)))
    assert_same(pair, lambda tok: told(tok(words[0], **options)))


@needed
def test_hard_texts(pair):
    texts = [text for text in generated.BROKE_OTHERS if len(text) < 2000 and text.isprintable()]
    for text in texts:
        assert_same(pair, lambda tok, text=text: told(tok([text], return_offsets_mapping=True)))
    ids = pair[0](texts)["input_ids"]
    assert_same(pair, lambda tok: tok.batch_decode(ids))


@needed
def test_old_methods(pair):
    assert_same(pair, lambda tok: tok.encode(TEXTS[0], TEXTS[1]))
    assert_same(pair, lambda tok: tok.tokenize(TEXTS[3]))
    assert_same(pair, lambda tok: tok.tokenize(TEXTS[2], pair=TEXTS[0], add_special_tokens=True))
    assert_same(pair, lambda tok: tok.convert_ids_to_tokens(list(range(300))))
    assert_same(pair, lambda tok: tok.convert_ids_to_tokens(list(range(300)), skip_special_tokens=True))
    assert_same(pair, lambda tok: tok.convert_tokens_to_ids(["a", "Ġthe", "▁the", "##s", "no such token"]))
    assert_same(pair, lambda tok: tok.convert_tokens_to_string(tok.tokenize(TEXTS[3])))
    assert_same(pair, lambda tok: tok.num_special_tokens_to_add(pair=True))
    assert_same(pair, lambda tok: (len(tok), tok.vocab_size, tok.get_vocab(), tok.get_added_vocab()))
    assert_same(pair, lambda tok: (tok.all_special_tokens, tok.all_special_ids, tok.special_tokens_map))
    assert_same(pair, lambda tok: {i: repr(token) for i, token in tok.added_tokens_decoder.items()})
    assert_same(pair, lambda tok: tok.added_tokens_encoder)
    assert_same(pair, repr)


@needed
@pytest.mark.parametrize("skip", [False, True])
@pytest.mark.parametrize("clean", [False, True, None])
def test_decoding(pair, skip, clean):
    ids = pair[0](TEXTS)["input_ids"]
    options = {"skip_special_tokens": skip, "clean_up_tokenization_spaces": clean}
    assert_same(pair, lambda tok: tok.batch_decode(ids, **options))
    assert_same(pair, lambda tok: [tok.decode(each, **options) for each in ids])
    assert_same(pair, lambda tok: tok.decode(ids[0][0], **options))


@needed
def test_chats(pair):
    assert_same(pair, lambda tok: tok.apply_chat_template(CHAT, tokenize=False))
    assert_same(pair, lambda tok: plain(tok.apply_chat_template(CHAT, return_dict=True)))
    assert_same(pair, lambda tok: plain(tok.apply_chat_template([CHAT, CHAT[:1]], padding=True, return_dict=True)))


def decodes_as_ours():
    """Whether added tokens are decoded as by 0.23, which the stand-in follows (docs/compat.md)."""
    import tokenizers

    return tuple(map(int, tokenizers.__version__.split(".")[:2])) >= (0, 23)


@needed
def test_adding_tokens(pair):
    from tokenizers import AddedToken

    made = [copy.deepcopy(tok) for tok in pair]
    assert isinstance(made[1].backend_tokenizer, Tokenizer)
    text = "a <new> b the <mask> <flag> <extra>"
    steps = [
        lambda tok: tok.add_tokens(["<new>", "the"]),
        lambda tok: tok.add_tokens([AddedToken("<flag>", lstrip=True, single_word=True)]),
        lambda tok: tok.add_tokens([AddedToken("<sp>"), AddedToken("<sq>", normalized=True)], special_tokens=True),
        lambda tok: tok.add_special_tokens({"mask_token": "<mask>", "additional_special_tokens": ["<extra>"]}),
    ]
    for step in steps:
        assert_same(made, step)
        assert_same(made, lambda tok: told(tok([text], return_offsets_mapping=True)))
        assert_same(made, lambda tok: {i: repr(token) for i, token in tok.added_tokens_decoder.items()})
        if decodes_as_ours():
            assert_same(made, lambda tok: tok.decode(tok(text)["input_ids"], skip_special_tokens=True))
    assert_same(made, lambda tok: (len(tok), tok.mask_token_id, tok.get_added_vocab()))
    assert len(pair[1]) == len(pair[0]) < len(made[0])  # of the copies alone


def documents(tok, folder):
    written = tok.save_pretrained(folder)
    return {
        pathlib.Path(path).name: json.loads(pathlib.Path(path).read_bytes())
        for path in written
        if path.endswith(".json") and pathlib.Path(path).exists()
    }


@needed
@pytest.mark.parametrize("changed", [False, True])
def test_saved_folders(pair, tmp_path, changed):
    import transformers

    made = [copy.deepcopy(tok) for tok in pair]
    if changed:
        for tok in made:
            tok.add_tokens(["the", "<new>"])
            tok.add_special_tokens({"pad_token": "<padding>"})
    theirs, mine = (documents(tok, tmp_path / str(at)) for at, tok in enumerate(made))
    assert mine == theirs
    again = type(pair[1]).from_pretrained(tmp_path / "1")
    for tok in (again, accelerate(again), AutoTokenizer.from_pretrained(tmp_path / "1")):
        assert told(tok(TEXTS, padding=True)) == told(made[0](TEXTS, padding=True))
    assert isinstance(AutoTokenizer.from_pretrained(tmp_path / "1"), transformers.PreTrainedTokenizerFast)


@needed
def test_pickles_and_copies(pair):
    def call(tok):
        return told(tok(TEXTS, SECOND, padding=True, truncation=True, max_length=20, return_offsets_mapping=True))

    expected = call(pair[0])
    again = pickle.loads(pickle.dumps(pair[1]))  # noqa: S301 - our own
    for made in (again, copy.deepcopy(pair[1]), copy.copy(pair[1]), accelerate(pair[1])):
        assert isinstance(made.backend_tokenizer, Tokenizer)
        assert call(made) == expected
    batch = pair[1](TEXTS, return_offsets_mapping=True)
    assert told(pickle.loads(pickle.dumps(batch))) == told(batch)  # noqa: S301 - as above


@needed
def test_the_original_is_not_changed(original):
    before = original.backend_tokenizer.to_str()
    made = accelerate(original)
    made.add_special_tokens({"pad_token": "<another>"})
    made.model_max_length = 3
    made(TEXTS, truncation=True, max_length=5, padding=True)
    assert original.backend_tokenizer.to_str() == before
    assert original.pad_token != "<another>"  # noqa: S105 - as above
    assert original.model_max_length == 10**6


@needed
def test_streamers(pair):
    streamers = pytest.importorskip("transformers.generation.streamers")
    import numpy as np

    def call(tok):
        out = io.StringIO()

        class Streamer(streamers.TextStreamer):
            def on_finalized_text(self, text, stream_end=False):
                out.write(f"{text}|{'.' * stream_end}")

        streamer = Streamer(tok, skip_prompt=True, skip_special_tokens=True)
        streamer.put(np.array([tok(TEXTS[0])["input_ids"]]))
        for token_id in tok(TEXTS[3] + "\n" + TEXTS[4])["input_ids"]:
            streamer.put(np.array([token_id]))
        streamer.end()
        return out.getvalue()

    assert_same(pair, call)


@needed
@pytest.mark.parametrize("tensors", ["np", "pt"])
def test_collators(pair, tensors):
    import transformers

    if tensors == "pt":
        pytest.importorskip("torch")

    def padded(tok):
        collate = transformers.DataCollatorWithPadding(tok, pad_to_multiple_of=4, return_tensors=tensors)
        return plain(collate([tok(text) for text in TEXTS]))

    def masked(tok):
        mlm = tok.mask_token is not None
        collate = transformers.DataCollatorForLanguageModeling(tok, mlm=mlm, return_tensors=tensors, seed=7)
        return plain(collate([tok(text) for text in TEXTS]))

    assert_same(pair, padded)
    assert_same(pair, masked)


@needed
def test_components(pair):
    from tokenizers import pre_tokenizers, processors

    made = [copy.deepcopy(tok) for tok in pair]
    for name in ("model", "normalizer", "pre_tokenizer", "decoder", "post_processor"):
        theirs, mine = (getattr(tok.backend_tokenizer, name) for tok in made)
        assert type(mine) is type(theirs)
        if theirs is not None:
            assert json.loads(mine.__getstate__()) == json.loads(theirs.__getstate__())
    last = len(made[0]) - 1
    name = made[0].convert_ids_to_tokens(last)
    for tok in made:
        tok.backend_tokenizer.post_processor = processors.TemplateProcessing(
            "$A END", "$A $B:1 END:1", [{"id": "END", "ids": [last], "tokens": [name]}]
        )
    assert_same(made, lambda tok: told(tok(TEXTS, SECOND)))
    for tok in made:
        before = tok.backend_tokenizer.pre_tokenizer
        steps = [pre_tokenizers.Digits(individual_digits=True), *([] if before is None else [before])]
        tok.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(steps)
    mine = made[1].backend_tokenizer
    assert type(mine.pre_tokenizer) is pre_tokenizers.Sequence
    assert_same(made, lambda tok: tok.tokenize("of 2026"))
    for tok in made:
        tok.backend_tokenizer.normalizer = None
    assert_same(made, lambda tok: tok.tokenize("Of é"))
    with pytest.raises(TypeError):
        mine.normalizer = object()


@needed
@pytest.mark.parametrize("flag", ["add_bos_token", "add_eos_token"])
def test_tokens_around_texts(pair, flag):
    made = [copy.deepcopy(tok) for tok in pair]
    for value in (True, False):
        for tok in made:
            setattr(tok, flag, value)
        assert_same(made, lambda tok: told(tok(TEXTS, SECOND)))


@needed
def test_clip(tmp_path):
    """Its class replaces the backend's `decode`, which copies made by `copy.deepcopy` and pickles lose."""
    import transformers
    from tokenizers import pre_tokenizers

    chars = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = ["he", "hel", "lo</w>", "hello</w>", "<|startoftext|>", "<|endoftext|>"]
    vocab = {name: i for i, name in enumerate(chars + [f"{char}</w>" for char in chars] + made)}
    (tmp_path / "vocab.json").write_text(json.dumps(vocab), encoding="utf-8")
    (tmp_path / "merges.txt").write_text("#version: 0.2\nh e\nhe l\nl o</w>\nhel lo</w>\n", encoding="utf-8")
    original = transformers.CLIPTokenizerFast.from_pretrained(tmp_path)
    theirs, mine = original, accelerate(original)

    def call(tok):
        batch = tok(["Hello, hé!", "he hello<|endoftext|>"], padding=True, return_offsets_mapping=True)
        ids = batch["input_ids"]
        return (
            told(batch),
            tok.batch_decode(ids),
            tok.batch_decode(ids, skip_special_tokens=True),
            tok.tokenize("hello"),
        )

    for change in (copy.copy, lambda tok: tok, copy.deepcopy, lambda tok: pickle.loads(pickle.dumps(tok))):  # noqa: S301
        assert_same([change(theirs), change(mine)], call)
    for tok in (accelerate(mine), accelerate(copy.copy(mine))):
        assert_same([theirs, tok], call)
    assert_same([copy.deepcopy(theirs), accelerate(copy.deepcopy(theirs))], call)
    assert "hello" in mine.decode(mine("hello")["input_ids"])
    assert "</w>" not in mine.decode(mine("hello")["input_ids"])
    mine.save_pretrained(tmp_path / "saved")
    again = accelerate(transformers.CLIPTokenizerFast.from_pretrained(tmp_path / "saved"))
    assert_same([theirs, again], call)
    copied = copy.deepcopy(mine)
    copied.add_tokens(["<new>"])  # of which the tokenizer that was copied does not know
    assert copied.decode(copied("<new>")["input_ids"], skip_special_tokens=True) == "<new>"
    original.backend_tokenizer.decode = str
    with pytest.raises(NotSupportedError, match="replaced: decode"):
        accelerate(original)


def padded(tok, second):
    return told(tok(TEXTS, second, padding=True, return_offsets_mapping=True))


@needed
@pytest.mark.parametrize("prefix", [None, True, False])
def test_a_backend_of_ours(folder, prefix):
    """`tokenizer_object=` takes the stand-in, and the constructor does with it what it does with the original."""
    import tokenizers
    import transformers

    options = json.loads((folder / "tokenizer_config.json").read_bytes())
    options["mask_token"] = "<mask>"  # noqa: S105 - as above
    del options["tokenizer_class"]
    if prefix is not None:
        options["add_prefix_space"] = prefix
    file = str(folder / "tokenizer.json")
    made = [
        transformers.PreTrainedTokenizerFast(tokenizer_object=kind.from_file(file), **options)
        for kind in (tokenizers.Tokenizer, Tokenizer)
    ]
    assert isinstance(made[1].backend_tokenizer, Tokenizer)
    for second in (None, SECOND):
        assert_same(made, functools.partial(padded, second=second))
    assert_same(made, lambda tok: (len(tok), tok.mask_token_id, tok.decode(tok("a <mask>")["input_ids"])))
    assert_same(made, lambda tok: {i: repr(token) for i, token in tok.added_tokens_decoder.items()})


@needed
def test_what_cannot_be_accelerated(original):
    import tokenizers
    import transformers

    class Jieba:
        def pre_tokenize(self, text):
            raise NotImplementedError

    for wrong in ("a name", None, original.backend_tokenizer):
        with pytest.raises(wordsplit.WordsplitError, match="fast tokenizer"):
            accelerate(wrong)
    backend = copy.deepcopy(original.backend_tokenizer)
    backend.pre_tokenizer = tokenizers.pre_tokenizers.PreTokenizer.custom(Jieba())
    made = accelerate(original)
    made._tokenizer = backend
    with pytest.raises(NotSupportedError, match="tokenizer.json"):
        accelerate(made)
    with pytest.raises(NotSupportedError, match="pre_tokenizer"):
        Tokenizer.from_str(original.backend_tokenizer.to_str()).pre_tokenizer = backend.pre_tokenizer
    slow = transformers.ByT5Tokenizer()
    with pytest.raises(TypeError, match="slow"):
        accelerate(slow)


def test_without_transformers():
    code = (
        "import sys; sys.modules['transformers'] = None\n"
        "import wordsplit.transformers as ours\n"
        "try: ours.accelerate(None)\n"
        "except ours.WordsplitError as error: assert 'pip install' in str(error)\n"
        "else: raise AssertionError\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
