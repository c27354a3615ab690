import { cpSync, mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { FakeToolCallingModel } from "langchain";
import { afterAll, describe, expect, it } from "vitest";
import { agentOf, answer, bundled, modelWith, node, ours, react } from "../langchain.ts";
import { call, png, registry, tools } from "../registry.ts";

const [weather, camera] = ours as [(typeof ours)[0], (typeof ours)[0]];
const toolCall = (id: string, name: string, args: object) => ({ type: "tool_call" as const, id, name, args });
const calls = [toolCall("1", weather.name, { city: "Oslo" }), toolCall("2", "camera", {}), toolCall("3", weather.name, { city: "" })];
const image = { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } };
const told = [
  { tool_call_id: "1", status: "success", content: '{"city":"Oslo","sky":"clear"}', artifact: { city: "Oslo", sky: "clear" } },
  { tool_call_id: "2", status: "success", content: [{ type: "text", text: "The street, now." }, image] },
  { tool_call_id: "3", status: "error", content: expect.stringMatching(/^Error: The input of "weather.today" is not valid/) },
];
const messagesOf = (messages: readonly unknown[]) => messages.filter((one) => ToolMessage.isInstance(one));

describe("toLangChain", () => {
  it("answers a tool call with a ToolMessage of LangChain", async () => {
    const message = await answer("1");
    expect(ToolMessage.isInstance(message)).toBe(true);
    expect(message).toBeInstanceOf(ToolMessage);
    expect(message).toMatchObject(told[0]!);
  });

  it("answers arguments with the content", async () => {
    expect(await weather.invoke({ city: "Oslo" })).toBe('{"city":"Oslo","sky":"clear"}');
    await expect(weather.invoke({ city: "" })).rejects.toThrow(/^The input of "weather.today" is not valid/);
    expect(await weather.batch([{ city: "Oslo" }, { city: "Rome" }])).toHaveLength(2);
    const streamed = [];
    for await (const chunk of await weather.stream({ city: "Oslo" })) streamed.push(chunk);
    expect(streamed).toEqual(['{"city":"Oslo","sky":"clear"}']);
  });

  it("uses the parts of LangChain that it is given", async () => {
    expect(await bundled[1]!.invoke(calls[1])).toBeInstanceOf(ToolMessage);
  });

  it("is run by a ToolNode", async () => {
    const { messages } = await node.invoke({ messages: [new AIMessage({ content: "", tool_calls: calls })] });
    expect(messagesOf(messages)).toMatchObject(told);
  });

  it.each([
    ["createAgent", agentOf],
    ["createReactAgent", react],
  ])("is run by the agent of %s, which goes on after a failure", async (_, agentFor) => {
    const model = new FakeToolCallingModel({ toolCalls: [calls, []] });
    const agent = agentFor(model as never) as ReturnType<typeof agentOf>;
    const { messages } = await agent.invoke({ messages: [new HumanMessage("How is the street?")] });
    expect(messagesOf(messages)).toMatchObject(told);
    expect(AIMessage.isInstance(messages.at(-1))).toBe(true);
  });

  it("is bound to a model with our names and schemas", () => {
    const bound = modelWith(new FakeListChatModel({ responses: [] })) as unknown as { config: { tools: object[] } };
    expect(bound.config.tools).toMatchObject(
      tools.map(({ inputSchema }, index) => ({ function: { name: ours[index]!.name, parameters: inputSchema } })),
    );
  });

  it("tells callbacks of every call", async () => {
    const seen: unknown[] = [];
    const handler = {
      handleToolStart: () => seen.push("start"),
      handleToolEnd: (output: unknown) => seen.push(ToolMessage.isInstance(output)),
    };
    await camera.invoke(calls[1], { callbacks: [handler] });
    expect(seen).toEqual(["start", true]);
  });

  it("stops when the run is cancelled", async () => {
    await expect(camera.invoke(calls[1], { signal: AbortSignal.abort() })).rejects.toThrow();
  });
});

describe("toLangChain in an installed package", () => {
  const folder = fileURLToPath(new URL("../node_modules/.toolrack-copy", import.meta.url));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("imports LangChain from beside the package when a tool is first run", async () => {
    mkdirSync(folder, { recursive: true });
    for (const part of ["lib", "package.json"])
      cpSync(new URL(`../../../packages/core/${part}`, import.meta.url), `${folder}/${part}`, { recursive: true });
    const { toLangChain } = await import(/* @vite-ignore */ `${folder}/lib/vendors.js`);
    const message = await toLangChain(tools, { call })[0].invoke(calls[0]);
    expect(ToolMessage.isInstance(message)).toBe(true);
    expect(message).toMatchObject(told[0]!);
  });
});

describe("fromLangChain takes real tools over", () => {
  it("of tool(), with data, images and an artifact", async () => {
    expect(await registry.invoke("convert", { celsius: 100 })).toMatchObject({ ok: true, content: '{"fahrenheit":212}' });
    expect(await registry.invoke("map", {})).toMatchObject({
      ok: true,
      blocks: [{ type: "image", data: png, mimeType: "image/png" }],
      data: { scale: 1000 },
    });
  });

  it("of a class, whose schema transforms once, and of one text", async () => {
    expect(await registry.invoke("echo", { text: " a " })).toMatchObject({ ok: true, content: "a" });
    expect(await registry.invoke("shout", { input: "a" })).toMatchObject({ ok: true, content: "A" });
  });
});
