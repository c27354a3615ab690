import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { createCallLog } from "../../calls/call-log.ts";
import { verifyAudit } from "../../audit/verify.ts";
import { createPresence } from "../../presence/presence.ts";
import { insideOf } from "../../store/create-store.ts";
import { takeLease } from "./_lease.ts";
import type { OpenStore } from "./open.ts";

export function leaseContract(open: OpenStore): void {
  describe("the lease of a server", () => {
    const start = (callId: string) => ({ callId, tool: "t", input: {}, caller: { agent: "a" }, startedAt: 5 });
    const done = (callId: string) =>
      ({ ...start(callId), result: { ok: true, content: "x", meta: { callId, tool: "t", durationMs: 1 } } }) as const;

    it("OP1: is asked for with each page of the log, which is refused and leaves nothing once it was taken", async () => {
      const store = await open();
      const { engine } = insideOf(store);
      const { owner } = store.actor;
      const [lease, presence] = [{ owner, name: "one" }, createPresence(store)];
      const note = (name: string) => ({ owner, kind: "running", name, holder: "one", endsAt: undefined, body: "[]" }) as const;
      const line = [5, owner, "call", "a", "t", "c", 1, null, 1, "{}", ""] as const;
      const page = (name: string) => ({ lines: [line], key: undefined, owner, lease, removed: [], saved: [note(name)] });
      await expect(engine.writeLog(page("before"))).rejects.toMatchObject({ code: "LEASE_LOST", status: 503, retryable: false });
      await presence.report("one");
      await engine.writeLog(page("held"));
      await engine.writeAudit((tx) => tx.forgetSighting(owner, "one"));
      for (const one of [page("after"), { ...page("after"), lines: [] }, { ...page("after"), saved: [], removed: ["held"] }])
        await expect(engine.writeLog(one)).rejects.toMatchObject({ code: "LEASE_LOST" });
      expect((await engine.notes(owner, "running", 10)).map(({ name }) => name)).toEqual(["held"]);
      expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 1 });
      expect(await presence.renew("one")).toBe(false);
      expect(await presence.list()).toEqual([]);
    });

    it("OP1: goes with the calls that are given up, and a late end leaves each with the one line that it has", async () => {
      const store = await open();
      const lease = await takeLease(store);
      const [paused, other] = [createCallLog(store, { server: lease }), createCallLog(store, { server: "two" })];
      await Promise.all(["a", "b", "ended"].map((callId) => paused.begin!(start(callId))));
      await paused.record(done("ended"));
      expect(await other.abandon("one-0")).toBe(2);
      expect(await createPresence(store).list()).toEqual([]);

      const late = await Promise.all([paused.record(done("a")), paused.begin!(start("next")), paused.record(done("b"))]);
      expect(late[0]).toMatchObject({
        ok: false,
        code: "ABORTED",
        error: expect.stringContaining("longer than its lease"),
        retryable: false,
      });
      expect([late[1], late[2]]).toMatchObject([undefined, { code: "ABORTED" }]);
      expect(lease.losses).toEqual(["one-0"]);
      expect(await other.running()).toMatchObject([{ callId: "next", server: "one-1" }]);
      expect(await paused.record(done("next"))).toBeUndefined();
      expect((await other.list()).map(({ callId, ok }) => [callId, ok]).sort()).toEqual([
        ["a", false],
        ["b", false],
        ["ended", true],
        ["next", true],
      ]);
      expect(await other.running()).toEqual([]);
      expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 4 });
    });

    it("OP1: leaves a call that has an end with that one, also where a note says that it still runs", async () => {
      const store = await open();
      const { engine } = insideOf(store);
      const [one, two] = [createCallLog(store, { server: "one" }), createCallLog(store, { server: "two" })];
      await Promise.all(["a", "b"].map((callId) => one.begin!(start(callId))));
      const notes = await engine.notes(store.actor.owner, "running", 10);
      await one.record(done("a"));
      await engine.writeAudit((tx) => tx.saveNotes(notes));
      expect(await two.abandon("one")).toBe(1);
      await engine.writeAudit((tx) => tx.saveNotes(notes));
      expect(await two.abandon("one")).toBe(0);
      expect((await two.list()).map(({ callId, ok }) => [callId, ok]).sort()).toEqual([
        ["a", true],
        ["b", false],
      ]);
      expect(await two.running()).toEqual([]);
    });

    it("OP1: tells which calls of this server it took with it", async () => {
      const store = await open();
      const lease = await takeLease(store);
      const calls = createCallLog(store, { server: lease });
      await calls.begin!(start("a"));
      expect(calls.lost()).toEqual([]);
      await lease.lost("one-0");
      await calls.begin!(start("b"));
      expect(calls.lost()).toEqual(["a"]);
      // Nobody has given it up so far: whoever ends it does.
      expect(await calls.record(done("a"))).toMatchObject({ ok: false, code: "ABORTED" });
      expect(calls.lost()).toEqual([]);
      expect(await calls.running()).toMatchObject([{ callId: "b" }]);
    });

    it("OP1: leaves calls that never began one end as well, whoever writes it first", async () => {
      const store = await open();
      const lease = await takeLease(store);
      const [paused, other] = [createCallLog(store, { server: lease }), createCallLog(store)];
      expect(await other.recordOnce(done("asked"))).toBeUndefined();
      await other.abandon("one-0");
      expect(await paused.record({ ...done("asked"), result: { ...done("asked").result, content: "late" } })).toMatchObject({
        content: "x",
      });
      expect(await paused.record(done("refused"))).toBeUndefined();
      expect(await other.recordOnce(done("refused"))).toMatchObject({ ok: true, content: "x" });
      expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 2 });
    });

    it("is not needed by a log that has a name alone, or none", async () => {
      const store = await open();
      for (const options of [{}, { server: "alone" }]) {
        const calls = createCallLog(store, options);
        await calls.begin?.(start("c"));
        expect(await calls.record(done("c"))).toBeUndefined();
      }
      expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 2 });
    });
  });
}
