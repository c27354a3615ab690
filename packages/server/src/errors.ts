/** Every error code of the server: its HTTP status, and the sentence that the reference page prints. */
export const serverErrorCodes = {
  // Errors that prevent a server from starting: thrown.
  SIGN_IN_NOT_CONFIGURED: {
    status: 500,
    sentence: "The server is reachable from other machines, but neither API keys nor tokens are configured.",
  },
  ADDRESS_UNAVAILABLE: { status: 500, sentence: "The server cannot listen on the configured address and port, or socket." },
  PUBLIC_URL_INVALID: { status: 500, sentence: "The public URL of the server has more than a scheme, a host and a port." },
  TLS_INVALID: { status: 500, sentence: "The certificate or the key for TLS cannot be used." },
  TOKENS_INVALID: { status: 500, sentence: "The settings for signing in with tokens are wrong, or their keys cannot be read." },
  // Errors of a request: answered as problem details.
  HOST_REFUSED: { status: 403, sentence: "The Host header names a host that this server does not answer for." },
  HOST_AMBIGUOUS: { status: 400, sentence: "The request has no Host header, or more than one host." },
  ORIGIN_REFUSED: { status: 403, sentence: "The request was made by a web page of another origin." },
  UPGRADE_REQUIRED: { status: 426, sentence: "Only WebSockets are taken at this address." },
  SIGN_IN_REQUIRED: { status: 401, sentence: "The request needs an API key or a token." },
  SIGN_IN_REFUSED: { status: 401, sentence: "The API key or token is unknown, expired, revoked or for somebody else." },
  SIGN_IN_ENDED: { status: 401, sentence: "The API key, token or session was revoked or expired during the request." },
  ROLE_MISSING: { status: 403, sentence: "The caller does not have the role that this operation needs." },
  REQUEST_INVALID: { status: 400, sentence: "The path, the query or the body of a request does not match its schema." },
  JSON_INVALID: { status: 400, sentence: "A body is not valid JSON, or is ambiguous, such as with a duplicate key." },
  BODY_TOO_LARGE: { status: 413, sentence: "A body is larger than the server accepts." },
  BODY_TOO_SLOW: { status: 408, sentence: "A body did not arrive in time." },
  MEDIA_TYPE_UNSUPPORTED: { status: 415, sentence: "A body is of another type than application/json." },
  NOT_FOUND: { status: 404, sentence: "Nothing exists at this path." },
  METHOD_NOT_ALLOWED: { status: 405, sentence: "This path does not support the method." },
  VERSION_CONFLICT: { status: 412, sentence: "The record has another version than the one in If-Match." },
  ALREADY_THERE: { status: 409, sentence: "A record with this identity exists already." },
  IDEMPOTENCY_KEY_REUSED: { status: 422, sentence: "An Idempotency-Key was used again for a different request." },
  ANSWER_TOO_LARGE: { status: 400, sentence: "The response would be larger than the server allows. Request less." },
  TOO_MANY_REQUESTS: { status: 429, sentence: "A caller makes more requests than the server allows." },
  TOO_MANY_STREAMS: { status: 429, sentence: "A caller has more streams open than the server allows." },
  SERVER_CLOSING: { status: 503, sentence: "The server is shutting down." },
  INTERNAL: { status: 500, sentence: "An unexpected error; the server log has the details." },
} as const;

export type ServerErrorCode = keyof typeof serverErrorCodes;

const brand = Symbol.for("toolrack.server-error"); // survives two copies of the package in one process

/** An error in the setup of a server. An error of a request is a `Problem`. */
export class ServerError extends Error {
  override readonly name: string = "ServerError";
  readonly code: ServerErrorCode;

  constructor(code: ServerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  static is(value: unknown): value is ServerError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
