import { defineTool, type ToolResult } from "@toolrack/core";
import type { StoredTask } from "@toolrack/mcp";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { endOfJob } from "../../../src/rack/mcp/end-of-job.ts";
import type { ShownJob } from "../../../src/rack/jobs/jobs.ts";
import { isOver } from "../../../src/rack/mcp/tasks.ts";

const now = new Date().toISOString();
const task: StoredTask = {
  taskId: "one",
  owner: "ann",
  tool: "set",
  status: "working",
  statusMessage: "The job j goes on with it.",
  createdAt: now,
  lastUpdatedAt: now,
  ttlMs: 60_000,
  pollIntervalMs: 1_000,
  inputRequests: {},
  inputResponses: {},
  revision: 1,
};
const inputSchema = { type: "object", properties: {} } as const;
const call = { callId: "call-1", input: {}, caller: { agent: "ann" } };

describe("a task that a job went on with", () => {
  const end = (job: Partial<ShownJob> | undefined): StoredTask => endOfJob(task, job as ShownJob | undefined, undefined);
  const done: ToolResult = { ok: true, content: "yes", meta: { callId: "c", tool: "set", durationMs: 1 } };

  it("has the result of the job", () => {
    const ended = end({ state: "done", result: done as never });
    expect(ended).toMatchObject({ status: "completed", revision: 2, result: { content: [{ type: "text", text: "yes" }] } });
    expect(ended.statusMessage).toBeUndefined();
  });

  it("is completed with the failure of its tool, and failed where the tool is not to blame", () => {
    expect(end({ state: "dead", error: { code: "TOOL_FAILED", message: "No." } })).toMatchObject({
      status: "completed",
      result: { isError: true, content: [{ text: "No." }], _meta: { "toolrack/code": "TOOL_FAILED" } },
    });
    for (const code of ["OUTCOME_UNKNOWN", "SIGN_IN_ENDED", "SERVER_LOST", "__proto__"])
      expect(end({ state: "dead", error: { code, message: "Why." } })).toMatchObject({ status: "failed", error: { message: "Why." } });
  });

  it("is cancelled with the job, and told as unknown when the job is not kept", () => {
    expect(end({ state: "cancelled" })).toMatchObject({ status: "cancelled", statusMessage: expect.stringContaining("was cancelled") });
    expect(end(undefined)).toMatchObject({ status: "failed", statusMessage: expect.stringContaining("is unknown") });
  });
});

describe("the tasks of a server that stops", () => {
  const config = { store: { memory: true }, policy: { agents: { bob: { tools: { deny: ["set"] } } } } } as const;
  async function open() {
    let runs = 0;
    const set = defineTool({
      name: "set",
      description: "Sets.",
      inputSchema,
      metadata: { annotations: { idempotent: true } },
      handler: () => `run ${++runs}`,
    });
    const pay = defineTool({ name: "pay", description: "Pays.", inputSchema, handler: () => `run ${++runs}` });
    return { rack: await openTestRack({ config, tools: [set, pay] }), runs: () => runs };
  }

  it("become jobs if they may be repeated, under their id, with one job however often they are handed over", async () => {
    const { rack } = await open();
    await rack.tasks.create(task, call);
    await Promise.all([rack.tasks.handOver(), rack.tasks.handOver()]);
    await until(async () => isOver((await rack.tasks.get("one"))!));
    expect(await rack.tasks.get("one")).toMatchObject({ status: "completed", runs: 2, result: { content: [{ text: "run 1" }] } });
    expect(await rack.jobs.list()).toMatchObject([{ origin: "task", subject: "set", state: "done" }]);
  });

  it("stay where they are if they must not be repeated, or the client was asked something", async () => {
    const { rack, runs } = await open();
    await rack.tasks.create({ ...task, tool: "pay" }, call);
    await rack.tasks.create({ ...task, taskId: "asked", status: "input_required", inputRequests: { a: {} as never } }, call);
    await rack.tasks.create({ ...task, taskId: "answered", inputResponses: { a: 1 } }, call);
    await rack.tasks.handOver();
    for (const id of ["one", "asked", "answered"]) expect((await rack.tasks.get(id))!.runs).toBeUndefined();
    expect([await rack.jobs.list(), runs()]).toEqual([[], 0]);
  });

  it("end as failed where the caller may not use the tool any more", async () => {
    const { rack, runs } = await open();
    await rack.tasks.create(task, { ...call, caller: { agent: "bob" } });
    await rack.tasks.handOver();
    expect(await rack.tasks.get("one")).toMatchObject({
      status: "failed",
      error: { message: expect.stringMatching(/no other server can go on with it: .*"set".* No job was made\.$/) as string },
    });
    expect(runs()).toBe(0);
  });
});
