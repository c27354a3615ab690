/** Every code of the server once: the HTTP status it answers with, and the sentence that the reference page prints. */
export const serverErrorCodes = {
  // What keeps a server from starting: thrown.
  SIGN_IN_NOT_CONFIGURED: { status: 500, sentence: "A server that others can reach has neither keys nor tokens to sign in with." },
  ADDRESS_UNAVAILABLE: { status: 500, sentence: "The server cannot listen on the address and port, or the socket, that were asked for." },
  PUBLIC_URL_INVALID: { status: 500, sentence: "The public address of the server is not a URL of a host alone." },
  TLS_INVALID: { status: 500, sentence: "The certificate or the key for TLS cannot be used." },
  TOKENS_INVALID: { status: 500, sentence: "The settings for signing in with tokens are wrong, or their keys cannot be read." },
  // What a request is answered with: problem details.
  HOST_REFUSED: { status: 403, sentence: "The Host header names a host that this server does not answer for." },
  HOST_AMBIGUOUS: { status: 400, sentence: "The request names no host, or more than one." },
  ORIGIN_REFUSED: { status: 403, sentence: "The request was made by a web page of another origin." },
  SIGN_IN_REQUIRED: { status: 401, sentence: "The request needs an API key or a token." },
  SIGN_IN_REFUSED: { status: 401, sentence: "The API key or token is unknown, expired, revoked or for somebody else." },
  SIGN_IN_ENDED: { status: 401, sentence: "The API key, token or session was revoked or expired while the request was under way." },
  ROLE_MISSING: { status: 403, sentence: "The role of the one who asks does not allow this." },
  REQUEST_INVALID: { status: 400, sentence: "The path, the query or the body of a request does not match its schema." },
  JSON_INVALID: { status: 400, sentence: "A body is not JSON that can be read in one way only." },
  BODY_TOO_LARGE: { status: 413, sentence: "A body is larger than the server accepts." },
  BODY_TOO_SLOW: { status: 408, sentence: "A body did not arrive in time." },
  MEDIA_TYPE_UNSUPPORTED: { status: 415, sentence: "A body is of another type than application/json." },
  NOT_FOUND: { status: 404, sentence: "There is nothing at this address." },
  METHOD_NOT_ALLOWED: { status: 405, sentence: "What is at this address does not take this method." },
  VERSION_CONFLICT: { status: 412, sentence: "The record has another version than the one in If-Match." },
  ALREADY_THERE: { status: 409, sentence: "A record with this identity exists already." },
  IDEMPOTENCY_KEY_REUSED: { status: 422, sentence: "An Idempotency-Key came again with another request." },
  ANSWER_TOO_LARGE: { status: 400, sentence: "What was asked for would be a larger answer than the server gives." },
  TOO_MANY_REQUESTS: { status: 429, sentence: "A caller makes more requests than the server allows." },
  TOO_MANY_STREAMS: { status: 429, sentence: "A caller has more streams open than the server allows." },
  SERVER_CLOSING: { status: 503, sentence: "The server is being shut down." },
  INTERNAL: { status: 500, sentence: "Something unexpected happened; the server's log says what." },
} as const;

export type ServerErrorCode = keyof typeof serverErrorCodes;

const brand = Symbol.for("toolrack.server-error"); // survives two copies of the package in one process

/** A mistake in how a server was set up. What is wrong with a request is a `Problem` instead. */
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
