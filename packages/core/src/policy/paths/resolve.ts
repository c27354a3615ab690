import { lstatSync, readlinkSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Resolves a path to its real location. Throws if that is not possible. */
export type PathResolver = (path: string) => string;

export interface PathResolverOptions {
  /** The base of relative paths. @default the working directory */
  readonly root?: string;
}

/**
 * Resolves a path as the system does, segment by segment: `..` after a link is the parent of the link's target, a dangling link is
 * followed, too, and names that do not exist yet are kept.
 */
export function createPathResolver(options: PathResolverOptions = {}): PathResolver {
  return (given) => followLinks(toAbsolute(given, path.resolve(options.root ?? process.cwd())));
}

/** Expands `~/`, `file:` and relative paths without simplifying: "a/../b" stays as it is. */
export function toAbsolute(given: string, root: string): string {
  if (given.includes("\0")) throw new Error("the path holds a null character");
  if (/^file:/i.test(given)) return fileURLToPath(given);
  if (given === "~" || given.startsWith("~/")) return homedir() + given.slice(1);
  return path.isAbsolute(given) ? given : `${root}${path.sep}${given}`;
}

function followLinks(absolute: string): string {
  const { root: start } = path.parse(absolute);
  let current = start;
  let linksLeft = maxLinks;
  const waiting = segmentsOf(absolute.slice(start.length)).toReversed();
  for (let segment = waiting.pop(); segment !== undefined; segment = waiting.pop()) {
    if (segment === "..") {
      current = path.dirname(current);
      continue;
    }
    const next = path.join(current, segment);
    const target = readLink(next);
    if (target === undefined) {
      current = next;
      continue;
    }
    if (linksLeft-- === 0) throw new Error(`${absolute} follows too many links`);
    if (path.isAbsolute(target)) current = path.parse(target).root;
    waiting.push(...segmentsOf(path.isAbsolute(target) ? target.slice(current.length) : target).toReversed());
  }
  return current;
}

/** As many as Linux follows. */
const maxLinks = 40;

function segmentsOf(text: string): string[] {
  return text.split(path.sep === "\\" ? /[/\\]/ : "/").filter((segment) => segment !== "" && segment !== ".");
}

/** The target of a link; undefined if it is not a link or does not exist. Throws for any other error. */
function readLink(name: string): string | undefined {
  const found = lstatSync(name, { throwIfNoEntry: false });
  return found?.isSymbolicLink() ? readlinkSync(name) : undefined;
}
