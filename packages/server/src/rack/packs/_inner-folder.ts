import path from "node:path";

/** A folder of a pack, and the folder that it must stay in. */
export interface InnerFolder {
  readonly folder: string;
  /** The workspace for a folder inside it, which programs may replace; the folder itself if the operator chose one elsewhere. */
  readonly within: string;
}

export function innerFolder(workspace: string, named: unknown): InnerFolder {
  const folder = typeof named === "string" ? path.resolve(workspace, named) : workspace;
  const below = path.relative(workspace, folder);
  const isInner = below !== ".." && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below);
  return { folder, within: isInner ? workspace : folder };
}
