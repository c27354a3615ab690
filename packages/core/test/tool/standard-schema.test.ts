import { Type as OldType } from "@sinclair/typebox";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import fc from "fast-check";
import { Type } from "typebox";
import * as v from "valibot";
import { untilLater } from "@toolrack/testkit/until";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { executeTool } from "../../src/tool/array.ts";
import { readTool } from "../../src/tool/shapes.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";

/** A tool that answers with what its handler was given. */
function echo(inputSchema: unknown): ToolDefinition {
  return (defineTool as (draft: unknown) => ToolDefinition)({
    name: "echo",
    description: "",
    inputSchema,
    handler: (input: unknown) => ({ input }),
  });
}

async function given(inputSchema: unknown, input: unknown): Promise<unknown> {
  const result = await executeTool(echo(inputSchema), input);
  return result.ok ? (result.data as { input: unknown }).input : result.error;
}

const libraries: Record<string, unknown> = {
  Zod: z.object({ query: z.string(), limit: z.int().max(100).default(5), tags: z.array(z.string()).optional() }),
  Valibot: toStandardJsonSchema(
    v.object({
      query: v.string(),
      limit: v.optional(v.pipe(v.number(), v.integer(), v.maxValue(100)), 5),
      tags: v.optional(v.array(v.string())),
    }),
  ),
  ArkType: type({ query: "string", limit: "number.integer <= 100 = 5", "tags?": "string[]" }),
  "@sinclair/typebox": OldType.Object({
    query: OldType.String(),
    limit: OldType.Optional(OldType.Integer({ maximum: 100, default: 5 })),
    tags: OldType.Optional(OldType.Array(OldType.String())),
  }),
  TypeBox: Type.Object({
    query: Type.String(),
    limit: Type.Optional(Type.Integer({ maximum: 100, default: 5 })),
    tags: Type.Optional(Type.Array(Type.String())),
  }),
};

describe.each(Object.entries(libraries))("a schema of %s", (_library, schema) => {
  it("becomes the tool's JSON Schema", () => {
    expect(echo(schema).inputSchema).toMatchObject({
      type: "object",
      properties: { query: { type: "string" }, limit: { type: "integer", maximum: 100 }, tags: { type: "array" } },
      required: ["query"],
    });
    expect(echo(schema).inputSchema).not.toHaveProperty("$schema");
  });

  it("checks the input, and fills in defaults", async () => {
    expect(await given(schema, { query: "shoes" })).toEqual({ query: "shoes", limit: 5 });
    expect(await given(schema, { query: "shoes", limit: 7, tags: ["a"] })).toEqual({ query: "shoes", limit: 7, tags: ["a"] });
    expect(await given(schema, { query: 5 })).toContain("query must be a text, but it is 5.");
    expect(await given(schema, { query: "x", limit: 500 })).toContain("limit must be at most 100, but it is 500.");
    expect(await given(schema, {})).toContain("query is required");
  });
});

describe("a schema that does more than JSON Schema can say", () => {
  const page = z.object({ size: z.number().default(1) });

  it.each<[what: string, schema: unknown, input: unknown, expected: unknown]>([
    ["transforms", z.object({ n: z.number().transform((n) => n * 2) }), { n: 2 }, { n: 4 }],
    ["trims", z.object({ s: z.string().trim() }), { s: " a " }, { s: "a" }],
    ["lowers", z.object({ s: z.string().toLowerCase() }), { s: "A" }, { s: "a" }],
    [
      "pipes",
      z.object({ d: z.codec(z.iso.datetime(), z.date(), { decode: (s) => new Date(s), encode: (d) => d.toISOString() }) }),
      { d: "1970-01-01T00:00:00Z" },
      { d: "1970-01-01T00:00:00.000Z" },
    ],
    ["catches", z.object({ s: z.union([z.string(), z.number()]).pipe(z.string()).catch("none") }), { s: 5 }, { s: "none" }],
    ["coerces", z.object({ n: z.union([z.string(), z.number()]).pipe(z.coerce.number()) }), { n: "5" }, { n: 5 }],
    ["transforms keys", z.record(z.string().toUpperCase(), z.number()), { a: 1 }, { A: 1 }],
    ["fills an alternative", z.object({ o: z.object({ n: z.number().default(1) }).nullable() }), { o: {} }, { o: { n: 1 } }],
    [
      "fills what is an alternative only in one place",
      z.object({ a: page, b: page.nullable() }),
      { a: {}, b: {} },
      { a: { size: 1 }, b: { size: 1 } },
    ],
    ["strips an alternative", z.object({ o: z.object({ n: z.number() }).nullable() }), { o: { n: 1, m: 2 } }, { o: { n: 1 } }],
    ["is Valibot's", toStandardJsonSchema(v.object({ s: v.pipe(v.string(), v.trim()) })), { s: " a " }, { s: "a" }],
    ["is ArkType's", type({ n: type("string").to("string.lower") }), { n: "A" }, { n: "a" }],
  ])("is applied: it %s", async (_what, schema, input, expected) => {
    expect(await given(schema, input)).toEqual(expected);
  });

  it.each<[what: string, schema: unknown, input: unknown, message: string]>([
    ["a refinement", z.object({ n: z.number().refine((n) => n % 2 === 0, "n must be even") }), { n: 3 }, "n: n must be even"],
    ["an asynchronous one", z.object({ n: z.number().refine(async (n) => n % 2 === 0, "must be even") }), { n: 3 }, "n: must be even"],
    [
      "one about the whole",
      z.object({ a: z.number(), b: z.number() }).refine(({ a, b }) => a < b, "a below b"),
      { a: 2, b: 1 },
      "The input: a below b",
    ],
    ["a pattern with flags", z.object({ s: z.string().regex(/^a.c$/s) }), { s: "abd" }, "s must be a text that matches"],
    ["a protocol", z.object({ u: z.url({ protocol: /^https$/ }) }), { u: "http://example.com" }, "u: Invalid URL"],
    ["a format of one's own", z.object({ s: z.stringFormat("mine", (s) => s === "a") }), { s: "b" }, "s: Invalid mine"],
    [
      "in a list",
      z.object({ l: z.array(z.object({ n: z.number().refine((n) => n > 1, "above 1") })) }),
      { l: [{ n: 1 }] },
      "l[0].n: above 1",
    ],
  ])("refuses with its own words: %s", async (_what, schema, input, message) => {
    expect(await given(schema, input)).toContain(message);
  });

  it("makes its defaults anew for each call", async () => {
    let calls = 0;
    const counting = z.object({ id: z.string().default(() => `id ${++calls}`), at: z.number().default(() => Date.now()) });
    const tool = echo(counting);
    const [first, second] = [await executeTool(tool, {}), await executeTool(tool, {})];
    expect(first.ok && first.data).not.toEqual(second.ok && second.data);
    const clock = echo(z.object({ at: z.string().default(() => new Date().toISOString()) }));
    const early = await executeTool(clock, {});
    await untilLater();
    const late = await executeTool(clock, {});
    expect(early.ok && early.data).not.toEqual(late.ok && late.data);
  });
});

describe("a plain Zod schema", () => {
  const json = fc.letrec<{ schema: z.ZodType }>((tie) => {
    const part = tie("schema");
    const number = fc.constantFrom(z.number(), z.int(), z.number().min(1), z.int().max(3), z.number().multipleOf(2));
    const text = fc.constantFrom(z.string(), z.string().min(2), z.string().regex(/^a/), z.enum(["a", "b"]), z.string().startsWith("a"));
    const leaf: fc.Arbitrary<z.ZodType> = fc.oneof(number, text, fc.constantFrom(z.boolean(), z.null(), z.unknown(), z.literal(["a", 1])));
    const shape = fc.dictionary(fc.constantFrom("a", "b", "c"), part, { maxKeys: 3, noNullPrototype: true });
    return {
      schema: fc.oneof(
        { depthSize: "small" },
        leaf,
        shape.map((members) => z.object(members)),
        shape.map((members) => z.strictObject(members)),
        shape.map((members) => z.looseObject(members)),
        part.map((element) => z.array(element)),
        part.map((element) => z.record(z.string(), element)),
        part.map((element) => z.tuple([element], element)),
        part.map((inner) => inner.optional()),
        leaf.map((inner) => inner.nullable()),
        fc.constantFrom(z.number().default(7), z.string().default("d"), z.array(z.number()).default([1])),
      ),
    };
  }).schema;
  const value = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<unknown>(null, true, 0, 1, 2, 1.5, "a", "ab", "b"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "c", "d"), tie("value"), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;

  it("gives the handler what Zod itself would have given it", async () => {
    const shapes = fc.dictionary(fc.constantFrom("a", "b", "c"), json, { minKeys: 1, noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(
        shapes,
        fc.dictionary(fc.constantFrom("a", "b", "c", "d"), value, { noNullPrototype: true }),
        async (shape, input) => {
          const schema = z.object(shape);
          const theirs = schema.safeParse(input);
          const ours = await executeTool(echo(schema), input);
          expect(ours.ok, ours.ok ? "" : ours.error).toBe(theirs.success);
          if (ours.ok) expect((ours.data as { input: unknown }).input).toEqual(theirs.data);
        },
      ),
      { numRuns: sized(60, 500) },
    );
  });

  it("is not kept by a registry", async () => {
    expect(await isKept(() => z.object({ query: z.string().min(1), limit: z.int().default(5), kind: z.enum(["a", "b"]).optional() }))).toBe(
      false,
    );
    expect(await isKept(() => z.object({ mail: z.email(), when: z.iso.date(), list: z.array(z.object({ id: z.uuid() })) }))).toBe(false);
  });

  it("is kept where a tuple fills in the items it lacks", async () => {
    const tool = echo(z.object({ a: z.tuple([z.number().default(7)]).optional() }));
    expect(await executeTool(tool, { a: [] })).toMatchObject({ ok: true, data: { input: { a: [7] } } });
  });

  it("is kept once it transforms or refines", async () => {
    expect(await isKept(() => z.object({ query: z.string().trim() }))).toBe(true);
    expect(await isKept(() => z.object({ n: z.coerce.number() }))).toBe(true);
    expect(await isKept(() => z.object({ n: z.number() }).refine(() => true))).toBe(true);
    expect(await isKept(() => z.object({ n: z.lazy(() => z.number()) }))).toBe(true);
  });
});

describe("a schema that cannot describe itself as JSON Schema", () => {
  it("is refused with the converter that helps", () => {
    expect(() => echo(v.object({ s: v.string() }))).toThrow(
      expect.objectContaining({
        code: "SCHEMA_UNCONVERTIBLE",
        message:
          'Tool "echo", inputSchema: The valibot schema cannot describe itself as JSON Schema; wrap it: toStandardJsonSchema(schema) from @valibot/to-json-schema.',
      }),
    );
    const unknown = { "~standard": { version: 1, vendor: "acme", validate: (value: unknown) => ({ value }) } };
    expect(() => echo(unknown)).toThrow(/convert it with acme's JSON Schema converter and pass the result/);
  });

  it("is refused with the part that JSON Schema has no words for", () => {
    expect(() => echo(z.object({ d: z.date() }))).toThrow(
      expect.objectContaining({ code: "SCHEMA_UNCONVERTIBLE", message: expect.stringMatching(/The zod schema has a part .*Date/) }),
    );
  });
});

/** Whether a tool holds on to the schema that it was defined from. */
async function isKept(make: () => z.ZodType): Promise<boolean> {
  let schema: z.ZodType | undefined = make();
  const reference = new WeakRef(schema);
  const tool = readTool(echo(schema));
  schema = undefined;
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let turn = 0; turn < 4 && reference.deref() !== undefined; turn++) {
    // A WeakRef holds its target until the current job ends.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  expect(tool.name).toBe("echo");
  return reference.deref() !== undefined;
}

describe("a copy of a tool", () => {
  it("keeps the refinements of its schema, and so does a tool that takes over its input schema", async () => {
    const even = echo(z.object({ n: z.number().refine((n) => n % 2 === 0, "must be even") }));
    for (const copy of [defineTool({ ...even }), defineTool({ ...even, name: "other" }), echo(even.inputSchema)]) {
      const refused = await executeTool(copy, { n: 3 });
      expect(refused).toMatchObject({ ok: false, code: "INPUT_INVALID", error: expect.stringContaining("must be even") });
      expect(await executeTool(copy, { n: 4 })).toMatchObject({ ok: true });
    }
  });
});
