import { ToolError } from "../errors.ts";

/** Checks for a whole number of at least `least`; throws an error that names the option. */
export function requireCount(option: string, value: number, least = 1): number {
  return Number.isSafeInteger(value) && value >= least ? value : refuse(option, "whole number", least, value);
}

/** Checks for a number of milliseconds of at least 0; throws an error that names the option. */
export function requireMs(option: string, value: number): number {
  return Number.isFinite(value) && value >= 0 ? value : refuse(option, "number of milliseconds", 0, value);
}

function refuse(option: string, kind: string, least: number, value: unknown): never {
  throw new ToolError("CONFIG_INVALID", `${option} must be a ${kind} of at least ${least}, but it is ${String(value)}.`);
}
