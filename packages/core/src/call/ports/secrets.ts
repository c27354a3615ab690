import type { Caller } from "../../tool/context.ts";

/** Who wants a secret, and for what: the line of an audit. */
export interface SecretRequest {
  readonly name: string;
  readonly tool: string;
  readonly callId: string;
  readonly caller: Caller;
  /** @default the handler asked for it */
  readonly reason?: string;
}

/** Where secrets live. Values leave it only at call time, for a tool that declared them. */
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
