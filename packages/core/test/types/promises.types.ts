import { defineTool } from "../../src/tool/tool.ts";

const common = { name: "later", description: "", inputSchema: { type: "object" } } as const;
const outputSchema = { type: "object", properties: { rows: { type: "integer" } }, required: ["rows"] } as const;

/** A promise that is made in a handler has the type that the handler may return. */
export const text = defineTool({ ...common, handler: () => new Promise((resolve) => resolve("text")) });
export const data = defineTool({ ...common, handler: () => new Promise((resolve) => resolve({ rows: 5 })) });
export const nothing = defineTool({ ...common, handler: () => new Promise(() => {}) });
export const generic = defineTool({ ...common, handler: () => Promise.resolve({ rows: 5 }) });
export const both = defineTool({ ...common, handler: () => Promise.all([Promise.resolve(5), "text"]) });
export const sensitive = defineTool({ ...common, handler: (_input, { callId }) => new Promise((resolve) => resolve({ callId })) });
export const typed = defineTool({
  ...common,
  outputSchema,
  handler: (_input, { callId }) => new Promise((resolve) => resolve({ rows: callId.length })),
});
export const typedValue = defineTool({
  ...common,
  outputSchema,
  handler: (_input, { callId }) => Promise.resolve({ rows: callId.length }),
});
export const typedAtOnce = defineTool({ ...common, outputSchema, handler: () => Promise.resolve({ rows: 5 }) });
