import { FetchError } from "../errors.ts";

/** Refuses names and values that would end the header early, and headers that decide where a request goes. */
export function checkHeaders(headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name))
      throw new FetchError("HEADER_INVALID", `${JSON.stringify(name.slice(0, 80))} is not the name of a header.`);
    if (forbidden.has(name.toLowerCase()))
      throw new FetchError("HEADER_INVALID", `The header "${name}" is set by the connection, not by a request.`);
    if (typeof value !== "string" || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new FetchError(
        "HEADER_INVALID",
        `The value of the header "${name}" contains a line break or another character that cannot be sent.`,
      );
    }
  }
  return headers;
}

const forbidden: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "upgrade",
  "te",
  "trailer",
  "keep-alive",
  "proxy-authorization",
]);

/** Only content negotiation headers are sent to another origin; everything that may be a credential is not. */
export function withoutCredentials(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmless.has(name.toLowerCase())));
}

const harmless: ReadonlySet<string> = new Set(["accept", "accept-language", "accept-encoding", "content-type", "user-agent"]);
