import { describe, expect, it } from "vitest";
import { toComponents } from "../../src/api/shared/schema-components.ts";

const at = (name: string): string => `#/components/schemas/${name}`;

describe("a schema in an OpenAPI document", () => {
  it("stays as it is where it refers to nothing, without the name of its dialect", () => {
    const plain = { type: "object", properties: { a: { type: "string" } } };
    expect(toComponents({ $schema: "https://json-schema.org/draft/2020-12/schema", ...plain }, "t")).toEqual({
      schema: plain,
      components: {},
    });
  });

  it("has its definitions among the components, each under a name of its own", () => {
    const schema = {
      type: "object",
      properties: {
        a: { $ref: "#/$defs/item" },
        b: { $ref: "#/definitions/item" },
        c: { $ref: "#/$defs/a b" },
        d: { $ref: "#/$defs/deep/properties/x" },
      },
      $defs: { item: { type: "string" }, "a b": true, deep: { properties: { x: { $ref: "#/$defs/item" } } } },
      definitions: { item: false, a_b: { type: "null" } },
    };
    expect(toComponents(schema, "t")).toEqual({
      schema: {
        type: "object",
        properties: {
          a: { $ref: at("t.item") },
          b: { $ref: at("t.item_") },
          c: { $ref: at("t.a_b") },
          d: { $ref: `${at("t.deep")}/properties/x` },
        },
      },
      components: {
        "t.item": { type: "string" },
        "t.a_b": {},
        "t.deep": { properties: { x: { $ref: at("t.item") } } },
        "t.item_": { not: {} },
        "t.a_b_": { type: "null" },
      },
    });
  });

  it("is a component itself where it refers to itself", () => {
    const tree = {
      type: "object",
      properties: { next: { $ref: "#" }, other: { $ref: "#/properties/next" }, leaf: { $ref: "#/$defs/leaf" } },
      $defs: { leaf: { type: "string" } },
    };
    expect(toComponents(tree, "t")).toEqual({
      schema: { $ref: at("t") },
      components: {
        "t.leaf": { type: "string" },
        t: {
          type: "object",
          properties: { next: { $ref: at("t") }, other: { $ref: `${at("t")}/properties/next` }, leaf: { $ref: at("t.leaf") } },
        },
      },
    });
  });

  it.each([
    [{ $ref: "https://example.com/a.json" }],
    [{ $ref: "#anchor" }],
    [{ properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { $id: "urn:a" } } }],
    [{ $dynamicRef: "#node" }],
  ])("keeps references that are more than pointers, and gets an id: %j", (schema) => {
    expect(toComponents(schema, "t")).toEqual({ schema: { $id: "urn:toolrack:t", ...schema }, components: {} });
  });
});
