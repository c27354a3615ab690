// row: B1
import { executeTool } from "../../src/tool/array.ts";
import type { CallContext } from "../../src/tool/context.ts";
import { toStructured, type ToolResult } from "../../src/tool/result.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";
import type { Equal, Expect } from "./expect.ts";

/** `content` is there only after checking `ok`, and so are the fields of a failure. */
export function read(result: ToolResult<{ rows: number }>): string {
  // @ts-expect-error -- not checked yet
  void result.content;
  // @ts-expect-error -- not checked yet
  void result.error;
  if (!result.ok) {
    // @ts-expect-error -- a failure has no content
    void result.content;
    return `${result.code} ${result.status} ${result.error}`;
  }
  // @ts-expect-error -- a success has no error
  void result.error;
  return `${result.content} ${result.data?.rows}`;
}

export const structured = (result: ToolResult<{ rows: number }>) => toStructured(result).data;

export type Structured = [Expect<Equal<ReturnType<typeof structured>, { rows: number } | string | null>>];

interface Database {
  find(id: string): Promise<{ name: string }>;
}

/** A handler says by the type of its context which services it needs. */
export const byId = defineTool({
  name: "by_id",
  description: "Finds a person.",
  inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  async handler({ id }, context: CallContext<{ db: Database }>) {
    // @ts-expect-error -- no such service
    void context.services.cache;
    return (await context.services.db.find(id)).name;
  },
});

export type Services = [Expect<Equal<Parameters<(typeof byId)["handler"]>[1], CallContext<{ db: Database }>>>];

/** Tools of any input and any services fit into one list. */
export const tools: readonly ToolDefinition[] = [byId, defineTool({ name: "none", description: "", inputSchema: {}, handler: () => 5 })];

export const answer: Promise<ToolResult> = executeTool(tools[0], { id: "7" });

// @ts-expect-error -- a defined tool cannot be changed
byId.name = "other";
