import type { ToolDefinition } from "../../tool/tool.ts";

/** A tool for some models is not offered to others, nor to one that is not known. */
export function isForModel(tool: ToolDefinition, model: string | undefined): boolean {
  const patterns = tool?.metadata?.models;
  if (patterns === undefined || patterns.length === 0) return true;
  return model !== undefined && patterns.some((pattern) => matchesGlob(model, pattern));
}

/** `*` is the only wildcard, and the pattern is about the whole name. */
function matchesGlob(text: string, pattern: string): boolean {
  const parts = pattern.toLowerCase().split("*");
  const name = text.toLowerCase();
  if (parts.length === 1) return name === parts[0];
  const [first, last] = [parts[0]!, parts.at(-1)!];
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, from);
    if (found < 0 || found + part.length > name.length - last.length) return false;
    from = found + part.length;
  }
  return true;
}
