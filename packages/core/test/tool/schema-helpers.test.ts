import { describe, expect, expectTypeOf, it } from "vitest";
import { type InferSchema, validateValue } from "@toolrack/json-schema";
import { ToolError } from "../../src/errors.ts";
import { adaptSchema } from "../../src/providers/adapt/adapt.ts";
import { schemaTargets } from "../../src/providers/providers.ts";
import { objectSchema, optional, optionalStringEnum, stringEnum } from "../../src/tool/schema-helpers.ts";
import { defineTool } from "../../src/tool/tool.ts";

describe("schema helpers", () => {
  // row: A19
  it("write plain JSON Schema: no union, no null, no keyword of our own", () => {
    const schema = objectSchema({
      action: stringEnum(["list", "add"], { description: "What to do." }),
      color: optionalStringEnum(["red", "blue"]),
      note: optional({ type: "string" }),
      limit: { type: "integer", default: 5 },
    });
    expect(schema).toStrictEqual({
      type: "object",
      properties: {
        action: { type: "string", enum: ["list", "add"], description: "What to do." },
        color: { type: "string", enum: ["red", "blue"] },
        note: { type: "string" },
        limit: { type: "integer", default: 5 },
      },
      required: ["action"],
    });
    for (const property of Object.values(schema.properties))
      expect(Reflect.ownKeys(property).every((key) => typeof key === "string")).toBe(true);
  });

  // row: A19
  it.each(schemaTargets.filter((target) => !target.endsWith("-strict")))("write what %s takes as it is", (target) => {
    const schema = objectSchema({
      action: stringEnum(["list", "add"], { description: "What to do." }),
      color: optionalStringEnum(["red", "blue"]),
      note: optional({ type: "string" }),
    });
    expect(adaptSchema(schema, target)).toMatchObject({ schema, losses: [] });
  });

  it("leave `required` away where nothing is", () => {
    expect(objectSchema({ a: optional({ type: "string" }) })).toStrictEqual({ type: "object", properties: { a: { type: "string" } } });
    expect(objectSchema({})).toStrictEqual({ type: "object", properties: {} });
  });

  it("let one schema be optional here and required there", () => {
    const name = { type: "string" } as const;
    expect(objectSchema({ first: name, second: optional(name) }).required).toEqual(["first"]);
    expect(objectSchema({ second: name }).required).toEqual(["second"]);
  });

  it("do not hand out the list they were given", () => {
    const values = ["a", "b"];
    const schema = stringEnum(values);
    values.push("c");
    expect(schema.enum).toEqual(["a", "b"]);
  });

  it("describe what the validator then accepts", () => {
    const schema = objectSchema({ action: stringEnum(["list"]), tags: optional({ type: "array", items: { type: "string" } }) });
    expect(validateValue(schema, { action: "list" }).ok).toBe(true);
    expect(validateValue(schema, { action: "drop" }).ok).toBe(false);
    expect(validateValue(schema, { tags: [] }).ok).toBe(false);
  });

  it.each([[[]], [["a", "a"]], [["a", 5]], ["abc"], [undefined]])("refuse %j as a list of texts", (values) => {
    expect(() => stringEnum(values as string[])).toThrow(ToolError);
    expect(() => stringEnum(values as string[])).toThrow(expect.objectContaining({ code: "SCHEMA_INVALID" }));
  });

  it("give a handler the type of its input", () => {
    const schema = objectSchema({
      action: stringEnum(["list", "add"], { description: "What to do." }),
      color: optionalStringEnum(["red", "blue"]),
      note: optional({ type: "string" }),
      limit: { type: "integer", default: 5 },
      mode: stringEnum(["fast", "slow"], { default: "fast" }),
    });
    type Expected = { action: "list" | "add"; limit: number; mode: "fast" | "slow"; color?: "red" | "blue"; note?: string };
    expectTypeOf<InferSchema<typeof schema>>().toEqualTypeOf<Expected>();
    const tool = defineTool({ name: "paint", description: "Paints.", inputSchema: schema, handler: (input) => input.action });
    expectTypeOf(tool.handler).parameter(0).toEqualTypeOf<Expected>();
    expect(tool.inputSchema).toEqual(schema);
    // @ts-expect-error a default must be one of the values
    expect(stringEnum(["a"], { default: "b" }).enum).toEqual(["a"]);
  });
});
