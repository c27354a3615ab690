import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { HttpRequest, WholeReply } from "../transport/exchange.ts";

/**
 * Compresses a JSON or text answer for a client that takes gzip. Only for answers without secrets: where a caller chooses a part of an answer,
 * its compressed length would reveal what else is in it.
 */
export async function compressReply(request: HttpRequest, reply: WholeReply): Promise<WholeReply> {
  const { status, body } = reply;
  const headers = { ...reply.headers, vary: joinLists(reply.headers["vary"], "accept-encoding") };
  const isLarge = typeof body === "string" && body.length >= leastBytes;
  if (status !== 200 || !isLarge || !acceptsEncoding(request.header("accept-encoding"), "gzip")) return { ...reply, headers };
  const etag = reply.headers["etag"];
  return {
    status,
    headers: { ...headers, "content-encoding": "gzip", ...(etag !== undefined && { etag: toWeak(etag) }) },
    body: await gzipAsync(body, { level }),
  };
}

const gzipAsync = promisify(gzip);
const leastBytes = 1_024;
/** Five times smaller at a small part of the time that the default takes. */
const level = 2;

/** ("br;q=1, gzip;q=0", "gzip") → false; ("*", "br") → true; an entry of its own counts more than "*". */
export function acceptsEncoding(acceptEncoding: string | undefined, encoding: string): boolean {
  const weights = new Map<string, number>();
  for (const entry of acceptEncoding?.split(",") ?? []) {
    const [name = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  return (weights.get(encoding) ?? weights.get("*") ?? 0) > 0;
}

/** The same content, but not the same bytes. */
function toWeak(etag: string): string {
  return etag.startsWith("W/") ? etag : `W/${etag}`;
}

function joinLists(...lists: readonly (string | undefined)[]): string {
  return lists.filter((list) => list !== undefined).join(", ");
}
