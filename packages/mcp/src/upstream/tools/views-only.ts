/**
 * Whether a server marks a tool for its views, and not for models: `_meta.ui.visibility` without "model" (MCP Apps), or `_meta["openai/visibility"]:
 * "private"`. Without either, models may have it.
 */
export function isForViewsOnly(definition: Readonly<Record<string, unknown>>): boolean {
  const meta = own(definition, "_meta");
  const visibility = own(own(meta, "ui"), "visibility");
  if (own(meta, "openai/visibility") === "private") return true;
  return visibility !== undefined && ![visibility].flat().includes("model");
}

function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}
