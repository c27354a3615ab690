import type { SecretRow } from "../engines/_secrets.ts";

/** Binds a sealed value to its owner, name and version: a row that is put in another's place does not open. */
export function aboutSecret({ owner, name, version }: Pick<SecretRow, "owner" | "name" | "version">): string {
  return `${owner}|${name}|${version}`;
}
