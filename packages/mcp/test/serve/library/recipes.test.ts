import { defineTool, type ToolDefinition } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { describeError } from "../../../src/serve/describe-error.ts";
import { complete } from "../../../src/serve/library/completion.ts";
import { recipesFor, recipeText } from "../../../src/serve/library/recipes.ts";
import type { Exchange } from "../../../src/serve/exchange.ts";

const tool = (more: Partial<ToolDefinition> = {}): ToolDefinition =>
  defineTool({ name: "echo", description: "Echoes.", inputSchema: { type: "object" }, handler: () => "", ...more } as ToolDefinition);
const examples = [
  { description: "A word.", input: { text: "a" }, output: "a", usage: "the word" },
  { description: "Nothing.", input: {} },
];

describe("recipes", () => {
  it("are made of tools that say how they are used", () => {
    const tools = [
      tool(),
      tool({ name: "hinted", title: "Hinted", metadata: { usageHint: "For words." } }),
      tool({ name: "shown", metadata: { examples } }),
      tool({ name: "empty", metadata: { examples: [] } }),
    ];
    expect(recipesFor(tools).map(({ name, title, description }) => [name, title, description])).toEqual([
      ["use-hinted", "Use Hinted", "For words."],
      ["use-shown", "Use shown", 'How to use the tool "shown".'],
    ]);
    const [hinted] = recipesFor(tools);
    expect(hinted!.arguments).toEqual([{ name: "task", description: "What you want to get done with it." }]);
    expect(hinted!.get({ task: "greeting" }, {} as never)).toEqual([
      {
        role: "user",
        content: { type: "text", text: 'Use the tool "hinted" for this: greeting.\n\nEchoes.\n\nWhen to use it: For words.' },
      },
    ]);
  });

  it("tell each example with its answer and how to read it", () => {
    expect(recipeText(tool({ metadata: { examples } }))).toBe(
      'Use the tool "echo".\n\nEchoes.\n\nExample: A word.\necho {"text":"a"}\nanswers "a"\nread it as the word\n\nExample: Nothing.\necho {}',
    );
  });
});

describe("what could be typed", () => {
  const many = Array.from({ length: 101 }, (_, index) => `v${index}`);
  const library = {
    promptsFor: () => [
      {
        name: "greet",
        arguments: [
          { name: "who", complete: async (typed: string) => [`${typed}!`] },
          { name: "plain" },
          { name: "many", complete: () => many },
        ],
      },
    ],
    resourcesFor: () => [
      { uri: "a://1" },
      { uriTemplate: "a://{id}", complete: (name: string, typed: string) => [`${name}=${typed}`] },
      { uriTemplate: "b://{id}" },
    ],
  } as never;
  const ask = (params: object) => complete(library, { params, caller: {}, signal: new AbortController().signal } as unknown as Exchange);
  const prompt = { type: "ref/prompt", name: "greet" };
  const values = async (params: object) => ((await ask(params)) as { completion: { values: string[] } }).completion.values;

  it("comes from the prompt's argument, or the template's gap", async () => {
    expect(await ask({ ref: prompt, argument: { name: "who", value: "a" } })).toEqual({
      completion: { values: ["a!"], total: 1, hasMore: false },
    });
    expect(await values({ ref: prompt, argument: { name: "plain", value: "a" } })).toEqual([]);
    expect(await values({ ref: { type: "ref/resource", uri: "a://{id}" }, argument: { name: "id", value: "7" } })).toEqual(["id=7"]);
    expect(await values({ ref: { type: "ref/resource", uri: "b://{id}" }, argument: { name: "id", value: "7" } })).toEqual([]);
  });

  it("is at most a hundred values", async () => {
    expect(await ask({ ref: prompt, argument: { name: "many", value: "" } })).toEqual({
      completion: { values: many.slice(0, 100), total: 101, hasMore: true },
    });
  });

  it.each<[params: object, message: string]>([
    [{}, "ref and argument must be objects."],
    [{ ref: prompt, argument: "who" }, "ref and argument must be objects."],
    [{ ref: prompt, argument: { name: 5, value: "" } }, "argument needs a name and a value."],
    [{ ref: prompt, argument: { name: "who" } }, "argument needs a name and a value."],
    [{ ref: { ...prompt, name: "other" }, argument: { name: "who", value: "" } }, "There is no such prompt, or no such argument of it."],
    [{ ref: prompt, argument: { name: "other", value: "" } }, "There is no such prompt, or no such argument of it."],
    [{ ref: { type: "ref/tool" }, argument: { name: "a", value: "" } }, 'ref.type must be "ref/prompt" or "ref/resource".'],
    [
      { ref: { type: "ref/resource", uri: "a://1" }, argument: { name: "id", value: "" } },
      "There is no such resource template, or no such gap in it.",
    ],
    [
      { ref: { type: "ref/resource", uri: "a://{id}" }, argument: { name: "other", value: "" } },
      "There is no such resource template, or no such gap in it.",
    ],
  ])("is refused otherwise: %j", async (params, message) => {
    await expect(ask(params)).rejects.toMatchObject({ code: -32602, message });
  });
});

describe("what was thrown", () => {
  it("is told by its message, or by the fact", () => {
    expect(describeError(new Error("It broke."))).toBe("It broke.");
    for (const thrown of [new Error(""), "text", undefined]) expect(describeError(thrown)).toBe("The server failed, without saying why.");
  });
});
