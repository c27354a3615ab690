import { compileName, compilePath, type PathMatcher } from "./glob.ts";
import { splitLines } from "./lines.ts";

/** What the lines of one .gitignore say, for the paths below its folder. */
export type IgnoreRules = readonly IgnoreRule[];

export interface IgnoreRule {
  readonly matches: PathMatcher;
  readonly keeps: boolean;
  readonly foldersOnly: boolean;
}

/** Further lines are ignored. */
const maxRules = 2_000;

export function parseIgnore(text: string): IgnoreRules {
  return splitLines(text)
    .slice(0, maxRules)
    .flatMap((line) => toRule(line) ?? []);
}

/** The last rule that matches decides; undefined where none does. */
export function isIgnored(rules: IgnoreRules, path: string, isFolder: boolean): boolean | undefined {
  const rule = rules.findLast(({ foldersOnly, matches }) => (isFolder || !foldersOnly) && matches(path));
  return rule === undefined ? undefined : !rule.keeps;
}

/** "/build", "*.log", "!keep.log", "docs/**\/*.tmp", "cache/" */
function toRule(line: string): IgnoreRule | undefined {
  let pattern = line.replace(/(?<!\\)\s+$/, "");
  if (pattern === "" || pattern.startsWith("#")) return undefined;
  const keeps = pattern.startsWith("!");
  if (keeps) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith("/");
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (pattern === "") return undefined;
  return { matches: toMatcher(pattern), keeps, foldersOnly };
}

function toMatcher(pattern: string): PathMatcher {
  if (pattern.includes("/")) return compilePath(pattern.replace(/^\//, "").split("/"));
  const matches = compileName(pattern);
  return (path) => matches(path.slice(path.lastIndexOf("/") + 1));
}
