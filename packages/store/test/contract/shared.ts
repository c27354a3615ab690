import { setTimeout as sleep } from "node:timers/promises";
import { createRegistry, defineTool } from "@toolrack/core";
import { afterEach, describe, expect, it } from "vitest";
import { createCallLog } from "../../src/calls/call-log.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { publishTool } from "../../src/tools/publish.ts";
import { recordSource } from "../../src/tools/record-source.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";
import { takeLease } from "./_lease.ts";
import { definition, note, take, written } from "./_samples.ts";

/** Opens two stores on one new database, as two processes would. */
export type OpenTwo = () => Promise<readonly [BreadcrumbStore, BreadcrumbStore]>;

/** What stores promise whose database others use too. */
export function sharedContract(open: OpenTwo): void {
  describe("shares its database", () => {
    const opened: BreadcrumbStore[] = [];
    const openTwo: OpenTwo = async () => {
      const two = await open();
      opened.push(...two);
      return two;
    };
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
    });

    it("shows a change of the other within 50 ms", async () => {
      const [here, there] = await openTwo();
      const delays: number[] = [];
      const controller = new AbortController();
      const reading = (async () => {
        for await (const { record } of there.changes({ since: 0, signal: controller.signal })) {
          delays.push(performance.now() - Number(record.context["writtenAt"]));
          if (delays.length === 20) controller.abort();
        }
      })();
      await sleep(100);
      for (let index = 0; index < 20; index++) {
        written(await here.put(note(`n${index}`, { context: { writtenAt: performance.now() } })));
        await sleep(5);
      }
      await reading;
      const typical = delays.sort((a, b) => a - b)[Math.floor(delays.length / 2)]!;
      expect(typical).toBeLessThan(50);
    });

    it("lets exactly one of two win, and gives both one sequence without gaps", async () => {
      const [here, there] = await openTwo();
      written(await here.put(note("a")));
      for (let version = 1; version <= 10; version++) {
        const results = await Promise.all([here, there, here, there].map((store) => store.put(note("a", { version }))));
        expect(results.filter((result) => result.ok)).toHaveLength(1);
      }
      await Promise.all(Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? here : there).put(note(`n${index}`))));
      for (const store of [here, there]) {
        expect((await take(store, 51)).map(({ sequence }) => sequence)).toEqual(Array.from({ length: 51 }, (_, index) => index + 1));
      }
    });

    it("makes a definition that one writes callable in the other, without a restart", async () => {
      const [here, there] = await openTwo();
      const registry = createRegistry();
      await registry.addSource(recordSource(there, { handlers: { greet: () => "hello" } }));
      expect(registry.list()).toEqual([]);
      await publishTool(here, defineTool({ name: "greet", description: "Greets", inputSchema: { type: "object" }, handler: () => "" }));
      await expect.poll(() => registry.has("greet"), { interval: 5 }).toBe(true);
      expect(await registry.invoke("greet", {})).toMatchObject({ ok: true, content: "hello" });
      written(await here.remove("tool-def-greet"));
      await expect.poll(() => registry.has("greet"), { interval: 5 }).toBe(false);
      await registry.close();
    });

    it("OP1: leaves each call one end while one server takes the other's lease again and again", async () => {
      const [here, there] = await openTwo();
      const lease = await takeLease(here);
      const calls = createCallLog(here, { server: lease });
      const other = createCallLog(there);
      const made = Array.from({ length: 120 }, (_, index) => `c${index}`);
      const answers = new Map<string, boolean>();
      const call = async (callId: string): Promise<void> => {
        const start = { callId, tool: "t", input: {}, caller: {}, startedAt: Date.now() };
        await calls.begin!(start);
        await sleep(Number(callId.slice(1)) % 7);
        const stands = await calls.record({ ...start, result: { ok: true, content: "", meta: { callId, tool: "t", durationMs: 1 } } });
        answers.set(callId, stands?.ok ?? true);
      };
      const lots = [0, 1, 2, 3].map(async (lot) => {
        for (const callId of made.slice(lot * 30, lot * 30 + 30)) await call(callId);
      });
      let isDone = false;
      const working = Promise.all(lots).finally(() => (isDone = true));
      working.catch(() => undefined);
      for (let rounds = 0; !isDone && rounds < 15; rounds++) {
        await other.abandon(lease.name);
        await sleep(10);
      }
      await working;
      const lines = await other.list({ limit: 1_000 });
      expect(lines).toHaveLength(made.length);
      for (const { callId, ok } of lines) expect([callId, answers.get(callId)]).toEqual([callId, ok]);
      expect(await other.running()).toEqual([]);
      expect(await verifyAudit(there)).toMatchObject({ ok: true });
    });

    it("shows both the same catalog", async () => {
      const [here, there] = await openTwo();
      written(await here.put(definition("one")));
      written(await there.put(definition("two")));
      expect((await here.get("tool-catalog"))?.context["totalTools"]).toBe(2);
      expect(await there.get("tool-catalog")).toEqual(await here.get("tool-catalog"));
    });
  });
}
