import type { SourceConfig } from "../../config/config.ts";
import { knownForms, secretName } from "../../config/checks/credentials.ts";
import { loadingVariable } from "../../config/checks/loading-variables.ts";

/** A source that refers to its credentials, and the credentials, by the name of the secret that holds each. */
export interface SourceWithSecrets {
  readonly config: SourceConfig;
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * Moves the values of variables and headers into secrets, so that the configuration only refers to them. Kept in plain text are references,
 * values that are plainly harmless, and what tells a program which code to load, which a person has to see.
 */
export function withStoredSecrets(id: string, config: SourceConfig): SourceWithSecrets {
  const secrets = new Map<string, string>();
  const move = (values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        if (refersToSecret(value) || isHarmless(name, value)) return [name, value];
        const secret = storedSecretName(id, name);
        secrets.set(secret, value);
        return [name, `secret:${secret}`];
      }),
    );
  const { env, headers } = config;
  return { config: { ...config, ...(env && { env: move(env) }), ...(headers && { headers: move(headers) }) }, secrets };
}

/**
 * The secret for one variable or header of a source: "docs.Authorization". Two never share one, since the id of a source has no dot, and each
 * character that a secret's name cannot hold is written as its code between dots.
 */
export function storedSecretName(id: string, name: string): string {
  return `${id}.${name.replace(/[^A-Za-z0-9_-]/g, (character) => `.${character.codePointAt(0)!.toString(16)}.`)}`;
}

/** Whether the value is, or contains, what is replaced by a secret when the source connects. */
export function refersToSecret(value: string): boolean {
  return /^secret:[A-Za-z0-9_.-]+$|\$\{secret:/.test(value);
}

function isHarmless(name: string, value: string): boolean {
  if (value === "") return true;
  if (secretName.test(name) || secretEnd.test(name) || knownForms.test(value)) return false;
  return loadingVariable.test(name) || harmlessWord.test(value) || plainPath.test(value);
}

const secretEnd = /(?:key|auth|sig|signature|pwd?|pin|pat|jwt|cookie|session|dsn|code|sk)$/i;
/** A switch, a small number, or a word that many programs use for a mode or a level. */
const harmlessWord =
  /^(?:\d{1,3}|true|false|yes|no|on|off|none|auto|default|production|development|staging|test|trace|debug|verbose|info|notice|warn|warning|error|fatal|silent|quiet|stdio|http|https|json|text|utf-?8)$/i;
/** An absolute path below a folder that systems have; others could as well be a key that begins with a slash. */
const plainPath = /^(?:\/(?:usr|opt|home|Users|var|tmp|etc|srv|mnt|bin|lib|root|Applications|Library|Volumes)\/|[A-Za-z]:\\)[\w .@\\/-]*$/;
