import { Type as OldType } from "@sinclair/typebox";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Type } from "typebox";
import * as v from "valibot";
import * as z from "zod";
import { defineTool } from "../../src/tool/tool.ts";
import type { Equal, Expect } from "./expect.ts";

const description = "Searches.";

export const zod = defineTool({
  name: "zod",
  description,
  inputSchema: z.object({
    query: z.string(),
    limit: z.int().default(5),
    length: z.string().transform((text) => text.length),
    tag: z.string().optional(),
  }),
  handler(input) {
    const same: Expect<Equal<typeof input, { query: string; limit: number; length: number; tag?: string | undefined }>> = true;
    // @ts-expect-error -- no such parameter
    void input.other;
    return { same, text: input.query };
  },
});

export const valibot = defineTool({
  name: "valibot",
  description,
  inputSchema: toStandardJsonSchema(v.object({ query: v.string(), limit: v.optional(v.number(), 5), mode: v.picklist(["a", "b"]) })),
  handler(input) {
    const same: Expect<Equal<typeof input, { query: string; limit: number; mode: "a" | "b" }>> = true;
    return { same, text: input.query };
  },
});

export const arktype = defineTool({
  name: "arktype",
  description,
  inputSchema: type({ query: "string", "limit?": "number", mode: "'a' | 'b'" }),
  handler(input) {
    const same: Expect<Equal<typeof input, { query: string; limit?: number; mode: "a" | "b" }>> = true;
    return { same, text: input.query };
  },
});

export const typebox = defineTool({
  name: "typebox",
  description,
  inputSchema: Type.Object({
    query: Type.String({ minLength: 1 }),
    limit: Type.Optional(Type.Integer({ default: 5 })),
    mode: Type.Union([Type.Literal("a"), Type.Literal("b")]),
    level: Type.Enum([1, 2]),
    tags: Type.Array(Type.Object({ key: Type.String() })),
    pair: Type.Tuple([Type.String(), Type.Number()]),
    counts: Type.Record(Type.String(), Type.Number()),
    place: Type.Unsafe<{ x: number }>({ type: "object" }),
  }),
  handler(input) {
    type Input = {
      query: string;
      limit?: number;
      mode: "a" | "b";
      level: 1 | 2;
      tags: { key: string }[];
      pair: [string, number];
      counts: Record<string, number>;
      place: { x: number };
    };
    const same: Expect<Equal<typeof input, Input>> = true;
    // @ts-expect-error -- an optional parameter may be missing
    void input.limit.toFixed();
    return { same, text: input.query };
  },
});

const oldSchema = OldType.Object({
  query: OldType.String({ minLength: 1 }),
  limit: OldType.Optional(OldType.Integer({ default: 5 })),
  mode: OldType.Union([OldType.Literal("a"), OldType.Literal("b")]),
  tags: OldType.Array(OldType.Object({ key: OldType.String() })),
  pair: OldType.Tuple([OldType.String(), OldType.Number()]),
  counts: OldType.Record(OldType.String(), OldType.Number()),
  place: OldType.Unsafe<{ x: number }>({ type: "object" }),
});

export const oldTypebox = defineTool({
  name: "old_typebox",
  description,
  inputSchema: oldSchema,
  handler(input) {
    type Input = {
      query: string;
      limit?: number;
      mode: "a" | "b";
      tags: { key: string }[];
      pair: [string, number];
      counts: Record<string, number>;
      place: { x: number };
    };
    const same: Expect<Equal<typeof input, Input>> = true;
    // @ts-expect-error -- no such parameter
    void input.other;
    return { same, text: input.query };
  },
});

/** A copy of the schema is the same schema. */
export const spreadTypebox = defineTool({
  name: "spread_typebox",
  description,
  inputSchema: { ...oldSchema },
  handler: (input) => {
    const same: Expect<Equal<typeof input, (typeof oldSchema)["static"]>> = true;
    return { same, text: input.query };
  },
});
