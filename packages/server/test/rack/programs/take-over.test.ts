import { type Caller, createRegistry, defineTool } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { createTakeOver, type TakeOverOptions } from "../../../src/rack/programs/take-over.ts";
import type { PendingRecord, RunContent, StoredRun } from "../../../src/rack/programs/run-record.ts";

const registry = createRegistry();
for (const name of ["run_code", "pay"]) {
  const annotations = name === "pay" ? {} : { idempotent: true };
  registry.register(defineTool({ name, description: `Does ${name}.`, inputSchema: { type: "object" }, metadata: { annotations }, handler: () => 1 })); // prettier-ignore
}
const hashOf = (name: string): string => registry.entries().find(({ tool }) => tool.name === name)!.hash;

const pending: PendingRecord = {
  number: "0",
  attempt: 1,
  callId: "call-pay",
  tool: "pay",
  input: {},
  labels: {},
  line: 1,
  definition: hashOf("pay"),
  server: "gone",
};

function stored(content: Partial<RunContent> = {}): StoredRun {
  const about = { tool: "run_code", input: {}, definition: hashOf("run_code"), caller: { agent: "ada" }, source: "", pending: [] };
  return {
    id: "program-1",
    version: 1,
    status: "waiting",
    server: "gone",
    callId: "call-1",
    startedAt: 1,
    updatedAt: 1,
    content: { ...about, ...content },
  };
}

/** A server that finds these programs, and what it did with them. */
function serverWith(runs: readonly StoredRun[], more: Partial<TakeOverOptions> = {}) {
  const records = new Map(runs.map((run) => [run.id, run]));
  const started: string[] = [];
  const log = new Map<string, object>();
  const nothing = (): void => undefined;
  const options = {
    registry,
    records: {
      get: async (id: string) => records.get(id),
      list: async () => [...records.values()].filter(({ status }) => status === "waiting"),
      write: async (run: StoredRun, version: number) => {
        if (records.get(run.id)?.version !== version) return undefined;
        records.set(run.id, { ...run, version: version + 1 });
        return version + 1;
      },
    },
    markers: { remove: async () => undefined },
    unfinished: {
      calls: { abandon: async () => 0, show: async (id: string) => log.get(id) },
      toolOf: (name: string) => registry.entries().find(({ tool }) => tool.name === name)?.tool,
    },
    calls: { show: async (id: string) => log.get(id), list: async () => [] },
    labelsOf: () => [],
    server: { name: "this" },
    log: { info: nothing, error: nothing, warn: nothing, debug: nothing },
    resuming: new Map(),
    carried: new Map(),
    announce: async () => undefined,
    callerNow: async (caller: Caller) => caller,
    start: (tool: string) => {
      started.push(tool);
      return { result: new Promise(nothing) };
    },
    isAsking: async () => false,
    knownServers: async () => ["this"],
    now: () => 2,
    ...more,
  } as unknown as TakeOverOptions;
  return { options, takeOver: createTakeOver(options), records, started, log };
}

const ended = (data: unknown): object => ({ callId: "call-pay", tool: "pay", status: "ok", output: data, number: 1, startedAt: 1 });
const abandoned = { callId: "call-pay", tool: "pay", status: "error", error: { type: "abandoned", message: "x" }, number: 1, startedAt: 1 };

describe("a program whose server ended", () => {
  it("goes on in one server, however many try", async () => {
    const one = serverWith([stored()]);
    // Both read the same version; the other one writes first.
    const late = createTakeOver({
      ...one.options,
      announce: async () => void (await one.takeOver.take("program-1")),
      server: { name: "other" },
    });
    expect(await late.take("program-1")).toBe("no");
    expect(one.started).toEqual(["run_code"]);
    expect(one.records.get("program-1")).toMatchObject({ server: "this", version: 2 });
  });

  it("waits while a person is asked, and while a program that it called waits", async () => {
    const asks = serverWith([stored({ pending: [{ ...pending, approval: "approval-1" }] })], { isAsking: async () => true });
    expect(await asks.takeOver.take("program-1")).toBe("waits");
    const inner = { ...stored(), id: "program-call-pay" };
    const leads = serverWith([stored({ pending: [pending] }), inner]);
    expect(await leads.takeOver.take("program-1")).toBe("waits");
    expect([...asks.started, ...leads.started]).toEqual([]);
  });

  it("stays with a server that is still there", async () => {
    const { takeOver, started } = serverWith([stored()], { knownServers: async () => ["this", "gone"] });
    expect(await takeOver.take("program-1")).toBe("no");
    expect(started).toEqual([]);
  });

  it("ends where the tool that ran it changed, or its caller may not any more", async () => {
    const changed = serverWith([stored({ definition: "sha256-older" })]);
    expect(await changed.takeOver.take("program-1")).toBe("taken");
    expect(changed.records.get("program-1")).toMatchObject({
      status: "failed",
      content: { error: { code: "TOOL_NOT_ALLOWED", message: expect.stringMatching(/"run_code".*changed or was removed.*Run it again/) } },
    });
    const lost = serverWith([stored()], { callerNow: async () => "The key was revoked." });
    await lost.takeOver.take("program-1");
    expect(lost.records.get("program-1")).toMatchObject({
      status: "failed",
      content: { error: { message: "The key was revoked. The program did not go on." } },
    });
    expect([...changed.started, ...lost.started]).toEqual([]);
  });
});

describe("a call of a program whose server ended", () => {
  it("is answered as the log has it", async () => {
    const { takeOver, log } = serverWith([]);
    log.set("call-pay", ended({ paid: 3 }));
    expect(await takeOver.settle(pending)).toMatchObject({ answer: { callId: "0", result: { paid: 3 } } });
  });

  it("fails where the log kept only the beginning of its result", async () => {
    const { takeOver, log } = serverWith([]);
    log.set("call-pay", ended({ truncated: true, beginning: "[1, 2" }));
    expect(await takeOver.settle(pending)).toMatchObject({
      answer: { error: { code: "RESULT_TOO_LARGE", message: expect.stringContaining('"pay"') } },
    });
  });

  it("that began and may not be repeated is of unknown outcome", async () => {
    const { takeOver, log } = serverWith([]);
    log.set("call-pay", abandoned);
    expect(await takeOver.settle(pending)).toMatchObject({ answer: { error: { code: "OUTCOME_UNKNOWN" } }, labels: [] });
  });

  it("that never began is made again, unless it led to a program of its own", async () => {
    const { takeOver } = serverWith([]);
    expect(await takeOver.settle(pending)).toBe("again");
    const inner = { ...stored(), id: "program-call-pay", callId: "call-inner", status: "failed" as const };
    expect(await serverWith([inner]).takeOver.settle(pending)).toMatchObject({ answer: { error: { code: "OUTCOME_UNKNOWN" } } });
  });

  it("is not made again with a tool that changed", async () => {
    const { takeOver } = serverWith([]);
    expect(await takeOver.settle({ ...pending, definition: "sha256-older" })).toMatchObject({
      answer: { error: { code: "APPROVAL_DENIED", message: expect.stringMatching(/"pay" changed or was removed.*Call it again/) } },
    });
  });
});
