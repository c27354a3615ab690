import { FetchError } from "../errors.ts";

/** Reads an answer to its end, or stops at the limit. */
export async function readBody(
  body: AsyncIterable<Uint8Array> & { destroy(): void },
  maxBytes: number,
  host: string,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      body.destroy();
      throw new FetchError("RESPONSE_TOO_LARGE", `${host} answered with more than ${maxBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
