import type { SourceConfig } from "../../config/config.ts";
import { isReference, knownForms, replaceInUrl, secretName } from "../../config/checks/credentials.ts";
import type { Rack } from "../rack.ts";
import { loadingVariable } from "../../config/checks/loading-variables.ts";

/** A source that refers to its credentials, and the credentials, by the name of the secret that holds each. */
export interface SourceWithSecrets {
  readonly config: SourceConfig;
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * Moves the values of variables and headers, and credentials in the path and query of a URL, into secrets, so that the configuration only
 * refers to them. Kept in plain text are references,
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
  const { env, headers, url } = config;
  const moved = { ...config, ...(env && { env: move(env) }), ...(headers && { headers: move(headers) }) };
  return { config: { ...moved, ...(url !== undefined && { url: withoutCredentials(id, url, secrets) }) }, secrets };
}

/** "https://host/XrC9m…/mcp" → "https://host/${secret:docs.url.1}/mcp". A user before the host stays, to be refused. */
function withoutCredentials(id: string, url: string, secrets: Map<string, string>): string {
  if (!URL.canParse(url) || new URL(url).username + new URL(url).password !== "") return url;
  let count = 0;
  const [address = "", ...fragment] = url.split(/(?=#)/);
  const stored = replaceInUrl(address, (credential, plain) => {
    if (isReference(credential)) return credential;
    // No variable or header has this name: the dots of theirs come in pairs.
    const secret = `${id}.url.${++count}`;
    secrets.set(secret, plain);
    return `\${secret:${secret}}`;
  });
  return [stored, ...fragment].join("");
}

/**
 * The secret for one variable or header of a source: "docs.Authorization". Two never share one, since the id of a source has no dot, and each
 * character that a secret's name cannot hold is written as its code between dots.
 */
export function storedSecretName(id: string, name: string): string {
  return `${id}.${name.replace(/[^A-Za-z0-9_-]/g, (character) => `.${character.codePointAt(0)!.toString(16)}.`)}`;
}

/**
 * The secrets that were made for a source: it refers to them, each has the name of its own variable, header or part of its address, and no
 * other source and no tool needs it.
 */
export function ownSecretsOf(
  { id, config }: { readonly id: string; readonly config: SourceConfig },
  { settings, registry }: Pick<Rack, "settings" | "registry">,
): readonly string[] {
  const own = [
    ...[config.env, config.headers].flatMap((values) =>
      Object.entries(values ?? {}).flatMap(([name, value]) => namesIn(value).filter((secret) => secret === storedSecretName(id, name))),
    ),
    ...namesIn(config.url ?? "").filter((secret) => secret.startsWith(`${id}.url.`)),
  ];
  const others = [
    ...settings
      .list()
      .flatMap(({ key, value }) => (key === `sources.${id}` || !key.startsWith("sources.") ? [] : namesIn(JSON.stringify(value)))),
    ...registry.entries().flatMap(({ tool }) => tool.metadata?.secrets ?? []),
  ];
  return [...new Set(own)].filter((secret) => !others.includes(secret));
}

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/(?<![\w.-])secret:([A-Za-z0-9_.-]+)/g)].map(([, name]) => name!);
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
