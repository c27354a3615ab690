import { requireFiles } from "../util/require-files.ts";
import { mayHavePaths } from "./guarded-paths.ts";
import type { Wrapper } from "./wrapper.ts";
import type { WorkspaceGuardOptions } from "./wrappers/workspace-guard.ts";

/**
 * The workspace guard, loaded when a registry is made that has a workspace. Calls with paths wait until it is there; if it cannot be loaded,
 * they fail.
 */
export function createLateWorkspaceGuard(given: WorkspaceGuardOptions): Wrapper {
  requireFiles("A workspace");
  const options = structuredClone(given); // what the caller changes in them later is not seen
  let guard: Wrapper | undefined;
  const loading = import("./wrappers/workspace-guard.ts").then(({ createWorkspaceGuard }) => (guard = createWorkspaceGuard(options)));
  loading.catch(() => {}); // each call that waits for it fails with the reason
  return {
    name: "workspace-guard",
    appliesTo: (tool) => mayHavePaths(tool, options.paths),
    beforeRun: (call) => (guard === undefined ? loading.then((loaded) => loaded.beforeRun!(call)) : guard.beforeRun!(call)),
  };
}
