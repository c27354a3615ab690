import { type Approver, createRegistry, type Progress, type Registry } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import type { McpSourceOptions } from "@toolrack/mcp";
import { until } from "@toolrack/testkit/until";
import type { HttpServer } from "../server-types.ts";
import { httpServer, sourceOf, stdioUpstream } from "../upstreams.ts";

async function registryOver(options: McpSourceOptions, approver?: Approver): Promise<Registry> {
  const registry = createRegistry(approver ? { approver } : {});
  await registry.addSource(sourceOf(options));
  return registry;
}

const over = (server: HttpServer, more: object = {}): McpSourceOptions => ({
  name: "hand",
  url: server.url,
  allowHosts: [server.host],
  ...more,
});

describe("a call of a tool on a server", () => {
  it("answers text, data and every kind of block that we know", async () => {
    const registry = await registryOver(over(await httpServer()));
    expect(await registry.invoke("hand__structured", {})).toMatchObject({ ok: true, content: "21 degrees", data: { celsius: 21 } });
    const mixed = await registry.invoke("hand__mixed", {});
    expect(mixed).toMatchObject({
      ok: true,
      blocks: [
        { type: "text", text: "look" },
        { type: "image", mimeType: "image/png" },
        { type: "audio", data: "AAAA", mimeType: "audio/wav" },
        { type: "resource_link", uri: "file:///notes.md", name: "notes", mimeType: "text/markdown" },
        { type: "text", text: "inside" },
        { type: "image", mimeType: "image/png" },
      ],
    });
  });

  it("that the tool calls an error is a failed result with the tool's own words", async () => {
    const registry = await registryOver(over(await httpServer({ era: "modern" })));
    expect(await registry.invoke("hand__fail", {})).toMatchObject({ ok: false, code: "TOOL_FAILED", error: "The disk is full." });
  });

  it("is read in the old form of results, which the newer revision does not have", async () => {
    const registry = await registryOver(over(await httpServer()));
    expect(await registry.invoke("hand__oldFail", {})).toMatchObject({ ok: false, code: "TOOL_FAILED", error: "The disk is full." });
    expect(await registry.invoke("hand__oldForm", {})).toMatchObject({ ok: true, content: "Done." });
    const modern = await registryOver(over(await httpServer({ era: "modern" })));
    for (const tool of ["hand__oldFail", "hand__oldForm"])
      expect(await modern.invoke(tool, {})).toMatchObject({ ok: false, code: "RESULT_INVALID" });
  });

  it.each(["legacy", "modern"] as const)("is no success without content: %s", async (era) => {
    const registry = await registryOver(over(await httpServer({ era })));
    expect(await registry.invoke("hand__nothing", {})).toMatchObject({ ok: false, code: "RESULT_INVALID" });
  });

  it("that the server refuses is a failed result that names the server", async () => {
    const server = await httpServer();
    const registry = await registryOver(over(server, {}));
    server.brain.setTools([{ name: "gone", inputSchema: { type: "object" } }]);
    await registry.refreshSource("mcp:hand");
    expect(await registry.invoke("hand__gone", {})).toMatchObject({
      ok: false,
      code: "TOOL_FAILED",
      error: 'MCP server "hand" refused the call: Unknown tool: gone (-32602)',
    });
  });

  it("obeys the registry's limits of size and its redaction", async () => {
    const server = await httpServer();
    const registry = createRegistry({ limits: { maxResultBytes: 1_000 }, redaction: { fields: ["celsius"] } });
    await registry.addSource(sourceOf(over(server)));
    const big = await registry.invoke("hand__big", { bytes: 100_000 });
    expect(big.ok && Buffer.byteLength(big.content)).toBeLessThanOrEqual(1_000);
    expect(await registry.invoke("hand__structured", {})).toMatchObject({ ok: true, data: { celsius: expect.not.stringContaining("21") } });
  });

  for (const era of ["legacy", "modern"] as const) {
    it(`tells of its progress (${era})`, async () => {
      const registry = await registryOver(over(await httpServer({ era })));
      const updates: Progress[] = [];
      const result = await registry.invoke("hand__progress", {}, { onProgress: (update) => void updates.push(update) });
      expect(result).toMatchObject({ ok: true, content: "done" });
      expect(updates).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 3, message: `step ${step}` })));
    });

    it(`tells the server when it is cancelled (${era})`, async () => {
      const server = await httpServer({ era });
      const registry = await registryOver(over(server));
      const controller = new AbortController();
      const calling = registry.invoke("hand__wait", {}, { signal: controller.signal });
      await until(() => server.brain.seen.requests.some(({ params }) => params?.["name"] === "wait"));
      controller.abort();
      expect(await calling).toMatchObject({ ok: false, code: "ABORTED" });
      await until(() => server.brain.seen.cancelled.length === 1, "the cancellation");
    });

    it(`asks the person behind it, and fills in what they left to the default (${era})`, async () => {
      const server = await httpServer({ era });
      const questions: unknown[] = [];
      const registry = await registryOver(over(server), {
        async ask(request) {
          questions.push({ message: request.message, schema: request.schema, tool: request.tool });
          return { action: "accept", value: { colour: "green" } };
        },
      });
      const result = await registry.invoke("hand__ask", { for: "me" });
      expect(questions).toEqual([
        { message: 'The MCP server "hand" asks: Which colour?', schema: expect.objectContaining({ type: "object" }), tool: "hand__ask" },
      ]);
      expect(server.brain.seen.answers).toMatchObject([{ action: "accept", content: { colour: "green", shade: "dark" } }]);
      expect(result.ok && JSON.parse(result.content)).toMatchObject({ for: "me", action: "accept" });
    });

    it(`hands a refusal of the person on (${era})`, async () => {
      const server = await httpServer({ era });
      const registry = await registryOver(over(server), { ask: async () => ({ action: "decline" }) });
      expect(await registry.invoke("hand__ask", {})).toMatchObject({ ok: true });
      expect(server.brain.seen.answers).toMatchObject([{ action: "decline" }]);
    });

    it(`needs an answer where nobody can be asked, and takes the one that is brought along (${era})`, async () => {
      const registry = await registryOver(over(await httpServer({ era })));
      const first = await registry.invoke("hand__ask", {});
      expect(first).toMatchObject({ ok: false, code: "APPROVAL_REQUIRED", approval: { tool: "hand__ask" } });
      if (first.ok || first.approval === undefined) throw new Error("no approval was asked for");
      const approval = { digest: first.approval.digest, answer: { action: "accept", value: { colour: "blue" } } } as const;
      const second = await registry.invoke("hand__ask", {}, { approval });
      expect(second.ok && second.content).toContain("blue");
    });
  }

  it("asks the right person when many are asked at the same time, over one connection", async () => {
    for (const options of [over(await httpServer()), over(await httpServer({ era: "modern" })), stdioUpstream({ era: "modern" })]) {
      const registry = await registryOver(options, {
        ask: async ({ input }) => ({ action: "accept", value: { colour: `colour of ${(input as { for: string }).for}` } }),
      });
      const people = Array.from({ length: 20 }, (_, index) => `person ${index}`);
      const results = await Promise.all(people.map((person) => registry.invoke("hand__ask", { for: person })));
      const answers = results.map((result) => result.ok && (JSON.parse(result.content) as { for: string; content: { colour: string } }));
      expect(answers.map((answer) => answer && [answer.for, answer.content.colour])).toEqual(
        people.map((person) => [person, `colour of ${person}`]),
      );
    }
  });

  it("is not asked for another's answer: an older program that asks during several calls gets none", async () => {
    const registry = await registryOver(stdioUpstream({ era: "legacy" }), {
      ask: async () => ({ action: "accept", value: { colour: "red" } }),
    });
    const alone = await registry.invoke("hand__ask", { for: "one" });
    expect(alone.ok && alone.content).toContain("red");
    const controller = new AbortController();
    const waiting = registry.invoke("hand__wait", {}, { signal: controller.signal });
    const amongOthers = await registry.invoke("hand__ask", { for: "two" });
    expect(amongOthers.ok && amongOthers.content).toContain("cancel");
    controller.abort();
    await waiting;
  });

  it("comes to its deadline, also when the server never answers", async () => {
    const server = await httpServer({ era: "modern" });
    const registry = await registryOver(over(server, { callTimeoutMs: 1_000 }));
    expect(await registry.invoke("hand__wait", {})).toMatchObject({ ok: false, code: "TIMEOUT" });
    await until(() => server.brain.seen.cancelled.length === 1, "the cancellation");
    expect(await registry.invoke("hand__echo", { text: "still here" })).toMatchObject({ ok: true });
  });

  it("fails at once when the server breaks off in the middle", async () => {
    for (const era of ["legacy", "modern"] as const) {
      const server = await httpServer({
        era,
        before(_request, response, body) {
          if (!body.includes('"wait"')) return false;
          response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n", () => response.destroy());
          return true;
        },
      });
      const registry = await registryOver(over(server));
      expect(await registry.invoke("hand__wait", {})).toMatchObject({ ok: false, code: "SOURCE_FAILED" });
    }
  });
});
