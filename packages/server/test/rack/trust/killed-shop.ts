import { defineTool, type ToolSource } from "@toolrack/core";
import { sized } from "@toolrack/testkit/sized";

/** The tables that a decision about definitions is written to, in this order. */
export const tables = ["revisions", "breadcrumbs", "definition_log", "audit"] as const;

/** The statement at which a server is killed: the nth that inserts into the table. */
export interface Stage {
  readonly table: (typeof tables)[number];
  readonly nth: number;
  readonly when: "before" | "after";
}

export interface Task {
  /** What the source lists. */
  readonly version: 1 | 2;
  /** Whether a person approves what waits; else the source is seen. */
  readonly approves?: boolean;
  /** Whether a person agreed to the source, so that all of its first list is pinned. */
  readonly agreed?: boolean;
  readonly stage: Stage;
}

export const shopConfig = { sources: { shop: { url: "https://shop.example/mcp" } } };

/** Each tool waits, unless a person agreed to the source. */
export const agreedConfig = { sources: { shop: { command: process.execPath, trust: { first: "ask" as const } } } };

/** More tools than one batch has, and more than two in the long form. In version 2, a few of them take one more argument. */
export const toolCount: number = sized(200, 400);
export const changedCount = 3;

export function shopOf(version: 1 | 2): ToolSource {
  return {
    id: "mcp:shop",
    identity: "one",
    list: () =>
      Array.from({ length: toolCount }, (_, index) => {
        const isChanged = version === 2 && index < changedCount;
        return defineTool({
          name: `tool_${index}`,
          description: `Finds the orders of shop ${index}.`,
          inputSchema: {
            type: "object",
            properties: { customer: { type: "string" }, ...(isChanged && { everything: { type: "boolean" } }) },
          },
          handler: () => `version ${version}`,
        });
      }),
  };
}
