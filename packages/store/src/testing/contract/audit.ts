import { createRegistry, defineTool } from "@toolrack/core";
import { createFakeClock } from "@toolrack/core/testing";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { appendEntries } from "../../engine/chain.ts";
import { addToAudit, listAudit, pruneAudit } from "../../audit/audit.ts";
import { toCallRecords } from "../../calls/call-body.ts";
import { type CallQuery, createCallLog } from "../../calls/call-log.ts";
import { type AuditCheck, verifyAudit } from "../../audit/verify.ts";
import { keyAudit, rewrapAuditKey } from "../../secrets/audit-key.ts";
import { checkKeys } from "../../secrets/key-fit.ts";
import { createKeys } from "../../secrets/keys.ts";
import { insideOf } from "../../store/create-store.ts";
import type { OpenStore } from "./open.ts";

const sentence = (pattern: RegExp): unknown => expect.stringMatching(pattern);

export function auditContract(open: OpenStore): void {
  describe("the call log and the audit", () => {
    const wait = defineTool({
      name: "wait",
      version: "1.2.0",
      description: "Waits",
      inputSchema: { type: "object", properties: { ms: { type: "number" }, password: { type: "string" } } },
      handler: async ({ ms = 0 }: { ms?: number }, { signal }) => {
        // Whoever waits for long is stopped.
        if (ms >= 500) await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
        return { waited: ms };
      },
    });

    // row: B8
    it("keeps each call's request, response or error with caller, version, parent and duration", async () => {
      const store = await open();
      const calls = createCallLog(store);
      const registry = createRegistry({ recorder: calls });
      registry.register(wait);
      registry.register(
        defineTool({
          name: "outer",
          description: "Calls",
          inputSchema: { type: "object" },
          handler: (_, context) => context.call("wait", { ms: 1 }),
        }),
      );
      const ok = await registry.invoke("wait", { ms: 1, password: "hunter22" }, { caller: { agent: "planner" } });
      const late = await registry.invoke("wait", { ms: 500 }, { timeoutMs: 5 });
      const outer = await registry.invoke("outer", {});
      expect(await calls.show(ok.meta.callId)).toMatchObject({
        tool: "wait",
        version: "1.2.0",
        ok: true,
        input: { ms: 1, password: "[redacted]" },
        output: { waited: 1 },
        caller: { agent: "planner" },
      });
      expect(await calls.show(late.meta.callId)).toMatchObject({
        ok: false,
        code: "TIMEOUT",
        input: { ms: 500 },
        error: { type: "timeout", severity: "medium", status: 504, retryable: true },
      });
      const inner = (await calls.list({ tool: "wait" }))[0]!;
      expect(inner.parentCallId).toBe(outer.meta.callId);
      expect(await calls.list({ ok: false })).toHaveLength(1);
      expect(await calls.show("nobody")).toBeUndefined();
      const begins = async (idPrefix: string): Promise<readonly string[]> => (await calls.list({ idPrefix })).map(({ callId }) => callId);
      expect(await begins(ok.meta.callId)).toEqual([ok.meta.callId]);
      expect(await begins(ok.meta.callId.slice(0, -1))).toContain(ok.meta.callId);
      expect(await begins(`${ok.meta.callId}x`)).toEqual([]);
      expect(await begins("%")).toEqual([]);
      const [request, response] = toCallRecords((await calls.show(ok.meta.callId))!);
      expect(request).toMatchObject({
        schema_name: "tool.request.v1",
        context: { tool: "wait", requestId: ok.meta.callId, requestedBy: "planner" },
      });
      expect(response).toMatchObject({
        schema_name: "tool.response.v1",
        context: { request_id: ok.meta.callId, status: "success", output: { waited: 1 } },
      });
      const [, error] = toCallRecords((await calls.show(late.meta.callId))!);
      expect(error).toMatchObject({
        schema_name: "tool.error.v1",
        context: { status: "error", error: { type: "timeout" }, input: { ms: 500 } },
      });
    });

    it("computes statistics that equal the log", async () => {
      const store = await open();
      const calls = createCallLog(store);
      for (let index = 1; index <= 20; index++) {
        const meta = { callId: `c${index}`, tool: "t", durationMs: index };
        const result =
          index % 5 === 0
            ? ({ ok: false, error: "no", code: "TOOL_FAILED", status: 500, retryable: false, meta } as const)
            : ({ ok: true, content: "", meta } as const);
        await calls.record({ callId: meta.callId, tool: "t", input: {}, caller: {}, startedAt: 0, result });
      }
      const [statistics] = await calls.statistics();
      expect(statistics).toMatchObject({ tool: "t", calls: 20, errors: 4, errorRate: 0.2, p50Ms: 10, p95Ms: 19 });
      const log = await calls.list();
      // The clock may be the database's own.
      expect(Date.parse(statistics!.lastUsed) > Date.now() - 3_600_000).toBe(true);
      expect(log).toHaveLength(20);
      expect(log.filter((call) => !call.ok)).toHaveLength(4);
      expect(await calls.statistics({ from: Date.now() + 60_000 })).toEqual([]);
    });

    it("lists the calls of one agent, those of a sender without an agent by the sender", async () => {
      const store = await open();
      const calls = createCallLog(store);
      const callers = [{ agent: "a" }, { agent: "b" }, { sender: "a" }, {}, { agent: "a", sender: "b" }];
      for (const [index, caller] of callers.entries()) {
        const meta = { callId: `c${index}`, tool: index === 0 ? "first" : "t", durationMs: 1 };
        await calls.record({ ...meta, input: {}, caller, startedAt: 0, result: { ok: true, content: "", meta } });
      }
      const idsOf = async (query: CallQuery): Promise<string[]> => (await calls.list(query)).map(({ callId }) => callId);
      expect(await idsOf({ agent: "a" })).toEqual(["c4", "c2", "c0"]);
      expect(await idsOf({ agent: "a", limit: 1, before: 5 })).toEqual(["c2"]);
      expect(await idsOf({ agent: "a", tool: "first" })).toEqual(["c0"]);
      expect(await idsOf({ agent: "nobody" })).toEqual([]);
      expect((await listAudit(store, { agent: "b" })).map(({ callId }) => callId)).toEqual(["c1"]);
    });

    it("lists the lines and calls of a range of time, whose end is not in it", async () => {
      const store = await open();
      const { engine } = insideOf(store);
      const calls = createCallLog(store);
      const hour = 3_600_000;
      const { owner } = store.actor;
      for (let index = 1; index <= 6; index++) {
        const body = JSON.stringify({ startedAt: index * hour, caller: {}, input: {}, result: { ok: true, content: "" } });
        const entry = {
          kind: "call",
          agent: "a",
          subject: "t",
          callId: `c${index}`,
          ok: true,
          durationMs: 1,
          at: index * hour,
          owner,
          body,
        };
        await engine.writeAudit((tx) => appendEntries(tx, [entry], undefined));
      }
      const range = { from: 2 * hour, to: 5 * hour };
      expect((await listAudit(store, range)).map(({ callId }) => callId)).toEqual(["c4", "c3", "c2"]);
      expect((await calls.list(range)).map(({ callId }) => callId)).toEqual(["c4", "c3", "c2"]);
      expect((await calls.list({ ...range, before: 4, limit: 1 })).map(({ callId }) => callId)).toEqual(["c3"]);
      expect((await listAudit(store, { to: 3 * hour })).map(({ callId }) => callId)).toEqual(["c2", "c1"]);
      expect(await calls.list({ from: 7 * hour, to: 8 * hour })).toEqual([]);
    });

    it("chains what many write at the same time, and verifies", async () => {
      const store = await open();
      const calls = createCallLog(store);
      const meta = { callId: "c", tool: "t", durationMs: 0.125 };
      await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          index % 3 === 0
            ? addToAudit(store, [{ kind: "note", subject: `s${index}`, body: { index } }])
            : calls.record({
                callId: `c${index}`,
                tool: "t",
                input: { index },
                caller: {},
                startedAt: 0,
                result: { ok: true, content: "x", meta },
              }),
        ),
      );
      const check = await verifyAudit(store);
      expect(check).toMatchObject({ ok: true, rows: 60, last: { number: 60 } });
      expect((await listAudit(store, { kinds: ["note"], limit: 5 })).map(({ kind }) => kind)).toEqual([
        "note",
        "note",
        "note",
        "note",
        "note",
      ]);
      expect(await verifyAudit(store, { since: { number: 3, hash: "made up" } })).toMatchObject({ ok: false, number: 3 });
    });

    it("verifies while many write", async () => {
      const store = await open();
      const { engine } = insideOf(store);
      let written = 0;
      // In the chain "main", in one that is there already, and in a new one.
      const write = async (): Promise<void> => {
        written++;
        const entry = { at: 0, owner: store.actor.owner, kind: "note", agent: "a", subject: `s${written}`, body: "1" };
        for (const chain of [undefined, "s1", `new${written}`])
          await engine.writeAudit((tx) => appendEntries(tx, [entry], undefined, chain));
      };
      for (let count = 0; count < 4; count++) await write();
      const reads = ["auditEnds", "auditChains", "chainsSince", "auditAfter"] as const;
      const originals = reads.map((name) => [name, engine[name]] as const);
      for (const [name, read] of originals) {
        const between = async (...given: unknown[]): Promise<unknown> => {
          const answer = await (read as (...given: unknown[]) => Promise<unknown>).apply(engine, given);
          await write();
          return answer;
        };
        Object.assign(engine, { [name]: between });
      }
      for (let count = 0; count < 5; count++) expect(await verifyAudit(store)).toMatchObject({ ok: true });
      Object.assign(engine, Object.fromEntries(originals));
      expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 3 * written });
      expect(written > 20).toBe(true);
    });

    it("verifies while retention removes lines", async () => {
      const store = await open();
      for (let index = 0; index < 10; index++) await addToAudit(store, [{ kind: "note", subject: `s${index}`, body: 1 }]);
      const { engine } = insideOf(store);
      const { auditAfter } = engine;
      let removed = 0;
      const between: typeof auditAfter = async (...given) => {
        if (removed === 0) removed = await pruneAudit(store, { maxRows: 4 });
        return await auditAfter.apply(engine, given);
      };
      Object.assign(engine, { auditAfter: between });
      expect(await verifyAudit(store)).toMatchObject({ ok: true });
      Object.assign(engine, { auditAfter });
      expect(removed > 0).toBe(true);
    });

    it("SD11: gets a key once, vouches for the lines before it, and keeps it under a new master key", async () => {
      const store = await open();
      const add = (): Promise<void> => addToAudit(store, [{ kind: "note", subject: "s", body: 1 }]);
      for (let index = 0; index < 3; index++) await add();
      expect(await verifyAudit(store)).toMatchObject({ ok: true, keyed: 0, limits: [/has no key/, /cut off/].map(sentence) });
      const [one, two, three] = [1, 2, 3].map((seed) => Buffer.alloc(32, seed)) as [Buffer, Buffer, Buffer];
      expect(await keyAudit(store, createKeys({ current: one }))).toMatchObject({ unkeyedLines: 3, unreadable: [] });
      await add();
      const calls = createCallLog(store, { server: "one" });
      const meta = { callId: "c", tool: "t", durationMs: 1 };
      await calls.record({ ...meta, input: {}, caller: {}, startedAt: 0, result: { ok: true, content: "", meta } });
      const intact = {
        ok: true,
        rows: 6,
        keyed: 3,
        limits: [/Line 4 gave the audit its key. The 3 lines before it/, /cut off/].map(sentence),
      };
      expect(await verifyAudit(store)).toMatchObject(intact);
      expect(await keyAudit(store, createKeys({ current: two, previous: [one] }))).toMatchObject({ unkeyedLines: 0, unreadable: [] });
      expect(await keyAudit(store, createKeys({ current: one }))).toMatchObject({ unkeyedLines: 0, unreadable: [] });
      await rewrapAuditKey(store, createKeys({ current: two, previous: [one] }));
      expect(await keyAudit(store, createKeys({ current: two }))).toMatchObject({ unkeyedLines: 0, unreadable: [] });
      expect(await verifyAudit(store)).toMatchObject(intact);
      // Under a master key that opens nothing, what was written before cannot be told from what somebody made up.
      expect(await keyAudit(store, createKeys({ current: three }))).toMatchObject({ unkeyedLines: 0, unreadable: [expect.any(String)] });
      expect(await verifyAudit(store)).toMatchObject({ ok: false, number: 4, reason: expect.stringContaining("not known here") });
      // Nor is anything written, which whoever has the right key could not verify.
      await expect(add()).rejects.toMatchObject({ code: "AUDIT_LOCKED", status: 503 });
      await expect(
        calls.record({ ...meta, input: {}, caller: {}, startedAt: 0, result: { ok: true, content: "", meta } }),
      ).rejects.toMatchObject({
        code: "AUDIT_LOCKED",
      });
      expect(await keyAudit(store, createKeys({ current: three, previous: [two] }))).toMatchObject({ unreadable: [] });
      const { last } = (await verifyAudit(store)) as Extract<AuditCheck, { ok: true }>;
      expect(await verifyAudit(store, { since: last })).toMatchObject({ ok: true, rows: 6, keyed: 3, limits: [sentence(/before it/)] });
    });

    it("says whether the master keys at hand fit its key, and takes a key as lost only when somebody says so", async () => {
      const store = await open();
      const [one, two, three] = [1, 2, 3].map((seed) => Buffer.alloc(32, seed)) as [Buffer, Buffer, Buffer];
      const state = async (...[current, ...previous]: readonly [Buffer, ...Buffer[]]): Promise<string> =>
        (await checkKeys(store, createKeys({ current, previous }))).auditKey;
      expect(await state(one)).toBe("none");
      await keyAudit(store, createKeys({ current: one }));
      expect(await Promise.all([state(one), state(two), state(two, one)])).toEqual(["current", "unreadable", "previous"]);
      const rotated = createKeys({ current: two, previous: [one] });
      expect(await rewrapAuditKey(store, rotated)).toEqual({ rewrapped: 1, unreadable: [], forgotten: [] });
      expect(await rewrapAuditKey(store, rotated)).toEqual({ rewrapped: 0, unreadable: [], forgotten: [] });
      expect(await Promise.all([state(one), state(two)])).toEqual(["unreadable", "current"]);
      // A server under a key of its own is wrong, and changes nothing for the others.
      expect(await keyAudit(store, createKeys({ current: three }))).toMatchObject({ keyId: undefined });
      expect(await Promise.all([state(two), state(three)])).toEqual(["current", "unreadable"]);
      const [lost] = (await rewrapAuditKey(store, createKeys({ current: three }))).unreadable;
      expect(await state(three)).toBe("unreadable");
      expect(await rewrapAuditKey(store, createKeys({ current: three }), { forgetUnreadable: true })).toMatchObject({
        forgotten: [lost],
        newKeyId: expect.any(String),
      });
      expect(await state(three)).toBe("current");
      await addToAudit(store, [{ kind: "note", subject: "s", body: 1 }]);
      expect(await keyAudit(store, createKeys({ current: three }))).toMatchObject({ unreadable: [], keyId: expect.any(String) });
      expect(await verifyAudit(store)).toMatchObject({ ok: false });
    });

    it("SD11: a key whose name alone is left, or put, in its record vouches for nothing", async () => {
      const store = await open();
      const keys = createKeys({ current: Buffer.alloc(32, 1) });
      const { keyId: expected } = await keyAudit(store, keys);
      await addToAudit(store, [{ kind: "note", subject: "s", body: 1 }]);
      const record = (await store.get("audit-key"))!;
      const own = record.context["keys"] as unknown as readonly object[];
      const tamper = async (changed: readonly object[]): Promise<void> => {
        const { version } = (await store.get("audit-key"))!;
        const { id, schema_name, title } = record;
        await store.put({ id, schema_name, title, context: { keys: changed.map((one) => ({ ...one })) }, version });
      };
      await tamper([...own, { id: "made-up", keyId: "0123456789abcdef", wrapped: "AAAA" }]);
      expect(await keyAudit(store, keys, { expected })).toMatchObject({ keyId: expected, isExpectedGone: false, unreadable: ["made-up"] });
      expect(await verifyAudit(store)).toMatchObject({ ok: true, keyed: 2 });
      await tamper([{ ...own[0]!, keyId: "0123456789abcdef" }]);
      expect(await keyAudit(store, keys, { expected })).toMatchObject({ isExpectedGone: true });
      expect(await verifyAudit(store)).toMatchObject({ ok: false });
    });

    it("SD11: with a key, says itself where it begins after old lines were removed", async () => {
      const store = await open();
      await keyAudit(store, createKeys({ current: Buffer.alloc(32, 1) }));
      for (let index = 0; index < 5; index++) await addToAudit(store, [{ kind: "note", subject: "s", body: index }]);
      expect(await pruneAudit(store, { maxRows: 2 })).toBe(4);
      expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 3, keyed: 3, last: { number: 7 } });
      expect(await pruneAudit(store, { maxRows: 0 })).toBe(3);
      expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 1, keyed: 1 });
    });

    it("forgets by age and by size, and what stays still verifies", async () => {
      const clock = createFakeClock(1_000_000);
      const store = await open({ clock });
      const add = async (count: number): Promise<void> => {
        for (let index = 0; index < count; index++) await addToAudit(store, [{ kind: "note", subject: "s", body: "x".repeat(98) }]);
      };
      await add(5);
      await clock.advance(10_000);
      await add(10);
      expect(await pruneAudit(store, { maxAgeMs: 5_000 })).toBe(5);
      expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 10 });
      expect(await pruneAudit(store, { maxRows: 8 })).toBe(2);
      expect(await pruneAudit(store, { maxBytes: 500 })).toBe(3);
      expect(await pruneAudit(store, { maxBytes: 500 })).toBe(0);
      await add(1);
      expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 6, last: { number: 16 } });
      expect(await pruneAudit(store, { maxRows: 0 })).toBe(6);
      await add(1);
      expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 1, last: { number: 17 } });
    });

    it("shows nobody another owner's lines", async () => {
      const store = await open();
      const other = store.as({ owner: "other", agent: "x", roles: ["curator"] });
      await addToAudit(store, [{ kind: "note", subject: "mine", body: 1 }]);
      await addToAudit(other, [{ kind: "note", subject: "theirs", body: 1 }]);
      expect((await listAudit(other)).map(({ subject }) => subject)).toEqual(["theirs"]);
      expect(await createCallLog(other).list()).toEqual([]);
      await expect(listAudit(store.as({ owner: "local", agent: "x", roles: ["emitter"] }))).rejects.toMatchObject({ code: "FORBIDDEN" });
    });
  });
}
