import type { SourceConfig } from "./config.ts";

/** A source as it may be shown and logged: of variables and headers only the names, since a value may be a secret. */
export function toShownSource({ env, headers, ...rest }: SourceConfig): Readonly<Record<string, unknown>> {
  return { ...rest, ...(env && { env: Object.keys(env) }), ...(headers && { headers: Object.keys(headers) }) };
}
