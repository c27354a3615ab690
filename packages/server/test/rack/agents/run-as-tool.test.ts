import { turns } from "@toolrack/testkit/turns";
import { expect, it, vi } from "vitest";
import { runAsTool } from "../../../src/rack/agents/run-as-tool.ts";

it("an agent that runs elsewhere and cannot be told that its caller left is named in the log, and ends nothing else", async () => {
  const agents = {
    runOf: () => undefined,
    running: () => undefined,
    sessions: { get: async () => undefined },
    start: async () => ({ session: "s-1" }),
    settled: (_session: string, signal: AbortSignal) => new Promise((resolve) => signal.addEventListener("abort", resolve)),
    cancel: () => Promise.reject(new Error("The database is away.")),
  };
  const controller = new AbortController();
  const log = { warn: vi.fn() };
  const context = { callId: "call-1", caller: {}, signal: controller.signal, log };
  const answer = expect(runAsTool("helper", "x", context as never, { agents } as never)).rejects.toThrow("The caller left.");
  await turns(5);
  controller.abort(new Error("The caller left."));
  await answer;
  await turns(2);
  expect(log.warn.mock.calls).toEqual([
    ["The run of an agent could not be cancelled.", { session: "s-1", error: "The database is away." }],
  ]);
});
