/** What a store of sessions refuses, by code: another store may throw errors of its own class with the same `code`. */
export type SessionErrorCode = "SESSION_EXISTS" | "SESSION_UNKNOWN" | "SESSION_CHANGED" | "LEASE_LOST" | "INBOX_FULL";

export class SessionError extends Error {
  override readonly name: string = "SessionError";
  readonly code: SessionErrorCode;

  constructor(code: SessionErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The code of whatever was thrown, if it has one. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Never throws, whatever was thrown. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "A value was thrown that cannot be described.";
  }
}
