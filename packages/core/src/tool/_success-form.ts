import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { isPlainData } from "./plain-data.ts";
import { describeThrown, type Effect, type HandlerReturn } from "./result.ts";

/**
 * Reads results in the form { success, data | output, error, modifiedFiles? }.
 * Any other value is returned as it came.
 */
export function fromSuccessForm(returned: unknown): HandlerReturn | Promise<HandlerReturn> {
  if (!isObject(returned) || typeof returned["success"] !== "boolean") return returned;
  const { success, error, output, data = typeof output === "string" ? undefined : output } = returned;
  if (!success) return { ok: false, error: error ? describeThrown(error) : "The tool reported a failure without a reason." };
  return data === undefined || isPlainData(data) ? toSuccess(returned, data) : convert(returned, data);
}

async function convert(returned: JsonObject, data: unknown): Promise<HandlerReturn> {
  const { toPlainData } = await import("./to-plain-data.ts");
  return toSuccess(returned, toPlainData(data, "result.data"));
}

function toSuccess({ output, modifiedFiles }: JsonObject, data: unknown): HandlerReturn {
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
