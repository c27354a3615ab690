import type { Logger } from "@toolrack/core";
import type { ServerLog } from "./log.ts";

/** Whether a log would write a line of this level now; true for a log that cannot tell. */
export function takesLine(log: Logger, level: "debug" | "info" | "warn"): boolean {
  return !("takes" in log) || (log as ServerLog).takes(level);
}
