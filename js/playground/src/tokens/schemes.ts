/** The patterns that a file may be given in place of its own. */

export const SCHEMES: readonly string[] = [
  ...["cl100k", "o200k", "gpt2", "llama3", "qwen2", "qwen35", "tekken", "kimi_k2", "starcoder", "deepseek_v3", "seed_coder"],
];
