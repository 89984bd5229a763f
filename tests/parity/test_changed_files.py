"""A tokenizer.json that was changed at random gives the ids of `tokenizers`, or is refused by name."""

import copy
import gzip
import json
import random
from functools import cache

import pytest
import random_models
import tokenizers
from depth import by_depth
from generated import BROKE_OTHERS, from_unicode
from oracles import SHARED
from parity.parts import NORMALIZERS, PRE_TOKENIZERS
from parity.test_components import CONTENTS, post_processor
from parity.test_model_vocabs import TRAINED, trained

import wordsplit

PUBLISHED = {
    "gpt2": "vocabs/openai/gpt2.tokenizer.json",
    **{name: f"vocabs/models/{name}.tokenizer.json.gz" for name in ("llama2", "nmt-unigram")},
}
FILES = by_depth(1, 5, 60)  # of each base, for each seed
SEEDS = by_depth([1], [1, 2], [1, 2])
PARTS = ("normalizer", "pre_tokenizer", "decoder", "post_processor")


@cache
def base(name):
    if name not in PUBLISHED:
        return json.loads(trained(name).to_str())
    path = SHARED / PUBLISHED[name]
    if not path.exists():
        pytest.skip("the published vocabs are not at hand")
    data = path.read_bytes()
    return json.loads(gzip.decompress(data) if name != "gpt2" else data)


def changed_part(rng, document):
    """Replace a part of the pipeline, drop it, or put another one before or behind it."""
    name = rng.choice(PARTS)
    ids = {token["content"]: token["id"] for token in document["added_tokens"]}
    if name == "post_processor":
        document[name] = post_processor(rng, ids) if len(ids) > 1 else None
    elif name == "decoder":
        decoder = random_models.decoder(rng)
        document[name] = None if decoder is None else json.loads(decoder.__getstate__())
    else:
        new = rng.choice([None, *rng.sample(NORMALIZERS if name == "normalizer" else PRE_TOKENIZERS, 6)])
        old = document.get(name)
        if new and old and rng.random() < 0.5:
            parts = rng.sample([old, new], 2)
            new = {"type": "Sequence", "normalizers" if name == "normalizer" else "pretokenizers": parts}
        document[name] = new


def changed_flags(rng, document):
    """Change options of the model."""
    model = document["model"]
    words = [None, "<unk>", "[UNK]", "a", "no token"]
    values = {
        "byte_fallback": [True, False],
        "fuse_unk": [True, False],
        "ignore_merges": [True, False],
        "unk_token": words if "merges" in model else words[1:],
        "unk_id": [None, 0, 1, 5],
        "dropout": [None, 0.0],
        "continuing_subword_prefix": [None, "", "##"] if "merges" in model else ["", "##", "é"],
        "end_of_word_suffix": [None, "", "</w>"],
        "max_input_chars_per_word": [1, 5, 100],
    }
    for key in rng.sample(sorted(values.keys() & model.keys()), 1):
        model[key] = rng.choice(values[key])


def changed_added(rng, document):
    """Add, remove or change added tokens."""
    added = document["added_tokens"]
    if added and rng.random() < 0.4:
        del added[rng.randrange(len(added))]
        return
    flags = ("special", "lstrip", "rstrip", "single_word", "normalized")
    if added and rng.random() < 0.4:
        token = rng.choice(added)
        token[rng.choice(flags)] = rng.random() < 0.5
        return
    vocab = document["model"]["vocab"]
    content = rng.choice([*CONTENTS, "Größe", "▁the", "a b"])
    if content not in {token["content"] for token in added}:
        known = vocab.get(content) if isinstance(vocab, dict) else None
        following = max([len(vocab) - 1, *(token["id"] for token in added)]) + rng.choice((1, 1, 1, 3))
        new = {"id": following if known is None else known, "content": content}
        added.append(new | {flag: rng.random() < 0.3 for flag in flags})


def changed_vocab(rng, document):
    """Drop a base token, or a merge, or exchange two merges."""
    model = document["model"]
    merges = model.get("merges") or []
    if merges and rng.random() < 0.7:
        first, second = rng.randrange(len(merges)), rng.randrange(len(merges))
        merges[first], merges[second] = merges[second], merges[first]
        if rng.random() < 0.3:
            del merges[first]
    elif isinstance(model["vocab"], dict):
        model["vocab"].pop(rng.choice(list(model["vocab"])))
    else:
        del model["vocab"][rng.randrange(1, len(model["vocab"]))]


CHANGES = (changed_part, changed_part, changed_part, changed_flags, changed_added, changed_added, changed_vocab)


def changed(rng, document):
    out = {**document, "model": {**document["model"]}}
    for key in ("vocab", "merges"):
        if key in out["model"]:
            out["model"][key] = copy.copy(out["model"][key])
    for name in (*PARTS, "added_tokens"):
        out[name] = copy.deepcopy(out.get(name) or ([] if name == "added_tokens" else None))
    made = rng.choices(CHANGES, k=rng.choice((1, 1, 2, 3)))
    for change in made:
        change(rng, out)
    return out, [change.__name__ for change in made]


def nasty(rng, tokens):
    short = [text for text in BROKE_OTHERS if len(text) < 300]
    yield from rng.sample(short, 25)
    for _ in range(20):
        yield "".join(rng.choices([*tokens, *CONTENTS, " ", "é"], k=rng.randrange(1, 9))).replace("\u2581", " ")
    for _ in range(15):
        yield from_unicode(rng)


def theirs_or_none(function, argument):
    """What the oracle returns; ``None`` if it raises or panics."""
    try:
        return function(argument)
    except BaseException as error:  # pyo3's panic is no Exception
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        return None


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", [*by_depth((), PUBLISHED, PUBLISHED), *TRAINED])
def test_changed_files(name, seed):
    document, refused = base(name), []
    for number in range(FILES):
        rng = random.Random(f"{name} {seed} {number}")
        made, changes = changed(rng, document)
        data = json.dumps(made)
        why = (name, seed, number, changes, {part: made[part] for part in (*PARTS, "added_tokens")})
        theirs = theirs_or_none(tokenizers.Tokenizer.from_str, data)
        try:
            tok = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(data.encode()))
        except wordsplit.WordsplitError as error:
            if theirs is not None:
                refused.append(str(error))
            continue
        if theirs is None:
            continue  # what they refuse, we may read
        theirs.no_truncation()
        theirs.no_padding()
        known = [theirs.id_to_token(i) or "" for i in range(0, theirs.get_vocab_size(), 7)]
        for text in nasty(rng, known):
            want = theirs_or_none(theirs.encode, text)
            if want is not None:
                assert tok.encode(text) == want.ids, (text, why)
                assert tok.decode(want.ids) == theirs.decode(want.ids, skip_special_tokens=False), (text, why)
    assert len(refused) <= max(1, FILES // 2), refused
