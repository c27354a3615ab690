import { ToolError } from "../errors.ts";

const legalName = /^[A-Za-z0-9_.-]{1,128}$/;
const advice = "Use 1 to 128 of the characters A-Z a-z 0-9 _ . -";

export function isToolName(name: unknown): name is string {
  return typeof name === "string" && legalName.test(name);
}

export function assertToolName(name: unknown): asserts name is string {
  if (isToolName(name)) return;
  if (name === undefined) throw new ToolError("NAME_INVALID", `The tool has no name. ${advice}`);
  const shown =
    typeof name === "string"
      ? JSON.stringify(name.length > 140 ? `${name.slice(0, 140)}…` : name)
      : `${typeof name === "object" ? "An" : "A"} ${typeof name}`;
  throw new ToolError("NAME_INVALID", `${shown} cannot name a tool. ${advice}`);
}

/** Different spellings of one tool. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["bash", "exec"],
  ["apply-patch", "apply_patch"],
  ["blog_publish", "blog_notion"],
]);

/** " Bash " → "exec": the form in which policies compare names. A tool keeps its own spelling everywhere else. */
export function normalizeToolName(name: string): string {
  const folded = name.trim().toLowerCase();
  return aliases.get(folded) ?? folded;
}
