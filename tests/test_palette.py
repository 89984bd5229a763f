"""The playground's style sheet repeats the colours of `wordsplit.palette`."""

import re
from pathlib import Path

from wordsplit.palette import TOKEN_CSS

STYLE = Path(__file__).resolve().parents[1] / "js/playground/styles/palette.css"


def test_the_playground_has_the_same_colours():
    pairs = re.findall(r"--(\w+): light-dark\((#\w+), (#\w+)\)", STYLE.read_text(encoding="utf-8"))
    light, dark = (dict(re.findall(r"--(\w+):(#\w+)", css)) for css in TOKEN_CSS.split("@media"))
    assert light == {name: colour for name, colour, _ in pairs}
    assert dark == {name: colour for name, _, colour in pairs}
