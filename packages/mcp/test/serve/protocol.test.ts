import { type AnyTool, defineTool } from "@toolrack/core";
import { embedResource, mcpClient } from "@toolrack/mcp";
import { untilAborted } from "@toolrack/testkit/aborted";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, vi } from "vitest";
import { connect, nothing, onePixel, serving } from "./serve.ts";

const add = defineTool({
  name: "add",
  title: "Add",
  description: "Adds two numbers.",
  inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
  outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
  metadata: { category: "utility", optionality: "required", annotations: { readOnly: true, idempotent: true } },
  handler: ({ a, b }) => ({ sum: a + b }),
});

const tools: AnyTool[] = [
  add,
  defineTool({ name: "hello", description: "Greets.", inputSchema: nothing, handler: () => "Hello!" }),
  defineTool({
    name: "album",
    description: "Shows everything.",
    inputSchema: nothing,
    handler: () => [
      { type: "text", text: "one" },
      { type: "image", data: onePixel, mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "resource_link", uri: "notes://1", name: "note" },
      embedResource({ uri: "notes://2", text: "two" }),
    ],
  }),
  defineTool({
    name: "broken",
    description: "Fails.",
    inputSchema: nothing,
    handler: () => {
      throw new Error("It broke.");
    },
  }),
  defineTool({
    name: "steps",
    description: "Tells how far it is.",
    inputSchema: nothing,
    async handler(_input, context) {
      for (const progress of [1, 2, 3]) context.progress({ progress, total: 3, message: `step ${progress}` });
      mcpClient(context)?.log("warning", { at: "the end" });
      return "done";
    },
  }),
];

describe.each(["modern", "legacy"] as const)("the official client, in the %s era, over HTTP", (era) => {
  // row: I1
  it("lists every tool with title, schemas, annotations, category, optionality and state, in the registry's order", async () => {
    const { url } = await serving(tools);
    const client = await connect(url, era);
    const listed = await client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual(["add", "hello", "album", "broken", "steps"]);
    expect(listed.tools[0]).toEqual({
      name: "add",
      title: "Add",
      description: "Adds two numbers.",
      inputSchema: add.inputSchema,
      outputSchema: add.outputSchema,
      annotations: { readOnlyHint: true, idempotentHint: true },
      _meta: { "toolrack/category": "utility", "toolrack/optionality": "required", "toolrack/state": "ready" },
    });
  });

  // row: I1
  it("calls a tool and gets text, data that agrees with the output schema, and every kind of content", async () => {
    const { url } = await serving(tools);
    const client = await connect(url, era);
    await client.listTools();
    expect((await client.callTool({ name: "hello", arguments: {} })).content).toEqual([{ type: "text", text: "Hello!" }]);
    expect((await client.callTool({ name: "add", arguments: { a: 2, b: 3 } })).structuredContent).toEqual({ sum: 5 });
    expect((await client.callTool({ name: "album", arguments: {} })).content).toEqual([
      { type: "text", text: "one" },
      { type: "image", data: onePixel, mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "resource_link", uri: "notes://1", name: "note" },
      { type: "resource", resource: { uri: "notes://2", text: "two" } },
    ]);
  });

  it("gets failures of tools and wrong arguments as results, and unknown tools as errors of the protocol", async () => {
    const { url } = await serving(tools);
    const client = await connect(url, era);
    expect(await client.callTool({ name: "broken", arguments: {} })).toMatchObject({ isError: true, content: [{ text: "It broke." }] });
    const wrong = await client.callTool({ name: "add", arguments: { a: "two" } });
    expect(wrong).toMatchObject({ isError: true, _meta: { "toolrack/code": "INPUT_INVALID", "toolrack/status": 400 } });
    await expect(client.callTool({ name: "nowhere", arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });

  it("hears what an async generator yields as progress, and gets its whole text", async () => {
    const words = defineTool({
      name: "words",
      description: "Says words.",
      inputSchema: nothing,
      async *handler() {
        yield "one ";
        yield "two";
      },
    });
    const client = await connect((await serving([words])).url, era);
    const heard: unknown[] = [];
    const result = await client.callTool({ name: "words", arguments: {} }, { onprogress: (update) => heard.push(update) });
    expect(heard).toEqual([
      { progress: 0, message: "one " },
      { progress: 1, message: "two" },
    ]);
    expect(result.content).toEqual([{ type: "text", text: "one two" }]);
  });

  it("gets an error and data of a handler that returns MCP's own shape", async () => {
    const shaped = (name: string, returned: object) =>
      defineTool({ name, description: "Returns it.", inputSchema: nothing, outputSchema: { type: "object" }, handler: () => returned });
    const failing = shaped("failing", { content: [{ type: "text", text: "No such row." }], isError: true });
    const finding = shaped("finding", { content: [{ type: "text", text: "1 row" }], structuredContent: { rows: 1 } });
    const client = await connect((await serving([failing, finding])).url, era);
    await client.listTools();
    expect(await client.callTool({ name: "failing", arguments: {} })).toMatchObject({ isError: true, content: [{ text: "No such row." }] });
    expect(await client.callTool({ name: "finding", arguments: {} })).toMatchObject({
      structuredContent: { rows: 1 },
      content: [{ text: "1 row" }],
    });
  });

  it("hears progress in order while a call runs", async () => {
    const { url } = await serving(tools);
    const client = await connect(url, era);
    const heard: unknown[] = [];
    await client.callTool({ name: "steps", arguments: {} }, { onprogress: (update) => heard.push(update) });
    expect(heard).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })));
  });

  it("cancels a call, and the handler learns of it", async () => {
    let aborted: unknown;
    const begun = vi.fn();
    const slow = defineTool({
      name: "slow",
      description: "Waits.",
      inputSchema: nothing,
      async handler(_input, { signal }) {
        signal.addEventListener("abort", () => (aborted = signal.reason));
        begun();
        return untilAborted(signal);
      },
    });
    const { url } = await serving([slow]);
    const client = await connect(url, era, { options: { capabilities: { sampling: {} } } });
    const controller = new AbortController();
    const called = client.callTool({ name: "slow", arguments: {} }, { signal: controller.signal });
    called.catch(() => undefined);
    await vi.waitFor(() => expect(begun).toHaveBeenCalled(), { timeout: 60_000 });
    controller.abort();
    await expect(called).rejects.toThrow();
    await vi.waitFor(() => expect(aborted).toBeDefined(), { timeout: 60_000 });
  });

  // row: I2
  it("is told when the list of tools changes, and then lists the new tool", async () => {
    const { url, registry } = await serving(tools);
    const changed = vi.fn();
    const client = await connect(url, era, {
      options: { listChanged: { tools: { onChanged: changed, autoRefresh: false, debounceMs: 0 } } },
    });
    let count = 0;
    await until(() => {
      // A client of the legacy era opens its stream some time after the handshake, and is not told of what changed before.
      registry.register(defineTool({ name: `new_${count++}`, description: "Is new.", inputSchema: nothing, handler: () => "" }));
      return changed.mock.calls.length > 0;
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("new_0");
  });

  it("gets long lists in pages", async () => {
    const many = Array.from({ length: 25 }, (_, index) => ({ ...add, name: `add_${index}` }));
    const { url } = await serving(many, { pageSize: 10 });
    const client = await connect(url, era);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(many.map(({ name }) => name));
  });

  it("reads prompts made from hints and examples, the catalog, and completes names of tools", async () => {
    const hinted = defineTool({
      ...add,
      name: "hinted",
      metadata: { usageHint: "For sums.", examples: [{ description: "Two and two", input: { a: 2, b: 2 }, output: { sum: 4 } }] },
    });
    const { url: plain } = await serving([hinted, add]);
    expect((await (await connect(plain, era)).listPrompts()).prompts).toEqual([]);
    const { url } = await serving([hinted, add], { toolPrompts: true });
    const client = await connect(url, era);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["use-hinted"]);
    const { messages } = await client.getPrompt({ name: "use-hinted", arguments: { task: "adding" } });
    expect(JSON.stringify(messages)).toMatch(/adding.*For sums\..*Two and two/);
    const catalog = await client.readResource({ uri: "toolrack://catalog" });
    expect(JSON.stringify(catalog.contents)).toContain("hinted");
    const document = await client.readResource({ uri: "toolrack://tools/hinted" });
    expect(JSON.stringify(document.contents)).toContain("Two and two");
    const ref = { type: "ref/resource", uri: "toolrack://tools/{name}" } as const;
    const { completion } = await client.complete({ ref, argument: { name: "name", value: "hi" } });
    expect(completion.values).toEqual(["hinted"]);
  });
});

describe("logging", () => {
  it("reaches legacy clients from the level on that they set, and nobody else", async () => {
    const { url } = await serving(tools);
    const heard: unknown[] = [];
    const client = await connect(url, "legacy");
    client.setNotificationHandler("notifications/message", ({ params }) => void heard.push(params.data));
    await client.callTool({ name: "steps", arguments: {} });
    await client.setLoggingLevel("error");
    await client.callTool({ name: "steps", arguments: {} });
    expect(heard).toEqual([]);
    await client.setLoggingLevel("info");
    await client.callTool({ name: "steps", arguments: {} });
    expect(heard).toEqual([{ at: "the end" }]);
  });
});
