/**
 * Whether two lists of names have one person in common, however that person signed in: one agent may have keys, and tokens of several issuers and
 * subjects. What it wrote or called with the one it must not decide about with the other.
 */
export function isOnePerson(one: readonly (string | undefined)[], other: readonly (string | undefined)[]): boolean {
  const names = new Set(one.map(nameOf));
  return other.some((name) => name !== undefined && names.has(nameOf(name)));
}

/** "key anna" and "token https://login.example.com/ anna" are both anna. */
function nameOf(text: string | undefined): string | undefined {
  const name = text?.normalize("NFKC").toLowerCase();
  return name && (/^(?:key|loopback|token \S+) (.+)$/s.exec(name)?.[1] ?? name);
}
