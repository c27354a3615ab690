import { isIpv6 } from "./ip.ts";

/** RFC 3986, with a scheme. */
export function isUri(text: string): boolean {
  return isReference(text, uriCharacters, true);
}

/** RFC 3986, with a scheme or relative. */
export function isUriReference(text: string): boolean {
  return isReference(text, uriCharacters, false);
}

/** RFC 3987: a URI with characters of every script. */
export function isIri(text: string): boolean {
  return isReference(text, iriCharacters, true);
}

export function isIriReference(text: string): boolean {
  return isReference(text, iriCharacters, false);
}

/** RFC 6570: "https://example.org/{term:1}{?page,size*}". */
export function isUriTemplate(text: string): boolean {
  for (let at = 0; at < text.length;) {
    const part = text[at] === "{" ? expression : literal;
    part.lastIndex = at;
    if (!part.test(text)) return false;
    at = part.lastIndex;
  }
  return true;
}

const character = "(?:\\w|%[\\da-fA-F]{2})";
const variable = `${character}(?:\\.?${character})*(?::[1-9]\\d{0,3}|\\*)?`;
const expression = new RegExp(`\\{[+#./;?&=,!@|]?${variable}(?:,${variable})*\\}`, "y");
const literal = /(?:[^\0- "'%<>\\^`{|}\x7f]|%[\da-fA-F]{2})+/y;

interface Characters {
  readonly user: RegExp;
  readonly host: RegExp;
  readonly path: RegExp;
  readonly query: RegExp;
  readonly fragment: RegExp;
}

const uriCharacters = charactersWith("", "");
const iriCharacters = charactersWith(
  "\\xa0-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\uffef\\u{10000}-\\u{1fffd}\\u{20000}-\\u{2fffd}\\u{30000}-\\u{3fffd}\\u{40000}-\\u{dfffd}\\u{e1000}-\\u{efffd}",
  "\\ue000-\\uf8ff\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}",
);

function charactersWith(letters: string, inQuery: string): Characters {
  const allOf = (more: string): RegExp => new RegExp(`^(?:[\\w.~!$&'()*+,;=${more}${letters}\\-]|%[\\da-fA-F]{2})*$`, "u");
  return { user: allOf(":"), host: allOf(""), path: allOf(":@\\/"), query: allOf(`:@\\/?${inQuery}`), fragment: allOf(":@\\/?") };
}

function isReference(text: string, characters: Characters, needsScheme: boolean): boolean {
  const [beforeFragment, fragment] = cut(text, "#");
  const [beforeQuery, query] = cut(beforeFragment, "?");
  const scheme = /^[a-z][a-z\d+.-]*:/i.exec(beforeQuery)?.[0] ?? "";
  if (scheme === "" && needsScheme) return false;
  const hierarchy = beforeQuery.slice(scheme.length);
  if (!characters.query.test(query) || !characters.fragment.test(fragment)) return false;
  if (hierarchy.startsWith("//")) {
    const pathStart = hierarchy.indexOf("/", 2);
    const authority = hierarchy.slice(2, pathStart === -1 ? undefined : pathStart);
    return isAuthority(authority, characters) && characters.path.test(pathStart === -1 ? "" : hierarchy.slice(pathStart));
  }
  if (scheme === "" && cut(hierarchy, "/")[0].includes(":")) return false; // "1a:b" would be taken for a scheme
  return characters.path.test(hierarchy);
}

function isAuthority(authority: string, characters: Characters): boolean {
  const at = authority.indexOf("@");
  if (at !== -1 && !characters.user.test(authority.slice(0, at))) return false;
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(authority.slice(at + 1)) ?? [];
  if (host === undefined || !/^\d*$/.test(port ?? "")) return false;
  if (!host.startsWith("[")) return characters.host.test(host);
  const address = host.slice(1, -1);
  return isIpv6(address) || /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(address);
}

/** "a?b?c" at "?" → ["a", "b?c"] */
function cut(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
