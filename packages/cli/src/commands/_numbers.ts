import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";

export interface NumberLimits {
  /** "milliseconds" */
  readonly of?: string;
  /** @default 1 */
  readonly least?: number;
  /** @default 1e15 */
  readonly most?: number;
  /** Whether it may have a fraction. */
  readonly isWhole?: boolean;
}

/** A number that a person typed; `name` is its flag or argument: "--timeout". Undefined stays undefined. */
export function readNumber(text: string | boolean | undefined, name: string, limits: NumberLimits = {}): number | undefined {
  if (typeof text !== "string") return undefined;
  const { of, least = 1, most = 1e15, isWhole = true } = limits;
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(number) && number >= least && number <= most && (!isWhole || Number.isInteger(number))) return number;
  const kind = `a ${isWhole ? "whole " : ""}number${of === undefined ? "" : ` of ${of}`}`;
  const range = most === 1e15 ? `at least ${least}` : `from ${least} to ${most}`;
  throw new CommandError("usage", `${name} must be ${kind}, ${range}, but it is "${safe(text)}".`);
}
