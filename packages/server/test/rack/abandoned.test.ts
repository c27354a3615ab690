import { createCallLog, createMemoryStore, createPresence } from "@toolrack/store";
import { describe, expect, it } from "vitest";
import { followAbandoned } from "../../src/rack/abandoned.ts";
import { later } from "./_open.ts";

describe("the calls of servers that ended", () => {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const approvals = { abandon: async () => [] };
  const start = { callId: "call-1", tool: "t", input: {}, caller: {}, startedAt: 5 };

  it("are not those of a server that comes and begins its first call while another one looks", async () => {
    const store = createMemoryStore();
    const two = createCallLog(store, { server: "two" });
    const calls = createCallLog(store, { server: "one" });
    let looks = 0;
    const running: typeof calls.running = async (options) => {
      if (looks++ === 0) {
        await createPresence(store).report("two");
        await two.begin!(start);
      }
      return calls.running(options);
    };
    const abandoned = followAbandoned({
      store,
      server: "one",
      info: () => ({}),
      calls: { ...calls, running },
      approvals,
      log,
      onStoreFailed: () => undefined,
      onEnd: () => undefined,
    });
    later(() => abandoned.close());
    await abandoned.sweep();
    expect((await calls.running()).map(({ callId }) => callId)).toEqual(["call-1"]);
    await createPresence(store).leave("two");
    await abandoned.sweep();
    expect(await calls.show("call-1")).toMatchObject({ ok: false, code: "ABORTED" });
    expect(await calls.running()).toEqual([]);
  });
});
