import { toText } from "./encode.ts";

/** The texts of a value on the wire, through its lists and members. */
export function valuesIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [toText(value)];
  return Object.values(value)
    .filter((inner) => inner !== undefined && inner !== null)
    .flatMap(valuesIn);
}

/** The names of its members, and its texts. */
export function textsIn(value: unknown): readonly string[] {
  return [...namesIn(value), ...valuesIn(value)];
}

function namesIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(namesIn)];
}
