import type { ToolMetadata } from "./metadata.ts";

/** Where the paths of a tool lead, if that is not the workspace of the registry. */
export interface PathPlace {
  /** The tool runs in another program or on another machine, so the workspace does not bound its paths. */
  readonly isElsewhere?: true;
  /** Where its relative paths start, if it runs on this machine: "/srv/project". */
  readonly start?: string;
  /** Absolute paths of folders that no path may leave; relative paths start in each of them. */
  readonly folders?: readonly string[];
  /** Parameters that hold paths, in addition to `metadata.paths`. */
  readonly parameters?: readonly string[];
}

interface Placed {
  readonly metadata?: ToolMetadata | undefined;
}

const place = Symbol("toolrack.path-place");

/** The draft of a tool with the place of its paths. Copies keep it; a definition as JSON has none. */
export function withPathPlace<Draft extends object>(draft: Draft, known: PathPlace): Draft {
  return { ...draft, [place]: Object.freeze(known) };
}

/** The same with one more folder that no path may leave. It only adds: folders and parameters that were checked before still are. */
export function withinFolder<Draft extends Placed>(draft: Draft, folder: string, parameters: readonly string[] = []): Draft {
  const known = pathPlaceOf(draft);
  return withPathPlace(draft, {
    ...known,
    folders: [...new Set([...(known?.folders ?? []), folder])],
    parameters: [...new Set([...(declaredPaths(draft) ?? ["path"]), ...parameters])],
  });
}

/** Undefined for a tool whose paths are in the workspace. */
export function pathPlaceOf(tool: object): PathPlace | undefined {
  return (tool as { readonly [place]?: PathPlace })[place];
}

/** For copies that name each field. */
export function keptPathPlace(tool: object): object {
  const known = pathPlaceOf(tool);
  return known === undefined ? {} : { [place]: known };
}

/** The parameters that are declared to hold paths; undefined where nobody declared any. */
export function declaredPaths(tool: Placed): readonly string[] | undefined {
  const own = tool.metadata?.paths;
  const more = pathPlaceOf(tool)?.parameters;
  return more === undefined || more.length === 0 ? own : [...new Set([...(own ?? []), ...more])];
}
