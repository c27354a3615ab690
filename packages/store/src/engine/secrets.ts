/** A sealed secret: what stands on the disk. */
export interface SecretRow {
  readonly owner: string;
  readonly name: string;
  readonly version: number;
  /** Which master key wraps its data key. */
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
  /** One of them. */
  readonly name: string;
}

export interface SecretReads {
  secret(owner: string, name: string): Promise<SecretRow | undefined>;
  /** In the order of owners and names, for all owners; those behind `after` where that is given. */
  secretsNotUnder(keyId: string, limit: number, after?: Pick<SecretRow, "owner" | "name">): Promise<readonly SecretRow[]>;
  /** How many secrets each master key wraps, for all owners. */
  secretKeys(): Promise<readonly SecretKeyCount[]>;
  secretNames(owner: string): Promise<readonly string[]>;
}

export interface SecretWrites {
  saveSecret(row: SecretRow): Promise<void>;
  removeSecret(owner: string, name: string): Promise<void>;
}
