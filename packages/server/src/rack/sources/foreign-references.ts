import type { Placeholder } from "@toolrack/mcp";
import type { SourceConfig } from "../../config/config.ts";
import { maskUrl } from "../../config/checks/credentials.ts";
import { refersToSecret, storedSecretName } from "./stored-secrets.ts";

/** A variable whose value a server of a file gets. */
export interface UsedVariable {
  readonly name: string;
  /** "headers.Authorization", "env.TOKEN", "command", "cwd" */
  readonly field: string;
  /** The host, or the program, that gets it. */
  readonly destination: string;
}

export interface ForeignPlaceholders {
  resolve(placeholder: Placeholder): string;
  usedBy(server: { readonly name: string; readonly url?: string; readonly command?: string }): readonly UsedVariable[];
}

/**
 * What the placeholders of a file become that somebody else may have written: a given variable its value, another variable or an input
 * something that has to be set later, and a stored secret nothing.
 */
export function createForeignPlaceholders(variables: Readonly<Record<string, string>>): ForeignPlaceholders {
  const used: Placeholder[] = [];
  return {
    resolve(placeholder) {
      const { field, kind, name, standard } = placeholder;
      if (kind === "secret") throw new Error(refusedReference(field));
      if (field === "url" || field === "args")
        throw new Error(
          `it has a placeholder in "${field}", where everybody who sees the source can read its value. Write it into ${field === "url" ? '"headers"' : '"env"'}, from where it becomes a secret`,
        );
      if (kind === "variable" && Object.hasOwn(variables, name)) {
        used.push(placeholder);
        return variables[name]!;
      }
      if (standard !== undefined) return standard;
      if (field.includes(".")) return later;
      throw new Error(
        kind === "variable"
          ? `the variable "${name}" is not set, or the file may not have it. Allow it with --allow-variable ${name}`
          : `it asks for "${name}" in "${field}", which cannot be set later. Write the value into the file`,
      );
    },
    usedBy: ({ name: server, url, command = "" }) =>
      used
        .filter((one) => one.server === server)
        .map(({ name, field }) => ({ name, field, destination: url === undefined ? command : hostOf(url) })),
  };
}

/** Stands in a value for what has to be set later. No secret can have this name. */
const later = "${secret:}";

/** A source whose variables and headers refer to secrets of its own alone, and those of them that have to be set later. */
export type OwnSecrets = { readonly config: SourceConfig; readonly missing: readonly string[] } | { readonly fault: string };

/** A value with a part that has to be set later is set later as a whole, except for "Bearer" and the like before it. */
export function withOwnSecrets(id: string, config: SourceConfig): OwnSecrets {
  const missing: string[] = [];
  const refused: string[] = [];
  const own = (field: "env" | "headers"): Record<string, string> =>
    Object.fromEntries(
      Object.entries(config[field] ?? {}).map(([name, value]) => {
        if (!refersToSecret(value)) return [name, value];
        if (!value.includes("${")) refused.push(`${field}.${name}`);
        const secret = storedSecretName(id, name);
        missing.push(secret);
        const [, scheme] = /^((?:Bearer|Basic|Token|Digest) )\$\{secret:\}$/i.exec(value) ?? [];
        return [name, scheme === undefined ? `secret:${secret}` : `${scheme}\${secret:${secret}}`];
      }),
    );
  const whole = { ...config, ...(config.env && { env: own("env") }), ...(config.headers && { headers: own("headers") }) };
  return refused.length > 0 ? { fault: refusedReference(refused[0]!) } : { config: whole, missing };
}

function refusedReference(field: string): string {
  return `its "${field}" names a stored secret, which a file may not. Leave it out of the file, import the server, set a secret with \`toolrack secrets set <name>\`, and refer to it with \`toolrack sources add\``;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : maskUrl(url);
}
