/** Texts to begin with. */

export interface Sample {
  name: string;
  text: string;
}

const million = (): string => {
  const words = SAMPLES[0].text.split(/\s+/);
  let out = "";
  for (let i = 0; out.length < 1_000_000; i++) out += `${words[(i * i + 7 * i) % words.length]}${i % 17 ? " " : "\n"}`;
  return out.slice(0, 1_000_000);
};

const ENGLISH = `Tokenizers split text into pieces, and each piece has a number.
A common word such as "because" is one token; "antidisestablishmentarianism" is several.
It's 2024, and 3.14159 isn't 22/7.
`;

const LANGUAGES = `English: All human beings are born free and equal in dignity and rights.
Deutsch: Alle Menschen sind frei und gleich an Würde und Rechten geboren.
Français : Tous les êtres humains naissent libres et égaux en dignité et en droits.
Русский: Все люди рождаются свободными и равными в своём достоинстве и правах.
العربية: يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق.
हिन्दी: सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।
中文：人人生而自由，在尊严和权利上一律平等。
日本語：すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。
한국어: 모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.
`;

const CODE = `def primes(limit: int) -> list[int]:
    """The primes below a limit, by the sieve of Eratosthenes."""
    sieve = bytearray([1]) * limit
    for n in range(2, int(limit**0.5) + 1):
        if sieve[n]:
            sieve[n * n :: n] = bytes(len(sieve[n * n :: n]))
    return [n for n in range(2, limit) if sieve[n]]
`;

const UNICODE = `Emoji: 🦜 👩‍🚀 🏳️‍🌈 👍🏽, one or several code points each.
Two spellings of é: \u00e9 and e\u0301. A ligature: ﬁ. Full width: ＡＢＣ.
Blanks: tab\t, no-break\u00a0space, ideographic\u3000space, zero-width\u200bspace, carriage return\r
Control characters: \u0000 \u0007 \u001b \u0085 and a direction mark \u200f.
Mathematics: ∑ᵢ xᵢ² ≥ 0, 𝔸 ⊆ 𝔹; old scripts: 𐎠𐎡 𓀀.
`;

const SPECIAL = `Literals of special tokens: <|endoftext|> <|im_start|>user\nHi<|im_end|>
Almost: <|im_end|> <|im_ end|> <|IM_END|> <| endoftext |> <|nosuch|>
Added, but not special, in Qwen3: <think>hm</think> <tool_call></tool_call>
`;

export const SAMPLES: readonly [Sample, ...Sample[]] = [
  { name: "English", text: ENGLISH },
  { name: "Nine languages", text: LANGUAGES },
  { name: "Python code", text: CODE },
  { name: "Emoji and control characters", text: UNICODE },
  { name: "Special tokens", text: SPECIAL },
  { name: "A span of 300 letters", text: "abcdefghij".repeat(30) },
  { name: "Nothing", text: "" },
];

/** A text of a million characters. It is made when it is wanted. */
export const LARGE_SAMPLE = { name: "A million characters", make: million };
