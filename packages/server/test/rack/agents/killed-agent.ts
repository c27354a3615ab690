import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { type AnyTool, defineTool } from "@toolrack/core";
import type { RackConfig } from "../../../src/config/config.ts";

/**
 * The input is on record, the reply is, the tool runs, has done its work, its result is on record, the last reply is. "begun" is some moment after whoever
 * began the run was told so.
 */
export type Step = "asked" | "replied" | "running" | "did" | "answered" | "said" | "begun";

export const agentConfig: RackConfig = {
  agents: { worker: { instructions: "Work.", model: "scripted" } },
  policy: { unknownAgents: "allow" },
};

/** One turn with a call, and one to answer. */
export function task(tool: string): string {
  return `call ${tool}`;
}

/** Two tools that leave a line in a file: one that may be called again, and one that may not. */
export function agentTools(folder: string, reach: (step: Step) => Promise<void>): readonly AnyTool[] {
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
