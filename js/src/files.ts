/** Reads files by URL: over the network, or from the disk in Node. */

import { VocabFormatError, WordsplitError } from "./errors.js";
import { inflateZlib } from "./inflate.js";

const KNOWS_FILES = typeof process !== "undefined" && process.versions?.node !== undefined;
// Names that bundlers do not follow.
const FILE_SYSTEM = "node:fs/promises";
const URLS = "node:url";
const ZLIB = "node:zlib";

/** Returns the bytes of a file. */
export async function readFile(url: URL): Promise<Uint8Array> {
  if (url.protocol === "file:" && KNOWS_FILES) {
    const files = (await import(/* webpackIgnore: true */ /* @vite-ignore */ FILE_SYSTEM)) as typeof import("node:fs/promises");
    try {
      return await files.readFile(url);
    } catch (error) {
      throw new WordsplitError(`${url.href} cannot be read: ${(error as Error).message}`, { cause: error });
    }
  }
  const failed = (error: unknown): never => {
    throw new WordsplitError(`${url.href} cannot be fetched: ${(error as Error).message}`, { cause: error });
  };
  const response = await fetch(url).catch(failed);
  if (!response.ok) throw new WordsplitError(`${url.href} cannot be fetched: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer().catch(failed)); // the connection may end before the file does
}

/**
 * Returns the bytes of a file of the package.
 *
 * @param name - what to call it in messages.
 * @param address - makes its address.
 * @param option - the option that takes the bytes instead.
 */
export async function readOwn(name: string, address: () => URL, option: string): Promise<Uint8Array> {
  const found = ownAddress(address);
  if (!found) throw notLoaded(`${name} cannot be found: modules have no address here (import.meta.url)`, option);
  try {
    return await readFile(found);
  } catch (error) {
    throw notLoaded((error as Error).message, option, error);
  }
}

/** The error of a file of the package that is missing, or that cannot be used. */
export function notLoaded(problem: string, option: string, cause?: unknown): WordsplitError {
  const wayOut = `what to set, or how to give the file as the option ${option}`;
  return new WordsplitError(`${problem}; "Bundlers and runtimes" in the package's README says ${wayOut}`, { cause });
}

/** Undefined if modules have no address, as in CommonJS bundles and in Cloudflare Workers. */
function ownAddress(address: () => URL): URL | undefined {
  try {
    return behindCache(address());
  } catch {
    return undefined;
  }
}

const IN_CACHE = /\/node_modules\/\.[^?]*\/deps\/(?=(engine|vocabs)\/)/;

/** While developing with Vite up to 7, the modules are in its cache, but the other files only where they are installed. */
function behindCache(url: URL): URL {
  const { href } = url; // Next.js gives an object with an address relative to the page, which is to be left alone
  return IN_CACHE.test(href) ? new URL(href.replace(IN_CACHE, "/node_modules/wordsplit/dist/")) : url;
}

/** Returns the bytes of a file that a user chose, which may have changed or gone since. */
export async function bytesOfBlob(blob: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch (error) {
    const name = "name" in blob ? String(blob.name) : "the blob";
    throw new WordsplitError(`${name} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns the bytes of a file beside another one on the disk, in Node; undefined if there is none. */
export async function readBeside(url: URL, name: string): Promise<Uint8Array | undefined> {
  if (url.protocol !== "file:" || !KNOWS_FILES) return undefined;
  const beside = new URL(name, url);
  const files = (await import(/* webpackIgnore: true */ /* @vite-ignore */ FILE_SYSTEM)) as typeof import("node:fs/promises");
  const isFile = await files.stat(beside).then((found) => found.isFile(), () => false);
  return isFile ? readFile(beside) : undefined;
}

/** Returns the URL of a path in Node, or of an address relative to the page. */
export async function urlOf(address: string): Promise<URL> {
  try {
    if (/^[a-z][a-z0-9+.-]+:/i.test(address)) return new URL(address);
    if (!KNOWS_FILES) return new URL(address, globalThis.location.href);
    const { pathToFileURL } = (await import(/* webpackIgnore: true */ /* @vite-ignore */ URLS)) as typeof import("node:url");
    return pathToFileURL(address); // relative to the working directory
  } catch (error) {
    throw new WordsplitError(`${JSON.stringify(address)} is no address: ${(error as Error).message}`, { cause: error });
  }
}

/** The path of an address, for messages and for the name of a vocab. */
export function pathOf(url: URL): string {
  try {
    return decodeURIComponent(url.pathname);
  } catch {
    return url.pathname;
  }
}

/**
 * Decompresses zlib data, by the runtime's function if there is one, which is faster.
 *
 * @throws VocabFormatError - it is none; `file` is its name.
 */
export async function inflate(data: Uint8Array, file: string): Promise<Uint8Array> {
  try {
    return await inflateByRuntime(data).catch(() => inflateZlib(data));
  } catch (error) {
    throw new VocabFormatError(`is not zlib data: ${(error as Error).message}`, { file });
  }
}

/**
 * In Node, its own function takes a tenth of the time of a stream. The stream is that of a response, not of a blob, which
 * WebKit cannot read in workers of pages from files.
 */
async function inflateByRuntime(data: Uint8Array): Promise<Uint8Array> {
  if (KNOWS_FILES) {
    const zlib = (await import(/* webpackIgnore: true */ /* @vite-ignore */ ZLIB)) as typeof import("node:zlib");
    return zlib.inflateSync(data);
  }
  const packed = new Response(data as BodyInit).body as ReadableStream<Uint8Array<ArrayBuffer>>;
  const stream = packed.pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
