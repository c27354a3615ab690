import { startLoopback } from "@toolrack/testkit/loopback";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { expect, it } from "vitest";

it("AH19: what a server began to send before it ended, the next one does not send again, and says so", async () => {
  let hangs = false;
  await using receiver = await startLoopback((_, response) => void (hangs || response.end()));
  const folder = temporaryFolder();
  const config = {
    store: { sqlite: "rack.db" },
    tools: { packs: { messages: { channels: { desk: { type: "webhook", url: `${receiver.url}/in`, recipients: ["kitchen"] } } } } },
  };
  const send = async (callId: string, message: string) => {
    const rack = await openTestRack({ folder, config });
    try {
      const input = { action: "send", channel: "desk", target: "kitchen", message };
      return await rack.registry.invoke("message", input, { caller: { agent: "local", owner: true }, callId });
    } finally {
      await rack.close({ graceMs: 0 });
    }
  };
  expect(await send("run-1/call-1", "Tea")).toMatchObject({ ok: true });
  expect(await send("run-1/call-1", "Tea")).toMatchObject({ ok: true, data: { target: "kitchen" } });
  expect(await send("run-1/call-1", "Coffee")).toMatchObject({ ok: false, error: expect.stringContaining("Make a new call") });
  expect(receiver.seen).toHaveLength(1);
  expect(await send("run-1/call-2", "Tea")).toMatchObject({ ok: true });
  hangs = true;
  const rack = await openTestRack({ folder, config });
  const input = { action: "send", channel: "desk", target: "kitchen", message: "Scones" };
  const cut = rack.registry.invoke("message", input, { caller: { agent: "local", owner: true }, callId: "run-1/call-3" });
  await until(() => receiver.seen.length === 3);
  const closing = rack.close({ graceMs: 0 });
  hangs = false;
  expect(await send("run-1/call-3", "Scones")).toMatchObject({
    ok: false,
    code: "OUTCOME_UNKNOWN",
    error: expect.stringContaining("may have been sent"),
  });
  expect(receiver.seen).toHaveLength(3);
  await closing;
  await cut;
});
