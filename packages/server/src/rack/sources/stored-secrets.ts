import type { SourceConfig } from "../../config/config.ts";
import { isReference, knownForms, maskUrl, secretName } from "../../config/checks/credentials.ts";
import { loadingVariable } from "../../config/checks/loading-variables.ts";

/** A source that refers to its credentials, and the credentials, by the name of the secret that holds each. */
export interface SourceWithSecrets {
  readonly config: SourceConfig;
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * Moves the values of variables and headers into secrets of the name "<source>-<variable>", so that the configuration only refers to them.
 * Kept in plain text are values that are surely no credentials: switches, numbers, simple words, paths, addresses, and what tells a program
 * which code to load, which a person has to see.
 */
export function withStoredSecrets(id: string, config: SourceConfig): SourceWithSecrets {
  const secrets = new Map<string, string>();
  const move = (values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        if (isReference(value) || isHarmless(name, value)) return [name, value];
        const secret = `${id}-${name}`.replace(/[^A-Za-z0-9_.-]/g, "-");
        secrets.set(secret, value);
        return [name, `secret:${secret}`];
      }),
    );
  const { env, headers } = config;
  return { config: { ...config, ...(env && { env: move(env) }), ...(headers && { headers: move(headers) }) }, secrets };
}

function isHarmless(name: string, value: string): boolean {
  if (loadingVariable.test(name)) return true;
  if (secretName.test(name) || /(key|auth|sig|signature|pwd|pat|jwt|cookie|session|dsn)$/i.test(name) || knownForms.test(value))
    return false;
  if (/^https?:\/\//.test(value)) return maskUrl(value) === value;
  return /^(\d{1,9}|[A-Za-z][a-z-]{0,15}|[a-z]+\/[a-z+.-]+|~?\.{0,2}[\\/][^\s]*|[A-Za-z]:\\[^\s]*)$/.test(value);
}
