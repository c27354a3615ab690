import { outageMark } from "@toolrack/core/internal";

/** Every code of the store once: the HTTP status it maps to, and the sentence that the reference page prints. */
export const storeErrorCodes = {
  RECORD_INVALID: { status: 400, sentence: "A record has a wrong or missing field." },
  RECORD_TOO_LARGE: { status: 413, sentence: "A record is larger than the store accepts." },
  VIEW_FAILED: { status: 422, sentence: "A record cannot be shown to models: its view needs a value that the record has not." },
  QUERY_INVALID: { status: 400, sentence: "A query, selector or cursor has a wrong part." },
  FORBIDDEN: { status: 403, sentence: "The role of the one who asks does not allow this." },
  STATE_INVALID: { status: 409, sentence: "A definition cannot go from its state to the wanted one." },
  SECRET_UNREADABLE: { status: 500, sentence: "A stored secret cannot be decrypted with the available keys." },
  KEY_INVALID: { status: 400, sentence: "A master key is missing or has the wrong form." },
  BACKUP_INVALID: { status: 400, sentence: "A back-up is damaged, was changed, or was made by a newer version." },
  STORE_NOT_EMPTY: { status: 409, sentence: "Data can only be restored or copied into an empty store." },
  CHANGES_GONE: { status: 410, sentence: "Changes that were asked for were removed by retention." },
  LEASE_LOST: { status: 503, sentence: "The server was out of contact for longer than its lease, and another one took over its work." },
  SESSION_EXISTS: { status: 409, sentence: "The key of a new session is taken." },
  SESSION_UNKNOWN: { status: 404, sentence: "There is no session with this id." },
  SESSION_CHANGED: { status: 409, sentence: "Somebody else appended to a session in the meantime." },
  SESSION_ENDED: { status: 409, sentence: "A session that has ended takes no more messages and no more changes." },
  SESSION_FULL: { status: 429, sentence: "A session, its inbox, or the list of sessions is as large as it may be." },
  STORE_UNAVAILABLE: { status: 503, sentence: "The database cannot be reached at the moment, or did not answer in time." },
  STORE_FULL: { status: 503, sentence: "The disk of the database is full." },
  STORE_READ_ONLY: { status: 503, sentence: "The database accepts no writes." },
  STORE_FAILED: { status: 503, sentence: "The database refused a statement; the server's log says why." },
  STORE_DAMAGED: { status: 503, sentence: "The database reports that its data is damaged." },
  STORE_INCOMPATIBLE: { status: 503, sentence: "A newer version changed the database, or its tables are in another schema." },
  AUDIT_LOCKED: { status: 503, sentence: "Nothing can be recorded: no available master key decrypts the key of the audit." },
  STORE_CLOSED: { status: 503, sentence: "The store was closed." },
} as const;

export type StoreErrorCode = keyof typeof storeErrorCodes;

/** How long a caller waits before trying again; a person has to act first where that is long. */
const retryAfterMs: Partial<Record<StoreErrorCode, number>> = {
  STORE_UNAVAILABLE: 1_000,
  STORE_FULL: 10_000,
  STORE_READ_ONLY: 10_000,
  STORE_FAILED: 30_000,
  STORE_DAMAGED: 60_000,
  STORE_INCOMPATIBLE: 60_000,
  STORE_CLOSED: 1_000,
};

const retryableCodes: ReadonlySet<StoreErrorCode> = new Set<StoreErrorCode>(["STORE_UNAVAILABLE", "STORE_FULL", "STORE_READ_ONLY"]);

const brand = Symbol.for("toolrack.store-error"); // survives two copies of the package in one process

/**
 * A wrong request to a store, or a database that does not work. "Not found" and "conflict" are results instead. The message
 * names no address, no path and no statement, so that it can be shown to callers; `cause` is what the database said, for the log.
 */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
  readonly code: StoreErrorCode;
  readonly status: number;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** For every outage: how long to wait before asking again. */
  declare readonly retryAfterMs?: number;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = storeErrorCodes[code].status;
    this.retryable = retryableCodes.has(code);
    if (retryAfterMs[code] !== undefined) Object.assign(this, { retryAfterMs: retryAfterMs[code] });
    if (this.status === 503) Object.defineProperty(this, outageMark, { value: true });
    Object.defineProperty(this, brand, { value: true });
  }

  static is(value: unknown): value is StoreError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
