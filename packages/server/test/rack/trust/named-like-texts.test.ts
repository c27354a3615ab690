import { afterThisTest } from "@toolrack/testkit/cleanup";
import { sendJson, startLoopback } from "@toolrack/testkit/loopback";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import { kindOfKey, toolKeyOf } from "../../../src/rack/trust/noted-texts.ts";

/** An MCP server with a tool that is called as the prompt of the same server is on record. */
async function openShop() {
  const said = { prompt: "Summarizes an order.", tool: "Finds orders." };
  const answers: Readonly<Record<string, () => unknown>> = {
    initialize: () => ({
      protocolVersion: "2025-06-18",
      capabilities: { tools: {}, prompts: {} },
      serverInfo: { name: "shop", version: "1" },
    }),
    "tools/list": () => ({ tools: [{ name: "prompt:summarize", description: said.tool, inputSchema: { type: "object" } }] }),
    "prompts/list": () => ({ prompts: [{ name: "summarize", description: said.prompt }] }),
  };
  const upstream = await startLoopback(({ method: verb, body }, response) => {
    const { id, method } = verb === "POST" ? (JSON.parse(body) as { id?: number; method: string }) : { method: "" };
    if (id === undefined) return void response.writeHead(verb === "POST" ? 202 : 405).end();
    const answer = answers[method];
    sendJson(response, {
      jsonrpc: "2.0",
      id,
      ...(answer ? { result: answer() } : { error: { code: -32601, message: "Method not found" } }),
    });
  });
  afterThisTest(() => upstream[Symbol.asyncDispose]());
  const shop = { url: `${upstream.url}/mcp`, allowHosts: [upstream.host], passOn: ["prompts"] };
  const rack = await openTestRack({ config: { store: { memory: true }, sources: { shop } } as never });
  await rack.sources.ready();
  return { said, ...serverOver(rack) };
}

describe("a tool that is called as a prompt is on record", () => {
  it("shares no record, no proof and no change with the prompt", async () => {
    const { rack, said, ask } = await openShop();
    expect(rack.sources.list().find(({ id }) => id === "shop")).toMatchObject({ state: "ready", problems: [] });
    const [tool] = rack.registry.entries().filter(({ tool: one }) => one.description === "Finds orders.");
    const entries = (await ask("GET", "/definition-log?limit=1000")).body.entries as { tool: string; print: string }[];
    const prints = ["prompt:summarize", "tool:prompt:summarize"].map((name) =>
      entries.filter((one) => one.tool === name).map(({ print }) => print),
    );
    expect(prints.map(({ length }) => length)).toEqual([1, 1]);
    expect(prints[0]).not.toEqual(prints[1]);
    const record = await rack.store.get(rack.trust.recordIdOf(tool!.tool.name)!);
    expect(record?.context).toMatchObject({ description: "Finds orders." });
    expect(rack.trust.waiting()).toEqual([]);
    said.prompt = "Sums up an order.";
    await rack.sources.refresh("shop");
    expect(rack.trust.waiting().map(({ what, name }) => [what, name])).toEqual([["prompt", "prompt:summarize"]]);
    expect(rack.registry.has(tool!.tool.name)).toBe(true);
    said.tool = "Finds old orders.";
    await rack.sources.refresh("shop");
    expect(
      rack.trust
        .waiting()
        .map(({ what }) => what)
        .toSorted(),
    ).toEqual(["prompt", "tool"]);
  });

  it("is told apart by its name on record, whatever it is called", () => {
    const names = ["find", "prompt:x", "tool:x", "tool:prompt:x", "server:instructions", "resource:a", "resource-template:a", "promptly"];
    const keys = names.map(toolKeyOf);
    expect(new Set(keys).size).toBe(names.length);
    expect(keys.map(kindOfKey)).toEqual(names.map(() => "tool"));
    expect([toolKeyOf("find"), toolKeyOf("promptly")]).toEqual(["find", "promptly"]);
    expect(["prompt:x", "server:instructions", "resource:x", "resource-template:x"].map(kindOfKey)).toEqual([
      "prompt",
      "server",
      "resource",
      "resource",
    ]);
  });
});
