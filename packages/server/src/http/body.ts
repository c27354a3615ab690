import { parseJson } from "./json.ts";
import type { Limits } from "./limits.ts";
import { Problem } from "./problem.ts";
import { remindAfter } from "./reminders.ts";

/** The JSON body of a request: bounded in bytes, time and depth. Undefined where there is none. */
export async function readJsonBody(request: Request, limits: Limits): Promise<unknown> {
  const length = request.headers.get("content-length");
  const isChunked = request.headers.has("transfer-encoding");
  if (length === null && !isChunked && request.body === null) return undefined;
  if (length === "0") return undefined;
  const type = request.headers.get("content-type") ?? "";
  if (!isJson(type)) {
    throw new Problem(415, "MEDIA_TYPE_UNSUPPORTED", `The body must be application/json, not "${type.slice(0, 80)}".`, {
      headers: closing,
    });
  }
  if (length !== null && Number(length) > limits.bodyBytes) throw tooLarge(limits);
  const reading = length === null ? readPieces(request, limits) : readWhole(request);
  const text = await inTime(reading.catch(toUnreadable), limits);
  return text === "" ? undefined : parseJson(text, limits.jsonDepth);
}

/** "application/json", "application/json; charset=utf-8", "application/merge-patch+json" */
function isJson(type: string): boolean {
  return type === "application/json" || /^application\/(?:[\w.-]+\+)?json *(?:; *charset="?utf-8"? *)?$/i.test(type);
}

// The rest of a refused body is not read, so the connection cannot be used again.
const closing = { connection: "close" };

function tooLarge({ bodyBytes }: Limits): Problem {
  return new Problem(413, "BODY_TOO_LARGE", `The body is larger than ${bodyBytes} bytes. Send less.`, { headers: closing });
}

function toUnreadable(error: unknown): never {
  if (error instanceof Problem) throw error;
  throw new Problem(400, "JSON_INVALID", "The body broke off before its end.", { headers: closing });
}

/** Announced with its length, which the HTTP parser holds it to. */
async function readWhole(request: Request): Promise<string> {
  return decode(await request.arrayBuffer());
}

async function readPieces(request: Request, limits: Limits): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of request.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength;
    if (bytes > limits.bodyBytes) throw tooLarge(limits);
    pieces.push(piece);
  }
  return decode(Buffer.concat(pieces));
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Problem(400, "JSON_INVALID", "The body is not valid UTF-8.");
  }
}

async function inTime(reading: Promise<string>, { bodyTimeoutMs }: Limits): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = (): void =>
      reject(new Problem(408, "BODY_TOO_SLOW", `The body did not arrive within ${bodyTimeoutMs} ms.`, { headers: closing }));
    const forget = remindAfter(bodyTimeoutMs, late);
    reading.then(resolve, reject).finally(forget);
  });
}
