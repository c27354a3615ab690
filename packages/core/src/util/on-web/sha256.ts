/** The SHA-256 of bytes, or of a text in UTF-8, in hexadecimal digits, where the platform has no synchronous hash of its own. */
export function sha256Hex(data: string | Uint8Array): string {
  const blocks = padded(typeof data === "string" ? new TextEncoder().encode(data) : data);
  const state = Uint32Array.from(initial);
  const words = new Uint32Array(64);
  for (let offset = 0; offset < blocks.byteLength; offset += 64) {
    for (let index = 0; index < 16; index++) words[index] = blocks.getUint32(offset + index * 4);
    addBlock(state, words);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** The fractional parts of the square roots of the first 8 primes, and of the cube roots of the first 64, as 32 bits each. */
const primes = firstPrimes(64);
const initial = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const constants = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}

function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32);
}

/** The bytes, a one bit, zeros, and the number of bits, in whole blocks of 64 bytes. */
function padded(bytes: Uint8Array): DataView {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const all = new Uint8Array(length);
  all.set(bytes);
  all[bytes.length] = 0x80;
  const view = new DataView(all.buffer);
  view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(length - 4, bytes.length * 8);
  return view;
}

function addBlock(state: Uint32Array, words: Uint32Array): void {
  for (let index = 16; index < 64; index++) {
    const [two, seven, fifteen] = [words[index - 2]!, words[index - 7]!, words[index - 15]!];
    const small0 = rotate(fifteen, 7) ^ rotate(fifteen, 18) ^ (fifteen >>> 3);
    const small1 = rotate(two, 17) ^ rotate(two, 19) ^ (two >>> 10);
    words[index] = words[index - 16]! + small0 + seven + small1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let index = 0; index < 64; index++) {
    const choice = (e & f) ^ (~e & g);
    const first = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + constants[index]! + words[index]!) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = state[index]! + word;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
