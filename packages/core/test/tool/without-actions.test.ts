import { describe, expect, it } from "vitest";
import { executeTool } from "../../src/tool/array.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";
import { actionsOf, withoutActions } from "../../src/tool/without-actions.ts";

const shape = { name: "mail", description: "Mails.", handler: ({ action }: { action: string }) => `did ${action}` };
const object = { type: "object" } as const;
const of = (inputSchema: object, more: object = {}): ToolDefinition => defineTool({ ...shape, inputSchema, ...more } as never);
const when = (action: string, ...names: string[]) => ({
  if: { properties: { action: { const: action } }, required: ["action"] },
  then: { properties: Object.fromEntries(["action", ...names].map((name) => [name, {}])), additionalProperties: false },
});

describe("a tool without some of its actions", () => {
  const mail = of(
    {
      ...object,
      properties: { action: { type: "string", enum: ["read", "send", "drop"] }, to: { type: "string" }, id: { type: "string" } },
      required: ["action"],
      allOf: [when("read", "id"), when("send", "to"), when("drop", "id")],
    },
    {
      metadata: {
        category: "communication",
        examples: [
          { description: "Send", input: { action: "send" } },
          { description: "Read", input: { action: "read" } },
        ],
      },
    },
  );

  it("lists neither them nor what they alone take, and refuses them", async () => {
    const gated = withoutActions(mail, ["send"]);
    expect(gated.inputSchema).toEqual({
      ...object,
      properties: { action: { type: "string", enum: ["read", "drop"] }, id: { type: "string" } },
      required: ["action"],
      allOf: [when("read", "id"), when("drop", "id")],
    });
    expect(gated.metadata).toEqual({ category: "communication", examples: [{ description: "Read", input: { action: "read" } }] });
    expect(await executeTool(gated, { action: "send" })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(await executeTool(gated, { action: "read" })).toMatchObject({ ok: true, content: "did read" });
    expect(mail.inputSchema["properties"]).toHaveProperty("to");
  });

  it("refuses them too where the schema does not list actions, or lists them as alternatives", async () => {
    const free = of({ ...object, properties: { action: { type: "string" } } });
    const branches = of({
      ...object,
      oneOf: [{ properties: { action: { const: "read" } } }, { properties: { action: { const: "send" } } }],
    });
    const open = of({ ...object });
    for (const tool of [free, branches, open]) {
      const gated = withoutActions(tool, ["send"]);
      expect(await executeTool(gated, { action: "send" })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
      expect(await executeTool(gated, { action: "read" })).toMatchObject({ ok: true });
    }
    expect(withoutActions(branches, ["send"]).inputSchema["oneOf"]).toEqual([{ properties: { action: { const: "read" } } }]);
  });

  it("is the same tool where it has none of them", () => {
    expect(withoutActions(mail, [])).toBe(mail);
    expect(withoutActions(mail, ["fly"])).toBe(mail);
  });

  it("keeps its schema where no action would be left", () => {
    expect(withoutActions(mail, ["read", "send", "drop"])).toBe(mail);
  });
});

it("the actions of a tool are those that its schema lists", () => {
  expect(actionsOf(of({ ...object, properties: { action: { enum: ["a", "b"] } } }))).toEqual(["a", "b"]);
  expect(
    actionsOf(of({ ...object, anyOf: [{ properties: { action: { const: "a" } } }, { properties: { action: { enum: ["b"] } } }] })),
  ).toEqual(["a", "b"]);
  expect(actionsOf(of({ ...object, properties: { action: { type: "string" } } }))).toBeUndefined();
});

it("a rule of the schema's own stays beside the one that refuses the disabled actions", async () => {
  const own = { required: ["secret"] };
  const gated = withoutActions(of({ ...object, properties: { action: { type: "string" } }, not: own }), ["send"]);
  expect(await executeTool(gated, { action: "read" })).toMatchObject({ ok: true });
  expect(await executeTool(gated, { action: "send" })).toMatchObject({ code: "INPUT_INVALID" });
  expect(await executeTool(gated, { action: "read", secret: 1 })).toMatchObject({ code: "INPUT_INVALID" });
});
