import { validateValue } from "@toolrack/json-schema";
import { describe, expect, it } from "vitest";
import { readOpenApi } from "../../src/index.ts";
import { documentWith, readOne, refusalOf } from "../read-one.ts";

const accepts = (schema: unknown, value: unknown, components = {}, openapi = "3.0.3"): boolean =>
  validateValue(readOne(schema, components, openapi).tool.inputSchema, { body: value }).ok;

describe("a schema of OpenAPI in 2020-12", () => {
  it("has null among its types and values where it is nullable", () => {
    expect(readOne({ type: "string", nullable: true, enum: ["a"] }).input).toEqual({ type: ["string", "null"], enum: ["a", null] });
    expect(readOne({ type: "string", "x-nullable": true }).input).toEqual({ type: ["string", "null"] });
    expect(readOne({ enum: ["a"], nullable: true }).input).toEqual({ enum: ["a", null] });
    expect(readOne({ nullable: true, description: "any" }).input).toEqual({ description: "any" });
  });

  it("wraps a nullable reference or allOf", () => {
    const components = { A: { type: "object" } };
    for (const schema of [
      { $ref: "#/components/schemas/A", nullable: true },
      { allOf: [{ $ref: "#/components/schemas/A" }], nullable: true },
    ]) {
      expect(accepts(schema, null, components)).toBe(true);
      expect(accepts(schema, {}, components)).toBe(true);
      expect(accepts(schema, 5, components)).toBe(false);
    }
  });

  it("has numbers as exclusive bounds", () => {
    expect(readOne({ type: "number", minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }).input).toEqual({
      type: "number",
      exclusiveMinimum: 1,
      maximum: 9,
    });
    expect(readOne({ type: "number", exclusiveMinimum: 1 }, {}, "3.1.0").input).toEqual({ type: "number", exclusiveMinimum: 1 });
  });

  it("has a number as each exclusive bound, which replaces the other", () => {
    const bounds = { minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true };
    expect(readOne({ type: "integer", ...bounds }).input).toEqual({ type: "integer", exclusiveMinimum: 1, exclusiveMaximum: 9 });
    const open = { minimum: 1, exclusiveMinimum: false, maximum: 9, exclusiveMaximum: false };
    expect(readOne({ type: "integer", ...open }).input).toEqual({ type: "integer", minimum: 1, maximum: 9 });
    expect(readOne({ type: "integer", exclusiveMaximum: true }).input).toEqual({ type: "integer" });
  });

  it("has examples and prefixItems, and none of the keywords of other dialects", () => {
    expect(
      readOne({
        type: "array",
        items: [{ type: "string" }, { type: "integer" }],
        additionalItems: false,
        example: ["a", 1],
        xml: { name: "x" },
        externalDocs: { url: "https://x.example" },
        "x-order": 1,
        $id: "https://x.example/y",
        $schema: "http://json-schema.org/draft-04/schema#",
        id: "z",
      }).input,
    ).toEqual({ type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false, examples: [["a", 1]] });
  });

  it("keeps the meaning of a discriminator in its branches", () => {
    const components = {
      Cat: { type: "object", required: ["kind"], properties: { kind: { type: "string" }, lives: { type: "integer" } } },
      Dog: { type: "object", required: ["kind"], properties: { kind: { type: "string" } } },
      Bird: { type: "object", properties: { kind: { type: "string", enum: ["BIRD"] } } },
    };
    const schema = {
      oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }, { $ref: "#/components/schemas/Bird" }],
      discriminator: { propertyName: "kind", mapping: { cat: "#/components/schemas/Cat", tom: "Cat" } },
    };
    expect(accepts(schema, { kind: "tom", lives: 9 }, components)).toBe(true);
    expect(accepts(schema, { kind: "Dog" }, components)).toBe(true);
    expect(accepts(schema, { kind: "BIRD" }, components)).toBe(true);
    expect(accepts(schema, { kind: "fish" }, components)).toBe(false);
    expect(JSON.stringify(readOne(schema, components).tool.inputSchema)).not.toContain("discriminator");
  });

  it("needs the property of a discriminator in the input, also where a branch does not", () => {
    const components = { Cat: { type: "object", properties: { kind: { type: "string" } } }, Dog: { type: "object" } };
    const oneOf = [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }];
    const schema = { oneOf, discriminator: { propertyName: "kind" } };
    expect(accepts(schema, { kind: "Cat" }, components)).toBe(true);
    expect(accepts(schema, {}, components)).toBe(false);
    expect(accepts({ anyOf: oneOf, discriminator: { propertyName: "kind" } }, {}, components)).toBe(false);
    expect(JSON.stringify(readOne(schema, components).output)).not.toContain("required");
  });

  it("ignores siblings of a reference in 3.0, and counts them in 3.1", () => {
    const components = { A: { type: "string" } };
    const schema = { $ref: "#/components/schemas/A", minLength: 3, description: "mine" };
    expect(readOne(schema, components).input).toEqual({ $ref: "#/$defs/A" });
    expect(readOne(schema, components, "3.1.0").input).toEqual({ $ref: "#/$defs/A", minLength: 3, description: "mine" });
    expect(accepts(schema, "ab", components, "3.1.0")).toBe(false);
  });

  it("is repaired where validators would refuse it", () => {
    const { input, warnings } = readOne({
      type: "object",
      required: true,
      properties: {
        a: { type: "string", enum: ["x", "x", "y"] },
        b: { type: "string", enum: [] },
        c: { type: "any", description: 5 },
        d: { type: "date", required: true },
        e: { type: "file" },
        f: { type: "string", pattern: "(?<!a" },
        g: { type: "string", pattern: "^(a)\\1$" },
        h: { type: "string", minLength: "3", maxLength: -1 },
        i: "string",
        j: { type: "string", enum: [1, true] },
        k: { type: "number", multipleOf: 0, minimum: "2" },
        l: { allOf: [] },
        m: { type: "datetime" },
        n: { type: ["String", "null"] },
      },
    });
    expect(input["properties"]).toEqual({
      a: { type: "string", enum: ["x", "y"] },
      b: { type: "string" },
      c: { description: "5" },
      d: { type: "string", format: "date" },
      e: { type: "string", format: "binary" },
      f: { type: "string" },
      g: { type: "string" },
      h: { type: "string", minLength: 3 },
      i: {},
      j: { type: "string", enum: ["1", "true"] },
      k: { type: "number", minimum: 2 },
      l: {},
      m: { type: "string", format: "date-time" },
      n: { type: ["string", "null"] },
    });
    expect(warnings.join("\n")).toMatch(/The pattern "\(\?<!a"/);
    expect(warnings.join("\n")).toMatch(/The type "any" is read as any value/);
  });

  it("tells a default once, where the description of the parameter has it already", () => {
    const schema = { type: "integer", description: "How many. Default: 20.", default: 20 };
    const parameters = [{ name: "limit", in: "query", description: "How many. Default: 20.", schema }];
    const { tools } = readOpenApi({ openapi: "3.1.0", paths: { "/x": { get: { parameters } } } });
    expect(tools[0]!.inputSchema["properties"]).toEqual({ limit: { type: "integer", description: "How many. Default: 20." } });
  });

  it("shows a default as words, so that nobody sends it unasked", () => {
    const { input } = readOne({ type: "object", properties: { a: { type: "integer", default: 20, description: "How many" } } });
    expect(input["properties"]).toEqual({ a: { type: "integer", description: "How many. Default: 20." } });
    const { tool } = readOne({ type: "object", properties: { a: { type: "integer", default: 20 } } });
    expect(validateValue(tool.inputSchema, { body: {} })).toEqual({ ok: true, value: { body: {} } });
  });
});

describe("references", () => {
  it("become definitions, only those that are reached, and recursion stays finite", () => {
    const components = {
      Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Node" }, leaf: { $ref: "#/components/schemas/Leaf" } } },
      Leaf: { type: "string" },
      Unused: { type: "string" },
    };
    const { tool, defs } = readOne({ $ref: "#/components/schemas/Node" }, components);
    expect(Object.keys(defs)).toEqual(["Node", "Leaf"]);
    expect(() => JSON.stringify(tool)).not.toThrow();
    expect(accepts({ $ref: "#/components/schemas/Node" }, { next: { next: { leaf: "x" } } }, components)).toBe(true);
    expect(accepts({ $ref: "#/components/schemas/Node" }, { next: { next: { leaf: 1 } } }, components)).toBe(false);
  });

  it("are refused where they lead in a circle with nothing else", () => {
    const circle = { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } };
    expect(refusalOf({ $ref: "#/components/schemas/A" }, circle)).toMatch(/refers to itself/);
    expect(refusalOf({ type: "array", items: { $ref: "#/components/schemas/A" } }, circle)).toMatch(/refers to itself/);
  });

  it("are refused where a schema consists of itself, which no validator ends with", () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    expect(refusalOf(ref("A"), { A: { allOf: [ref("A")] } })).toMatch(/refers to itself without end/);
    expect(refusalOf(ref("A"), { A: { anyOf: [ref("B")] }, B: { oneOf: [{ type: "string" }, ref("A")] } })).toMatch(/without end/);
    expect(refusalOf(ref("A"), { A: { type: "object", properties: { a: { allOf: [ref("A")] } } } })).toBeUndefined();
  });

  it("cost the operation alone where the target is missing", () => {
    const document = documentWith({ $ref: "#/components/schemas/Gone" }) as { paths: Record<string, unknown> };
    document.paths["/fine"] = { get: { operationId: "fine" } };
    const { tools, refused } = readOpenApi(document);
    expect(tools.map(({ name }) => name)).toEqual(["fine"]);
    expect(refused).toEqual([
      {
        operation: "POST /x",
        reason: 'It refers to "#/components/schemas/Gone", which the document does not have. Mend the document, or exclude the operation.',
      },
    ]);
  });

  it("may be escaped, and point anywhere", () => {
    const document = documentWith({ $ref: "#/paths/~1a%20b~1%7Bc%7D/get/responses/200/content/application~1json/schema" }) as {
      paths: Record<string, unknown>;
    };
    document.paths["/a b/{c}"] = { get: { responses: { 200: { content: { "application/json": { schema: { type: "integer" } } } } } } };
    const tool = readOpenApi(document).tools.find(({ name }) => name === "post_x")!;
    expect(validateValue(tool.inputSchema, { body: 1 }).ok).toBe(true);
    expect(validateValue(tool.inputSchema, { body: "x" }).ok).toBe(false);
  });

  it("are definitions under names that need no escape", () => {
    const { input, defs } = readOne({ $ref: "#/components/schemas/a~1b%20c" }, { "a/b c": { type: "integer" } });
    const [name] = Object.keys(defs);
    expect(name).toMatch(/^a_b_c_[0-9a-f]{8}$/);
    expect(input).toEqual({ $ref: `#/$defs/${name}` });
  });

  it("to other documents are refused by name unless they are given", () => {
    expect(refusalOf({ $ref: "https://evil.example/s.json#/A" })).toMatch(
      /"https:\/\/evil\.example\/s\.json".*outside.*nothing is fetched/,
    );
    expect(refusalOf({ $ref: "file:///etc/passwd" })).toMatch(/outside/);
    expect(refusalOf({ $ref: "../secret.yaml#/a" })).toMatch(/outside/);
    const documents = {
      "schemas/a.yaml": "A: { type: object, properties: { b: { $ref: './b.yaml#/B' } } }",
      "schemas/b.yaml": "B: { type: integer }",
    };
    const { tool } = readOne({ $ref: "schemas/a.yaml#/A" }, {}, "3.0.3", { documents });
    expect(validateValue(tool.inputSchema, { body: { b: 1 } }).ok).toBe(true);
    expect(validateValue(tool.inputSchema, { body: { b: "x" } }).ok).toBe(false);
    for (const place of ["https://x.example/v1/api.json", "api.json", "./api.json"]) {
      const itself = readOne({ $ref: `${place}#/components/schemas/A` }, { A: { type: "integer" } }, "3.0.3", {
        url: "https://x.example/v1/api.json",
      });
      expect(itself.defs).toEqual({ A: { type: "integer" } });
    }
    const byUrl = readOne({ $ref: "a.json#/A" }, {}, "3.0.3", {
      url: "https://x.example/v1/api.json",
      documents: { "https://x.example/v1/a.json": { A: { type: "null" } } },
    });
    expect(byUrl.defs).toMatchObject(Object.fromEntries(Object.keys(byUrl.defs).map((key) => [key, { type: "null" }])));
  });
});

describe("the direction of a schema", () => {
  const components = {
    Pet: {
      type: "object",
      required: ["id", "name", "secret"],
      properties: {
        id: { type: "integer", readOnly: true },
        name: { type: "string" },
        secret: { type: "string", writeOnly: true },
        stamp: { $ref: "#/components/schemas/Stamp" },
      },
    },
    Stamp: { type: "string", readOnly: true },
    Kennel: { type: "object", properties: { pets: { type: "array", items: { $ref: "#/components/schemas/Pet" } } } },
    Extended: {
      allOf: [{ $ref: "#/components/schemas/Pet" }, { type: "object", required: ["id", "age"], properties: { age: { type: "integer" } } }],
    },
  };

  it("takes readOnly properties out of the input and writeOnly ones out of the output", () => {
    const { tool } = readOne({ $ref: "#/components/schemas/Kennel" }, components);
    const side = (schema: unknown): Record<string, unknown> => (schema as { $defs: Record<string, Record<string, unknown>> }).$defs["Pet"]!;
    expect(Object.keys(side(tool.inputSchema)["properties"] as object)).toEqual(["name", "secret"]);
    expect(side(tool.inputSchema)["required"]).toEqual(["name", "secret"]);
    expect(Object.keys(side(tool.outputSchema)["properties"] as object)).toEqual(["id", "name", "stamp"]);
    expect(side(tool.outputSchema)["required"]).toEqual(["id", "name"]);
  });

  it("holds through allOf, also for names that another branch requires", () => {
    expect(accepts({ $ref: "#/components/schemas/Extended" }, { name: "a", secret: "s", age: 1 }, components)).toBe(true);
    expect(accepts({ $ref: "#/components/schemas/Extended" }, { name: "a", secret: "s" }, components)).toBe(false);
    const reversed = { allOf: [{ $ref: "#/components/schemas/Needs" }, { properties: { id: { readOnly: true } } }] };
    expect(accepts(reversed, {}, { Needs: { type: "object", required: ["id"], properties: { id: { type: "integer" } } } })).toBe(true);
  });
});

describe("the schema of the answer", () => {
  const json = (type: string) => ({ description: "", content: { "application/json": { schema: { type } } } });
  const read = (responses: unknown) =>
    readOpenApi({ openapi: "3.0.3", info: {}, paths: { "/x": { get: { responses } } } }).tools[0]!.outputSchema;

  it.each([
    [{ default: json("string"), 404: json("array"), 202: json("integer"), 201: json("object"), 200: json("boolean") }, "boolean"],
    [{ 202: json("integer"), 201: json("object") }, "object"],
    [{ 204: { description: "" }, 206: json("integer"), "2XX": json("string") }, "integer"],
    [{ "2XX": json("string"), default: json("integer") }, "string"],
    [{ 200: { description: "", content: { "text/plain": { schema: { type: "string" } } } }, 201: json("object") }, "object"],
    [{ 200: { description: "", content: { "application/hal+json": { schema: { type: "array" } } } } }, "array"],
  ])("is that of the first success with JSON: %#", (responses, type) => {
    expect(read(responses)).toEqual({ type });
  });

  it("is absent for 204 and 205, for errors and for the default", () => {
    expect(read({ 204: json("string") })).toBeUndefined();
    expect(read({ 205: json("string") })).toBeUndefined();
    expect(read({ default: json("string"), 400: json("string") })).toBeUndefined();
  });

  it("costs nothing else where it is broken", () => {
    const { tools, warnings } = readOpenApi({
      openapi: "3.0.3",
      info: {},
      paths: {
        "/x": { get: { responses: { 200: { $ref: "#/components/responses/Gone" } } } },
        "/y": { get: { responses: { 200: { content: { "application/json": { schema: { $ref: "#/nowhere" } } } } } } },
      },
    });
    expect(tools.length).toBe(2);
    expect(warnings.filter((warning) => /left out/.test(warning)).length).toBe(2);
  });
});
