import { createMemorySecrets, type SecretRequest, type SecretsPort } from "../call/ports/secrets.ts";

export interface FakeSecrets extends SecretsPort {
  /** Who asked for what so far, the oldest first. */
  readonly requests: readonly SecretRequest[];
}

export function createFakeSecrets(values: Readonly<Record<string, string>> = {}): FakeSecrets {
  const secrets = createMemorySecrets(values);
  const requests: SecretRequest[] = [];
  return {
    requests,
    has: (name) => secrets.has(name),
    get(request) {
      requests.push(request);
      return secrets.get(request);
    },
  };
}
