// Tools whose effects are lines in a file, for programs that are killed: see killed.test.ts.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool, type ToolDefinition } from "@toolrack/core";
import type { RackConfig } from "../../../src/config/config.ts";

/** Where a server may be killed. */
export const stages = ["asked", "approved", "paying", "paid", "asking", "noting", "noted", "looking"] as const;
export type Stage = (typeof stages)[number];

export const payingConfig: RackConfig = {
  policy: { unknownAgents: "allow", tools: { ask: ["pay"] } },
  tools: { packs: { programs: true } },
};

export const payingSource = `const { n } = await tools.look({ first: true });
let paid;
try { paid = (await tools.pay({ n })).receipt; } catch (e) { paid = e.code; }
let noted;
try { noted = await tools.note({}); } catch (e) { noted = e.code; }
const again = await tools.look({ first: false });
return [paid, noted, again.n];`;

/** `reach` is awaited at each stage. */
export function payingTools(folder: string, reach: (stage: Stage) => Promise<void>): readonly ToolDefinition[] {
  const write = (line: string): void => appendFileSync(join(folder, "effects.txt"), `${line}\n`);
  return [
    defineTool({
      name: "pay",
      description: "Pays.",
      inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
      async handler() {
        await reach("paying");
        write("pay");
        await reach("paid");
        return { receipt: "R" };
      },
    }),
    defineTool({
      name: "note",
      description: "Notes, once a person says how.",
      inputSchema: { type: "object", properties: {} },
      async handler(_input, { ask }) {
        await ask({ message: "Note it?" });
        await reach("noting");
        write("note");
        await reach("noted");
        return "noted";
      },
    }),
    defineTool({
      name: "look",
      description: "Looks.",
      inputSchema: { type: "object", properties: { first: { type: "boolean" } } },
      metadata: { annotations: { readOnly: true } },
      async handler({ first }) {
        if (first !== true) await reach("looking");
        return { n: 7 };
      },
    }),
  ];
}
