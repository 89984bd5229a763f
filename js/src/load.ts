/** Loads tokenizers: of bundled vocabularies by name, and of vocab files. */

import { addedTokensOf, findVocab } from "./bundled.js";
import { type Bytes, bytesOption, isA, ownBytes } from "./bytes.js";
import { VOCAB_FILES } from "./catalog.js";
import { checkSteps } from "./decodeSteps.js";
import { Engine, type EngineOptions, unsupportedPatterns } from "./engine.js";
import { InputTypeError, OptionsError, UnsupportedVocabError } from "./errors.js";
import { bytesOfBlob, inflate, pathOf, readBeside, readFile, readOwn, urlOf } from "./files.js";
import { type FormatName, formatOf, parseVocab } from "./formats/index.js";
import type { Source } from "./formats/source.js";
import { COMPILE_IT } from "./formats/unsupported.js";
import { kindOf } from "./kindOf.js";
import { ModelTokens } from "./modelTokens.js";
import { checkOptions } from "./options.js";
import { spacedMapOf } from "./spacedMap.js";
import { aroundEach, type TemplatePart } from "./template.js";
import { Tokenizer } from "./tokenizer.js";
import type { CoreSettings, VocabData } from "./vocabData.js";
import { engineModule, type WasmModule } from "./wasm.js";
import { WordTables } from "./wordTables.js";

/** The options of loading a tokenizer. */
export interface LoadOptions {
  /** The span encoder: `"auto"`, or one of `listEncoders()`. They give the same ids at different speeds. */
  encoder?: string;
  /** Whether to put the vocab's bos token before every text; by default, what the vocab says. */
  addBos?: boolean;
  /** Whether to put the vocab's eos token after every text; by default, what the vocab says. */
  addEos?: boolean;
  /**
   * The engine: the bytes of `engine/wordsplit.wasm`, or of `engine/all-models.wasm`, which every vocab can use; or the
   * compiled module. By default the smallest one that can encode the vocab is fetched.
   */
  wasm?: Bytes | WasmModule;
}

/** The options of loading a bundled vocab. */
export interface BundledOptions extends LoadOptions {
  /** The bytes of its file in `vocabs/`. By default it is fetched from `baseUrl`. */
  vocab?: Bytes;
  /** The folder of the files of the vocabularies; by default `vocabs/` in the package, or where a bundler puts them. */
  baseUrl?: string | URL;
}

/** The options of loading a vocab file. */
export interface FileOptions extends LoadOptions {
  /** The bytes of `engine/word_tables.bin`, which files of word models other than .ws files need. By default it is fetched. */
  wordTables?: Bytes;
  /**
   * The bytes of a tokenizer_config.json: bos, eos, pad and the chat template of a tokenizer.json or a vocab.txt, and the
   * rules of the latter. By default, in Node, those of the one in the folder of the file, and its chat_template.jinja.
   */
  config?: Bytes;
  /** The name of the vocab; by default, the name of the file. */
  name?: string;
  /** The format; by default, it is found out from the content, and that of vocab.txt from the name. */
  format?: FormatName;
  /** The pattern, if the file holds none, or to override it: the name of a scheme such as `"cl100k"`, or its regex. */
  pattern?: string;
  /** The pre-tokenizer of a GGUF file that does not name a known one: a name of llama.cpp or of a scheme. */
  pre?: string;
}

const LOAD_OPTIONS = ["encoder", "addBos", "addEos", "wasm"];
const BUNDLED_OPTIONS = new Set([...LOAD_OPTIONS, "vocab", "baseUrl"]);
const TEXTS_OF_FILES = ["name", "format", "pattern", "pre"] as const;
const FILE_OPTIONS = new Set([...LOAD_OPTIONS, ...TEXTS_OF_FILES, "wordTables", "config"]);
/** Formats of files that have others beside them. */
const WITH_CONFIG = new Set<FormatName>(["tokenizer_json", "vocab_txt"]);
const LIST_OPTIONS = new Set(["wasm"]);

type Facts = Omit<VocabData, "tokens" | "merges" | "compiled" | "unreachable" | "dialect" | "patterns">;

/**
 * Loads the tokenizer of a bundled vocab.
 *
 * @param name - its name, an alias, or the name of a model: `"qwen3"`, `"gpt-4o"`.
 * @throws UnknownNameError - there is no such vocab.
 *
 * @example
 * const tok = await load("cl100k_base");
 */
export async function load(name: string, options: BundledOptions = {}): Promise<Tokenizer> {
  checkOptions(options, BUNDLED_OPTIONS);
  const [known, entry] = findVocab(name);
  const given = bytesOption("vocab", options.vocab);
  const [module, file] = await Promise.all([
    engineModule("wordsplit", options.wasm),
    given ?? readVocab(entry.file, options.baseUrl),
  ]);
  const engine = new Engine(module, known);
  engine.setBundled(await inflate(file, entry.file), entry.holes);
  const facts: Facts = {
    name: known,
    nfc: entry.nfc,
    ignoreMerges: entry.ignoreMerges,
    addPrefixSpace: false,
    added: addedTokensOf(entry),
    prefix: [],
    suffix: [],
    ...pick(entry, ["eosTokenId", "bosTokenId", "padTokenId", "chatTemplate"]),
  };
  engine.setAdded(facts.added);
  return built(engine, facts, entry.scheme, engine.patternsOf(entry.scheme), options);
}

async function readVocab(file: string, given: string | URL | undefined): Promise<Uint8Array> {
  if (given === undefined) return readOwn(`vocabs/${file}`, VOCAB_FILES[file] as () => URL, "vocab");
  const folder = new URL(await addressOf("baseUrl", given, "an address"));
  if (!folder.pathname.endsWith("/")) folder.pathname += "/"; // else its last part would be replaced by the file's name
  return readFile(new URL(file, folder));
}

/** The address that a URL, an address or a path is; `expected` says what the argument may be. */
async function addressOf(name: string, given: string | URL, expected: string): Promise<URL> {
  if (isA(given, "URL")) return given as URL;
  if (typeof given === "string") return urlOf(given);
  throw new InputTypeError(`${name}: should be ${expected}, found ${kindOf(given)}`);
}

/**
 * Loads the tokenizer of a vocab file: tokenizer.json, .tiktoken, GGUF, SentencePiece's .model, BERT's vocab.txt, or a
 * compiled .ws file.
 *
 * @param source - its bytes, a file or blob, a URL, or in Node a path.
 * @throws VocabFormatError - the file is damaged.
 * @throws UnsupportedVocabError - the vocab needs something that this package does not have.
 *
 * @example
 * const tok = await loadVocab(new URL("tokenizer.json", location.href));
 */
export async function loadVocab(
  source: Bytes | Blob | URL | string,
  options: FileOptions = {},
): Promise<Tokenizer> {
  checkOptions(options, FILE_OPTIONS);
  for (const name of TEXTS_OF_FILES) checkText(name, options[name]);
  const config = bytesOption("config", options.config);
  const wordTables = bytesOption("wordTables", options.wordTables);
  const { bytes, path, url } = await bytesOf(source);
  const file: Source = { bytes, path, config, ...pick(options, ["name", "pattern", "pre"]) };
  const format = formatOf(file, options.format);
  if (url && !config && WITH_CONFIG.has(format)) {
    file.config = await readBeside(url, "tokenizer_config.json");
    file.template = await readBeside(url, "chat_template.jinja");
  }
  const vocab = parseVocab(file, format);
  if (vocab.decoder) checkSteps(vocab.decoder, path);
  const module = await engineModule(vocab.core ? "all-models" : "wordsplit", options.wasm);
  const engine = new Engine(module, path ?? vocab.name);
  if (vocab.core) engine.setCore(await withMap(vocab.core, path, wordTables));
  if (vocab.modelRules) engine.setRules(vocab.modelRules, vocab.scores);
  if (vocab.compiled) engine.setCompiled(vocab.compiled);
  if (vocab.tokens) engine.setTokens(vocab.tokens, vocab.merges, vocab.unreachable);
  if (!vocab.compiled) engine.setAdded(vocab.added);
  const findsSpans = vocab.core?.findsSpans ?? false;
  const scheme = findsSpans ? vocab.core?.scheme : engine.schemeOf(vocab.patterns, vocab.dialect);
  if (scheme === undefined && !findsSpans) throw unsupportedPatterns(vocab.patterns, path ?? vocab.name);
  return built(engine, vocab, scheme, vocab.patterns, options);
}

/** The settings with the character map that their rules need. */
async function withMap(core: CoreSettings, file: string | undefined, tables?: Uint8Array): Promise<CoreSettings> {
  if (!core.words) return core;
  const known = await WordTables.read(tables);
  const map = "map" in core.words ? spacedMapOf(core.words, known) : known.mapOf(core.words);
  if (map) return { ...core, maps: [map] };
  throw new UnsupportedVocabError(`not supported: this normalizer; ${COMPILE_IT}`, { file, field: "$.normalizer" });
}

function built(
  engine: Engine,
  vocab: Facts,
  scheme: string | undefined,
  patterns: readonly string[],
  options: LoadOptions,
): Tokenizer {
  const around: EngineOptions = {
    encoder: options.encoder ?? "auto",
    prefix: side(vocab, "addBos", options.addBos, vocab.prefix, vocab.bosTokenId),
    suffix: side(vocab, "addEos", options.addEos, vocab.suffix, vocab.eosTokenId),
  };
  engine.build(scheme, vocab, around);
  return new Tokenizer(engine, {
    ...around,
    scheme,
    patterns,
    name: vocab.name,
    ignoreMerges: vocab.ignoreMerges,
    added: vocab.added,
    eosTokenId: vocab.eosTokenId,
    bosTokenId: vocab.bosTokenId,
    padTokenId: vocab.padTokenId,
    unkTokenId: vocab.unkTokenId,
    chatTemplate: vocab.chatTemplate,
    pair: pairOf(vocab, around, options),
    truncation: vocab.truncation,
    padding: vocab.padding,
    model: vocab.model ?? "ByteLevelBPE",
    tokens: vocab.spelled && new ModelTokens(vocab.spelled, vocab.added),
    spaceMark: vocab.core?.spaceMark ?? "",
    continuingPrefix: vocab.continuingPrefix ?? "",
    decoder: vocab.decoder,
    spellings: vocab.spellings,
  });
}

/** The template of pairs, without ids of its own if the options turn off bos and eos; undefined if they ask for others. */
function pairOf(vocab: Facts, around: EngineOptions, options: LoadOptions): readonly TemplatePart[] | undefined {
  const pair = vocab.pair ?? aroundEach(vocab.prefix, vocab.suffix);
  const [found, own] = [around, vocab].map(({ prefix, suffix }) => [String(prefix), String(suffix)].join("|"));
  if (options.addBos === false && options.addEos === false) return pair.filter(({ text }) => text);
  if (found === own) return pair;
  return found === "|" ? pair.filter(({ text }) => text) : undefined;
}

/** The ids before or after every text, as the options say. */
function side(
  vocab: Facts,
  option: string,
  wanted: boolean | null | undefined,
  own: readonly number[],
  id: number | undefined,
): readonly number[] {
  if (wanted === undefined || wanted === null) return own;
  if (typeof wanted !== "boolean") throw new OptionsError(`${option}: ${String(wanted)}: use true, false or undefined`);
  if (!wanted) return [];
  if (own.length > 0) return own;
  if (id === undefined) throw new OptionsError(`${option}: ${vocab.name} has no ${option.slice(3).toLowerCase()} token`);
  return [id];
}

/** The bytes of a file, its path for messages, and its address. */
async function bytesOf(
  source: Bytes | Blob | URL | string,
): Promise<{ bytes: Uint8Array; path?: string; url?: URL }> {
  const given = ownBytes("source", source);
  if (given) return { bytes: given };
  if (isA(source, "Blob") || isA(source, "File")) {
    const bytes = await bytesOfBlob(source as Blob);
    return "name" in (source as Blob) ? { bytes, path: String((source as File).name) } : { bytes };
  }
  const url = await addressOf("source", source as URL | string, "bytes, a file or blob, an address or a path");
  return { bytes: await readFile(url), path: pathOf(url), url };
}

function checkText(name: string, value: unknown): void {
  if (value === undefined || typeof value === "string") return;
  const found = isA(value, "RegExp") ? "a RegExp; give its source" : kindOf(value);
  throw new OptionsError(`${name}: should be a string, found ${found}`);
}

function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]])) as Pick<T, K>;
}

/** The names of the span encoders, which give the same ids at different speeds. */
export async function listEncoders(options: Pick<LoadOptions, "wasm"> = {}): Promise<string[]> {
  checkOptions(options, LIST_OPTIONS);
  return new Engine(await engineModule("wordsplit", options.wasm), "").encoders();
}
