import type { McpError } from "../errors.ts";
import type { RequestId } from "./protocol.ts";

/** A result as JSON that is sent many times: its bytes are made once, up to where the id follows. */
export class PreparedResult {
  readonly json: string;
  #head: Buffer | undefined;
  constructor(json: string) {
    this.json = json;
  }
  /** `{"jsonrpc":"2.0","result":…,"id":`: the id and a closing brace follow. */
  get head(): Buffer {
    return (this.#head ??= Buffer.from(`{"jsonrpc":"2.0","result":${this.json},"id":`));
  }
}

/** The result of a request: as JSON, or prepared. */
export type ResultJson = string | PreparedResult;

export function toJson(result: ResultJson): string {
  return typeof result === "string" ? result : result.json;
}

/** What follows the head of a prepared result. */
export function toTail(id: RequestId): string {
  return `${JSON.stringify(id)}}`;
}

export function resultMessage(id: RequestId, result: ResultJson): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${toJson(result)}}`;
}

export function errorMessage(id: RequestId | undefined, { code, message, data }: McpError): string {
  return JSON.stringify({
    jsonrpc: "2.0",
    ...(id !== undefined && { id }),
    error: { code, message, ...(data !== undefined && { data }) },
  });
}

export function notificationMessage(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: "2.0", method, ...(params !== undefined && { params }) });
}

export function requestMessage(id: RequestId, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}
