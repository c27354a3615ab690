import type { SourceConfig } from "./config.ts";
import { isReference, knownForms, maskArgs, masked, maskUrl, maskVariable, secretName } from "./checks/credentials.ts";
import { loadingVariable } from "./checks/loading-variables.ts";

/**
 * A source without credentials, to be shown and logged: URL and arguments are masked, and of variables and headers only the names remain.
 * Variables that tell the program what to load keep their values (`loads`), since they are code.
 */
export function toShownSource({ env, headers, ...rest }: SourceConfig): Readonly<Record<string, unknown>> {
  const shown = Object.entries(rest).map(([name, value]) => [name, shownMember(name, value)]);
  return {
    ...Object.fromEntries(shown),
    ...(env && { env: Object.keys(env) }),
    ...loadsIn(env),
    ...(headers && { headers: Object.keys(headers) }),
  };
}

function loadsIn(env: SourceConfig["env"] = {}): { readonly loads?: Readonly<Record<string, string>> } {
  const found = Object.entries(env).filter(([name]) => loadingVariable.test(name));
  return found.length === 0 ? {} : { loads: Object.fromEntries(found.map(([name, value]) => [name, maskVariable(name, value)])) };
}

/** One member of a source without credentials: "url", "args", "env" …; of options also a value inside, with the names that lead to it. */
export function shownMember(name: string, value: unknown, inside: readonly string[] = []): unknown {
  if (name === "env" || name === "headers") return masked;
  if (name === "url" && typeof value === "string") return maskUrl(value);
  if (name === "args" && Array.isArray(value)) return maskArgs(value.map(String));
  if (name === "openapi") return shownOpenApi(value);
  if (name === "options") return maskOptions(value, inside.some(isSecretOption));
  return value;
}

/** Addresses without credentials; names of secrets are no secrets. */
function shownOpenApi(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return typeof value === "string" ? maskUrl(value) : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      (key === "url" || key === "baseUrl") && typeof inner === "string" ? maskUrl(inner) : key === "secrets" ? shownNames(inner) : inner,
    ]),
  );
}

/** What looks like a credential instead of a name is not shown. */
function shownNames(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([scheme, name]) => [scheme, typeof name === "string" && knownForms.test(name) ? masked : name]),
  );
}

/**
 * Options of a type of source that a module adds, of which nobody here knows the meaning: everything below a name that sounds like a
 * credential is left out, and credentials in other texts.
 */
function maskOptions(value: unknown, isSecret: boolean): unknown {
  if (typeof value === "string") {
    if (isReference(value)) return value;
    return isSecret || knownForms.test(value) || value.includes("PRIVATE KEY") ? masked : maskUrl(value);
  }
  if (typeof value === "number") return isSecret ? masked : value;
  if (Array.isArray(value)) return value.map((inner) => maskOptions(inner, isSecret));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskOptions(inner, isSecret || isSecretOption(key))]));
}

function isSecretOption(name: string): boolean {
  return secretName.test(name) || secretOption.test(name);
}

/** Beside the names of variables: plurals, and names under which a credential often lies deeper. */
const secretOption =
  /(passwords|passphrases|secrets|tokens|keys?|auth|headers?|cookies|credentials|login|pwd|pin|sig|signature|sessions?|jwt|bearer)$/i;

/** The members of a source with a credential in plain text: "url", "args.1". */
export function plainCredentialsIn({ url, args = [] }: SourceConfig): readonly string[] {
  const shown = maskArgs(args);
  return [
    ...(url !== undefined && maskUrl(url) !== url ? ["url"] : []),
    ...args.flatMap((arg, index) => (shown[index] === arg ? [] : [`args.${index}`])),
  ];
}

/** The remedy for such a member. */
export const credentialRemedy: string =
  'Set it with `toolrack secrets set <name>`, and write "secret:<name>" as a value of env, for a program, or of headers, for a url; or "${secret:<name>}" into the path or query of a url.';

/** The id of the lint rule that reports such members. */
export const plainCredentialRule = "plain-credential";
