"""Names that a stand-in does not have: hasattr, getattr, inspect and import treat them as missing."""

import importlib
import inspect
import pkgutil
import warnings

import pytest

import wordsplit
import wordsplit.compat
import wordsplit.compat.tiktoken
import wordsplit.compat.tokenizers
from wordsplit.compat.errors import MissingNameError


def modules_of(package):
    """The package, and its modules that the original has, too."""
    modules = [module.name for module in pkgutil.iter_modules(package.__path__)]
    public = [name for name in modules if name == "_educational" or not name.startswith("_")]
    return [package.__name__, *(f"{package.__name__}.{name}" for name in public)]


TIKTOKEN = modules_of(wordsplit.compat.tiktoken)
MODULES = ["wordsplit.compat", *TIKTOKEN, *modules_of(wordsplit.compat.tokenizers)]


@pytest.mark.parametrize("name", MODULES)
def test_of_a_module(name):
    module = importlib.import_module(name)
    assert not hasattr(module, "no_such_name")
    assert getattr(module, "no_such_name", None) is None
    assert dict(inspect.getmembers(module))
    with pytest.raises(MissingNameError, match="no_such_name") as raised:
        module.no_such_name  # noqa: B018
    assert isinstance(raised.value, AttributeError)
    assert isinstance(raised.value, wordsplit.WordsplitError)
    assert raised.value.name == "no_such_name"
    with pytest.raises(ImportError):
        exec(f"from {name} import no_such_name")  # noqa: S102 - what a program does
    with pytest.raises(ImportError):
        importlib.import_module(f"{name}.no_such_name")


def test_of_an_encoding():
    enc = wordsplit.compat.tiktoken.get_encoding("gpt2")
    assert not hasattr(enc, "_core_bpe")
    assert dict(inspect.getmembers(enc))["name"] == "gpt2"
    with pytest.raises(MissingNameError, match="Rust"):
        enc._core_bpe  # noqa: B018


def test_of_a_tokenizer():
    tokenizers = wordsplit.compat.tokenizers
    tok = tokenizers.Tokenizer.from_pretrained("gpt2")
    found = tok.encode("hello")
    objects = [
        tok,
        tokenizers.Tokenizer(tokenizers.models.BPE()),
        found,
        tok.model,
        tok.pre_tokenizer,
        tok.decoder,
        tokenizers.normalizers.NFC(),
        tokenizers.processors.ByteLevel(),
        tokenizers.decoders.DecodeStream(),
        tokenizers.AddedToken("x"),
        tokenizers.Regex("x"),
        tokenizers.trainers.BpeTrainer(),
    ]
    for each in objects:
        for name in ("no_such_name", "_no_such_name", "__no_such_name__"):
            assert not hasattr(each, name)
            assert getattr(each, name, None) is None
            with pytest.raises(AttributeError, match=name) as raised:
                getattr(each, name)
            assert isinstance(raised.value, MissingNameError)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of Encoding.words
            assert inspect.getmembers(each)
    assert not hasattr(tokenizers, "NormalizedString")
    with pytest.raises(ImportError):
        from wordsplit.compat.tokenizers import NormalizedString  # noqa: F401
    with pytest.raises(MissingNameError, match="use encode"):
        tokenizers.NormalizedString  # noqa: B018
    with pytest.raises(MissingNameError, match="BpeTrainer"):
        tokenizers.trainers.ParityBpeTrainer  # noqa: B018


def test_what_tokenizers_has():
    """Its names that are not here, and every name of these classes."""
    tokenizers = wordsplit.compat.tokenizers
    theirs = importlib.import_module("tokenizers")
    missing = {name for name in dir(theirs) if not name.startswith("_") and not hasattr(tokenizers, name)}
    from_typing = {"Enum", "List", "Tuple", "Union"}
    assert missing - from_typing == {
        "NormalizedString",
        "OffsetReferential",
        "OffsetType",
        "PreTokenizedString",
        "SplitDelimiterBehavior",
        "tokenizers",
    }
    for name in ("Tokenizer", "Encoding", "AddedToken"):
        public = {each for each in dir(getattr(theirs, name)) if not each.startswith("_")}
        assert public - set(dir(getattr(tokenizers, name))) == set(), name


def test_what_to_use_instead():
    with pytest.raises(MissingNameError, match="use `Encoding`"):
        wordsplit.compat.tiktoken._tiktoken  # noqa: B018


def test_what_tiktoken_has():
    """Every public name of its modules is here."""
    for name in TIKTOKEN[1:]:
        theirs = importlib.import_module(name.removeprefix("wordsplit.compat."))
        own = {
            key
            for key, value in vars(theirs).items()
            if not key.startswith("_") and getattr(value, "__module__", theirs.__name__) == theirs.__name__
        }
        modules = {
            key for key in own if inspect.ismodule(getattr(theirs, key)) or key in ("annotations", "TYPE_CHECKING")
        }
        from_typing = {key for key in own if type(getattr(theirs, key)).__module__ in ("typing", "__future__")}
        missing = {key for key in own - modules - from_typing if not hasattr(importlib.import_module(name), key)}
        assert not missing - {"raise_disallowed_special_token"}, name
    methods = {name for name in dir(importlib.import_module("tiktoken").Encoding) if not name.startswith("__")}
    assert methods <= set(dir(wordsplit.compat.tiktoken.Encoding))
