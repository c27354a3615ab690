import { createRegistry, defineTool } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { verifyAudit } from "../../src/audit/audit.ts";
import { createCallLog } from "../../src/audit/call-log.ts";
import type { OpenStore } from "./contract.ts";

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
      await calls.begin!(start("c0")); // a name that is used again
      await calls.flush();
      expect(await calls.running()).toHaveLength(100);
      expect(await calls.abandon("one")).toBe(100);
      expect((await calls.statistics())[0]).toMatchObject({ calls: 701, errors: 100 });
      expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 701 });
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
      expect(() => createCallLog({} as never, { server: "one" })).toThrow(/keeps only records/);
    });
  });
}
