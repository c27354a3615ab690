import { describe, expect, it } from "vitest";
import { definitionPrint, pinnedForm, withPinnedWhereAbsent } from "../../src/trust/print.ts";

const tool = {
  name: "find_items",
  title: "Find items",
  description: "Finds items by their words.",
  inputSchema: {
    type: "object",
    $comment: "since 2.0",
    properties: {
      words: { type: ["string", "null"], description: "Words to find.", default: "all", examples: ["red", "blue"], pattern: "^a" },
      order: { enum: ["asc", "desc"], title: "Order" },
      inner: { type: "object", properties: { deep: { const: "x", description: "Deep." } } },
    },
    required: ["words", "order"],
    $defs: { Scope: { description: "Scope." } },
  },
  outputSchema: { type: "object", description: "What was found." },
  annotations: { title: "Find", readOnlyHint: true },
  icons: [{ src: "https://example.com/a.png" }],
  _meta: { note: "text" },
};

/** Every string of a value, with a function that changes it. */
function* strings(
  value: unknown,
  change: (next: unknown) => unknown = (next) => next,
): Generator<readonly [string, (text: string) => unknown]> {
  if (typeof value === "string") yield [value, change];
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* strings(item, (next) => change(value.with(index, next)));
  else if (typeof value === "object" && value !== null)
    for (const [key, item] of Object.entries(value)) {
      yield* strings(item, (next) => change({ ...value, [key]: next }));
      yield [key, (text) => change(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name === key ? text : name, inner])))];
    }
}

describe("the print of a definition", () => {
  it("changes with one changed character in any field, key or value", () => {
    const print = definitionPrint(tool);
    const found = [...strings(tool)];
    expect(found.length).toBeGreaterThan(60);
    for (const [text, change] of found) expect(definitionPrint(change(`${text}\u200b`)), text).not.toBe(print);
  });

  it("does not change with the order of keys, of `required` and of types, nor with what JSON Schema assumes", () => {
    const { properties } = tool.inputSchema;
    const other = {
      ...Object.fromEntries(Object.entries(tool).toReversed()),
      inputSchema: {
        ...tool.inputSchema,
        required: ["order", "words"],
        additionalProperties: true,
        properties: { ...properties, words: { ...properties.words, type: ["null", "string"], minLength: 0 } },
      },
      handler: () => "not part of it",
    };
    expect(definitionPrint(other)).toBe(definitionPrint(tool));
  });

  it("keeps the order of enums and examples, and white space", () => {
    const changed = (properties: object): object => ({ ...tool, inputSchema: { ...tool.inputSchema, properties } });
    const { properties } = tool.inputSchema;
    expect(definitionPrint(changed({ ...properties, order: { enum: ["desc", "asc"], title: "Order" } }))).not.toBe(definitionPrint(tool));
    expect(definitionPrint({ ...tool, description: `${tool.description} ` })).not.toBe(definitionPrint(tool));
    expect(definitionPrint({ ...tool, description: "é" })).not.toBe(definitionPrint({ ...tool, description: "e\u0301" }));
    expect(definitionPrint({ ...tool, description: "\ud800" })).not.toBe(definitionPrint({ ...tool, description: "\ud801" }));
  });

  it("names its formula and its kind", () => {
    expect(definitionPrint(tool)).toMatch(/^v1:sha256:[0-9a-f]{64}$/);
    expect(definitionPrint("text", "server")).not.toBe(definitionPrint("text", "prompt"));
  });

  it("takes `additionalProperties: true` for what it says beside `unevaluatedProperties`", () => {
    const open = { name: "x", inputSchema: { unevaluatedProperties: false, allOf: [{ additionalProperties: true }] } };
    const closed = { name: "x", inputSchema: { unevaluatedProperties: false, allOf: [{}] } };
    expect(definitionPrint(open)).not.toBe(definitionPrint(closed));
  });

  it("treats __proto__ as an ordinary key, and refuses a definition inside itself", () => {
    const odd = JSON.parse('{"name":"x","inputSchema":{"properties":{"__proto__":{"type":"string"}}}}') as object;
    expect(definitionPrint(odd)).not.toBe(definitionPrint({ name: "x", inputSchema: {} }));
    const circle: Record<string, unknown> = { name: "x" };
    circle["self"] = circle;
    expect(() => definitionPrint(circle)).toThrow("has no print");
  });

  it("leaves its input as it is", () => {
    const before = JSON.stringify(tool);
    pinnedForm(tool);
    expect(JSON.stringify(tool)).toBe(before);
  });
});

describe("a definition that leaves fields out", () => {
  it("keeps the pinned annotations and output, and nothing else", () => {
    const { annotations, outputSchema, title, ...seen } = tool;
    expect(withPinnedWhereAbsent(tool, seen)).toEqual({ ...seen, annotations, outputSchema });
    expect(title).toBe("Find items");
    expect(withPinnedWhereAbsent(tool, { ...seen, annotations: {} })).toMatchObject({ annotations: {} });
  });
});
