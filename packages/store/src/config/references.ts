import type { JsonObject } from "../record/breadcrumb.ts";

/** "secret:openrouter-api-key" → "openrouter-api-key"; undefined for other values. */
export function secretNameIn(value: unknown): string | undefined {
  return typeof value === "string" && value.startsWith("secret:") && value.length > 7 ? value.slice(7) : undefined;
}

/** Every secret that a configuration refers to, to any depth. */
export function secretsIn(value: unknown): readonly string[] {
  const name = secretNameIn(value);
  if (name !== undefined) return [name];
  return typeof value === "object" && value !== null ? [...new Set(Object.values(value).flatMap(secretsIn))] : [];
}

/** A copy in which each reference is the secret's value. */
export async function resolveReferences(value: unknown, secret: (name: string) => Promise<string>): Promise<unknown> {
  const name = secretNameIn(value);
  if (name !== undefined) return secret(name);
  if (Array.isArray(value)) return Promise.all(value.map((item) => resolveReferences(item, secret)));
  if (typeof value !== "object" || value === null) return value;
  const resolved: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value)) resolved[key] = await resolveReferences((value as JsonObject)[key], secret);
  return resolved;
}
