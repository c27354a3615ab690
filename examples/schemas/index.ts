// The same tool from five kinds of schema. The handler's input is typed in each.
import assert from "node:assert/strict";
// #region imports
import { defineTool, objectSchema, optionalStringEnum, type ToolDefinition } from "@toolrack/core";
import { executeTool } from "@toolrack/core/array";
// #endregion
// #region import-valibot
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
// #endregion
// #region import-arktype
import { type as arktype } from "arktype";
// #endregion
// #region import-typebox
import { Type } from "typebox";
// #endregion
// #region import-zod
import { z } from "zod";
// #endregion

// #region names
const name = "greet";
const description = "Greets someone.";
// #endregion

// #region json-schema
const fromJsonSchema = defineTool({
  name,
  description,
  inputSchema: {
    type: "object",
    properties: { who: { type: "string" }, tone: { type: "string", enum: ["warm", "formal"] } },
    required: ["who"],
  },
  handler: ({ who, tone }) => (tone === "formal" ? `Good day, ${who}.` : `Hello ${who}!`), // tone: "warm" | "formal" | undefined
});
// #endregion

// #region helpers
const fromHelpers = defineTool({
  name,
  description,
  inputSchema: objectSchema({ who: { type: "string" }, tone: optionalStringEnum(["warm", "formal"]) }),
  handler: ({ who, tone }) => (tone === "formal" ? `Good day, ${who}.` : `Hello ${who}!`),
});
// #endregion

// #region zod
const fromZod = defineTool({
  name,
  description,
  inputSchema: z.object({ who: z.string(), tone: z.enum(["warm", "formal"]).optional() }),
  handler: ({ who, tone }) => (tone === "formal" ? `Good day, ${who}.` : `Hello ${who}!`),
});
// #endregion

// #region valibot
const fromValibot = defineTool({
  name,
  description,
  inputSchema: toStandardJsonSchema(v.object({ who: v.string(), tone: v.optional(v.picklist(["warm", "formal"])) })),
  handler: ({ who, tone }) => (tone === "formal" ? `Good day, ${who}.` : `Hello ${who}!`),
});
// #endregion

// #region arktype
const fromArkType = defineTool({
  name,
  description,
  inputSchema: arktype({ who: "string", "tone?": "'warm' | 'formal'" }),
  handler: ({ who, tone }) => (tone === "formal" ? `Good day, ${who}.` : `Hello ${who}!`),
});
// #endregion

// #region typebox
const fromTypeBox = defineTool({
  name,
  description,
  inputSchema: Type.Object({ who: Type.String(), tone: Type.Optional(Type.Enum(["warm", "formal"])) }),
  handler: ({ who, tone }) => (tone === "formal" ? `Good day, ${who}.` : `Hello ${who}!`),
});
// #endregion

// #region output
const count = defineTool({
  name: "count_letters",
  description: "Counts the letters of a name.",
  inputSchema: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
  outputSchema: {
    type: "object",
    properties: { letters: { type: "integer" }, size: { type: "string", enum: ["short", "long"] } },
    required: ["letters", "size"],
  },
  handler: ({ who }) => ({ letters: who.length, size: who.length < 5 ? "short" : "long" }), // another size, or none, does not compile
});
// #endregion
const counted = await executeTool(count, { who: "Ada" });
assert(counted.ok && counted.content === '{"letters":3,"size":"short"}');

const tools: Record<string, ToolDefinition> = { fromJsonSchema, fromHelpers, fromZod, fromValibot, fromArkType, fromTypeBox };
for (const [kind, tool] of Object.entries(tools)) {
  const right = await executeTool(tool, { who: "Ada", tone: "formal" });
  const wrong = await executeTool(tool, { tone: "loud" });
  console.log(`${kind}: ${right.ok && right.content}  ${wrong.ok || wrong.issues?.length} faults in { tone: "loud" }`);
  assert(right.ok && right.content === "Good day, Ada.");
  assert(!wrong.ok && wrong.code === "INPUT_INVALID" && wrong.issues?.length === 2);
}
