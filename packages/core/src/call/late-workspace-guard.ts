import { requireFiles } from "../util/require-files.ts";
import { mayHavePaths } from "./guarded-paths.ts";
import { createLateWrapper } from "./late-wrapper.ts";
import type { Wrapper } from "./wrapper.ts";
import type { WorkspaceGuardOptions } from "./wrappers/workspace-guard.ts";

/** The workspace guard, loaded when a registry is made that has a workspace. */
export function createLateWorkspaceGuard(given: WorkspaceGuardOptions): Wrapper {
  requireFiles("A workspace");
  const options = structuredClone(given); // what the caller changes in them later is not seen
  return createLateWrapper({
    name: "workspace-guard",
    appliesTo: (tool) => mayHavePaths(tool, options.paths),
    methods: ["beforeRun"],
    load: () => import("./wrappers/workspace-guard.ts").then(({ createWorkspaceGuard }) => createWorkspaceGuard(options)),
  });
}
