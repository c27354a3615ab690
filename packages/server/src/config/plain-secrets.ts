import type { RackConfig } from "./config.ts";

/** A value in the file that should be kept as a secret instead. */
export interface PlainSecret {
  readonly at: readonly (string | number)[];
  readonly fact: string;
}

/** Finds values that look like secrets: the file is copied, committed and shown, so they belong into the store of secrets. */
export function findPlainSecrets(config: RackConfig): readonly PlainSecret[] {
  const found: PlainSecret[] = [];
  const walk = (value: unknown, at: readonly (string | number)[]): void => {
    if (typeof value === "string") {
      if (isSecret(value, at))
        found.push({ at, fact: `${at.join(".")} holds a secret value. Set it as a secret, and write "secret:<name>" here.` });
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) walk(inner, [...at, Array.isArray(value) ? Number(key) : key]);
    }
  };
  // Policies name tools and arguments; a word there is no value of a secret.
  const { policy: _, ...rest } = config;
  walk(rest, []);
  return found;
}

const secretName = /(pass(word|wd|phrase)?|secret|token|api[-_]?key|authorization|cookie|credentials?|private[-_]?key)$/i;
const urlWithPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/@:]+:[^@/]+@/i;
const knownForms = /^(sk-|ghp_|gho_|github_pat_|xox[abp]-|AKIA|AIza|trk_|eyJ[A-Za-z0-9_-]+\.eyJ)/;

function isSecret(value: string, at: readonly (string | number)[]): boolean {
  if (value === "" || value.includes("secret:") || value.startsWith("env:")) return false;
  return (
    secretName.test(String(at.findLast((key) => typeof key === "string") ?? "")) || urlWithPassword.test(value) || knownForms.test(value)
  );
}
