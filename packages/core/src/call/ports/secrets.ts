import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../../errors.ts";
import type { Caller } from "../../tool/context.ts";
import { checkArgument, type FieldKind } from "../../util/check-fields.ts";
import { kindOf } from "../../util/kind-of.ts";

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
  checkArgument(values, secretValues, "createMemorySecrets");
  for (const [name, value] of Object.entries<unknown>(values)) {
    if (typeof value !== "string")
      throw new ToolError("CONFIG_INVALID", `createMemorySecrets: the secret "${name}" must be a text, not ${kindOf(value)}.`);
  }
  const secrets = new Map(Object.entries(values));
  return {
    has: (name) => secrets.has(name),
    get: ({ name }) => Promise.resolve(secrets.get(name)),
    set: (name, value) => void secrets.set(name, value),
  };
}

const secretValues: FieldKind = { is: 'an object of texts by their names, such as { API_KEY: "…" }', test: isObject };
