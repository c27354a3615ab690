import { createRegistry, defineTool } from "@toolrack/core";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { createCallLog } from "../../calls/call-log.ts";
import { verifyAudit } from "../../audit/verify.ts";
import { publishTool } from "../../tools/publish.ts";
import { recordSource } from "../../tools/record-source.ts";
import { takeLease } from "./_lease.ts";
import type { OpenTwo } from "./open.ts";
import { definition, note, pass, randomDefinition, take, written } from "./_samples.ts";

/** What stores promise whose database others use, too. */
export function sharedContract(openTwo: OpenTwo): void {
  describe("a shared database", () => {
    it("shows a change of the other to whoever follows changes", async () => {
      const [here, there] = await openTwo();
      const following = take(there, 20);
      for (let index = 0; index < 20; index++) written(await here.put(note(`n${index}`)));
      expect((await following).map(({ record }) => record.id)).toEqual(Array.from({ length: 20 }, (_, index) => `n${index}`));
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

    // row: H1
    it("has a definition that one writes in the other, word for word, and its tool is listed there", async () => {
      const [here, there] = await openTwo();
      written(await here.put(randomDefinition));
      const { schema_name, id, title, tags, context } = (await there.get("tool-def-random"))!;
      expect({ schema_name, id, title, tags, context }).toEqual(randomDefinition);
      const registry = createRegistry();
      await registry.addSource(recordSource(there, { handlers: { random: () => ({ numbers: [7] }) } }));
      expect(registry.list()).toMatchObject([
        {
          name: "random",
          version: "1.0.0",
          description: "Generate random numbers",
          inputSchema: randomDefinition.context["inputSchema"],
          outputSchema: randomDefinition.context["outputSchema"],
          metadata: { category: "general", examples: randomDefinition.context["examples"] },
        },
      ]);
      await registry.close();
    });

    // row: C8
    it("makes a definition that one writes callable in the other, without a restart", async () => {
      const [here, there] = await openTwo();
      const registry = createRegistry();
      await registry.addSource(recordSource(there, { handlers: { greet: () => "hello" } }));
      expect(registry.list()).toEqual([]);
      await publishTool(here, defineTool({ name: "greet", description: "Greets", inputSchema: { type: "object" }, handler: () => "" }));
      await expect.poll(() => registry.has("greet")).toBe(true);
      expect(await registry.invoke("greet", {})).toMatchObject({ ok: true, content: "hello" });
      written(await here.remove("tool-def-greet"));
      await expect.poll(() => registry.has("greet")).toBe(false);
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
        await pass(Number(callId.slice(1)) % 7);
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
        await pass(10);
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
