"""Random patterns in each regex dialect, and texts to match them with."""

import random

CHARS = [
    *"abcstfikSTFIKxXzZ019_ -'!&~^]",
    *"\n\r\t\x0b\x0c\x1c\x85\xa0\u2028\u2029",
    *"\xdf\u1e9e\u0130\u0131\u0307\u212a\u017f\ufb01\ufb06\u01c4\u01c5\u01c6\u00e9\u00c9\u03c3\u03c2\u03a3",
    *"\u200c\u200d\u0301\u0308\u00b2\u00bd\u2167\u0663\u4e00\u3042\uac00\u0e01\U0001f600\U00010400\U00010428",
    *"\u1c89\ua7cb\U00011de0\U000323b0\u0378",
]


class Generator:
    """Patterns of one dialect."""

    def __init__(self, rng: random.Random, dialect: str) -> None:
        self.rng = rng
        self.rust = dialect == "tiktoken"
        self.groups = 0
        self.chars = CHARS

    def pattern(self) -> str:
        """A pattern of few different characters, so that texts match it."""
        self.groups = 0
        self.chars = [*self.rng.sample(CHARS, self.rng.randint(2, 6)), self.rng.choice("as\n")]
        start = self.rng.choice(["", "", "", "(?i)", "(?m)", "(?x)", "(?s)" if self.rust else "(?im)"])
        return start + self.alternatives(3)

    def text(self, longest: int = 10) -> str:
        """A text with the characters of the last pattern."""
        some = self.rng.choice([self.chars, [*self.chars, *self.rng.sample(CHARS, 3)]])
        return "".join(self.rng.choices(some, k=self.rng.randint(1, longest)))

    def alternatives(self, depth: int) -> str:
        same = self.piece(depth) if self.rng.random() < 0.2 else ""  # which one engine lifts out of the branches
        if "(" in same:  # except for groups, whose numbers differ
            same = ""
        return "|".join(same + self.branch(depth) for _ in range(self.rng.choice([1, 1, 1, 2, 3])))

    def branch(self, depth: int) -> str:
        return "".join(self.piece(depth) for _ in range(self.rng.choice([0, 1, 1, 2, 2, 3])))

    def piece(self, depth: int) -> str:
        return self.atom(depth) + (self.quantifier() if self.rng.random() < 0.4 else "")

    def quantifier(self) -> str:
        rng = self.rng
        low = rng.randint(0, 3)
        counts = [f"{{{low}}}", f"{{{low},}}", f"{{{low},{low + rng.randint(0, 2)}}}", f"{{,{low}}}"]
        sign = rng.choice(["?", "*", "+", "+", rng.choice(counts)])
        return sign + rng.choice(["", "", "", "?", "+"])

    def atom(self, depth: int) -> str:  # noqa: PLR0911 - one for each kind
        rng = self.rng
        kind = rng.random()
        if kind < 0.4:
            return self.character()
        if kind < 0.55:
            return self.character_class()
        if kind < 0.7:
            return self.set(2)
        if kind < 0.78:
            return rng.choice(["^", "$", r"\A", r"\z", r"\Z", r"\b", r"\B", *([r"\<", r"\>"] if self.rust else [])])
        if kind < 0.82:
            return rng.choice([".", r"\N", r"\O", r"\R"])
        if kind < 0.84:
            flags = rng.choice(["i", "-i", "m", "x", "-x", "s" if self.rust else "im"])
            return f"(?{flags})"
        if kind < 0.86 and self.groups:
            return rf"\{rng.randint(1, self.groups)}"
        if not depth:
            return self.character()
        opening = rng.choice(["(?:", "(?:", "(", "(?i:", "(?-i:", "(?=", "(?!", "(?<=", "(?<!", "(?>"])
        inside = self.alternatives(depth - 1)
        self.groups += opening == "("
        return f"{opening}{inside})"

    def character(self) -> str:
        rng = self.rng
        char = rng.choice(self.chars)
        if char in "^-]&~" or rng.random() < 0.05:
            return "\\" + char if not char.isalnum() else char
        if rng.random() < 0.05:
            return rf"\x{{{ord(char):x}}}"
        return char

    def character_class(self) -> str:
        names = [
            "L",
            "Lu",
            "Ll",
            "N",
            "P",
            "S",
            "M",
            "Han",
            "Letter",
            "Uppercase_Letter",
            "Greek",
            "Alphabetic",
            "Lowercase",
            "alnum",
            "digit",
            "space",
            "Zs",
            "any",
            "Cn",
        ]
        plain = [r"\d", r"\D", r"\s", r"\S", r"\w", r"\W", r"\h", r"\H"]
        braces = self.rng.choice(["{%s}", "{%s}", "{^%s}"]) % self.rng.choice(names)
        return self.rng.choice([*plain, *([r"\p" + braces] * 6), r"\P" + braces, r"\pL", r"\pN"])

    def set(self, depth: int) -> str:
        rng = self.rng
        items = []
        for _ in range(rng.randint(1, 4)):
            kind = rng.random()
            if kind < 0.35:
                items.append(rng.choice(self.chars) if rng.random() < 0.5 else self.character())
            elif kind < 0.5:
                first, last = sorted(rng.sample("abcdstxzABSTZ019\xc0\xff\u017e\u0400\u04ff\u4e00\u9fff\U00011000", 2))
                items.append(f"{first}-{last}")
            elif kind < 0.75:
                items.append(self.character_class())
            elif kind < 0.82:
                name = rng.choice(["alpha", "digit", "punct", "space", "word", "upper", "lower", "graph", "print"])
                items.append(f"[:{rng.choice(['', '^'])}{name}:]")
            elif kind < 0.9 and depth:
                items.append(self.set(depth - 1))
            elif depth:
                items.append(rng.choice(["&&", "--", "~~"] if self.rust else ["&&"]))
        return f"[{rng.choice(['', '', '^'])}{''.join(items) or 'a'}]"


class SpanGenerator(Generator):
    """Patterns such as split text: of few characters and classes, with counts, atomic groups and look-around."""

    LETTERS = "ab1' \n"

    def pattern(self) -> str:
        """A pattern of the letters above and a few classes."""
        self.groups = 0
        self.chars = list(self.LETTERS)
        start = self.rng.choice(["", "", "", "", "(?i)", "(?m)"])
        return start + "|".join(self.branch(2) or self.character() for _ in range(self.rng.randint(1, 4)))

    def branch(self, depth: int) -> str:
        return "".join(self.piece(depth) for _ in range(self.rng.choice([1, 1, 2, 2, 3, 4])))

    def atom(self, depth: int) -> str:
        rng = self.rng
        kind = rng.random()
        if kind < 0.3:
            return self.character()
        if kind < 0.55:
            return self.character_class()
        if kind < 0.65:
            return self.set(1)
        if kind < 0.7:
            return rng.choice(["^", "$", r"\A", r"\z", r"\b", r"\B"])
        if kind < 0.78 or not depth:
            one = rng.choice([self.character(), self.character_class(), self.set(0)])
            return f"{rng.choice(['(?=', '(?!', '(?<=', '(?<!'])}{one})"
        opening = rng.choice(["(?:", "(?:", "(?:", "(?i:", "(?>", "(?>", "(?=", "(?!"])
        return f"{opening}{self.alternatives(depth - 1)})"

    def character_class(self) -> str:
        classes = [r"\s", r"\S", r"\d", r"\w", r"\W", r"\p{L}", r"\p{N}", r"[^\s\p{L}]", ".", "[ab]", "[^b]"]
        return self.rng.choice(classes)

    def set(self, depth: int) -> str:
        items = [self.rng.choice(["a-b", "1", "'", " ", r"\n", r"\s", r"\p{L}", r"\d"]) for _ in range(2)]
        both = self.rng.choice(["", "", r"&&[^a1]", r"&&\w"] if depth else [""])
        return f"[{self.rng.choice(['', '^'])}{''.join(items)}{both}]"
