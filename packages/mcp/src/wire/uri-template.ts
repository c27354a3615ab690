/**
 * A URI with named gaps: "notes://{folder}/{id}". A gap holds at least one character and no slash.
 * Contract: matching walks the text once for each literal, whatever template and text say.
 */
export interface UriTemplate {
  readonly names: readonly string[];
  match(uri: string): Readonly<Record<string, string>> | undefined;
}

/** Undefined: not a template of the plain form, or with two gaps side by side. */
export function readUriTemplate(template: string): UriTemplate | undefined {
  const literals: string[] = [];
  const names: string[] = [];
  let from = 0;
  for (;;) {
    const open = template.indexOf("{", from);
    literals.push(template.slice(from, open === -1 ? undefined : open));
    if (open === -1) break;
    const close = template.indexOf("}", open);
    const name = template.slice(open + 1, close);
    if (close === -1 || !/^\w{1,64}$/.test(name) || (names.length > 0 && literals.at(-1) === "")) return undefined;
    names.push(name);
    from = close + 1;
  }
  if (literals.some((literal) => literal.includes("}"))) return undefined;
  return { names, match: (uri) => match(uri, literals, names) };
}

function match(uri: string, literals: readonly string[], names: readonly string[]): Record<string, string> | undefined {
  if (!uri.startsWith(literals[0]!)) return undefined;
  const values: Record<string, string> = Object.create(null);
  let at = literals[0]!.length;
  for (const [index, name] of names.entries()) {
    const literal = literals[index + 1]!;
    const isLast = index === names.length - 1;
    const end = isLast ? uri.length - literal.length : uri.indexOf(literal, at + 1);
    if (end <= at || (isLast && !uri.endsWith(literal))) return undefined;
    const value = decode(uri.slice(at, end));
    if (value === undefined) return undefined;
    values[name] = value;
    at = end + literal.length;
  }
  return at === uri.length ? values : undefined;
}

function decode(text: string): string | undefined {
  if (text.includes("/")) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
