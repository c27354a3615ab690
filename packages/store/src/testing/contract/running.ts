import { createRegistry, defineTool } from "@toolrack/core";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { verifyAudit } from "../../audit/verify.ts";
import { createCallLog } from "../../calls/call-log.ts";
import { insideOf } from "../../store/create-store.ts";
import type { OpenStore } from "./open.ts";

export function runningContract(open: OpenStore): void {
  describe("calls that run", () => {
    const ok = (callId: string) => ({ ok: true, content: "x", meta: { callId, tool: "t", durationMs: 1 } }) as const;
    const start = (callId: string) => ({ callId, tool: "t", input: { token: "t0ken" }, caller: { agent: "a" }, startedAt: 5 });

    it("are known while they run, and when their server ended each is written down as finished or as aborted", async () => {
      const store = await open();
      const [dead, alive] = ["one", "two"].map((server) => createCallLog(store, { server }));
      let finish: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (finish = resolve));
      const hold = defineTool({
        name: "hold",
        description: "Waits",
        inputSchema: { type: "object", properties: { password: { type: "string" } } },
        handler: () => held.then(() => "done"),
      });
      const registries = [dead!, alive!].map((recorder) => createRegistry({ recorder }));
      for (const registry of registries) registry.register(hold);
      const lost = registries[0]!.invoke("hold", { password: "hunter22" }, { callId: "lost", caller: { agent: "planner" } });
      const going = registries[1]!.invoke("hold", {}, { callId: "going" });
      await registries[0]!.invoke("hold", "not an object", { callId: "refused" });
      await expect.poll(async () => (await alive!.running()).map(({ callId, server }) => [callId, server])).toHaveLength(2);
      expect(await alive!.running({ server: "one" })).toMatchObject([
        { callId: "lost", tool: "hold", caller: { agent: "planner" }, input: { password: "[redacted]" } },
      ]);

      expect(await alive!.abandon("one")).toBe(1);
      expect(await alive!.abandon("one")).toBe(0);
      expect(await alive!.show("lost")).toMatchObject({
        ok: false,
        code: "ABORTED",
        tool: "hold",
        caller: { agent: "planner" },
        error: { type: "abandoned", retryable: false },
      });
      expect(await alive!.show("refused")).toMatchObject({ ok: false, code: "INPUT_INVALID" });
      finish();
      expect(await going).toMatchObject({ ok: true });
      await lost;
      expect(await alive!.running()).toEqual([]);
      expect(await alive!.show("going")).toMatchObject({ ok: true });
      expect(await verifyAudit(store)).toMatchObject({ ok: true });
    });

    it("are written in one go when they are many, the begun and ended without a trace of their running", async () => {
      const store = await open();
      const calls = createCallLog(store, { server: "one", acknowledge: "queued" });
      for (let index = 0; index < 700; index++) {
        await calls.begin!(start(`c${index}`));
        if (index % 7 !== 0) await calls.record({ ...start(`c${index}`), result: ok(`c${index}`) });
      }
      await calls.record({ ...start("c0"), result: ok("c0") });
      await calls.begin!({ ...start("c0"), startedAt: 6 }); // a name that is used again
      await calls.flush();
      expect(await calls.running()).toHaveLength(100);
      expect(await calls.abandon("one")).toBe(100);
      expect((await calls.statistics())[0]).toMatchObject({ calls: 701, errors: 100 });
      expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 701 });
    });

    it("are exactly those that began and did not end, however many of them begin or end together", async () => {
      const store = await open();
      const calls = createCallLog(store, { server: "one" });
      const names = Array.from({ length: 60 }, (_, index) => `c${index}`);
      const runs = new Set<string>();
      const running = async () => new Set((await calls.running()).map(({ callId }) => callId));
      for (const lot of [names.slice(0, 40), names.slice(40)]) {
        await Promise.all(lot.map((name) => calls.begin!({ ...start(name), input: { text: "x".repeat(name === "c7" ? 9_000 : 5) } })));
        for (const name of lot) runs.add(name);
        expect(await running()).toEqual(runs);
      }
      for (const step of [3, 2, 1]) {
        const lot = [...runs].filter((_, index) => index % step === 0);
        await Promise.all(lot.map((name) => calls.record({ ...start(name), result: ok(name) })));
        for (const name of lot) runs.delete(name);
        expect(await running()).toEqual(runs);
      }
      expect(await insideOf(store).engine.notes(store.actor.owner, "running", 10)).toEqual([]);
    });

    it("may have one name at the same time, and each ends for itself", async () => {
      const store = await open();
      const calls = createCallLog(store, { server: "one" });
      await Promise.all([calls.begin!(start("same")), calls.begin!(start("same")), calls.begin!(start("other"))]);
      await calls.record({ ...start("same"), result: ok("same") });
      expect((await calls.running()).map(({ callId }) => callId).sort()).toEqual(["other", "same"]);
      for (const name of ["same", "other", "same"]) await calls.record({ ...start(name), result: ok(name) });
      expect(await calls.running()).toEqual([]);
      expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 4 });
    });

    it("are shown without a secret that became known while they ran", async () => {
      const store = await open();
      const seen: string[] = [];
      const calls = createCallLog(store, { server: "one", redaction: { values: () => seen } });
      const call = { ...start("c"), input: { text: "it is hunter22" } };
      await calls.begin!(call);
      seen.push("hunter22");
      await calls.record({ ...call, result: ok("c") });
      expect(await calls.show("c")).toMatchObject({ input: { text: "it is [redacted]" } });
    });

    it("are found when an older log noted each for itself", async () => {
      const store = await open();
      const { engine } = insideOf(store);
      const { owner } = store.actor;
      const body = JSON.stringify({ callId: "old", tool: "t", startedAt: 5, caller: { agent: "a" }, input: {} });
      await engine.writeAudit((tx) => tx.saveNotes([{ owner, kind: "running", name: "old", holder: "one", endsAt: undefined, body }]));
      const calls = createCallLog(store);
      expect(await calls.running()).toMatchObject([{ callId: "old", server: "one" }]);
      expect(await calls.abandon("one")).toBe(1);
      expect(await calls.show("old")).toMatchObject({ ok: false, code: "ABORTED" });
    });

    it("may have any name, of any length", async () => {
      const store = await open();
      const errors: unknown[] = [];
      const calls = createCallLog(store, { server: "one", acknowledge: "queued", onError: (error) => errors.push(error) });
      const odd = ["\0", "\ud800x", "__proto__", "'; drop table audit; --", "é".repeat(5_000)];
      for (const name of odd) {
        const call = { ...start(name), tool: name, caller: { agent: name } };
        await calls.begin!(call);
        await calls.record({ ...call, result: ok(name) });
      }
      await calls.flush();
      for (const name of odd) expect(await calls.show(name)).toMatchObject({ ok: true });
      expect(await verifyAudit(store)).toMatchObject({ ok: true });
      expect(errors).toEqual([]);
    });

    it("are not noted by a log that has no name of its server", async () => {
      expect(createCallLog(await open())).not.toHaveProperty("begin");
      expect(() => createCallLog({} as never, { server: "one" })).toThrow(/supports records only/);
    });
  });
}
