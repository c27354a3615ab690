import { defineTool, type ToolResult } from "@toolrack/core";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { describe, expect, it } from "vitest";
import type { Rack } from "../../../src/rack/rack.ts";

const numbers = defineTool({
  name: "add",
  description: "Adds two numbers.",
  inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
  handler: ({ a, b }) => ({ sum: a + b }),
});
const mail = defineTool({
  name: "read_mail",
  description: "Reads the newest mail.",
  inputSchema: { type: "object", properties: {} },
  metadata: { annotations: { openWorld: true, readOnly: true } },
  handler: () => ({ from: "eve@example.com", text: "hello" }),
});
const send = defineTool({
  name: "send",
  description: "Sends a text.",
  inputSchema: { type: "object", properties: { to: { type: "string" }, text: { type: "string" } }, required: ["to", "text"] },
  handler: ({ to }) => `sent to ${to}`,
});
const broken = defineTool({
  name: "broken",
  description: "Always fails.",
  inputSchema: { type: "object", properties: {} },
  handler: () => ({ ok: false, error: "It is broken.", code: "TOOL_UNAVAILABLE", retryable: true }) as const,
});

const tools = [numbers, mail, send, broken];
const caller = { agent: "local", owner: true };

async function openPrograms(policy?: object): Promise<Rack> {
  return openTestRack({
    tools,
    config: { store: { memory: true }, tools: { packs: { programs: true } }, ...(policy && { policy }) } as never,
  });
}

function run(rack: Rack, code: string, input?: unknown, as: object = caller): Promise<ToolResult> {
  return rack.call("run_code", { code, ...(input !== undefined && { input }) }, { caller: as }).result;
}

describe("run_code", () => {
  it("is there only where its pack is configured", async () => {
    expect((await openTestRack({ tools })).registry.has("run_code")).toBe(false);
    expect((await openPrograms()).registry.has("run_code")).toBe(true);
  });

  it("runs a program whose calls are ordinary calls of its caller, each with the program's call as its parent", async () => {
    const rack = await openPrograms();
    const result = await run(
      rack,
      "const s = await Promise.all(input.map((n) => tools.add({ a: n, b: 1 }))); console.log('n', s.length); return s;",
      [1, 2],
    );
    expect(result).toMatchObject({ ok: true, data: { value: [{ sum: 2 }, { sum: 3 }], logs: ["n 2"] } });
    const made = (await rack.calls.list()).filter(({ tool }) => tool === "add");
    expect(made.map(({ caller: by, parentCallId }) => [by.agent, parentCallId])).toEqual([
      ["local", result.meta.callId],
      ["local", result.meta.callId],
    ]);
  });

  it("throws failed calls in the program, with code, tool and whether to try again", async () => {
    const rack = await openPrograms();
    const code = "try { await tools.broken({}); } catch (e) { return [e instanceof ToolError, e.code, e.tool, e.retryable, e.message]; }";
    expect(await run(rack, code)).toMatchObject({ ok: true, data: { value: [true, "TOOL_UNAVAILABLE", "broken", true, "It is broken."] } });
    const uncaught = await run(rack, "const a = 1;\nawait tools.broken({});");
    expect(uncaught).toMatchObject({ ok: false, code: "TOOL_FAILED", error: expect.stringMatching(/^Line 2: .*broken/) as string });
  });

  it("records the labels of arguments with the call", async () => {
    const rack = await openPrograms();
    await run(rack, "const m = await tools.read_mail({}); return await tools.send({ to: 'ops@example.com', text: m.text });");
    const [sent] = (await rack.calls.list()).filter(({ tool }) => tool === "send");
    expect(sent?.labels).toEqual({ "/text": ["untrusted"] });
    const [read] = (await rack.calls.list()).filter(({ tool }) => tool === "read_mail");
    expect(read?.labels).toBeUndefined();
  });

  it("refuses a program that does not parse with line, column and source line, and runs nothing", async () => {
    const rack = await openPrograms();
    const result = await run(rack, "await tools.add({ a: 1, b: 2 });\nclass A { #x = 1 }");
    expect(result).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: expect.stringMatching(/^Line 2: .*#private.*class A/s) as string,
    });
    expect((await rack.calls.list()).filter(({ tool }) => tool === "add")).toEqual([]);
  });

  it("cannot reach what the policy of its caller hides", async () => {
    const rack = await openPrograms({ tools: { deny: ["send"] } });
    expect(await run(rack, "return Object.keys(tools).includes('send')")).toMatchObject({ ok: true, data: { value: false } });
    expect(await run(rack, "return await tools.send({ to: 'a', text: 'b' })")).toMatchObject({
      ok: false,
      error: expect.stringContaining("tools.send") as string,
    });
  });

  it("is hidden and refused where the policy does not allow it", async () => {
    const rack = await openPrograms({ agents: { limited: { tools: { allow: ["add"] } } } });
    expect(rack.registry.view({ agent: "limited" }).offered("run_code")).toBeUndefined();
    expect(await run(rack, "return 1", undefined, { agent: "limited" })).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
  });

  it("ends when its call is cancelled", async () => {
    const rack = await openPrograms();
    const call = rack.call("run_code", { code: "for (;;) { await tools.add({ a: 1, b: 1 }); }" }, { caller });
    call.cancel("enough");
    expect(await call.result).toMatchObject({ ok: false, code: "ABORTED" });
  });
});
