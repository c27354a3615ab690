import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/errors.ts";
import { type CallRecord, createMemoryRecorder, type Recorder } from "../../src/call/ports/recorder.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { ToolDefinition } from "../../src/tool/tool.ts";

/** A registry with one tool. */
function registryWith(tool: Partial<ToolDefinition>, options: RegistryOptions = {}): Registry {
  const registry = createRegistry(options);
  registry.register(fakeTool(tool));
  return registry;
}

describe("the recorder", () => {
  it("gets every call, refused ones included, with what was asked, by whom, when and what came of it", async () => {
    const recorder = createMemoryRecorder();
    const clock = createFakeClock(7_000);
    const registry = registryWith({ metadata: { ownerOnly: true } }, { recorder, clock });
    const caller = { owner: true, agent: "ada" };
    const done = await registry.invoke("Echo", { text: "hi" }, { caller, callId: "c-1" });
    const outcomes = [
      done,
      await registry.invoke("nothing", { a: 1 }),
      await registry.invoke("echo", {}),
      await registry.invoke("echo", { text: 5 }, { caller }),
    ];
    expect(recorder.calls).toHaveLength(4);
    expect(recorder.calls[0]).toEqual({ callId: "c-1", tool: "echo", input: { text: "hi" }, caller, startedAt: 7_000, result: done });
    expect(recorder.calls.map(({ result }) => result)).toEqual(outcomes);
    expect(recorder.calls.map(({ tool, input }) => [tool, input])).toEqual([
      ["echo", { text: "hi" }],
      ["nothing", { a: 1 }],
      ["echo", {}],
      ["echo", { text: 5 }],
    ]);
  });

  it("may answer with the result that stands, and otherwise the result is the call's own", async () => {
    const stands = { ok: true, content: "recorded before", meta: {} } as never;
    expect(await registryWith({}, { recorder: { record: () => Promise.resolve(stands) } }).invoke("echo", { text: "hi" })).toBe(stands);
    for (const record of [() => Promise.resolve(undefined), () => undefined])
      expect(await registryWith({}, { recorder: { record } as never }).invoke("echo", { text: "hi" })).toMatchObject({
        ok: true,
        content: "hi",
      });
  });

  it("that throws or rejects is a warning, and the outcome stands", async () => {
    const throwing: Recorder = {
      record: () => {
        throw new Error("no disk");
      },
    };
    for (const recorder of [throwing, { record: () => Promise.reject(new Error("no disk")) }]) {
      const registry = registryWith({}, { recorder });
      expect(await registry.invoke("echo", { text: "hi" })).toMatchObject({
        ok: true,
        content: "hi",
        meta: { warnings: ["The call was not recorded. The log says why."] },
      });
      expect(await registry.invoke("echo", { text: 5 })).toMatchObject({
        code: "INPUT_INVALID",
        meta: { warnings: ["The call was not recorded. The log says why."] },
      });
    }
  });

  it("gets a call whose steps failed, too", async () => {
    const recorder = createMemoryRecorder();
    const registry = registryWith({}, { recorder, config: { get: () => Promise.reject(new Error("no database")) } });
    await registry.invoke("echo", {});
    expect(recorder.calls).toMatchObject([{ tool: "echo", result: { code: "TOOL_FAILED" } }]);
  });
});

describe("a recorder that wants to know of calls before they run", () => {
  const config = { get: () => ({ text: "secret:key" }) };
  const secrets = { has: () => true, get: () => Promise.resolve("s3cret-value") };
  const tool: Partial<ToolDefinition> = { metadata: { secrets: ["key"] } };

  it("is told and waited for once a call was permitted and checked, and sees references in the place of secrets", async () => {
    const told: unknown[] = [];
    const recorder: Recorder = {
      begin: async (call) => {
        await Promise.resolve();
        told.push(call);
      },
      record: ({ callId }) => void told.push(`end of ${callId}`),
    };
    const registry = registryWith(
      { ...tool, handler: ({ text }: { text: string }) => (told.push(`handler with ${text.length}`), "done") },
      { recorder, config, secrets, clock: createFakeClock(7_000) },
    );
    await registry.invoke("echo", { text: 5 }, { callId: "wrong" });
    await registry.invoke("echo", {}, { callId: "right", caller: { agent: "ada" } });
    expect(told).toEqual([
      "end of wrong",
      { callId: "right", tool: "echo", input: { text: "secret:key" }, caller: { agent: "ada" }, startedAt: 7_000 },
      "handler with 12",
      "end of right",
    ]);
  });

  const away = (): never => {
    throw new Error("connect ECONNREFUSED 10.0.0.7:5432 /var/lib/store.db");
  };
  const begins: readonly NonNullable<Recorder["begin"]>[] = [away, async () => away()];

  it("RC1: a call whose start cannot be recorded does not run, whether that fails at once or later", async () => {
    for (const begin of begins) {
      const records: CallRecord[] = [];
      const lines: unknown[][] = [];
      const log = { debug: () => {}, info: () => {}, warn: () => {}, error: (...line: unknown[]) => void lines.push(line) };
      const registry = registryWith(
        { handler: () => expect.unreachable() },
        { log, recorder: { begin, record: (one) => void records.push(one) } },
      );
      const result = await registry.invoke("echo", { text: "hi" }, { callId: "c-1" });
      expect(result).toMatchObject({ ok: false, code: "CALL_NOT_RECORDED", status: 503, retryable: true, retryAfterMs: 1_000 });
      expect(result).toMatchObject({
        error: expect.stringMatching(/^The start of the call could not be recorded, so tool "echo" did not run\./),
      });
      expect(JSON.stringify(result)).not.toMatch(/10\.0\.0\.7|store\.db/);
      expect(records).toMatchObject([{ callId: "c-1", notBegun: true, result: { code: "CALL_NOT_RECORDED" } }]);
      expect(lines).toEqual([
        [
          "The start of a call could not be recorded, so it did not run.",
          { tool: "echo", callId: "c-1", error: expect.stringContaining("ECONNREFUSED") },
        ],
      ]);
    }
  });

  it("RC1: an outage is logged once, whatever the number of calls, and so is its end", async () => {
    for (const begin of begins) {
      let isAway = true;
      const lines: string[] = [];
      const log = {
        debug: () => {},
        info: (text: string) => void lines.push(text),
        warn: () => {},
        error: (text: string) => void lines.push(text),
      };
      const recorder: Recorder = { begin: (call) => (isAway ? begin(call) : undefined), record: () => undefined };
      const registry = registryWith({}, { log, recorder });
      const outage = async (calls: number): Promise<void> => {
        isAway = true;
        for (let count = 0; count < calls; count++) await registry.invoke("echo", { text: "hi" });
        isAway = false;
        for (let count = 0; count < calls; count++) await registry.invoke("echo", { text: "hi" });
      };
      await outage(3);
      await outage(1);
      const [began, over] = ["The start of a call could not be recorded, so it did not run.", "Calls are recorded again."];
      expect(lines).toEqual([began, over, began, over]);
    }
  });

  it("RC1: opens no services for a call whose start cannot be recorded", async () => {
    for (const begin of begins) {
      const opened: string[] = [];
      const registry = registryWith({}, { recorder: { begin, record: () => undefined }, services: () => void opened.push("opened") });
      expect(await registry.invoke("echo", { text: "hi" })).toMatchObject({ code: "CALL_NOT_RECORDED" });
      expect(opened).toEqual([]);
    }
  });

  it("RC1: a call that a tool makes, and each of several calls, is refused in the same way", async () => {
    const ran: string[] = [];
    const records: CallRecord[] = [];
    const recorder: Recorder = {
      begin: ({ tool: name }) => (name === "inner" ? Promise.reject(new Error("full")) : undefined),
      record: (one) => void records.push(one),
    };
    const registry = createRegistry({ recorder });
    registry.register(fakeTool({ name: "inner", handler: () => (ran.push("inner"), "done") }));
    registry.register(fakeTool({ name: "outer", handler: (_, { call }) => (ran.push("outer"), call("inner", {})) }));
    const nested = await registry.invoke("outer", {});
    expect(nested).toMatchObject({ code: "CALL_NOT_RECORDED", retryable: true, meta: { tool: "outer" } });
    const all = await registry.callAll([
      { name: "inner", input: {} },
      { name: "outer", input: {} },
    ]);
    expect(all.map((result) => !result.ok && result.code)).toEqual(["CALL_NOT_RECORDED", "CALL_NOT_RECORDED"]);
    expect(ran).toEqual(["outer", "outer"]);
    // A call that began has an end, also where it hands on the failure of one that did not.
    expect(records.map(({ tool: name, notBegun = false }) => [name, notBegun]).sort()).toEqual([
      ["inner", true],
      ["inner", true],
      ["inner", true],
      ["outer", false],
      ["outer", false],
    ]);
  });

  it("RC1: a call that is refused because the store is away is no loop, however often it is made", async () => {
    let isAway = true;
    const recorder: Recorder = { begin: () => (isAway ? away() : undefined), record: () => undefined };
    const registry = registryWith({}, { recorder, limits: { loops: {} } });
    const caller = { run: "r-1" };
    for (let count = 0; count < 30; count++)
      expect(await registry.invoke("echo", { text: "hi" }, { caller })).toMatchObject({ code: "CALL_NOT_RECORDED" });
    isAway = false;
    expect(await registry.invoke("echo", { text: "hi" }, { caller })).toMatchObject({ ok: true });
  });
});

describe("the record of a call that threw", () => {
  it("says where, and where its cause threw, without their messages; the result does not", async () => {
    const recorder = createMemoryRecorder();
    const registry = createRegistry({ recorder });
    const failing = function lookUp(): never {
      throw new RangeError("boom 4711\n    at forged (4711)", { cause: Object.assign(new Error("cause 4711"), { code: "ECONNREFUSED" }) });
    };
    registry.register(fakeTool({ handler: failing }));
    registry.register(fakeTool({ name: "later", handler: async () => failing() }));
    registry.register(fakeTool({ name: "odd", handler: () => Promise.reject("a text") }));
    for (const name of ["echo", "later"]) {
      const result = await registry.invoke(name, {});
      expect(result).not.toHaveProperty("stack");
      expect(JSON.stringify(result)).not.toContain("recording.test");
    }
    for (const { stack } of recorder.calls) {
      expect(stack).toMatch(/^RangeError\n {4}at .*lookUp .*recording\.test\.ts/);
      expect(stack).toMatch(/\ncaused by Error ECONNREFUSED\n {4}at /);
      expect(stack).not.toContain("4711");
    }
    await registry.invoke("odd", {});
    expect(recorder.calls[2]).not.toHaveProperty("stack");
  });

  it("says where a part of the host threw", async () => {
    const recorder = createMemoryRecorder();
    const broken = function readSecret(): never {
      throw new RangeError("boom 4711");
    };
    const tool = fakeTool({ metadata: { secrets: ["TOKEN"] } });
    const registry = createRegistry({ recorder, secrets: { has: broken, get: broken } });
    registry.register(tool);
    expect(await registry.invoke("echo", { text: "hi" })).toMatchObject({ ok: false });
    expect(recorder.calls[0]!.stack).toMatch(/^RangeError\n {4}at .*readSecret .*recording\.test\.ts/);
  });

  it("says nothing of an attempt that a later one made good", async () => {
    const recorder = createMemoryRecorder();
    const registry = createRegistry({ recorder, limits: { retry: { attempts: 2, backoffMs: 1 } } });
    let tries = 0;
    registry.register(
      fakeTool({
        metadata: { annotations: { idempotent: true } },
        handler: () => {
          tries += 1;
          if (tries === 1) throw new ToolError("TOOL_FAILED", "once", { retryable: true });
          return "done";
        },
      }),
    );
    expect(await registry.invoke("echo", {})).toMatchObject({ ok: true });
    expect(tries).toBe(2);
    expect(recorder.calls[0]).not.toHaveProperty("stack");
  });
});
