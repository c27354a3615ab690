import { validateValue } from "@toolrack/json-schema";
import { type } from "arktype";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ToolError } from "../../src/errors.ts";
import { defineTool } from "../../src/tool/tool.ts";

const tool = { name: "weather", description: "Weather.", inputSchema: { type: "object", properties: {} }, handler: () => "" };
const define = (draft: unknown): unknown => defineTool(draft as typeof tool);
const withInput = (inputSchema: unknown): unknown => define({ ...tool, inputSchema });

describe("a definition with a field that it does not know is refused, with the field that was meant:", () => {
  it.each<[fields: object, sentence: string]>([
    [{ desciption: "x" }, 'Tool "weather" has the unknown field "desciption". Did you mean "description"?'],
    [{ hander: () => "" }, 'Tool "weather" has the unknown field "hander". Did you mean "handler"?'],
    [{ outputShema: {} }, 'Did you mean "outputSchema"?'],
    [{ ownerOnly: true }, 'has the unknown field "ownerOnly". Did you mean "metadata.ownerOnly"?'],
    [{ annotations: { readOnly: true } }, 'Did you mean "metadata.annotations"?'],
    [{ input_schema: {} }, 'Did you mean "inputSchema"?'],
    [{ execute: () => "" }, 'has the unknown field "execute". Known fields: name, description, inputSchema, handler'],
    [{ cache: true }, 'has the unknown field "cache". Known fields: name, description'],
  ])("%j", (fields, sentence) => {
    expect(() => define({ ...tool, ...fields })).toThrow(expect.objectContaining({ code: "DEFINITION_INVALID" }));
    expect(() => define({ ...tool, ...fields })).toThrow(sentence);
  });

  it("but an instance of a class may keep its own state, and inherit its handler", () => {
    class Weather {
      name = "weather";
      description = "Weather.";
      inputSchema = { type: "object" };
      cache = new Map();
      handler(): string {
        return String(this.cache.size);
      }
    }
    expect(define(new Weather())).toMatchObject({ name: "weather" });
    expect(() => define(Object.assign(new Weather(), { metdata: { ownerOnly: true } }))).toThrow('Did you mean "metadata"?');
  });
});

describe("what stands in place of a schema is refused, with the schema that was meant:", () => {
  it.each<[what: string, schema: unknown, sentence: string]>([
    [
      "a raw Zod shape",
      { city: z.string(), days: z.number() },
      "inputSchema is a map of zod schemas. Wrap it, for instance: z.object({ city, days }).",
    ],
    ["a map of ArkType schemas", { city: type("string") }, "inputSchema is a map of arktype schemas. Wrap it"],
    ["Zod in a JSON Schema", { type: "object", properties: { city: z.string() } }, "inputSchema.properties is a map of zod schemas."],
    [
      "a bare map of properties",
      { city: { type: "string" }, days: { type: "integer" } },
      'inputSchema is a map of properties. Wrap it: { type: "object", properties: { city, days } }.',
    ],
    [
      "a bare map with the name of a keyword",
      { items: { type: "array" }, city: { type: "string" } },
      "inputSchema is a map of properties.",
    ],
    ["a map of types", { city: "string" }, 'Wrap it: { type: "object", properties: { city } }.'],
    [
      "a bare map inside",
      { type: "object", properties: { place: { city: { type: "string" } } } },
      'inputSchema, at "/properties/place", is a map of properties.',
    ],
  ])("%s", (_what, schema, sentence) => {
    expect(() => withInput(schema)).toThrow(`Tool "weather": `);
    expect(() => withInput(schema)).toThrow(sentence);
    expect(() => define({ ...tool, outputSchema: schema })).toThrow(sentence.replace("inputSchema", "outputSchema"));
  });

  it.each<[schema: object, sentence: string]>([
    [{ type: "object", propertes: {} }, 'Tool "weather": inputSchema has the unknown keyword "propertes". Did you mean "properties"?'],
    [{ type: "object", Properties: {} }, 'Did you mean "properties"?'],
    [{ type: "object", require: ["a"] }, 'Did you mean "required"?'],
    [{ type: "object", additionalProperty: false }, 'Did you mean "additionalProperties"?'],
    [
      { type: "object", properties: { a: { type: "string", minLenght: 1 } } },
      'inputSchema, at "/properties/a", has the unknown keyword "minLenght". Did you mean "minLength"?',
    ],
    [{ type: "object", properties: { a: { type: "array", item: {} } } }, 'Did you mean "items"?'],
    [{ type: "object", properties: { a: { anyof: [] } } }, 'Did you mean "anyOf"?'],
    [{ type: "object", properties: { a: { type: "strng" } } }, 'did you mean "string"?'],
    [{ type: "objet" }, 'did you mean "object"?'],
  ])("a misspelt keyword or type: %j", (schema, sentence) => {
    expect(() => withInput(schema)).toThrow(sentence);
  });

  it.each<[schema: object]>([
    [{}],
    [{ type: "object", "x-order": 1, "x-propertes": {} }],
    [
      {
        type: "object",
        propertyOrdering: ["a"],
        properties: { a: { type: "string", nullable: true, example: "x", enumDescriptions: [] } },
      },
    ],
    [
      {
        type: "object",
        properties: { a: { type: "string", markdownDescription: "x", errorMessage: "y", discriminator: { propertyName: "k" } } },
      },
    ],
    [{ type: "object", properties: { propertes: { type: "string" }, typ: { type: "string" } } }],
    [{ type: "object", properties: { a: { default: { propertes: 1 }, enum: [{ typ: 1 }], examples: [{ item: 1 }] } } }],
    [{ properties: { a: { note: "anything" } } }],
    [{ not: { type: "string" } }],
    [{ $defs: { a: { type: "string" } }, $ref: "#/$defs/a" }],
    [{ properties: { a: {} }, additionalProperties: { type: "string" } }],
  ])("while words of other vocabularies and properties of any name are fine: %j", (schema) => {
    expect(withInput(schema)).toMatchObject({ name: "weather" });
  });

  it.each(["https://json-schema.org/draft/2099-01/schema", "http://json-schema.org/draft-03/schema#", "https://example.com/mine"])(
    "an unknown dialect: %s",
    ($schema) => {
      expect(() => withInput({ $schema, type: "object" })).toThrow(
        `Tool "weather", inputSchema: The schema names the dialect "${$schema}". Known are "https://json-schema.org/draft/2020-12/schema" and "http://json-schema.org/draft-07/schema#".`,
      );
    },
  );

  it("while both drafts are known by their name, with or without a last #", () => {
    for (const $schema of [
      "https://json-schema.org/draft/2020-12/schema",
      "https://json-schema.org/draft/2020-12/schema#",
      "http://json-schema.org/draft-07/schema",
      "http://json-schema.org/draft-07/schema#",
      "https://json-schema.org/draft-07/schema#",
    ])
      expect(withInput({ $schema, type: "object" })).toMatchObject({ name: "weather" });
  });

  it("while older drafts are read like the nearest one, since tools of others still name them", () => {
    const first = { items: [{ type: "string" }, { type: "number" }] };
    const accepts = ($schema: string, value: unknown): boolean =>
      validateValue({ $schema, type: "object", properties: { pair: first } }, { pair: value }).ok;
    for (const draft of ["draft-04", "draft-06", "draft-07"]) {
      expect(withInput({ $schema: `http://json-schema.org/${draft}/schema#`, type: "object" })).toMatchObject({ name: "weather" });
      expect(accepts(`http://json-schema.org/${draft}/schema#`, ["a", "b"])).toBe(false);
    }
    const $schema = "https://json-schema.org/draft/2019-09/schema";
    expect(withInput({ $schema, type: "object" })).toMatchObject({ name: "weather" });
    expect(validateValue({ $schema, prefixItems: [{ type: "string" }] }, [1]).ok).toBe(false);
  });
});

describe("the error of a refused definition", () => {
  it.each<[what: string, fields: object]>([
    ["an unknown field", { hander: () => "" }],
    ["a field far inside", { metadata: { deprecated: { successor: "forecast" } } }],
    ["a wrong schema", { inputSchema: { type: "object", properties: { city: { type: "txt" } } } }],
  ])("points first to the line that defines the tool: %s", (_, fields) => {
    let error: Error | undefined;
    try {
      define({ ...tool, ...fields });
    } catch (thrown) {
      error = thrown as Error;
    }
    const [first, second] = error!.stack!.split("\n");
    expect(first).toBe(`ToolError: ${error!.message}`);
    expect(second).toContain("definition-checks.test.ts");
  });

  it("that other code throws keeps its own lines", () => {
    const broken = (): never => {
      throw new TypeError("no metadata");
    };
    const draft = Object.defineProperty({ ...tool }, "metadata", { get: broken, enumerable: true });
    expect(() => define(draft)).toThrow(expect.objectContaining({ stack: expect.stringContaining("broken") as string }));
  });

  it("that is frozen is thrown as it is", () => {
    const frozen = Object.freeze(new ToolError("BLOCKED", "no metadata"));
    const broken = (): never => {
      throw frozen;
    };
    const draft = Object.defineProperty({ ...tool }, "metadata", { get: broken, enumerable: true });
    expect(() => define(draft)).toThrow(frozen);
  });
});
