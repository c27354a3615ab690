import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../../src/policy/config/config.ts";
import { createRegistry } from "../../src/registry/create.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { defineTool } from "../../src/tool/tool.ts";

/** A registry in which people take their time, and tools, too. */
function openSlowly(people: (signal: AbortSignal) => "accept" | "decline" = () => "accept") {
  const clock = createFakeClock();
  const registry = createRegistry({
    clock,
    policy: readPolicyConfig({ tools: { ask: ["pay"] } }),
    approver: {
      async ask({ signal }) {
        await clock.advance(60_000);
        return { action: people(signal) };
      },
    },
  });
  const tool = (name: string, handler: Parameters<typeof defineTool>[0]["handler"]): unknown =>
    registry.register(defineTool({ name, description: "Takes its time.", inputSchema: { type: "object" }, handler }));
  tool("pay", async () => {
    await clock.advance(40);
    return "paid";
  });
  tool("order", async (_input, { call }) => {
    await call("pay", {});
    await clock.advance(5);
    return "ordered";
  });
  tool("confirm", async (_input, { ask }) => {
    await ask({ message: "Really?" });
    return "confirmed";
  });
  return registry;
}

describe("the time that a call waited for people", () => {
  it("is told beside its whole duration, for approvals before the handler and questions inside", async () => {
    const registry = openSlowly();
    expect((await registry.invoke("pay", {})).meta).toMatchObject({ durationMs: 60_040, waitedMs: 60_000 });
    expect((await registry.invoke("confirm", {})).meta).toMatchObject({ durationMs: 60_000, waitedMs: 60_000 });
  });

  it("counts for the tool that called, too", async () => {
    const { meta } = await openSlowly().invoke("order", {});
    expect(meta).toMatchObject({ durationMs: 60_045, waitedMs: 60_000 });
  });

  it("is told of a call that was denied, and is absent where nobody was asked", async () => {
    const registry = openSlowly(() => "decline");
    expect(await registry.invoke("pay", {})).toMatchObject({ code: "APPROVAL_DENIED", meta: { durationMs: 60_000, waitedMs: 60_000 } });
    registry.register(defineTool({ name: "plain", description: "Asks nobody.", inputSchema: { type: "object" }, handler: () => "x" }));
    expect((await registry.invoke("plain", {})).meta).not.toHaveProperty("waitedMs");
  });
});
