import type { Caller, Registry } from "@toolrack/core";

/** Why a caller that signed in sees no tools: the configuration does not list its agent, or its phase. Otherwise undefined. */
export function unlistedNote(registry: Pick<Registry, "view">, caller: Caller): string | undefined {
  const view = registry.view(caller);
  // Only where it can matter: finding warnings takes a look at every tool.
  return view.tools.length > 0
    ? undefined
    : view.warnings.find(({ kind }) => kind === "unknown-agent" || kind === "unknown-phase")?.message;
}
