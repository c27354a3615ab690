import { hasFiles } from "#platform";
import { ToolError } from "../errors.ts";

/** Throws where there are no files: what guards them would guard nothing. "A workspace" needs them. */
export function requireFiles(what: string): void {
  if (hasFiles) return;
  throw new ToolError("CONFIG_INVALID", `${what} needs a file system, and this runtime has none. Leave it out, or use Node, Bun or Deno.`);
}
