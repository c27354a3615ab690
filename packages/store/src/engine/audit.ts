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
  /** Its place in the chain, counted from 1; 0 in the chains "" and "main", where the number is the place. */
  readonly place: number;
  /** The audit key that made `hash`; "" where there was none. */
  readonly keyId: string;
}

/** Turns the hashes of a chain into MACs, so that a chain that verifies can be produced only with the key. */
export interface ChainKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The chain of an engine whose writers take turns anyway, and of lines that were written before servers had chains of their own. */
export const mainChain = "main";

/** A line in a chain other than "main". */
export interface ChainPlace {
  readonly place: number;
  readonly hash: string;
}

/** One chain other than "main". */
export interface ChainEnds {
  readonly chain: string;
  /** The last line that retention removed; place 0 where all are there. */
  readonly first: ChainPlace;
  readonly last: ChainPlace;
}

/** The ends of chains as they were at one moment. */
export interface ChainMoves {
  /** The number of the last line of the audit at that moment. */
  readonly upTo: number;
  /** The hash of the last line of the chain "main"; "" where it has none. */
  readonly main: string;
  /** The last line of each other chain, by name. */
  readonly ends: readonly (ChainPlace & { readonly chain: string; readonly number: number })[];
}

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
  /** Milliseconds since 1970, exclusive. */
  readonly to?: number;
  /** Only lines above this number. */
  readonly after?: number;
}

export interface AuditReads {
  /** Lines with a higher number, in the order of their numbers. */
  auditAfter(after: number, limit: number, filter?: AuditFilter): Promise<readonly AuditRow[]>;
  /** Lines with a lower number, the newest first. */
  auditBefore(before: number, limit: number, filter?: AuditFilter): Promise<readonly AuditRow[]>;
  /**
   * The number of the last line, and of the last line that retention removed; 0 where there is none. The hashes are those that the chain
   * "main" has at these numbers.
   */
  auditEnds(): Promise<AuditEnds>;
  /** All chains but "main", by name. */
  auditChains(): Promise<readonly ChainEnds[]>;
  /** Only chains with a line above this number; all of it is read at one moment. */
  chainsSince(number: number): Promise<ChainMoves>;
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

/** All columns of a line, in their order. The number is 0 where the engine gives it with the line. */
export type LinkedLine = readonly [
  number: number,
  ...content: LineContent,
  previous: string,
  hash: string,
  chain: string,
  keyId: string,
  place: number,
];

/** Where the next line of a chain is linked to. */
export interface ChainTip extends AuditEnd {
  readonly chain: string;
  /** 0 in the chain "main". */
  readonly place: number;
}

export interface AuditWrites {
  /**
   * For a transaction that looks into the audit before it adds to it: from this call on, no other one that called it runs, in any process.
   * Pages of the call log wait for it only `withPages`.
   */
  lockAudit(options?: { readonly withPages?: boolean }): Promise<void>;
  /**
   * The end of the chain that this engine adds to, or of another one where the engine has several. Until the transaction ends, nobody else
   * adds to it.
   */
  chainTip(chain?: string): Promise<ChainTip>;
  /**
   * Adds lines that continue a tip, and gives them the next numbers: no two transactions that add lines are committed in another order than
   * that of the numbers. False, and no change, where the chain has another end by now.
   */
  appendAudit(lines: readonly LinkedLine[]): Promise<boolean>;
  /** Removes lines up to and including this number. `chains`: where those now begin that lost lines. A chain without any line is forgotten. */
  dropAudit(upTo: AuditEnd, chains: readonly Pick<ChainEnds, "chain" | "first">[]): Promise<void>;
}
