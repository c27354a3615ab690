/** Every protocol error once, with the sentence that explains it. Codes from -32020 on belong to revision 2026-07-28. */
export const rpcErrors = {
  parse: { code: -32700, sentence: "The message is not JSON." },
  invalidRequest: { code: -32600, sentence: "The message is not a JSON-RPC message." },
  methodNotFound: { code: -32601, sentence: "This server has no such method." },
  invalidParams: { code: -32602, sentence: "A parameter is missing, unknown or wrong." },
  internal: { code: -32603, sentence: "The server failed." },
  headerMismatch: { code: -32020, sentence: "A header is missing, or differs from the body." },
  missingCapability: { code: -32021, sentence: "The client did not declare a capability that this request needs." },
  unsupportedVersion: { code: -32022, sentence: "The server does not speak this protocol version." },
} as const;

export type RpcErrorName = keyof typeof rpcErrors;

/** A failure of the protocol, not of a tool: it is answered as a JSON-RPC error. */
export class McpError extends Error {
  override readonly name: string = "McpError";
  readonly code: number;
  readonly data?: unknown;
  constructor(code: number | RpcErrorName, message: string, data?: unknown) {
    super(message);
    this.code = typeof code === "number" ? code : rpcErrors[code].code;
    if (data !== undefined) this.data = data;
  }
}
