import type { Caller } from "../../tool/context.ts";

/** Who reads a secret, and for what: recorded in the audit. */
export interface SecretRequest {
  readonly name: string;
  readonly tool: string;
  readonly callId: string;
  readonly caller: Caller;
  /** @default the handler asked for it */
  readonly reason?: string;
}

/** The store of secrets. Values are read only during a call, for a tool that declared them. */
export interface SecretsPort {
  has(name: string): boolean;
  get(request: SecretRequest): Promise<string | undefined>;
}

export function createMemorySecrets(
  values: Readonly<Record<string, string>> = {},
): SecretsPort & { set(name: string, value: string): void } {
  const secrets = new Map(Object.entries(values));
  return {
    has: (name) => secrets.has(name),
    get: ({ name }) => Promise.resolve(secrets.get(name)),
    set: (name, value) => void secrets.set(name, value),
  };
}
