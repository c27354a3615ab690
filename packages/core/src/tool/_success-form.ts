import { isObject } from "@toolrack/json-schema/internal";
import { describeThrown, type Effect, type HandlerReturn } from "./result.ts";

/**
 * Reads results in the form { success, data | output, error, modifiedFiles? }.
 * Any other value is returned as it came.
 */
export function fromSuccessForm(returned: unknown): HandlerReturn {
  if (!isObject(returned) || typeof returned["success"] !== "boolean") return returned;
  const { success, error, output, data = typeof output === "string" ? undefined : output, modifiedFiles } = returned;
  if (!success) return { ok: false, error: error ? describeThrown(error) : "The tool reported a failure without a reason." };
  const effects = Array.isArray(modifiedFiles) ? modifiedFiles.map(fileWritten) : undefined;
  return {
    ok: true,
    content: typeof output === "string" ? output : textOf(data),
    ...(data !== undefined && { data }),
    ...(effects && { effects }),
  };
}

function textOf(data: unknown): string {
  return typeof data === "string" ? data : (JSON.stringify(data) ?? "");
}

function fileWritten(target: unknown): Effect {
  return { kind: "file", action: "write", target: String(target) };
}
