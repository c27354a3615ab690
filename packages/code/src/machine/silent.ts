import { ArrayValue, FunctionValue, ObjectValue, type Value } from "./values.ts";

/** Reads a property for the machine's own purposes: nothing is noted, and a missing one is undefined. */
export function getSilently(value: Value, key: string): Value {
  if (value instanceof ObjectValue) return value.slots.get(key);
  if (value instanceof ArrayValue) return /^\d+$/.test(key) ? value.items[Number(key)] : undefined;
  return value instanceof FunctionValue ? value.slots?.get(key) : undefined;
}
