import { isObject } from "@toolrack/core/internal";
import { toHeaderValue } from "../wire/header-value.ts";
import type { RequestMessage } from "../wire/message.ts";
import { mirroredParams } from "../wire/param-headers.ts";
import { type JsonObject, metaKeys, modernVersion } from "../wire/protocol.ts";

/** Whether a request carries its version itself. Only the modern era has `server/discover`. */
export function isModern({ method, params }: RequestMessage): boolean {
  const meta = params["_meta"];
  return method === "server/discover" || (isObject(meta) && meta[metaKeys.version] !== undefined);
}

/** What a modern request repeats in headers: version, method and name. */
export function modernHeaders({ method, params }: Pick<RequestMessage, "method" | "params">): Readonly<Record<string, string>> {
  const meta = params["_meta"];
  const version = isObject(meta) ? meta[metaKeys.version] : undefined;
  const name = params[method === "resources/read" ? "uri" : method.startsWith("tasks/") ? "taskId" : "name"];
  return {
    "mcp-protocol-version": typeof version === "string" ? toHeaderValue(version) : modernVersion,
    "mcp-method": toHeaderValue(method),
    ...(typeof name === "string" && { "mcp-name": toHeaderValue(name) }),
  };
}

/** The arguments of a call that its tool's schema marks for headers. */
export function paramHeaders(schema: Readonly<JsonObject>, input: unknown): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const { path, header } of mirroredParams(schema)) {
    const value = path.reduce<unknown>((inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), input);
    if (value !== undefined && value !== null && typeof value !== "object") headers[header] = toHeaderValue(String(value));
  }
  return headers;
}
