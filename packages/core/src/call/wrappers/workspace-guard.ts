import { hasOwn } from "@toolrack/json-schema/internal";
import { nodeFs, nodePath } from "#platform";
import type { ToolFailure } from "../../tool/result.ts";
import { createHiddenPaths, type HiddenPaths } from "../../util/path-hidden.ts";
import { resolveInside } from "../../util/path-inside.ts";
import { pathReadings } from "../../util/path-readings.ts";
import { requireFiles } from "../../util/require-files.ts";
import { mayHavePaths } from "../guarded-paths.ts";
import type { Call, Wrapper } from "../wrapper.ts";

export interface WorkspaceGuardOptions {
  /** The directory that no path may leave, and the base of relative paths. */
  root: string;
  /** The parameters that are paths, for tools without `metadata.paths`. @default ["path"] */
  paths?: readonly string[];
  /** Absolute paths that no call may name; a folder includes its contents. @default none */
  hidden?: readonly string[];
}

/** Refuses a call with a path that leads out of the workspace. Every text within a path parameter counts as a path. */
export function createWorkspaceGuard(options: WorkspaceGuardOptions): Wrapper {
  requireFiles("A workspace");
  const root = nodePath.resolve(options.root);
  const usual = options.paths ?? ["path"];
  const hidden = options.hidden === undefined || options.hidden.length === 0 ? undefined : createHiddenPaths(options.hidden);
  return {
    name: "workspace-guard",
    appliesTo: (tool) => mayHavePaths(tool, usual),
    beforeRun(call) {
      for (const name of call.tool.metadata?.paths ?? usual) {
        const refused = hasOwn(call.input, name) ? refusePath(call.input[name], name, { root, hidden }, call) : undefined;
        if (refused !== undefined) return refused;
      }
      return undefined;
    },
  };
}

/** Each path costs a few file system calls, so their number is limited. */
const maxPaths = 1_000;

interface Bounds {
  readonly root: string;
  readonly hidden: HiddenPaths | undefined;
}

function refusePath(value: unknown, name: string, { root, hidden }: Bounds, call: Call): ToolFailure | undefined {
  const texts = textsIn(value);
  if (texts.length > maxPaths)
    return call.fail("PATH_OUTSIDE_WORKSPACE", `Tool "${call.tool.name}": ${name} has more than ${maxPaths} paths. Make several calls.`);
  for (const path of texts) {
    const inside = resolveInside(root, path);
    if (!inside.ok) return refusal(call, name, path, inside.reason);
    if (hidden !== undefined && (pathReadings(path) ?? []).some((reading) => isHidden(reading, root, hidden)))
      return refusal(call, name, path, "there is nothing that tools may use");
  }
  return undefined;
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

function refusal(call: Call, name: string, path: string, reason: string): ToolFailure {
  const shown = JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
  const error = `Tool "${call.tool.name}": ${name} ${shown} is refused: ${reason}. Use a path inside of the workspace.`;
  return call.fail("PATH_OUTSIDE_WORKSPACE", error);
}
