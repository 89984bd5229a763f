/** Decompresses zlib data, for runtimes that have no function for it. The build puts the code of fflate into this module. */

import { unzlibSync } from "fflate";

/** Returns the decompressed data. */
export function inflateZlib(data: Uint8Array): Uint8Array {
  const inflated = unzlibSync(data);
  const end = new DataView(data.buffer, data.byteOffset + data.byteLength - 4);
  if (end.getUint32(0) !== adler32(inflated)) throw new Error("incorrect checksum"); // fflate does not look at it
  return inflated;
}

function adler32(data: Uint8Array): number {
  let [a, b] = [1, 0];
  for (let at = 0; at < data.length; ) {
    // The sums of so many bytes are below 2 ** 32.
    for (const end = Math.min(data.length, at + 5552); at < end; ++at) b += a += data[at] as number;
    [a, b] = [a % 65521, b % 65521];
  }
  return b * 65536 + a;
}
