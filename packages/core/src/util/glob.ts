/** A pattern whose only wildcard is `*`: the literal parts before, between and after its stars. */
export interface Glob {
  readonly prefix: string;
  readonly inner: readonly string[];
  readonly suffix: string;
  /** As it was written. */
  readonly text: string;
  /** The last characters of prefix and suffix: most texts differ there, and looking is cheaper than comparing. */
  readonly prefixEnd: number;
  readonly suffixEnd: number;
}

export function isGlob(text: string): boolean {
  return text.includes("*");
}

/** A test for a pattern with or without a star: "web_*" matches "web_search", "echo" matches itself alone. */
export function compilePattern(pattern: string): (text: string) => boolean {
  if (!isGlob(pattern)) return (text) => text === pattern;
  const glob = compileGlob(pattern);
  return (text) => matchesGlob(glob, text);
}

/** "sess**list" → { prefix: "sess", inner: [], suffix: "list" }. The text must hold a star. */
export function compileGlob(text: string): Glob {
  const parts = text.split("*");
  const prefix = parts[0]!;
  const suffix = parts[parts.length - 1]!;
  const inner = parts.slice(1, -1).filter((part) => part !== "");
  return { prefix, inner, suffix, text, prefixEnd: prefix.charCodeAt(prefix.length - 1), suffixEnd: suffix.charCodeAt(suffix.length - 1) };
}

/** Nothing but stars: matches everything. */
export function isEverything({ prefix, inner, suffix }: Glob): boolean {
  return prefix === "" && suffix === "" && inner.length === 0;
}

/**
 * Anchored at both ends. Each inner part is taken at its first place after the one before it: if any placing fits, that one
 * does, so nothing is ever tried twice and `a*a*a*a*b` costs one pass.
 */
export function matchesGlob(glob: Glob, text: string): boolean {
  const { prefix, inner, suffix } = glob;
  const end = text.length - suffix.length;
  if (end < prefix.length) return false;
  if (prefix !== "" && (text.charCodeAt(prefix.length - 1) !== glob.prefixEnd || !text.startsWith(prefix))) return false;
  if (suffix !== "" && (text.charCodeAt(text.length - 1) !== glob.suffixEnd || !text.endsWith(suffix))) return false;
  let from = prefix.length;
  for (let part = 0; part < inner.length; part++) {
    const found = text.indexOf(inner[part]!, from);
    if (found === -1) return false;
    from = found + inner[part]!.length;
  }
  return from <= end;
}
