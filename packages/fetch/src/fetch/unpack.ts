import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { FetchError } from "../errors.ts";

const unpackers = { gzip: promisify(gunzip), "x-gzip": promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) };

/**
 * The bytes of an answer that came compressed: no request asks for that, and some servers do it all the same. The limit holds for what is unpacked.
 * Undefined for an answer that is not compressed, or not as its header says: it stays as it is.
 */
export async function unpack(bytes: Buffer, encoding: unknown, maxBytes: number, host: string): Promise<Buffer | undefined> {
  const name = typeof encoding === "string" ? encoding.trim().toLowerCase() : "";
  if (bytes.byteLength === 0 || !Object.hasOwn(unpackers, name)) return undefined;
  try {
    return await unpackers[name as keyof typeof unpackers](bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") return undefined;
    throw new FetchError("RESPONSE_TOO_LARGE", `${host} answered with more than ${maxBytes} bytes, compressed into ${bytes.byteLength}.`);
  }
}
