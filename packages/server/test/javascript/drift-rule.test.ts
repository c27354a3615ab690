import { BaseTool } from "@toolrack/core/compat";
import { lintTools } from "@toolrack/core/lint";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { loadDriftRule } from "../../src/javascript/drift-rule.ts";

const rule = await loadDriftRule();

// Any: these handlers read what no type would let them.
type Handler = (input: any, context?: any) => unknown;

const inputSchema = {
  type: "object",
  properties: {
    color: { type: "string" },
    size: { type: "integer" },
    filters: { type: "object", properties: { maxPrice: { type: "number" } } },
    items: { type: "array", items: { type: "object", properties: { id: { type: "string" } } } },
    labels: { type: "object", additionalProperties: { type: "string" } },
  },
};

function driftIn(tool: unknown): readonly string[] {
  return lintTools([tool], { rules: [rule] }).flatMap(({ rule: id, message }) => (id === "drift" ? [/"(.+?)"/.exec(message)![1]!] : []));
}

const ofHandler = (handler: unknown): readonly string[] => driftIn({ name: "lamp", description: "A lamp.", inputSchema, handler });

function source(text: string): Handler {
  return new Function(`return ${text}`)() as Handler;
}

describe("drift between a handler and its schema", () => {
  it.each<[form: string, handler: Handler, undeclared: readonly string[]]>([
    ["a member", (input) => input.colour, ["colour"]],
    ["a member by its text", (input) => input["colour"], ["colour"]],
    ["an optional member", (input) => input?.colour?.length, ["colour"]],
    ["a destructured parameter", ({ color, colour = "red" }) => [color, colour], ["colour"]],
    ["a renamed one", ({ colour: color }) => color, ["colour"]],
    ["the rest of a parameter", ({ color, ...others }) => [color, others.colour], ["colour"]],
    [
      "a variable that is destructured",
      (input) => {
        const { color, colour } = input;
        return [color, colour];
      },
      ["colour"],
    ],
    [
      "another name for the input",
      (input) => {
        const given = input ?? {};
        return given.colour;
      },
      ["colour"],
    ],
    ["a nested member", (input) => input.filters.minPrice, ["filters.minPrice"]],
    ["a nested pattern", ({ filters: { maxPrice, minPrice } }) => [maxPrice, minPrice], ["filters.minPrice"]],
    ["an item of a list", (input) => input.items[0].name, ["items[].name"]],
    [
      "items one after the other",
      (input) => {
        for (const { id, name } of input.items) if (id === name) return id;
        return "";
      },
      ["items[].name"],
    ],
    ["a function inside", (input) => [1].map((one) => one + input.colour), ["colour"]],
    ["a default of another parameter", (input, context = input.colour) => context, ["colour"]],
  ])("is found in %s", (_form, handler, undeclared) => {
    expect(ofHandler(handler)).toEqual(undeclared);
  });

  it.each<[form: string, text: string]>([
    ["a function", "function (input) { return input.colour; }"],
    ["an async generator", "async function* tell(input) { yield input.colour; }"],
    ["a method", "({ async handler(input) { return input.colour; } }).handler"],
    ["a method with a computed name", '({ ["handler"](input) { return input.colour; } }).handler'],
    ["an arrow without brackets", "async input => input.colour"],
  ])("is found in %s", (_form, text) => {
    expect(ofHandler(source(text))).toEqual(["colour"]);
  });

  it.each<[what: string, handler: Handler]>([
    ["what is declared", ({ color, filters }) => [color.length, filters.maxPrice.toFixed(2)]],
    ["the methods of declared values", (input) => input.items.map((item: { id: string }) => item.id)],
    ["keys of a map", (input) => input.labels.anything],
    ["what every object has", (input) => input.hasOwnProperty("color") && input.toString()],
    [
      "what the handler wrote itself",
      (input) => {
        input.colour ??= "red";
        return input.colour;
      },
    ],
    ["another variable of the same name", (input) => [{ colour: input.color }].map((input) => input.colour)],
    [
      "a name that gets another value",
      (input) => {
        let given = input;
        given = { colour: 1 };
        return given.colour;
      },
    ],
    [
      "a parameter that gets another value",
      (input) => {
        input = { colour: 1 };
        return input.colour;
      },
    ],
    [
      "a block with a variable of that name",
      (input) => {
        if (input.color === "") {
          const input = { colour: 1 };
          return input.colour;
        }
        return "";
      },
    ],
    ["the context", (_input, context) => context.colour],
    ["keys and labels that look like it", (input) => ({ input: { colour: 1 } }).input.colour + input.color],
    ["what is handed on", (input) => JSON.stringify({ ...input })],
    ["computed names", (input) => ["color"].map((name) => input[name])],
  ])("is not found in %s", (_what, handler) => {
    expect(ofHandler(handler)).toEqual([]);
  });

  it("says what was meant, where the handler is, and that it is an error", () => {
    const tool = { name: "lamp", description: "A lamp.", inputSchema, handler: ({ colour }: any) => colour };
    expect(lintTools([tool], { rules: [rule] }).find(({ rule: id }) => id === "drift")).toEqual({
      rule: "drift",
      severity: "error",
      tool: "lamp",
      path: "/0/handler",
      message: 'The handler reads "colour", which the input schema does not declare.',
      fix: 'Did you mean "color"? Else declare "colour" under properties.',
    });
  });

  it("is found in classes and agent tools, whose input is another parameter", () => {
    class Lamp extends BaseTool {
      readonly name = "lamp";
      readonly description = "A lamp.";
      readonly parametersSchema = inputSchema;
      execute(session: any, { colour }: any): unknown {
        return [session.colour, colour];
      }
    }
    expect(driftIn(new Lamp())).toEqual(["colour"]);
    const agentTool = { name: "lamp", label: "Lamp", description: "A lamp.", parameters: inputSchema };
    expect(driftIn({ ...agentTool, execute: async (_id: string, given: any) => given.colour })).toEqual(["colour"]);
  });

  it("knows aliases, and leaves schemas alone that change the input", () => {
    const aliased = { name: "lamp", description: "A lamp.", inputSchema, metadata: { aliases: { colour: "color" } } };
    expect(driftIn({ ...aliased, handler: (input: any) => input.colour })).toEqual([]);
    const schema = z.object({ color: z.string() });
    expect(driftIn({ name: "lamp", description: "A lamp.", inputSchema: schema, handler: (input: any) => input.colour })).toEqual([
      "colour",
    ]);
    const changing = schema.transform(({ color }) => ({ colour: color }));
    expect(driftIn({ name: "lamp", description: "A lamp.", inputSchema: changing, handler: (input: any) => input.colour })).toEqual([]);
  });

  it("is not looked for where there is no source to read", () => {
    expect(ofHandler(Math.max)).toEqual([]);
    expect(ofHandler(((input: any) => input.colour).bind(undefined))).toEqual([]);
    expect(ofHandler(source(`(input) => ${"input.colour + ".repeat(20_000)}1`))).toEqual(expect.any(Array));
  });
});
