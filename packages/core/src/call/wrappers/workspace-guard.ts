import { hasOwn } from "@toolrack/json-schema/internal";
import { nodeFs, nodePath } from "#platform";
import { createPathResolver } from "../../policy/paths/resolve.ts";
import { declaredPaths, pathPlaceOf } from "../../tool/path-place.ts";
import type { ToolFailure } from "../../tool/result.ts";
import type { ToolDefinition } from "../../tool/tool.ts";
import { createHiddenPaths, type HiddenPaths } from "../../util/path-hidden.ts";
import { resolveInside } from "../../util/path-inside.ts";
import { pathReadings } from "../../util/path-readings.ts";
import { requireFiles } from "../../util/require-files.ts";
import { mayHavePaths } from "../guarded-paths.ts";
import type { Call, Wrapper } from "../wrapper.ts";

export interface WorkspaceGuardOptions {
  /** The directory that no path may leave, and the base of relative paths. */
  root: string;
  /** The parameters that are paths, for tools that declare none. @default ["path"] */
  paths?: readonly string[];
  /** Absolute paths that no call may name; a folder includes its contents. @default none */
  hidden?: readonly string[];
}

/**
 * Refuses a call with a path that leads out of the workspace, or out of a folder that is declared for the tool. Every text within a path
 * parameter counts as a path. A tool that runs elsewhere has no bounds but the declared ones; a path of this machine to what is hidden is refused.
 */
export function createWorkspaceGuard(options: WorkspaceGuardOptions): Wrapper {
  requireFiles("A workspace");
  const workspace = nodePath.resolve(options.root);
  const usual = options.paths ?? ["path"];
  const hidden = options.hidden === undefined || options.hidden.length === 0 ? undefined : createHiddenPaths(options.hidden);
  return {
    name: "workspace-guard",
    appliesTo: (tool) => mayHavePaths(tool, usual),
    beforeRun(call) {
      const bounds = boundsOf(call.tool, workspace, hidden);
      for (const name of declaredPaths(call.tool) ?? usual) {
        const refused = hasOwn(call.input, name) ? refusePath(call.input[name], name, bounds, call) : undefined;
        if (refused !== undefined) return refused;
      }
      return undefined;
    },
  };
}

/** Each path costs a few file system calls, so their number is limited. */
const maxPaths = 1_000;

interface Bounds {
  /** What no path may leave. */
  readonly roots: readonly Root[];
  /** Where relative paths start, if there is no root and the tool runs on this machine. */
  readonly start: string | undefined;
  readonly hidden: HiddenPaths | undefined;
}

interface Root {
  readonly path: string;
  /** "the workspace" */
  readonly shown: string;
}

function boundsOf(tool: ToolDefinition, workspace: string, hidden: HiddenPaths | undefined): Bounds {
  const { isElsewhere = false, start, folders = [] } = pathPlaceOf(tool) ?? {};
  const roots = folders.map((path) => ({ path, shown: "the folder that is declared for its paths" }));
  return { roots: isElsewhere ? roots : [{ path: workspace, shown: "the workspace" }, ...roots], start, hidden };
}

function refusePath(value: unknown, name: string, { roots, start, hidden }: Bounds, call: Call): ToolFailure | undefined {
  if (roots.length === 0 && hidden === undefined) return undefined;
  const texts = textsIn(value);
  if (texts.length > maxPaths)
    return call.fail("PATH_OUTSIDE_WORKSPACE", `Tool "${call.tool.name}": ${name} has more than ${maxPaths} paths. Make several calls.`);
  for (const path of texts) {
    for (const root of roots) {
      const inside = resolveInside(root.path, path);
      if (!inside.ok) return refusal(call, name, path, inside.reason.replace("the workspace", root.shown), root.shown);
      if (hidden !== undefined && (pathReadings(path) ?? []).some((reading) => isHidden(reading, root.path, hidden)))
        return refusal(call, name, path, "there is nothing that tools may use", root.shown);
    }
    if (roots.length === 0 && hidden !== undefined && leadsToHidden(path, start, hidden))
      return refusal(call, name, path, "there is nothing that tools may use");
  }
  return undefined;
}

/** Whether a path without bounds is one of this machine that is hidden. A relative one of a tool on another machine is none. */
function leadsToHidden(path: string, start: string | undefined, hidden: HiddenPaths): boolean {
  return (pathReadings(path) ?? []).some((reading) => {
    try {
      if (start === undefined && !/^(?:~|file:)/i.test(reading) && !nodePath.isAbsolute(reading)) return false;
      const real = createPathResolver({ root: start ?? "/" })(reading);
      return hidden.hides(real, nodeFs.lstatSync(real, { bigint: true, throwIfNoEntry: false }));
    } catch {
      return false; // no system has a file of this name
    }
  });
}

function isHidden(path: string, root: string, hidden: HiddenPaths): boolean {
  const inside = resolveInside(root, path);
  if (!inside.ok) return true;
  try {
    return hidden.hides(inside.path, nodeFs.lstatSync(inside.path, { bigint: true, throwIfNoEntry: false }));
  } catch {
    return hidden.hides(inside.path);
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  const texts: string[] = [];
  const seen = new Set([value]);
  for (const next of seen) {
    if (typeof next === "string") texts.push(next);
    else if (typeof next === "object" && next !== null) for (const inner of Object.values(next)) seen.add(inner);
  }
  return texts;
}

function refusal(call: Call, name: string, path: string, reason: string, root?: string): ToolFailure {
  const shown = JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
  const advice = root === undefined ? "Use another path" : `Use a path inside of ${root}`;
  const error = `Tool "${call.tool.name}": ${name} ${shown} is refused: ${reason}. ${advice}.`;
  return call.fail("PATH_OUTSIDE_WORKSPACE", error);
}
