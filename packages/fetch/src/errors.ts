/** Why a request was not made, or has no answer. */
export const fetchErrorCodes = {
  URL_INVALID: "The text is not a URL of http or https.",
  ADDRESS_REFUSED: "The host is, or leads to, an address that is not public.",
  HEADER_INVALID: "A header has a name or value that cannot be sent.",
  TOO_MANY_REDIRECTS: "The server redirected too often.",
  RESPONSE_TOO_LARGE: "The answer is larger than the limit.",
  TIMEOUT: "The server did not answer in time.",
  ABORTED: "The caller gave up.",
  UNREACHABLE: "The server cannot be reached.",
} as const;

export type FetchErrorCode = keyof typeof fetchErrorCodes;

const brand = Symbol.for("toolrack.fetch-error"); // survives two copies of the package in one process

export class FetchError extends Error {
  override readonly name: string = "FetchError";
  readonly code: FetchErrorCode;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;

  constructor(code: FetchErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.retryable = code === "TIMEOUT" || code === "UNREACHABLE";
    Object.defineProperty(this, brand, { value: true });
  }

  static is(value: unknown): value is FetchError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
