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

export interface SecretReads {
  secret(owner: string, name: string): Promise<SecretRow | undefined>;
  /** In the order of their names, for all owners. */
  secretsNotUnder(keyId: string, limit: number): Promise<readonly SecretRow[]>;
  secretNames(owner: string): Promise<readonly string[]>;
}

export interface SecretWrites {
  saveSecret(row: SecretRow): Promise<void>;
  removeSecret(owner: string, name: string): Promise<void>;
}
