/** A sealed secret as it is stored. The engine never sees its value. */
export interface SecretRow {
  readonly owner: string;
  readonly name: string;
  readonly version: number;
  /** The master key that wraps its data key. */
  readonly keyId: string;
  /** Base64. */
  readonly wrappedKey: string;
  readonly sealed: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** The secrets of one owner under one master key. */
export interface SecretKeyCount {
  readonly owner: string;
  readonly keyId: string;
  readonly count: number;
  /** The name of one of them. */
  readonly name: string;
}

export interface SecretReads {
  /** Undefined where there is none of this name. */
  secret(owner: string, name: string): Promise<SecretRow | undefined>;
  /** Secrets of all owners under another master key, ordered by owner and name; with `after`, only those behind it. */
  secretsNotUnder(keyId: string, limit: number, after?: Pick<SecretRow, "owner" | "name">): Promise<readonly SecretRow[]>;
  /** How many secrets of each owner each master key wraps. */
  secretKeys(): Promise<readonly SecretKeyCount[]>;
  /** Sorted. */
  secretNames(owner: string): Promise<readonly string[]>;
}

export interface SecretWrites {
  /** Adds or replaces it. */
  saveSecret(row: SecretRow): Promise<void>;
  /** A name that is not there is no error. */
  removeSecret(owner: string, name: string): Promise<void>;
}
