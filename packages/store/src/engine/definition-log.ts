/** One entry of the log of definitions, as it is stored. Entries are never changed or removed. */
export interface DefinitionLogRow {
  /** Counts up from 0, without gaps. */
  readonly index: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly owner: string;
  readonly kind: string;
  /** The identity of the source, and the name that the tool has there; shortened where they are too long for a column. */
  readonly source: string;
  readonly tool: string;
  /** The text that the log has a hash of. */
  readonly body: string;
  /** The hashes of the complete subtrees that end with this entry, 64 hexadecimal digits each: of this leaf, of 2 leaves, of 4 … */
  readonly nodes: string;
}

export interface DefinitionLogFilter {
  readonly owner: string;
  readonly source?: string;
  readonly tool?: string;
}

export interface DefinitionLogReads {
  /** How many entries there are. */
  logSize(): Promise<number>;
  /** Entries from this index on, in their order. */
  logFrom(index: number, limit: number): Promise<readonly DefinitionLogRow[]>;
  /** The `nodes` of these entries, in any order. */
  logNodes(indexes: readonly number[]): Promise<readonly Pick<DefinitionLogRow, "index" | "nodes">[]>;
  /** Entries with a lower index, the newest first. */
  logBefore(before: number, limit: number, filter: DefinitionLogFilter): Promise<readonly DefinitionLogRow[]>;
}

export interface DefinitionLogWrites {
  /** Adds entries that continue the log. Only inside `write`, whose transactions run one after another. */
  appendLog(rows: readonly DefinitionLogRow[]): Promise<void>;
}
