/**
 * Generated from src/wordsplit/patterns/schemes.py and src/wordsplit/vocabs/formats/gguf/pre_tokenizers.py by
 * tools/generate_patterns.py. Do not edit.
 *
 * The names of pre-tokenization patterns, in this package and in GGUF files.
 */

/** The patterns of a scheme, one for each step. */
export interface Scheme {
  patterns: readonly string[];
  dialect: "tokenizers" | "tiktoken";
}

/** The scheme that llama.cpp's name of a pre-tokenizer stands for. */
export interface PreTokenizer {
  scheme: string;
  /** Whether a span that is a token as a whole gets its id without any merging. */
  ignoreMerges?: boolean;
  /** Whether the token `<mask>` includes the white space before it. */
  maskLstrip?: boolean;
}

/** The schemes that have a scanner. */
export const SCHEMES: Readonly<Record<string, Scheme>> = {
  "gpt2": {"patterns": ["'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"], "dialect": "tokenizers"},
  "r50k": {"patterns": ["'(?:[sdmt]|ll|ve|re)| ?\\p{L}++| ?\\p{N}++| ?[^\\s\\p{L}\\p{N}]++|\\s++$|\\s+(?!\\S)|\\s"], "dialect": "tokenizers"},
  "cl100k": {"patterns": ["'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++|\\p{N}{1,3}+| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*+|\\s++$|\\s*[\\r\\n]|\\s+(?!\\S)|\\s"], "dialect": "tiktoken"},
  "o200k": {"patterns": ["[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"], "dialect": "tokenizers"},
  "llama3": {"patterns": ["(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"], "dialect": "tokenizers"},
  "qwen2": {"patterns": ["(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"], "dialect": "tokenizers"},
  "qwen35": {"patterns": ["(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"], "dialect": "tokenizers"},
  "tekken": {"patterns": ["[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"], "dialect": "tokenizers"},
  "kimi_k2": {"patterns": ["[\\p{Han}]+|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}&&[^\\p{Han}]]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}&&[^\\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}&&[^\\p{Han}]]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}&&[^\\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"], "dialect": "tokenizers"},
  "starcoder": {"patterns": ["\\p{N}", "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"], "dialect": "tokenizers"},
  "deepseek_v3": {"patterns": ["\\p{N}{1,3}", "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+", "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+"], "dialect": "tokenizers"},
  "bailingmoe": {"patterns": ["'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+"], "dialect": "tokenizers"},
  "seed_coder": {"patterns": ["(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1}| ?[^\\s\\p{L}\\p{N}\r\n]+|\\s*[\r\n]+|\\s+(?!\\S)|\\s+"], "dialect": "tokenizers"},
};

/** Patterns of tiktoken by their spelling in a tokenizer.json. */
export const FROM_TOKENIZERS: Readonly<Record<string, string>> = {
  "'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++|(?>\\p{N}{1,3})| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*+|\\s++$|\\s*[\\r\\n]|\\s+(?!\\S)|\\s": "'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++|\\p{N}{1,3}+| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*+|\\s++$|\\s*[\\r\\n]|\\s+(?!\\S)|\\s",
};

/** The names in GGUF files that are supported. */
export const PRE_TOKENIZERS: Readonly<Record<string, PreTokenizer>> = {
  "gpt-2": {"scheme": "gpt2"},
  "phi-2": {"scheme": "gpt2"},
  "gigachat": {"scheme": "gpt2"},
  "a.x-4.0": {"scheme": "gpt2"},
  "mellum": {"scheme": "gpt2"},
  "modern-bert": {"scheme": "gpt2"},
  "mpt": {"scheme": "gpt2"},
  "olmo": {"scheme": "gpt2"},
  "jais": {"scheme": "gpt2"},
  "trillion": {"scheme": "gpt2"},
  "granite-docling": {"scheme": "gpt2"},
  "exaone4": {"scheme": "gpt2"},
  "jina-es": {"scheme": "gpt2"},
  "jina-de": {"scheme": "gpt2"},
  "jina-v1-en": {"scheme": "gpt2"},
  "roberta-bpe": {"scheme": "gpt2"},
  "jina-v2-es": {"scheme": "gpt2", "maskLstrip": true},
  "jina-v2-de": {"scheme": "gpt2", "maskLstrip": true},
  "jina-v2-code": {"scheme": "gpt2", "maskLstrip": true},
  "llama3": {"scheme": "llama3", "ignoreMerges": true},
  "llama-v3": {"scheme": "llama3", "ignoreMerges": true},
  "llama-bpe": {"scheme": "llama3", "ignoreMerges": true},
  "falcon3": {"scheme": "llama3", "ignoreMerges": true},
  "falcon-h1": {"scheme": "llama3", "ignoreMerges": true},
  "pixtral": {"scheme": "llama3", "ignoreMerges": true},
  "midm-2.0": {"scheme": "llama3", "ignoreMerges": true},
  "lfm2": {"scheme": "llama3", "ignoreMerges": true},
  "jina-v5-nano": {"scheme": "llama3", "ignoreMerges": true},
  "dbrx": {"scheme": "llama3"},
  "smaug-bpe": {"scheme": "llama3"},
  "glm4": {"scheme": "llama3"},
  "chatglm-bpe": {"scheme": "llama3"},
  "qwen2": {"scheme": "qwen2"},
  "deepseek-r1-qwen": {"scheme": "qwen2"},
  "kormo": {"scheme": "qwen2"},
  "f2llmv2": {"scheme": "qwen2"},
  "megrez": {"scheme": "qwen2"},
  "stablelm2": {"scheme": "qwen2"},
  "hunyuan": {"scheme": "qwen2"},
  "solar-open": {"scheme": "qwen2"},
  "grok-2": {"scheme": "qwen2"},
  "qwen35": {"scheme": "qwen35"},
  "gpt-4o": {"scheme": "o200k"},
  "llama4": {"scheme": "o200k"},
  "kanana2": {"scheme": "o200k"},
  "talkie": {"scheme": "o200k"},
  "minimax-m2": {"scheme": "o200k"},
  "tekken": {"scheme": "tekken", "ignoreMerges": true},
  "starcoder": {"scheme": "starcoder"},
  "refact": {"scheme": "starcoder"},
  "command-r": {"scheme": "starcoder"},
  "smollm": {"scheme": "starcoder"},
  "codeshell": {"scheme": "starcoder"},
  "exaone": {"scheme": "starcoder"},
  "minerva-7b": {"scheme": "starcoder"},
  "mellum2": {"scheme": "starcoder"},
  "deepseek-v3": {"scheme": "deepseek_v3"},
  "hunyuan-dense": {"scheme": "deepseek_v3"},
  "joyai-llm": {"scheme": "deepseek_v3"},
  "hy_v4": {"scheme": "deepseek_v3"},
  "bailingmoe": {"scheme": "bailingmoe"},
  "bailingmoe2": {"scheme": "bailingmoe"},
  "llada-moe": {"scheme": "bailingmoe"},
  "seed-coder": {"scheme": "seed_coder"},
  "kimi-k2": {"scheme": "kimi_k2"},
  "falcon": {"scheme": "falcon"},
  "deepseek-coder": {"scheme": "deepseek_coder"},
  "deepseek-llm": {"scheme": "deepseek_llm"},
  "bloom": {"scheme": "bloom"},
  "gpt3-finnish": {"scheme": "bloom"},
  "poro-chat": {"scheme": "bloom"},
  "viking": {"scheme": "viking"},
  "chameleon": {"scheme": "chameleon"},
  "tiny_aya": {"scheme": "tiny_aya"},
  "cohere2moe": {"scheme": "tiny_aya"},
  "superbpe": {"scheme": "superbpe"},
  "ufakzeka": {"scheme": "ufakzeka"},
  "exaone-moe": {"scheme": "exaone_moe"},
  "minicpm5": {"scheme": "minicpm5", "ignoreMerges": true},
  "default": {"scheme": "llama_cpp_default"},
};

/** Names in GGUF files that are refused, and whether they look up whole spans first. */
export const KNOWN_UNSUPPORTED: Readonly<Record<string, boolean>> = {
  "gemma4": false,
  "granite-embed-multi-311m": false,
  "sarvam-moe": false,
  "whitespace": false,
  "afmoe": false,
  "granite-embed-multi-97m": true,
  "jais-2": false,
  "laguna": false,
  "spark2_5": false,
  "youtu": true,
};

/** The types that llama.cpp gives to tokens by their text. */
export const TYPES_BY_TEXT: Readonly<Record<string, number>> = {
  "<|eot_id|>": 3,
  "<|im_end|>": 3,
  "<|end|>": 3,
  "<|return|>": 3,
  "<|call|>": 3,
  "<|flush|>": 3,
  "<|calls|>": 3,
  "<end_of_turn>": 3,
  "<|endoftext|>": 3,
  "</s>": 3,
  "<|eom_id|>": 3,
  "<EOT>": 3,
  "_<EOT>": 3,
  "[EOT]": 3,
  "[EOS]": 3,
  "<|end_of_text|>": 3,
  "[e~[": 3,
  "<end_of_utterance>": 3,
  "<eos>": 3,
  "<turn|>": 3,
  "<|tool_response>": 3,
  "<\uff5cend\u2581of\u2581sentence\uff5c>": 3,
  "<|channel|>": 4,
  "<|message|>": 4,
  "<|start|>": 4,
  "<|constrain|>": 4,
};

/** The roles that it gives to tokens of GGUF files by their text. */
export const FILL_IN_ROLES: Readonly<Record<string, string>> = {
  "<|fim_prefix|>": "fim_pre",
  "<fim-prefix>": "fim_pre",
  "<fim_prefix>": "fim_pre",
  "<\uff5cfim\u2581begin\uff5c>": "fim_pre",
  "<PRE>": "fim_pre",
  "\u2581<PRE>": "fim_pre",
  "<|code_prefix|>": "fim_pre",
  "<|prefix|>": "fim_pre",
  "<|fim_suffix|>": "fim_suf",
  "<fim-suffix>": "fim_suf",
  "<fim_suffix>": "fim_suf",
  "<\uff5cfim\u2581hole\uff5c>": "fim_suf",
  "<SUF>": "fim_suf",
  "\u2581<SUF>": "fim_suf",
  "<|code_suffix|>": "fim_suf",
  "<|suffix|>": "fim_suf",
  "<|fim_middle|>": "fim_mid",
  "<fim-middle>": "fim_mid",
  "<fim_middle>": "fim_mid",
  "<\uff5cfim\u2581end\uff5c>": "fim_mid",
  "<MID>": "fim_mid",
  "\u2581<MID>": "fim_mid",
  "<|code_middle|>": "fim_mid",
  "<|middle|>": "fim_mid",
  "<|fim_pad|>": "fim_pad",
  "<fim-pad>": "fim_pad",
  "<fim_pad>": "fim_pad",
  "<PAD>": "fim_pad",
  "[PAD]": "fim_pad",
  "<|fim_repo|>": "fim_rep",
  "<|repo_name|>": "fim_rep",
  "<fim-repo>": "fim_rep",
  "<REPO>": "fim_rep",
  "<reponame>": "fim_rep",
  "<|file_sep|>": "fim_sep",
};
