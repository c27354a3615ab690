import { createCallLog, createMemoryStore, createPresence } from "@toolrack/store";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it, vi } from "vitest";
import { followAbandoned } from "../../../src/rack/calls/abandoned.ts";
import { createLease } from "../../../src/rack/cluster/lease.ts";

describe("the calls of servers that ended", () => {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const approvals = { abandon: async () => [], servers: () => [] };
  const tasks = { abandon: async () => 0, servers: async () => [] };
  const programs = { abandon: async () => 0, servers: () => [] };
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
      lease: createLease(store, () => ({})),
      calls: { ...calls, running },
      approvals,
      programs,
      tasks,
      log,
      onStoreFailed: () => undefined,
      onEnd: () => undefined,
      onLost: () => undefined,
    });
    afterThisTest(() => abandoned.close());
    await abandoned.sweep();
    expect((await calls.running()).map(({ callId }) => callId)).toEqual(["call-1"]);
    await createPresence(store).leave("two");
    await abandoned.sweep();
    expect(await calls.show("call-1")).toMatchObject({ ok: false, code: "ABORTED" });
    expect(await calls.running()).toEqual([]);
  });

  it("OP3: are not those of a server that was silent while nobody looked", async () => {
    const time = vi.spyOn(performance, "now").mockReturnValue(1_000);
    afterThisTest(() => time.mockRestore());
    const store = createMemoryStore();
    const [two, calls] = [createCallLog(store, { server: "two" }), createCallLog(store, { server: "one" })];
    await createPresence(store).report("two");
    await two.begin!(start);
    const ended: string[] = [];
    const lease = createLease(store, () => ({}));
    const follow = {
      approvals,
      tasks,
      log,
      onStoreFailed: () => undefined,
      onEnd: (callId: string) => void ended.push(callId),
      onLost: () => undefined,
    };
    const abandoned = followAbandoned({ store, lease, calls, programs, ...follow });
    afterThisTest(() => abandoned.close());
    for (const [now, left] of [
      [1_000, 1],
      [200_000, 1], // this server was paused, or the store was away: the other one has not had its chance
      [210_000, 1],
      [220_000, 1],
      [229_000, 1],
      [231_000, 0],
    ] as const) {
      time.mockReturnValue(now);
      await abandoned.sweep();
      expect([now, (await calls.running()).length]).toEqual([now, left]);
    }
    expect(ended).toEqual(["call-1"]);
  });

  it("OP4: take their questions and tasks with them, also where whoever took the lease ended before it came to those", async () => {
    const store = createMemoryStore();
    const calls = createCallLog(store, { server: "one" });
    const gone: string[] = [];
    const lease = createLease(store, () => ({}));
    await lease.arrive();
    const abandoned = followAbandoned({
      store,
      lease,
      calls,
      approvals: { servers: () => ["asker", lease.name], abandon: async (name) => (gone.push(`questions of ${name}`), []) },
      programs: { servers: () => ["runner"], abandon: async (name) => gone.push(`programs of ${name}`) },
      tasks: { servers: async () => ["worker", ""], abandon: async (name) => gone.push(`tasks of ${name}`) },
      log,
      onStoreFailed: () => undefined,
      onEnd: () => undefined,
      onLost: () => undefined,
    });
    afterThisTest(() => abandoned.close());
    await abandoned.sweep();
    expect(gone.sort()).toEqual([
      "programs of asker",
      "programs of runner",
      "programs of worker",
      "questions of asker",
      "questions of runner",
      "questions of worker",
      "tasks of asker",
      "tasks of runner",
      "tasks of worker",
    ]);
  });
});
