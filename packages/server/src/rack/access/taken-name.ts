import type { Registry } from "@toolrack/core";
import { type Breadcrumb, StoreError } from "@toolrack/store";

/** Why a stored definition could never be served: a tool of code or of another source has its name. */
export function takenName(registry: Pick<Registry, "get" | "entries">, { context }: Pick<Breadcrumb, "context">): string | undefined {
  const tool = typeof context["name"] === "string" ? registry.get(context["name"]) : undefined;
  const source = tool && registry.entries().find((entry) => entry.tool === tool)?.source;
  if (source === undefined || source === "records") return undefined;
  return `The name "${tool!.name}" is taken by a tool of ${source === "code" ? "the server's code" : `the source "${source}"`}, so a stored tool cannot have it. Choose another name.`;
}

/** Throws for a definition whose name is taken. */
export function demandFreeName(
  registry: Pick<Registry, "get" | "entries">,
  draft: { readonly schema_name: string; readonly context: Breadcrumb["context"] },
): void {
  const taken = draft.schema_name === "tool.definition.v1" ? takenName(registry, draft) : undefined;
  if (taken !== undefined) throw new StoreError("STATE_INVALID", taken);
}
