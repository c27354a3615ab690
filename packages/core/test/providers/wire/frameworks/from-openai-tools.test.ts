import { describe, expect, it } from "vitest";
import { fromOpenAITools, type OpenAITool } from "../../../../src/providers/wire/frameworks/from-openai-tools.ts";
import { createRegistry } from "../../../../src/registry/create.ts";

const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const chat: OpenAITool = { type: "function", function: { name: "weather", description: "Tells the weather.", parameters, strict: true } };
const responses: OpenAITool = { type: "function", name: "time", parameters: null, strict: false };

describe("fromOpenAITools", () => {
  it("defines the tools of both APIs, with the functions behind them", async () => {
    const registry = createRegistry();
    const tools = fromOpenAITools([chat, responses], {
      weather: ({ city }, { signal, callId }) => ({ city, callId, aborted: signal.aborted }),
      time: () => "noon",
    });
    for (const tool of tools) registry.register(tool);
    expect(tools).toMatchObject([
      { name: "weather", description: "Tells the weather.", inputSchema: parameters },
      { name: "time", description: "", inputSchema: { type: "object", properties: {} } },
    ]);
    expect(await registry.invoke("weather", { city: "Oslo" }, { callId: "1" })).toMatchObject({
      ok: true,
      data: { city: "Oslo", callId: "1", aborted: false },
    });
    expect(await registry.invoke("time", {})).toMatchObject({ ok: true, content: "noon" });
    expect(await registry.invoke("weather", {})).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });

  const weather = () => "clear";
  it.each<[string, unknown, unknown, RegExp]>([
    [
      "a tool without a function",
      [chat, responses],
      { weather },
      /no function for the tool "time"\. Add it .*\{ "time": \(input\) => … \}/,
    ],
    [
      "a function without a tool",
      [chat],
      { weather, wether: weather },
      /a function "wether", and no tool has this name\. Did you mean "weather"\?/,
    ],
    ["a function that is none", [chat], { weather: 5 }, /no function for the tool "weather"/],
    ["a tool that OpenAI runs", [{ type: "web_search" }], {}, /tools\[0\] is a tool of type "web_search", which OpenAI runs itself/],
    [
      "a tool that takes free text",
      [{ type: "custom", custom: { name: "sql" } }],
      {},
      /tools\[0\] is a custom tool, which takes free text/,
    ],
    ["what is no tool", [{ name: "weather" }], { weather }, /tools\[0\] has no type/],
    ["a tool without a name", [{ type: "function", function: {} }], {}, /tools\[0\] has none/],
    ["what is no list", { weather: chat }, { weather }, /takes the list of tools/],
    ["no functions", [chat], undefined, /as its second argument/],
    ["an inherited function", [{ type: "function", name: "toString" }], {}, /no function for the tool "toString"/],
  ])("refuses %s", (_, tools, implementations, message) => {
    expect(() => fromOpenAITools(tools as never, implementations as never)).toThrow(
      expect.objectContaining({ code: "DEFINITION_INVALID", message: expect.stringMatching(message) }),
    );
  });
});
