import { nodeFs, nodeOs, nodePath, nodeUrl } from "#platform";

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
  return (given) => followLinks(toAbsolute(given, nodePath.resolve(options.root ?? process.cwd())));
}

/** Expands `~/`, `file:` and relative paths without simplifying: "a/../b" stays as it is. */
export function toAbsolute(given: string, root: string): string {
  if (given.includes("\0")) throw new Error("the path holds a null character");
  if (/^file:/i.test(given)) return nodeUrl.fileURLToPath(given);
  if (given === "~" || given.startsWith("~/")) return nodeOs.homedir() + given.slice(1);
  return nodePath.isAbsolute(given) ? given : `${root}${nodePath.sep}${given}`;
}

function followLinks(absolute: string): string {
  const { root: start } = nodePath.parse(absolute);
  let current = start;
  let linksLeft = maxLinks;
  const waiting = segmentsOf(absolute.slice(start.length)).toReversed();
  for (let segment = waiting.pop(); segment !== undefined; segment = waiting.pop()) {
    if (segment === "..") {
      current = nodePath.dirname(current);
      continue;
    }
    const next = nodePath.join(current, segment);
    const target = readLink(next);
    if (target === undefined) {
      current = next;
      continue;
    }
    if (linksLeft-- === 0) throw new Error(`${absolute} follows too many links`);
    if (nodePath.isAbsolute(target)) current = nodePath.parse(target).root;
    waiting.push(...segmentsOf(nodePath.isAbsolute(target) ? target.slice(current.length) : target).toReversed());
  }
  return current;
}

/** As many as Linux follows. */
const maxLinks = 40;

function segmentsOf(text: string): string[] {
  return text.split(nodePath.sep === "\\" ? /[/\\]/ : "/").filter((segment) => segment !== "" && segment !== ".");
}

/** The target of a link; undefined if it is not a link or does not exist. Throws for any other error. */
function readLink(name: string): string | undefined {
  const found = nodeFs.lstatSync(name, { throwIfNoEntry: false });
  return found?.isSymbolicLink() ? nodeFs.readlinkSync(name) : undefined;
}
