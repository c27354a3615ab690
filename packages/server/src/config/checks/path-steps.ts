import { readlinkSync } from "node:fs";
import path from "node:path";

/** One step on the way to what a path names. */
export interface PathStep {
  readonly folder: string;
  /** What is looked up in it. */
  readonly location: string;
  /** Whether that is a link, which the next steps follow. */
  readonly isLink: boolean;
}

/** How many links are followed, as by the system itself. */
export const maxLinks = 40;

/** Every name that the system looks up on the way to what an absolute path names, links included; at most `maxLinks` of those. */
export function* stepsTo(file: string): Generator<PathStep> {
  const { root } = path.parse(file);
  let folder = root;
  let rest = path.relative(root, file).split(path.sep);
  for (let links = 0; rest.length > 0 && links <= maxLinks;) {
    const [name = "", ...further] = rest;
    const location = path.join(folder, name);
    const target = linkAt(location);
    yield { folder, location, isLink: target !== undefined };
    if (target === undefined) {
      folder = location;
      rest = further;
    } else {
      links += 1;
      folder = root;
      rest = [...path.relative(root, path.resolve(path.dirname(location), target)).split(path.sep), ...further];
    }
  }
}

function linkAt(location: string): string | undefined {
  try {
    return readlinkSync(location);
  } catch {
    return undefined;
  }
}
