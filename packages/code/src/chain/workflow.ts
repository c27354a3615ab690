import type { Chain } from "./chain.ts";
import { isObject } from "./read.ts";

/**
 * A workflow in the spelling of systems whose tools are records, as a chain: `dependencies` and `depends_on` are `dependsOn`, and "{{step.field}}" is
 * "${step.field}". Everything else stays, so that `checkChain` tells what it does not know.
 */
export function chainFromWorkflow(workflow: unknown): Chain {
  if (!isObject(workflow) || !Array.isArray(workflow["steps"])) return workflow as Chain;
  const steps = (workflow["steps"] as unknown[]).map((step) => {
    if (!isObject(step)) return step;
    const { dependencies, depends_on, dependsOn = dependencies ?? depends_on, ...rest } = step;
    return {
      ...rest,
      ...(Object.hasOwn(step, "input") && { input: respelt(step["input"]) }),
      ...(dependsOn !== undefined && { dependsOn }),
    };
  });
  return { ...workflow, steps } as unknown as Chain;
}

function respelt(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return value.replaceAll(/\{\{\s*([\w-]+(?:\.[\w-]+|\[\d+\])*)\s*\}\}/g, "${$1}");
  // What is deeper is refused by its depth.
  if (depth > 100) return value;
  if (Array.isArray(value)) return value.map((one) => respelt(one, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, respelt(one, depth + 1)]));
}
