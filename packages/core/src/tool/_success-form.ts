import { isObject } from "../util/json.ts";
import type { Effect, HandlerReturn } from "./result.ts";

/**
 * Reads the answers of tools that speak of success: { success, data | output, error, modifiedFiles? }.
 * Any other value is returned as it came.
 */
export function fromSuccessForm(returned: unknown): HandlerReturn {
  if (!isObject(returned) || typeof returned["success"] !== "boolean") return returned;
  if (!returned["success"]) return { ok: false, error: String(returned["error"] ?? "The tool reported a failure without a reason.") };
  const { data, output, modifiedFiles } = returned;
  const effects = Array.isArray(modifiedFiles) ? modifiedFiles.map((target): Effect => ({ kind: "file", action: "write", target: String(target) })) : undefined;
  const content = typeof output === "string" ? output : JSON.stringify(data ?? null);
  return { ok: true, content, ...(data !== undefined && { data }), ...(effects && { effects }) };
}
