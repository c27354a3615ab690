/**
 * Masks credentials in URLs, arguments and variables of a program. A person who approves a program has to see all of its code: so exactly
 * the characters of a credential are masked, up to the next separator or shell character, and never the name of a file.
 */

import { decodeUri } from "@toolrack/core/internal";
import { loadingVariable } from "./loading-variables.ts";
import { looksRandom } from "./random-text.ts";

/** Replaces a credential. */
export const masked = "(not shown)";

/** Names of variables, parameters and options whose value is a credential. */
export const secretName: RegExp =
  /(pass(word|wd|phrase)?|secret|token|api[-_]?key|authorization|cookie|credentials?|private[-_]?key|access[-_]?key)$/i;
/** The same in the query of a URL, where short names are usual. */
const secretParameter = /^(key|auth|sig|signature|pwd?|pin|pat|jwt|sk|code|bearer|session|sid)$|[-_](key|code|pwd?|pin|pat|sk)$/i;
/** Forms that vendors give their credentials. */
export const knownForms: RegExp = /^(sk-|ghp_|gho_|github_pat_|xox[abp]-|AKIA|AIza|trk_|eyJ[A-Za-z0-9_-]+\.eyJ)/;

/** "secret:name", "${secret:name}" and "env:NAME" reveal nothing. */
export function isReference(value: string): boolean {
  return value === "" || value.includes("secret:") || value.startsWith("env:");
}

/** Characters of a credential: no space, no quote, nothing that ends a word or starts a command in a shell. */
const run = "[A-Za-z0-9_.~+/=%:@!*^,-]+";
/** A file is code, whatever the option before it is called. */
const fileName = /^\.{0,2}\/|\.(?:[cm]?[jt]sx?|py|sh|rb|pl|php|lua|so|dylib|dll|jar|exe|bat|cmd|ps1)$/i;

/** "abc; curl x" → "(not shown); curl x"; the name of a file and a reference stay. */
function maskValue(value: string): string {
  return value.replace(
    new RegExp(`^(\\s*["']?(?:(?:Bearer|Basic|Token|Digest)\\s+)?)(${run})`, "i"),
    (whole, start: string, found: string) =>
      isReference(found) || fileName.test(found) || found.startsWith("//") ? whole : `${start}${masked}`,
  );
}

/** "https://me:pw@host/mcp?token=t&page=2" → "https://(not shown)@host/mcp?token=(not shown)&page=2"; a URL without credentials is unchanged. */
export function maskUrl(url: string): string {
  return replaceInUrl(url, maskValue);
}

/** Makes something of a credential as it is written in a URL, and as it is meant. */
type Replace = (credential: string, plain: string) => string;

/** The URL with each credential of its path and query replaced, and the user before its host masked. */
export function replaceInUrl(url: string, replace: Replace): string {
  const [, scheme, user, rest] = /^([a-z][a-z0-9+.-]*:\/\/)(?:([\w.~%!*+,:=@-]*)@)?(.*)$/is.exec(url) ?? [];
  if (scheme === undefined || rest === undefined) return url;
  const shownUser = user === undefined ? "" : `${isReference(user) ? user : masked}@`;
  const [pathname = "", ...tail] = rest.split(/(?=[?#])/);
  const [host = "", ...parts] = pathname.split("/");
  const path = parts.map((part) => (isCredentialPart(part) ? replace(part, decodeUri(part)) : part));
  return `${scheme}${shownUser}${[host, ...path].join("/")}${tail.map((query) => replaceParameters(query, replace)).join("")}`;
}

/** A part of the path, by its form alone: "bot1234:AAH…", "XrC9mQ0vT4bKz7LpWn2Yd8Ha". */
function isCredentialPart(part: string): boolean {
  const plain = decodeUri(part);
  return !isReference(plain) && (knownForms.test(plain) || looksRandom(plain));
}

/** "?token=t&page=2" → "?token=(not shown)&page=2" */
function replaceParameters(query: string, replace: Replace): string {
  return query.replace(/([?#&;])([^=&;#]*)=([^&;#]*)/g, (whole, mark: string, name: string, value: string) => {
    const plain = decodeUri(name);
    const isCredential =
      secretName.test(plain) || secretParameter.test(plain) || knownForms.test(decodeUri(value)) || looksRandom(decodeUri(value));
    return isCredential ? `${mark}${name}=${replace(value, decodeUri(value.replaceAll("+", " ")))}` : whole;
  });
}

/** ["--token", "t", "--api-key=k", "API_KEY=k"] → the same with "(not shown)" for each value. */
export function maskArgs(args: readonly string[]): readonly string[] {
  return args.map((arg, index) => {
    const before = args[index - 1] ?? "";
    const isValue = secretOption.test(before) && secretName.test(before) && !/^--?[a-z]/i.test(arg);
    return isValue ? maskText(maskValue(arg)) : maskText(arg);
  });
}

/** "--api-key", "-token"; not "-Xtoken", which is an option of an interpreter. */
const secretOption = /^(?:--[a-z][\w-]*|-[a-z][a-z-]*)$/;

/** Any text, such as a shell line, with "(not shown)" for each credential in it. */
function maskText(text: string): string {
  return text
    .replace(/[a-z][a-z0-9+.-]*:\/\/[^\s'"`;|<>$(){}\\]+/gi, maskUrl)
    .replace(named, (...found) => {
      const { start, value } = found.at(-1) as { readonly start: string; readonly value: string };
      return `${start}${maskValue(value)}`;
    })
    .replace(forms, (_whole, start: string) => `${start}${masked}`);
}

/** `API_KEY=k`, `"apiKey": "k"`, `Authorization: Bearer k` */
const named = new RegExp(
  `(?<start>[\\w.-]*${secretName.source.replace("$", "")}["']?\\s*[=:]\\s*)(?<value>(?:["']?(?:Bearer|Basic|Token|Digest)\\s+|["'])?${run})`,
  "gi",
);
const forms = new RegExp(`(^|[\\s"'=:,;(])(?:${knownForms.source.replace("^", "")})${run}`, "g");

/**
 * A variable of a program: shown if it names code to load, or is more than one word, with credentials masked. A single word may be a
 * credential under any name.
 */
export function maskVariable(name: string, value: string): string {
  const isPlain = !loadingVariable.test(name) && !value.includes("/") && plainWord.test(value);
  return maskText(isPlain || secretName.test(name) || secretVariable.test(name) ? maskValue(value) : value);
}

const secretVariable = /(?:^|[-_])(?:key|auth|sig|signature|pwd|pat|jwt)$/i;
const plainWord = new RegExp(`^${run}$`);
