import { ToolError } from "../errors.ts";

/** Checks for a whole number of at least `least`; throws an error that names the option. */
export function requireCount(option: string, value: number, least = 1): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new ToolError("CONFIG_INVALID", `${option} must be a whole number of at least ${least}, but it is ${String(value)}.`);
}

/** Checks for a number of milliseconds of at least 0; throws an error that names the option. */
export function requireMs(option: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw new ToolError("CONFIG_INVALID", `${option} must be a number of milliseconds of at least 0, but it is ${String(value)}.`);
}
