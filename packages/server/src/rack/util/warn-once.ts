import type { Logger } from "@toolrack/core";

/** Logs each problem once. */
export function warnOnce(log: Logger): (problems: readonly string[]) => void {
  const told = new Set<string>();
  return (problems) => {
    for (const problem of problems) {
      if (!told.has(problem)) log.warn(problem);
      told.add(problem);
    }
  };
}
