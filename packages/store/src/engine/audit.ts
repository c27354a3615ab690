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
  /** Who really did it, as a sign-in knows it; "" where nobody signed in, and in lines of the first format. */
  readonly principal: string;
  /** The tool, the secret or the record that it is about. */
  readonly subject: string;
  readonly callId: string | null;
  /** 1 for a success, 0 for a failure, null where there is no such thing. */
  readonly ok: number | null;
  readonly code: string | null;
  readonly durationMs: number | null;
  /** JSON. */
  readonly body: string;
  readonly previous: string;
  /** With a key id a MAC under that key, else a plain hash; of the line and of what stands in `previous`. */
  readonly hash: string;
  /** Which chain the line is part of; "" for lines of the first format, which had no name for it. */
  readonly chain: string;
  /** The audit key that made `hash`; "" where there was none. */
  readonly keyId: string;
}

/** Makes the hashes of a chain MACs, so that nobody without the key can make a chain that verifies. */
export interface ChainKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The only chain, so far. */
export const mainChain = "main";

export interface AuditFilter {
  readonly owner?: string;
  readonly kinds?: readonly string[];
  readonly agent?: string;
  /** One of these. */
  readonly principals?: readonly string[];
  readonly subject?: string;
  readonly callId?: string;
  /** Only failures, or only successes. */
  readonly ok?: boolean;
  /** Milliseconds since 1970, inclusive. */
  readonly from?: number;
  /** Only lines above this number. */
  readonly after?: number;
}

export interface AuditReads {
  /** Rows above `after` in their order. */
  auditAfter(after: number, limit: number, filter?: AuditFilter): Promise<readonly AuditRow[]>;
  /** Rows below `before`, the newest first. */
  auditBefore(before: number, limit: number, filter?: AuditFilter): Promise<readonly AuditRow[]>;
  /** The last row's number and hash, and those of the last row that retention removed; 0 and "" before the first. */
  auditEnds(): Promise<AuditEnds>;
  /** How many rows there are, and how many bytes their bodies take. */
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

/** What a line says, in the order of the columns. */
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

/** All columns of a row, in their order. */
export type LinkedLine = readonly [number: number, ...content: LineContent, previous: string, hash: string, chain: string, keyId: string];

export interface AuditWrites {
  /** Keeps other writers out until the transaction ends, and tells where the chain ends. */
  lockAudit(): Promise<AuditEnd>;
  appendAudit(lines: readonly LinkedLine[]): Promise<void>;
  /** Removes rows up to and including this number, and remembers where the chain now begins. */
  dropAudit(upTo: AuditEnd): Promise<void>;
}
