import { isObject } from "@toolrack/core/internal";
import type { JsonObject } from "@toolrack/store";
import type { TextKind } from "./noted-texts.ts";

/** Arguments of a prompt as parameters, so that they are compared and scanned as those of a tool are. */
export function textForm(kind: TextKind, { arguments: given, ...rest }: JsonObject): JsonObject {
  if (kind !== "prompt" || given === undefined) return { ...rest, ...(given !== undefined && { arguments: given }) };
  if (!Array.isArray(given) || !given.every(isPlainArgument)) return { ...rest, arguments: given };
  const properties = Object.fromEntries(
    given.map((one) => {
      const { name, required: _, ...said } = one;
      return [String(name), { type: "string", ...said }];
    }),
  );
  const required = given.filter((one) => one["required"] === true).map(({ name }) => String(name));
  return { ...rest, inputSchema: { type: "object", properties, ...(required.length > 0 && { required }) } as JsonObject };
}

/** Anything else stays as the server sent it, and counts as changed when any of it changes. */
function isPlainArgument(value: unknown): value is JsonObject {
  if (!isObject(value) || typeof value["name"] !== "string") return false;
  const { name: _, required, ...said } = value;
  return (
    (required === undefined || typeof required === "boolean") &&
    Object.entries(said).every(([key, inner]) => (key === "title" || key === "description") && typeof inner === "string")
  );
}
