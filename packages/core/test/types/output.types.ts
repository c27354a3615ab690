import type { JsonSchema } from "@toolrack/json-schema";
import { Type as OldType } from "@sinclair/typebox";
import { Type } from "typebox";
import * as z from "zod";
import type { HandlerResult } from "../../src/tool/result.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";
import type { Equal, Expect } from "./expect.ts";

const common = { name: "count", description: "Counts.", inputSchema: { type: "object" } } as const;

const outputSchema = {
  type: "object",
  properties: {
    rows: { type: "integer" },
    state: { enum: ["open", "closed"] },
    tags: { type: "array", items: { type: "string" } },
    note: { type: "string", default: "none" },
  },
  required: ["rows"],
} as const;

const tags: readonly string[] = ["a"];

export const rows = defineTool({ ...common, outputSchema, handler: () => ({ rows: 5, state: "open", tags }) });
export const later = defineTool({ ...common, outputSchema, handler: async () => ({ rows: 5 }) });
export const inline = defineTool({
  ...common,
  outputSchema: { type: "object", properties: { state: { enum: ["open", "closed"] } }, required: ["state"] },
  handler: (_input, context) => ({ state: context.callId === "" ? "open" : "closed" }),
});
export const whole = defineTool({ ...common, outputSchema, handler: () => ({ ok: true, content: "Five rows.", data: { rows: 5 } }) });
export const refused = defineTool({ ...common, outputSchema, handler: () => ({ ok: false, error: "There is no table." }) });
export const either = defineTool({
  ...common,
  outputSchema,
  handler: async (input: { id?: string }) => (input.id === undefined ? { ok: false, error: "No id." } : { rows: 5 }),
});

// @ts-expect-error -- rows is a number
defineTool({ ...common, outputSchema, handler: () => ({ rows: "five" }) });
// @ts-expect-error -- rows is missing
defineTool({ ...common, outputSchema, handler: async () => ({ state: "open" }) });
// @ts-expect-error -- not one of the choices
defineTool({ ...common, outputSchema, handler: () => ({ rows: 5, state: "ajar" }) });
// @ts-expect-error -- a text is not the object that the schema describes
defineTool({ ...common, outputSchema, handler: () => "five rows" });
// @ts-expect-error -- so are content blocks
defineTool({ ...common, outputSchema, handler: () => [{ type: "text", text: "five rows" }] });
// @ts-expect-error -- the data of the result are wrong
defineTool({ ...common, outputSchema, handler: () => ({ ok: true, content: "Five rows.", data: { rows: "five" } }) });

const counted = async (): Promise<HandlerResult<{ rows: number }>> => ({ ok: true, content: "Five rows.", data: { rows: 5 } });
const uncounted = async (): Promise<HandlerResult<{ rows: string }>> => ({ ok: true, content: "Five rows.", data: { rows: "five" } });
export const typed = defineTool({ ...common, outputSchema, handler: () => counted() });
// @ts-expect-error -- the data of the result are wrong
defineTool({ ...common, outputSchema, handler: () => uncounted() });

const content = [{ type: "text", text: "Five rows." }] as const;
export const mcp = defineTool({ ...common, outputSchema, handler: () => ({ content, structuredContent: { rows: 5 } }) });
export const mcpError = defineTool({ ...common, outputSchema, handler: () => ({ content, isError: true }) });
export const details = defineTool({ ...common, outputSchema, handler: () => ({ content, details: { rows: 5, state: "open" } }) });
export const returnedError = defineTool({ ...common, outputSchema, handler: () => new Error("There is no table.") });
export const stream = defineTool({
  ...common,
  outputSchema,
  async *handler() {
    yield "Counting.";
    return { rows: 5 };
  },
});
// @ts-expect-error -- the structured content is wrong
defineTool({ ...common, outputSchema, handler: () => ({ content, structuredContent: { rows: "five" } }) });

export const text = defineTool({ ...common, outputSchema: { type: "string" }, handler: () => "five rows" });

const zodSchema = z.object({ rows: z.int(), tags: z.array(z.string()).optional(), note: z.string().default("none") });
export const zod = defineTool({ ...common, outputSchema: zodSchema, handler: () => ({ rows: 5, tags }) });
// @ts-expect-error -- rows is a number
defineTool({ ...common, outputSchema: zodSchema, handler: () => ({ rows: "five" }) });

const typeboxSchema = Type.Object({ rows: Type.Integer() });
export const typebox = defineTool({ ...common, outputSchema: typeboxSchema, handler: () => ({ rows: 5 }) });
// @ts-expect-error -- rows is a number
defineTool({ ...common, outputSchema: typeboxSchema, handler: () => ({ rows: "five" }) });

const oldSchema = OldType.Object({ rows: OldType.Integer() });
export const oldTypebox = defineTool({ ...common, outputSchema: oldSchema, handler: () => ({ rows: 5 }) });
// @ts-expect-error -- rows is a number
defineTool({ ...common, outputSchema: oldSchema, handler: () => ({ rows: "five" }) });

/** A schema that is known only at run time takes any output, and so does none. */
export const late = defineTool({ ...common, outputSchema: JSON.parse("{}") as JsonSchema, handler: () => ({ rows: "five" }) });
export const none = defineTool({ ...common, handler: () => ({ rows: 5, at: new Date(), tags: ["a"] }) });

interface Loss {
  readonly path: string;
}
const losses: readonly Loss[] = [];
const looseSchema = { type: "object", properties: { losses: { type: "array", items: { type: "object" } } } } as const;
/** An interface is an object of anything. */
export const loose = defineTool({ ...common, outputSchema: looseSchema, handler: () => ({ losses }) });

type OutputOf<Tool> = Tool extends ToolDefinition<any, infer Output> ? Output : never;
export type Outputs = [
  Expect<Equal<OutputOf<typeof later>["rows"], number>>,
  Expect<Equal<OutputOf<typeof zod>["rows"], number>>,
  Expect<Equal<OutputOf<typeof none>, { rows: number; at: Date; tags: string[] }>>,
];
