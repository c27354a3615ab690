import type { RackConfig } from "../config.ts";
import { isReference, knownForms, secretName } from "./credentials.ts";
import { looksRandom } from "./random-text.ts";
import { credentialRemedy, plainCredentialsIn } from "../shown-source.ts";

/** A value in the file that should be a secret instead. */
export interface PlainSecret {
  readonly at: readonly (string | number)[];
  readonly fact: string;
}

/** Finds values that look like secrets: the file is copied, committed and shown, so secrets belong into the store. */
export function findPlainSecrets(config: RackConfig): readonly PlainSecret[] {
  const found: PlainSecret[] = [];
  const walk = (value: unknown, at: readonly (string | number)[]): void => {
    if (typeof value === "string") {
      const form = namesSecret(at) ? "the name of the secret" : '"secret:<name>"';
      if (isSecret(value, at))
        found.push({ at, fact: `${at.join(".")} holds a secret value. Set it as a secret, and write ${form} here.` });
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) walk(inner, [...at, Array.isArray(value) ? Number(key) : key]);
    }
  };
  // Policies name tools and arguments, not secret values.
  const { policy: _, ...rest } = config;
  walk(rest, []);
  const known = new Set(found.map(({ at }) => at.join(".")));
  for (const [id, source] of Object.entries(config.sources ?? {})) {
    for (const member of plainCredentialsIn(source)) {
      const [name = "", index] = member.split(".");
      const at = ["sources", id, name, ...(index === undefined ? [] : [Number(index)])];
      if (!known.has(at.join("."))) found.push({ at, fact: `${at.join(".")} holds a secret value. ${credentialRemedy}` });
    }
  }
  return found;
}

const urlWithPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/@:]+:[^@/]+@/i;

/** The setting `secret` of packs, models, embeddings and search is the name of one: { type: slack, secret: slack-token }. */
function namesSecret(at: readonly (string | number)[]): boolean {
  return at.at(-1) === "secret" && at[0] !== "sources" && !at.includes("env") && !at.includes("headers");
}

function isSecret(value: string, at: readonly (string | number)[]): boolean {
  if (isReference(value)) return false;
  // The names of secrets, by the names of security schemes: { api_key: "PETS_KEY" }.
  const isName = at.length === 5 && at[2] === "openapi" && at[3] === "secrets";
  if (isName) return knownForms.test(value);
  if (namesSecret(at)) return knownForms.test(value) || looksRandom(value);
  return (
    secretName.test(String(at.findLast((key) => typeof key === "string") ?? "")) || urlWithPassword.test(value) || knownForms.test(value)
  );
}
