import { createRegistry } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import { sourceContract } from "@toolrack/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mcpSource, upstreamToolOf } from "@toolrack/mcp";
import { until } from "@toolrack/testkit/until";
import type { HttpServer } from "./server-types.ts";
import { httpServer, sourceOf, startHttpServer, stdioUpstream, toolNamed } from "./upstreams.ts";

for (const era of ["legacy", "modern"] as const) {
  describe(`the contract of sources, for a ${era} server`, () => {
    let server: HttpServer;
    beforeAll(async () => {
      server = await startHttpServer({ era, tools: [toolNamed("a"), toolNamed("b")] });
      // The client is loaded with the first connection, which the contract's second for a list may not be enough for.
      const first = makeSource();
      await first.list({ signal: new AbortController().signal });
      await first.close();
    });
    afterAll(() => server.close());

    let count = 0;
    const makeSource = (): ReturnType<typeof mcpSource> => mcpSource({ name: "hand", url: server.url, allowHosts: [server.host] });
    const checks = sourceContract("mcpSource", makeSource, {
      tools: ["hand__a", "hand__b"],
      async change(source) {
        await source.list({ signal: new AbortController().signal });
        if (era === "legacy") await until(() => server.listening() > 0);
        else await until(() => server.brain.seen.requests.some(({ method }) => method === "subscriptions/listen"));
        const told = new Promise<void>((resolve) => source.watch(resolve));
        server.brain.setTools([toolNamed("a"), toolNamed("b"), toolNamed(`c${count++}`)]);
        await told;
      },
    });
    for (const check of checks) {
      it(check.name, async () => {
        server.brain.setTools([toolNamed("a"), toolNamed("b")]);
        server.brain.seen.requests.length = 0;
        await check.run();
      });
    }
  });
}

describe("tools of a server", () => {
  it("are to be listed anew when a connection was made for something else", async () => {
    const server = await httpServer({ era: "modern", notify: false });
    const source = sourceOf({ name: "hand", url: server.url, allowHosts: [server.host], prompts: true });
    let told = 0;
    const leave = source.watch(() => void told++);
    const context = { signal: new AbortController().signal, callId: "c1" };
    await source.getPrompt("a", {}, context).catch(() => undefined);
    await until(() => told === 1);
    await source.list(context);
    expect(told).toBe(1);
    leave();
  });

  const definition = {
    name: "lookup",
    title: "Look it up",
    description: "Finds a word.",
    inputSchema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { word: { type: "string", minLength: 1 } },
      required: ["word"],
    },
    outputSchema: { type: "object", properties: { found: { type: "boolean" } } },
    annotations: { readOnlyHint: true, destructiveHint: false, title: "Other" },
    icons: [{ src: "https://example.com/icon.png" }],
    _meta: { "example/rank": 7 },
  };

  // row: I3
  it("keep their schemas, title, annotations and everything else that was said about them", async () => {
    const server = await httpServer({ era: "modern", tools: [definition] });
    const registry = createRegistry();
    const status = await registry.addSource(sourceOf({ name: "words", url: server.url, allowHosts: [server.host] }));
    expect(status).toMatchObject({ id: "mcp:words", state: "ready", tools: ["words__lookup"], problems: [] });
    const tool = registry.get("words__lookup")!;
    expect(tool).toMatchObject({
      title: "Look it up",
      description: "Finds a word.",
      inputSchema: definition.inputSchema,
      outputSchema: definition.outputSchema,
      metadata: { annotations: { readOnly: true, destructive: false }, tags: ["mcp", "words"] },
    });
    expect(upstreamToolOf(tool)).toMatchObject({ server: "words", name: "lookup", definition });
    expect(registry.entries()[0]).toMatchObject({ source: "mcp:words", state: "ready" });
  });

  // row: I3
  it("are governed by patterns of names like any other tool", async () => {
    const server = await httpServer({ tools: [toolNamed("read"), toolNamed("write")] });
    const registry = createRegistry({ policy: readPolicyConfig({ tools: { allow: ["hand__*"], deny: ["hand__wr*"] } }) });
    await registry.addSource(sourceOf({ name: "hand", url: server.url, allowHosts: [server.host] }));
    expect(registry.view({}).tools.map(({ name }) => name)).toEqual(["hand__read"]);
    expect(await registry.invoke("hand__write", {})).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    expect(server.brain.seen.requests.filter(({ method }) => method === "tools/call")).toEqual([]);
  });

  it("of three sources stand side by side, each with its origin, and go one by one", async () => {
    const [one, two] = await Promise.all([
      httpServer({ tools: [toolNamed("same")] }),
      httpServer({ era: "modern", tools: [toolNamed("same")] }),
    ]);
    const registry = createRegistry();
    await registry.addSource(sourceOf({ name: "one", url: one.url, allowHosts: [one.host] }));
    await registry.addSource(sourceOf({ name: "two", url: two.url, allowHosts: [two.host] }));
    await registry.addSource(sourceOf(stdioUpstream({ tools: [toolNamed("same")] }, { name: "three" })));
    const origins = (): string[] => registry.entries().map(({ tool, source }) => `${tool.name} from ${source}`);
    expect(origins()).toEqual(["one__same from mcp:one", "two__same from mcp:two", "three__same from mcp:three"]);
    await registry.removeSource("mcp:two");
    expect(origins()).toEqual(["one__same from mcp:one", "three__same from mcp:three"]);
  });
});
