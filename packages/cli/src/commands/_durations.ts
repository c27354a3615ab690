import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** "90s" → 90_000, "15m", "6h", "1d"; `name` is its flag. Undefined stays undefined. */
export function readDuration(text: string | boolean | undefined, name: string): number | undefined {
  if (typeof text !== "string") return undefined;
  const [, count, unit] = /^(\d{1,9})(s|m|h|d)$/.exec(text.trim()) ?? [];
  if (count !== undefined && unit !== undefined) return Number(count) * units[unit]!;
  throw new CommandError("usage", `${name} must be a number and a unit, such as 90s, 15m, 6h or 1d, but it is "${safe(text)}".`);
}
