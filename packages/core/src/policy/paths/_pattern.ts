import { nodePath } from "#platform";
import { compilePattern } from "../../util/glob.ts";
import { type PathResolver, toAbsolute } from "./resolve.ts";

/** Where relative patterns start, and how links are followed. */
export interface PathBase {
  readonly start: string;
  readonly resolve: PathResolver;
}

export type PathTest = (candidate: string) => boolean;

/**
 * For `deny`. A pattern without a slash is matched against every name in the path, or only below the base folder if the path is inside it;
 * one with a slash against the whole path and everything below it. Case is ignored, and so is what some systems ignore: a data stream
 * after a colon, dots and spaces at the end.
 */
export function compileDenial(pattern: string, base: PathBase): PathTest {
  if (pattern.includes("/")) {
    const trees = wholePatterns(pattern, base).map((whole) => toTreeMatcher(fold(whole)));
    return (candidate) => trees.some((matches) => matches(fold(candidate)));
  }
  const matches = compilePattern(fold(pattern));
  const start = fold(base.start);
  return (candidate) =>
    namesBelow(start, fold(candidate)).some((name) => matches(name) || matches(name.replace(/:.*$/s, "").replace(/[. ]+$/, "")));
}

/** The names in a path; those of the base folder count only for paths outside of it. */
function namesBelow(start: string, candidate: string): string[] {
  const base = start.endsWith("/") ? start : `${start}/`;
  return (candidate.startsWith(base) ? candidate.slice(base.length) : candidate).split("/");
}

/** For `allow`. A pattern without a slash is matched against the last name of the path only, one with a slash as above; case matters. */
export function compilePermission(pattern: string, base: PathBase): PathTest {
  if (pattern.includes("/")) {
    const trees = wholePatterns(pattern, base).map(toTreeMatcher);
    return (candidate) => trees.some((matches) => matches(withSlashes(candidate)));
  }
  const matches = compilePattern(pattern);
  return (candidate) => {
    const slashed = withSlashes(candidate);
    return matches(slashed.slice(slashed.lastIndexOf("/") + 1));
  };
}

/** The pattern from the root, as it is written and with the links in its fixed part followed: "/tmp/*" and "/private/tmp/*". */
function wholePatterns(pattern: string, { start, resolve }: PathBase): string[] {
  const absolute = withSlashes(toAbsolute(pattern, start)).replace(/\/+$/, "");
  const star = absolute.indexOf("*");
  const fixedEnd = star === -1 ? absolute.length : absolute.lastIndexOf("/", star);
  const fixed = nodePath.resolve(absolute.slice(0, fixedEnd) || "/");
  const rest = absolute.slice(fixedEnd);
  return [...new Set([fixed, resolve(fixed)])].map((folder) => withSlashes(folder).replace(/\/$/, "") + rest);
}

function toTreeMatcher(pattern: string): PathTest {
  const [itself, below] = [compilePattern(pattern), compilePattern(`${pattern}/*`)];
  return (candidate) => itself(candidate) || below(candidate);
}

function fold(text: string): string {
  return withSlashes(text).normalize("NFC").toLowerCase();
}

function withSlashes(text: string): string {
  return nodePath.sep === "\\" ? text.replaceAll("\\", "/") : text;
}
