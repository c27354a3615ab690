/** Every code of the store once: the HTTP status it maps to, and the sentence that the reference page prints. */
export const storeErrorCodes = {
  RECORD_INVALID: { status: 400, sentence: "A record has a wrong or missing field." },
  RECORD_TOO_LARGE: { status: 413, sentence: "A record is larger than the store accepts." },
  QUERY_INVALID: { status: 400, sentence: "A query, selector or cursor has a wrong part." },
  FORBIDDEN: { status: 403, sentence: "The role of the one who asks does not allow this." },
  STATE_INVALID: { status: 409, sentence: "A definition cannot go from its state to the wanted one." },
  SECRET_UNREADABLE: { status: 500, sentence: "A stored secret cannot be opened with the keys at hand." },
  KEY_INVALID: { status: 400, sentence: "A master key is missing or has the wrong form." },
  LEASE_LOST: { status: 503, sentence: "The server was out of contact for longer than its lease, and another one ended its calls." },
  STORE_UNAVAILABLE: { status: 503, sentence: "The database cannot be reached at the moment." },
  STORE_CLOSED: { status: 503, sentence: "The store was closed." },
} as const;

export type StoreErrorCode = keyof typeof storeErrorCodes;

const brand = Symbol.for("toolrack.store-error"); // survives two copies of the package in one process

/** A mistake in what was asked of a store, or a database that does not answer. "Not found" and "conflict" are results instead. */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
  readonly code: StoreErrorCode;
  readonly status: number;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = storeErrorCodes[code].status;
    this.retryable = code === "STORE_UNAVAILABLE";
    Object.defineProperty(this, brand, { value: true });
  }

  static is(value: unknown): value is StoreError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
