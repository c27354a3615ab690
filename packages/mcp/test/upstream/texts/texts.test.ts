import { createRegistry } from "@toolrack/core";
import { serveMcp, type ServeMcpOptions } from "@toolrack/mcp";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { sourceOf } from "../upstreams.ts";
import type { McpSource, McpSourceOptions } from "@toolrack/mcp";

const signal = new AbortController().signal;
const context = { signal, callId: "call-1" };

async function shop(options: Partial<McpSourceOptions>, served: ServeMcpOptions = {}): Promise<McpSource> {
  const endpoint = serveMcp(createRegistry(), {
    name: "shop",
    instructions: "Ask for the order number first.",
    prompts: [
      {
        name: "summarize",
        description: "Summarizes an order.",
        arguments: [{ name: "order", description: "Its number.", required: true }],
        get: ({ order }) => [
          { role: "user", content: { type: "text", text: `Summarize order ${order}.` } },
          { role: "assistant", content: { type: "text", text: "Gladly." } },
        ],
      },
    ],
    resources: [{ uri: "shop://terms", name: "terms", mimeType: "text/plain", read: () => ({ text: "Thirty days." }) }],
    ...served,
  });
  afterThisTest(() => endpoint.close());
  const { url, port } = await endpoint.listen();
  return sourceOf({ name: "shop", url, allowHosts: [`127.0.0.1:${port}`], ...options } as McpSourceOptions);
}

describe("what an MCP server says beside its tools", () => {
  it("is its instructions alone, unless prompts and resources are wanted", async () => {
    const source = await shop({});
    await source.list({ signal });
    expect(source.texts()).toEqual([
      {
        kind: "instructions",
        server: "shop",
        name: "instructions",
        shown: "shop__instructions",
        definition: { instructions: "Ask for the order number first." },
      },
    ]);
  });

  it("has prompts and resources with their own words, where they are wanted", async () => {
    const source = await shop({ prompts: true, resources: true });
    await source.list({ signal });
    expect(source.texts().map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "instructions instructions",
      "prompt summarize",
      "resource shop://terms",
      "resource toolrack://catalog",
      "resource-template toolrack://tools/{name}",
      "resource-template toolrack://results/{id}/{page}",
    ]);
    expect(source.texts()[1]).toMatchObject({ shown: "shop__summarize", definition: { description: "Summarizes an order." } });
  });

  it("is got and read as blocks of content", async () => {
    const source = await shop({ prompts: true, resources: true });
    await source.list({ signal });
    expect(await source.getPrompt("summarize", { order: "7" }, context)).toMatchObject({
      ok: true,
      blocks: [
        { type: "text", text: "Summarize order 7." },
        { type: "text", text: "Gladly." },
      ],
      data: { roles: ["user", "assistant"] },
    });
    expect(await source.readResource("shop://terms", context)).toMatchObject({
      ok: true,
      content: "Thirty days.",
      data: { parts: [{ mimeType: "text/plain" }] },
    });
    await expect(source.getPrompt("nothing", {}, context)).rejects.toThrow(/no prompt of this name/);
  });

  it("leaves out a prompt whose name hides characters, and says so among the problems of the source", async () => {
    const prompts = [{ name: "sum\u200Bmarize", get: () => [] }];
    const source = await shop({ prompts: true }, { prompts });
    const registry = createRegistry();
    const { problems } = await registry.addSource(source);
    expect(JSON.stringify(problems)).toMatch(/invisible characters \(U\+200B/);
    expect(source.texts().map(({ kind }) => kind)).toEqual(["instructions"]);
  });

  it("refuses prompts and resources that are not flags", () => {
    expect(() => sourceOf({ name: "shop", url: "https://shop.example/mcp", prompts: "yes" as never })).toThrow(
      /prompts must be true or false/,
    );
  });
});
