/** One line of the audit, as it is stored. */
export interface AuditRow {
  /** Counts up by one, without gaps. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly owner: string;
  /** "call", "secret-read", "approved" … */
  readonly kind: string;
  readonly agent: string;
  /** The signed-in principal; "" if there was none, and in lines of the first format. */
  readonly principal: string;
  /** The tool, the secret or the record that it is about. */
  readonly subject: string;
  readonly callId: string | null;
  /** 1 for a success, 0 for a failure, null where neither applies. */
  readonly ok: number | null;
  readonly code: string | null;
  readonly durationMs: number | null;
  /** JSON. */
  readonly body: string;
  readonly previous: string;
  /** Of the line and `previous`: a MAC where there is a key, else a plain hash. */
  readonly hash: string;
  /** The chain that the line belongs to; "" in lines of the first format. */
  readonly chain: string;
  /** The audit key that made `hash`; "" where there was none. */
  readonly keyId: string;
}

/** Turns the hashes of a chain into MACs, so that a chain that verifies can be produced only with the key. */
export interface ChainKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The only chain today. */
export const mainChain = "main";

export interface AuditFilter {
  readonly owner?: string;
  readonly kinds?: readonly string[];
  readonly agent?: string;
  /** One of these; "" for lines without a principal. */
  readonly principals?: readonly string[];
  readonly subject?: string;
  readonly callId?: string;
  /** Only lines of calls whose ids begin with this. */
  readonly callIdPrefix?: string;
  /** Only failures, or only successes. */
  readonly ok?: boolean;
  /** Milliseconds since 1970, inclusive. */
  readonly from?: number;
  /** Only lines above this number. */
  readonly after?: number;
}

export interface AuditReads {
  /** Lines with a higher number, in the order of their numbers. */
  auditAfter(after: number, limit: number, filter?: AuditFilter): Promise<readonly AuditRow[]>;
  /** Lines with a lower number, the newest first. */
  auditBefore(before: number, limit: number, filter?: AuditFilter): Promise<readonly AuditRow[]>;
  /** Number and hash of the last line, and of the last line that retention removed; 0 and "" where there is none. */
  auditEnds(): Promise<AuditEnds>;
  /** How many lines there are, and how many bytes their bodies take. */
  auditSize(): Promise<{ readonly rows: number; readonly bytes: number }>;
}

export interface AuditEnds {
  readonly first: AuditEnd;
  readonly last: AuditEnd;
}

export interface AuditEnd {
  readonly number: number;
  readonly hash: string;
}

/** The content of a line, in the order of the columns. */
export type LineContent = readonly [
  at: number,
  owner: string,
  kind: string,
  agent: string,
  subject: string,
  callId: string | null,
  ok: number | null,
  code: string | null,
  durationMs: number | null,
  body: string,
  principal: string,
];

/** All columns of a line, in their order. */
export type LinkedLine = readonly [number: number, ...content: LineContent, previous: string, hash: string, chain: string, keyId: string];

export interface AuditWrites {
  /** Prevents other transactions from appending until this one ends, in every process, and returns the end of the chain. */
  lockAudit(): Promise<AuditEnd>;
  /** After `lockAudit`: the numbers continue the end that it returned, without a gap. */
  appendAudit(lines: readonly LinkedLine[]): Promise<void>;
  /** Removes lines up to and including this one, and saves its number and hash as `auditEnds().first`. */
  dropAudit(upTo: AuditEnd): Promise<void>;
}
