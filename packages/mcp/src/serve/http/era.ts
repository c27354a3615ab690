import { isObject } from "@toolrack/core/internal";
import { McpError } from "../../errors.ts";
import type { Message } from "../../wire/message.ts";
import { readHeaderValue } from "../../wire/header-value.ts";
import { type Era, type JsonObject, legacyVersions, metaKeys, modernVersions } from "../../wire/protocol.ts";

type Header = (name: string) => string | undefined;

/** The era of a message. The body decides; if it does not say, a version header that no legacy client sends does. */
export function eraOf(message: Exclude<Message, { kind: "response" }>, header: Header): Era {
  const meta = message.params["_meta"];
  if (isObject(meta) && meta[metaKeys.version] !== undefined) return "modern";
  const version = header("mcp-protocol-version")?.trim();
  return version === undefined || legacyVersions.includes(version) || olderVersions.includes(version) ? "legacy" : "modern";
}

/** Versions of clients that keep their own version after the handshake offered ours. */
const olderVersions = ["2025-03-26", "2024-11-05"];

/** The metadata that every modern request carries. Throws an McpError if it is missing, or if headers contradict it. */
export function readEnvelope(params: JsonObject, header: Header): JsonObject {
  const meta = params["_meta"];
  const sent = header("mcp-protocol-version")?.trim();
  const version = isObject(meta) ? meta[metaKeys.version] : undefined;
  if (version === undefined && sent !== undefined && !modernVersions.includes(sent)) throw unsupported(sent);
  if (!isObject(meta) || typeof version !== "string") throw missing(metaKeys.version);
  if (sent !== version) throw mismatch("MCP-Protocol-Version", `_meta["${metaKeys.version}"]`);
  if (!modernVersions.includes(version)) throw unsupported(version);
  if (!isObject(meta[metaKeys.clientCapabilities])) throw missing(metaKeys.clientCapabilities);
  return meta;
}

/** In the modern era the method is also in a header; in both eras a header must not contradict the body. */
export function checkMethodHeader(era: Era, method: string, header: Header): void {
  const sent = header("mcp-method")?.trim();
  if (sent === undefined ? era === "modern" : sent !== method) throw mismatch("Mcp-Method", "the method");
}

/** The same for the name of the tool, prompt or resource. */
export function checkNameHeader(era: Era, method: string, params: JsonObject, header: Header): void {
  const field = nameFields.get(method);
  if (field === undefined || typeof params[field] !== "string") return;
  const sent = header("mcp-name");
  const isNeeded = era === "modern" && field !== "taskId";
  if (sent === undefined ? isNeeded : readHeaderValue(sent) !== params[field]) throw mismatch("Mcp-Name", `params.${field}`);
}

const nameFields: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

export function unsupported(requested: string): McpError {
  const message = `This server does not speak protocol version "${requested.slice(0, 40)}".`;
  return new McpError("unsupportedVersion", message, { supported: modernVersions, requested });
}

function missing(key: string): McpError {
  return new McpError("invalidParams", `params._meta["${key}"] is missing: every request carries it.`);
}

function mismatch(header: string, part: string): McpError {
  return new McpError("headerMismatch", `The header ${header} is missing, or differs from ${part} in the body.`);
}
