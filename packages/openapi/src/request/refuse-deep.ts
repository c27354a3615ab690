import { ToolInputError } from "@toolrack/core";

const maxDepth = 500;

/** Refuses an input that nothing could write: one that is circular, or nested without end. Each object is looked at once for each level. */
export function refuseDeep(input: object, operation: string): void {
  let level: ReadonlySet<object> = new Set([input]);
  for (let depth = 0; level.size > 0; depth++) {
    if (depth > maxDepth)
      throw new ToolInputError(`The input of ${operation} is circular, or nested more than ${maxDepth} deep. Send less.`);
    const next = new Set<object>();
    for (const one of level)
      for (const inner of Object.values(one) as unknown[]) if (typeof inner === "object" && inner !== null) next.add(inner);
    level = next;
  }
}
