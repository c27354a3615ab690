import type { Caller, Registry } from "@toolrack/core";

/** Why somebody who signed in sees no tools: the configuration does not list the agent. Undefined for everybody else. */
export function unlistedNote(registry: Pick<Registry, "view">, caller: Caller): string | undefined {
  const view = registry.view(caller);
  // Warnings are looked for where they can matter only: it takes a look at every tool.
  return view.tools.length > 0 ? undefined : view.warnings.find(({ kind }) => kind === "unknown-agent")?.message;
}
