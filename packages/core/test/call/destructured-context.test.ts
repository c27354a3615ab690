import { describe, expect, it } from "vitest";
import { createMemorySecrets, createRegistry, defineTool } from "../../src/index.ts";

describe("a handler that takes its context apart", () => {
  it("finds every part of it working", async () => {
    const registry = createRegistry({
      secrets: createMemorySecrets({ key: "k" }),
      approver: { ask: async () => ({ action: "accept", value: 7 }) },
    });
    registry.register(defineTool({ name: "inner", description: "Answers.", inputSchema: { type: "object" }, handler: () => "inner" }));
    registry.register(
      defineTool({
        name: "outer",
        description: "Uses everything.",
        inputSchema: { type: "object" },
        metadata: { secrets: ["key"] },
        handler: async (_input, { call, secret, ask, progress, signal, callId, log }) => {
          progress({ message: "started" });
          log.info("started");
          const nested = await call("inner", {});
          const answer = await ask({ message: "How many?" });
          return { nested: nested.ok, secret: await secret("key"), answer, aborted: signal.aborted, callId };
        },
      }),
    );
    const seen: unknown[] = [];
    const result = await registry.invoke("outer", {}, { callId: "c1", onProgress: (update) => seen.push(update) });
    expect(result).toMatchObject({
      ok: true,
      data: { nested: true, secret: "k", answer: { action: "accept", value: 7 }, aborted: false, callId: "c1" },
    });
    expect(seen).toEqual([{ message: "started" }]);
  });
});
