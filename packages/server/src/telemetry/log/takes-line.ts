import type { Logger } from "@toolrack/core";
import type { ServerLog } from "./log.ts";

/** Whether a log would write a line of this level now. One that cannot say so takes every line. */
export function takesLine(log: Logger, level: "debug" | "info" | "warn"): boolean {
  return !("takes" in log) || (log as ServerLog).takes(level);
}
