/** Finds credentials that are written out in an address or in the arguments of a program, and shows both without them. */

/** What stands in place of a credential. */
export const masked = "(not shown)";

/** Names of variables, parameters and options whose value is a credential. */
export const secretName: RegExp =
  /(pass(word|wd|phrase)?|secret|token|api[-_]?key|authorization|cookie|credentials?|private[-_]?key|access[-_]?key)$/i;
/** The same in the query of an address, where short names are usual. */
const secretParameter = /^(key|auth|sig|signature|pwd)$/i;
/** Forms that vendors give their credentials. */
export const knownForms: RegExp = /^(sk-|ghp_|gho_|github_pat_|xox[abp]-|AKIA|AIza|trk_|eyJ[A-Za-z0-9_-]+\.eyJ)/;

/** "secret:name", "${secret:name}" and "env:NAME" tell nothing. */
export function isReference(value: string): boolean {
  return value === "" || value.includes("secret:") || value.startsWith("env:");
}

/** "https://me:pw@host/mcp?token=t&page=2" → "https://(not shown)@host/mcp?token=(not shown)&page=2"; an address without any stays as it is. */
export function maskUrl(url: string): string {
  const [, scheme, user, rest] = /^([a-z][a-z0-9+.-]*:\/\/)(?:([^/?#]*)@)?(.*)$/is.exec(url) ?? [];
  if (scheme === undefined || rest === undefined) return url;
  const shownUser = user === undefined ? "" : `${isReference(user) ? user : masked}@`;
  const [place = "", ...tail] = rest.split(/(?=[?#])/);
  const path = place.split("/").map((part) => (knownForms.test(part) ? masked : part));
  return `${scheme}${shownUser}${path.join("/")}${tail.map(maskParameters).join("")}`;
}

/** "?token=t&page=2" → "?token=(not shown)&page=2" */
function maskParameters(query: string): string {
  return query.replace(/([?#&;])([^=&;#]*)=([^&;#]*)/g, (whole, mark: string, name: string, value: string) => {
    const plain = decoded(name);
    const isCredential = secretName.test(plain) || secretParameter.test(plain) || knownForms.test(decoded(value));
    return isCredential && !isReference(value) ? `${mark}${name}=${masked}` : whole;
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** ["--token", "t", "--api-key=k", "API_KEY=k"] → the same with "(not shown)" for each value. */
export function maskArgs(args: readonly string[]): readonly string[] {
  return args.map((arg, index) => {
    const before = args[index - 1] ?? "";
    if (/^--?[^=]+$/.test(before) && secretName.test(before) && !isReference(arg) && !/^--?[a-z]/i.test(arg)) return masked;
    const [, name, mark, value] = /^([^=:\s]+)(=|:\s*)(.*)$/s.exec(arg) ?? [];
    if (name !== undefined && value !== undefined && secretName.test(name) && !isReference(value) && !value.startsWith("//"))
      return `${name}${mark}${masked}`;
    if (knownForms.test(arg)) return masked;
    return arg.replace(/[a-z][a-z0-9+.-]*:\/\/\S+/gi, maskUrl);
  });
}
