import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { type AnyTool, defineTool } from "@toolrack/core";

export const stages = ["added", "started", "running", "did", "done"] as const;
export type Stage = (typeof stages)[number];

/** Two tools that leave a line in a file: one that may be called again, and one that may not. */
export function jobTools(folder: string, reach: (stage: Stage) => Promise<void>): readonly AnyTool[] {
  const inputSchema = { type: "object", properties: {} } as const;
  const work = (name: string) => async (): Promise<string> => {
    await reach("running");
    appendFileSync(join(folder, "effects.txt"), `${name}\n`);
    await reach("did");
    return name;
  };
  return [
    defineTool({ name: "pay", description: "Pays.", inputSchema, handler: work("pay") }),
    defineTool({ name: "set", description: "Sets.", inputSchema, metadata: { annotations: { idempotent: true } }, handler: work("set") }),
  ];
}
