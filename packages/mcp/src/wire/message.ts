import { isObject, JsonError, readJson, readUtf8 } from "@toolrack/core/internal";
import { McpError } from "../errors.ts";
import type { JsonObject, RequestId } from "./protocol.ts";

/** One JSON-RPC message, read. */
export type Message = RequestMessage | NotificationMessage | ResponseMessage;

export interface RequestMessage {
  readonly kind: "request";
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
}

export interface NotificationMessage {
  readonly kind: "notification";
  readonly method: string;
  readonly params: JsonObject;
}

export interface ResponseMessage {
  readonly kind: "response";
  readonly id: RequestId;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** How deep a message may be nested: deeper ones are not parsed. */
export const maxDepth = 500;

/** Reads one message, from its bytes or as text. Throws an McpError for what is none; `idOf` finds the id to answer under. */
export function readMessage(source: string | Uint8Array, maxValues?: number): Message {
  const value = parse(source, maxValues);
  if (Array.isArray(value)) throw new McpError("invalidRequest", "Batches were removed from the protocol: send one message at a time.");
  if (!isObject(value) || value["jsonrpc"] !== "2.0") throw new McpError("invalidRequest", 'A message is an object with jsonrpc: "2.0".');
  const { id, method, params = {} } = value;
  if (typeof method === "string") {
    if (!isObject(params)) throw new UnreadableRequest("invalidParams", "params must be an object.", id);
    if (id === undefined) return { kind: "notification", method, params };
    if (!isRequestId(id)) throw new McpError("invalidRequest", "The id of a request must be a text or a whole number.");
    return { kind: "request", id, method, params };
  }
  if (isRequestId(id) && ("result" in value || isObject(value["error"]))) {
    return { kind: "response", ...(value as unknown as Omit<ResponseMessage, "kind">) };
  }
  throw new McpError("invalidRequest", "A message is a request, a notification or a response.");
}

/** A request that cannot be read further than its id. */
export class UnreadableRequest extends McpError {
  readonly id: RequestId | undefined;
  constructor(code: "invalidParams", message: string, id: unknown) {
    super(code, message);
    this.id = isRequestId(id) ? id : undefined;
  }
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === "string" || (typeof id === "number" && Number.isInteger(id));
}

function parse(source: string | Uint8Array, maxValues: number | undefined): unknown {
  try {
    return readJson(typeof source === "string" ? source : readUtf8(source, "The message"), maxDepth, "The message", maxValues);
  } catch (error) {
    if (error instanceof JsonError) throw new McpError("parse", error.message);
    throw error;
  }
}
