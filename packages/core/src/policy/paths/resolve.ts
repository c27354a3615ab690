import { lstatSync, readlinkSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Where a path really leads. Throws where that cannot be told. */
export type PathResolver = (path: string) => string;

export interface PathResolverOptions {
  /** What relative paths start from. @default the working directory */
  readonly root?: string;
}

/**
 * Follows a path the way the system does, segment by segment: `..` after a link leaves the link's target, a link that leads to
 * nothing is followed all the same, and what does not exist yet keeps its name.
 */
export function createPathResolver(options: PathResolverOptions = {}): PathResolver {
  return (given) => followLinks(toAbsolute(given, path.resolve(options.root ?? process.cwd())));
}

/** Expands `~/`, `file:` and relative paths, and takes nothing away: "a/../b" stays as it is. */
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
    if (linksLeft-- === 0) throw new Error(`${absolute} goes through too many links`);
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

/** What a link leads to; undefined for what is no link, or is not there. Anything else that goes wrong is told. */
function readLink(name: string): string | undefined {
  const found = lstatSync(name, { throwIfNoEntry: false });
  return found?.isSymbolicLink() ? readlinkSync(name) : undefined;
}
