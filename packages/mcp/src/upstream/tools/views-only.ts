/**
 * Whether a server marks a tool for its views, and not for models: `_meta.ui.visibility` without "model" (MCP Apps), or `_meta["openai/visibility"]:
 * "private"`. Without either, models may have it.
 */
export function isForViewsOnly(definition: Readonly<Record<string, unknown>>): boolean {
  const meta = definition["_meta"] as Meta | null | undefined;
  if (meta?.["openai/visibility"] === "private") return true;
  const visibility = meta?.ui?.visibility;
  return visibility !== undefined && ![visibility].flat().includes("model");
}

/** As servers are meant to send it. */
interface Meta {
  readonly ui?: { readonly visibility?: unknown } | null;
  readonly "openai/visibility"?: unknown;
}
