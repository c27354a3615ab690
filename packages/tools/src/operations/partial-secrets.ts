import { type CallContext, ToolError, type ToolMetadata } from "@toolrack/core";
import { shellWord } from "@toolrack/core/internal/shell-word";

/**
 * The metadata of a tool with several parts, such as channels, of which each has a secret or none: a part whose secret is missing is off, and
 * the others are not. `parts` are pairs like `['the channel "team"', "slack-token"]`.
 */
export function secretsFor(
  parts: readonly (readonly [part: string, secret: string | undefined])[],
): Pick<ToolMetadata, "secrets" | "optionalSecrets" | "needsOneSecret" | "secretUses"> {
  const uses = new Map<string, string[]>();
  for (const [part, secret] of parts) if (secret !== undefined) uses.set(secret, [...(uses.get(secret) ?? []), part]);
  if (uses.size === 0) return {};
  const secrets = [...uses.keys()];
  return {
    secrets,
    optionalSecrets: secrets,
    ...(parts.every(([, secret]) => secret !== undefined) && { needsOneSecret: true }),
    secretUses: Object.fromEntries([...uses].map(([secret, users]) => [secret, users.join(", ")])),
  };
}

/** The secret of one part. Throws NEEDS_CONFIGURATION that names the part. */
export async function secretOf(context: Pick<CallContext, "secret">, secret: string, part: string): Promise<string> {
  try {
    return await context.secret(secret);
  } catch (error) {
    if (!ToolError.is(error) || error.code !== "SECRET_MISSING") throw error;
    throw new ToolError(
      "NEEDS_CONFIGURATION",
      `${part} is off: the secret "${secret}" is not set. Set it: toolrack secrets set ${shellWord(secret)}`,
      {
        cause: error,
        retryable: false,
      },
    );
  }
}
