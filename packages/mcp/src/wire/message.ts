import { McpError } from "../errors.ts";
import { isObject, type JsonObject, type RequestId } from "./protocol.ts";

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

/** Reads one message. Throws an McpError for what is none; `idOf` finds the id to answer under. */
export function readMessage(text: string): Message {
  const value = parse(text);
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

function parse(text: string): unknown {
  if (isDeeperThan(text, maxDepth)) throw new McpError("parse", `The message is nested more than ${maxDepth} deep.`);
  try {
    return JSON.parse(text);
  } catch {
    throw new McpError("parse", "The message is not JSON.");
  }
}

/** Looks at brackets outside of texts, once from left to right. Short texts cannot be deep. */
function isDeeperThan(text: string, limit: number): boolean {
  if (text.length <= limit * 2) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfText(text, at);
    else if (character === openArray || character === openObject) {
      if (++depth > limit) return true;
    } else if (character === closeArray || character === closeObject) depth--;
  }
  return false;
}

const quote = 34;
const openArray = 91;
const closeArray = 93;
const openObject = 123;
const closeObject = 125;

/** Where the text that begins at `from` ends. A quote after an odd number of backslashes does not end it. */
function endOfText(text: string, from: number): number {
  let at = text.indexOf('"', from + 1);
  while (at !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 92) backslashes++;
    if (backslashes % 2 === 0) return at;
    at = text.indexOf('"', at + 1);
  }
  return text.length;
}
