/** Decompresses zlib data (RFC 1950 and 1951), for runtimes that have no function for it. */

const END_OF_BLOCK = 256;
/** The first length, or distance, of each symbol, and how many bits follow that are added to it. */
const LENGTHS = basesOf([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5], 3);
const DISTANCES = basesOf([0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13], 1);
LENGTHS.push([258, 0]);
/** The order of the lengths of the codes that the lengths of codes are written in. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** A Huffman code: for each value of the next `bits` bits, `symbol << 4 | length`, or 0 where no code begins so. */
interface Code {
  bits: number;
  table: Uint16Array;
}

function basesOf(bits: number[], first: number): [base: number, bits: number][] {
  return bits.map((count) => [(first += 1 << count) - (1 << count), count]);
}

/** Returns the decompressed data. */
export function inflateZlib(data: Uint8Array): Uint8Array {
  const bits = new Bits(data);
  const header = (bits.take(8) << 8) | bits.take(8);
  if ((header & 0x0f20) !== 0x0800 || header % 31) throw new Error("incorrect header");
  const output = new Output();
  for (let isLast = 0; !isLast; ) {
    isLast = bits.take(1);
    const kind = bits.take(2);
    if (kind === 0) output.append(bits.stored());
    else if (kind === 1) inflateBlock(bits, output, FIXED);
    else if (kind === 2) inflateBlock(bits, output, codesOf(bits));
    else throw new Error("invalid kind of block");
  }
  const inflated = output.bytes();
  if (bits.checksum() !== adler32(inflated)) throw new Error("incorrect checksum");
  return inflated;
}

/** Reads bits, the lowest of each byte first. */
class Bits {
  #at = 0;
  #held = 0;
  #count = 0;

  constructor(private readonly data: Uint8Array) {}

  /** Holds that many bits, or all that are left. */
  #hold(count: number): void {
    for (; this.#count < count && this.#at < this.data.length; this.#count += 8) {
      this.#held |= (this.data[this.#at++] as number) << this.#count;
    }
  }

  #drop(count: number): void {
    if (count > this.#count) throw new Error("unexpected end of data");
    this.#held >>>= count;
    this.#count -= count;
  }

  /** Returns the number that the next bits are, 16 at most. */
  take(count: number): number {
    this.#hold(count);
    const taken = this.#held & ((1 << count) - 1);
    this.#drop(count);
    return taken;
  }

  /** Returns the symbol whose code follows. */
  symbol({ bits, table }: Code): number {
    this.#hold(bits);
    const entry = table[this.#held & ((1 << bits) - 1)] as number;
    if (entry === 0) throw new Error("invalid code");
    this.#drop(entry & 15);
    return entry >> 4;
  }

  /** Returns the bytes of a block that is not compressed. */
  stored(): Uint8Array {
    this.#startByte();
    const size = this.take(16);
    if (this.take(16) !== (size ^ 0xffff)) throw new Error("invalid size of a stored block");
    if (this.#at + size > this.data.length) throw new Error("unexpected end of data");
    return this.data.subarray(this.#at, (this.#at += size));
  }

  /** Returns the checksum that ends the data. */
  checksum(): number {
    this.#startByte();
    return [0, 0, 0, 0].reduce((sum) => sum * 256 + this.take(8), 0);
  }

  /** Goes on at the next whole byte. */
  #startByte(): void {
    this.#at -= this.#count >> 3;
    this.#held = this.#count = 0;
  }
}

/** Bytes, to which copies of earlier ones are appended. */
class Output {
  #bytes = new Uint8Array(1 << 16);
  #size = 0;

  #reserve(count: number): void {
    if (this.#size + count <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#size + count));
    larger.set(this.bytes());
    this.#bytes = larger;
  }

  push(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#size++] = byte;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#size);
    this.#size += bytes.length;
  }

  /** Appends what stands `distance` bytes back, which may reach into what is appended. */
  repeat(length: number, distance: number): void {
    if (distance > this.#size) throw new Error("invalid distance");
    this.#reserve(length);
    for (const end = this.#size + length; this.#size < end; ++this.#size) {
      this.#bytes[this.#size] = this.#bytes[this.#size - distance] as number;
    }
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size);
  }
}

function inflateBlock(bits: Bits, output: Output, [literals, distances]: [Code, Code]): void {
  for (;;) {
    const symbol = bits.symbol(literals);
    if (symbol === END_OF_BLOCK) return;
    if (symbol < END_OF_BLOCK) output.push(symbol);
    else output.repeat(extended(bits, LENGTHS[symbol - END_OF_BLOCK - 1]), extended(bits, DISTANCES[bits.symbol(distances)]));
  }
}

function extended(bits: Bits, entry: [number, number] | undefined): number {
  if (!entry) throw new Error("invalid symbol");
  return entry[0] + bits.take(entry[1]);
}

/** Reads the codes of a block: of literals and lengths, and of distances. */
function codesOf(bits: Bits): [Code, Code] {
  const literals = bits.take(5) + 257;
  const total = literals + bits.take(5) + 1;
  const ordered = new Array<number>(ORDER.length).fill(0);
  for (const place of ORDER.slice(0, bits.take(4) + 4)) ordered[place] = bits.take(3);
  const code = codeOf(ordered);
  const lengths: number[] = [];
  while (lengths.length < total) {
    const symbol = bits.symbol(code);
    if (symbol < 16) lengths.push(symbol);
    else if (symbol === 16) append(lengths, lengths.at(-1), 3 + bits.take(2));
    else append(lengths, 0, symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7));
  }
  if (lengths.length > total) throw new Error("too many lengths of codes");
  return [codeOf(lengths.slice(0, literals)), codeOf(lengths.slice(literals))];
}

function append(lengths: number[], length: number | undefined, count: number): void {
  if (length === undefined) throw new Error("no length to repeat");
  for (let i = 0; i < count; ++i) lengths.push(length);
}

/** The code in which symbols have codes of these lengths; 0 for none. */
function codeOf(lengths: number[]): Code {
  const bits = Math.max(1, ...lengths);
  const table = new Uint16Array(1 << bits);
  let code = 0; // with its first bit as the highest; in the data, that is the lowest
  for (let length = 1; length <= bits; ++length, code <<= 1) {
    for (let symbol = 0; symbol < lengths.length; ++symbol) {
      if (lengths[symbol] !== length) continue;
      for (let at = reversed(code++, length); at < table.length; at += 1 << length) table[at] = (symbol << 4) | length;
    }
  }
  return { bits, table };
}

function reversed(code: number, length: number): number {
  let found = 0;
  for (let bit = 0; bit < length; ++bit) found |= ((code >> bit) & 1) << (length - 1 - bit);
  return found;
}

const FIXED: [Code, Code] = [
  codeOf(Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8))),
  codeOf(new Array<number>(30).fill(5)),
];

function adler32(data: Uint8Array): number {
  let [a, b] = [1, 0];
  for (let at = 0; at < data.length; ) {
    // The sums of so many bytes are below 2 ** 32.
    for (const end = Math.min(data.length, at + 5552); at < end; ++at) b += a += data[at] as number;
    [a, b] = [a % 65521, b % 65521];
  }
  return b * 65536 + a;
}
