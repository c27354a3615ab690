import { defineTool } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import { createMemoryTaskStore, mcpClient, type StoredTask, type TaskStore, type TaskSupport } from "@toolrack/mcp";
import { untilAborted } from "@toolrack/testkit/aborted";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, vi } from "vitest";
import { nothing, post, serving } from "../serve.ts";

const call = { callId: "call-1", input: {}, caller: {} };

/** Ends the calls of `wait` that take long. */
const waiting: (() => void)[] = [];
const letGo = (): void => waiting.splice(0).forEach((end) => end());

const confirm = { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] };
const tools = [
  defineTool({
    name: "wait",
    description: "Waits until the test lets it go on.",
    inputSchema: { type: "object", properties: { isLong: { type: "boolean" } }, required: ["isLong"] },
    async handler({ isLong }) {
      if (isLong) await new Promise<void>((resolve) => waiting.push(resolve));
      return "Waited.";
    },
  }),
  defineTool({
    name: "erase",
    description: "Asks first.",
    inputSchema: nothing,
    async handler(_input, context) {
      const answer = await mcpClient(context)!.elicit({ message: "Sure?", requestedSchema: confirm });
      return answer.action === "accept" ? "Erased." : "Kept.";
    },
  }),
];
const taskSupport = ({ name }: { name: string }): TaskSupport => (name === "erase" ? "preferred" : "when-long");

/** Asks for a task until it has this status. */
async function untilStatus(url: string, taskId: string, status: string): Promise<Record<string, never>> {
  let task: Record<string, never> = {};
  await vi.waitFor(
    async () => {
      task = (await post(url, "tasks/get", { taskId })).body.result;
      expect(task["status"]).toBe(status);
    },
    { timeout: 60_000, interval: 20 },
  );
  return task;
}

describe("tasks", () => {
  it("take over calls that take long, for clients that know them, and end with the result", async () => {
    const { url } = await serving(tools, { taskAfterMs: 30 });
    const { result } = (await post(url, "tools/call", { name: "wait", arguments: { isLong: true } })).body;
    expect(result).toMatchObject({ resultType: "task", status: "working", ttlMs: 3_600_000, pollIntervalMs: 1_000 });
    letGo();
    const task = await untilStatus(url, result.taskId, "completed");
    expect(task["result"]).toEqual({ content: [{ type: "text", text: "Waited." }] });
  });

  it("leave short calls and other clients alone", async () => {
    const { url } = await serving(tools, { taskAfterMs: 5_000 });
    expect((await post(url, "tools/call", { name: "wait", arguments: { isLong: false } })).body.result.resultType).toBe("complete");
    const eager = await serving(tools, { taskSupport: () => "preferred" });
    const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
    expect((await post(eager.url, "tools/call", { name: "wait", arguments: { isLong: false } }, { meta })).body.result.resultType).toBe(
      "complete",
    );
    const refused = await post(eager.url, "tasks/get", { taskId: "any" }, { meta });
    expect([refused.status, refused.body.error.code]).toEqual([400, -32021]);
  });

  it("wait for answers that come in by tasks/update, and read over those that do not fit", async () => {
    const { url } = await serving(tools, { taskSupport });
    const { taskId } = (await post(url, "tools/call", { name: "erase", arguments: {} })).body.result;
    const task = await untilStatus(url, taskId, "input_required");
    const [key] = Object.keys(task["inputRequests"]!);
    await post(url, "tasks/update", { taskId, inputResponses: { [key!]: { action: "accept", content: { sure: "perhaps" } } } });
    await untilStatus(url, taskId, "input_required");
    await post(url, "tasks/update", { taskId, inputResponses: { [key!]: { action: "accept", content: { sure: true } } } });
    expect((await untilStatus(url, taskId, "completed"))["result"]).toEqual({ content: [{ type: "text", text: "Erased." }] });
  });

  it("SD16: show neither status nor result once their tool is hidden from the caller, and can still be cancelled", async () => {
    const { url, registry } = await serving(tools, { taskSupport: () => "preferred" });
    const { taskId } = (await post(url, "tools/call", { name: "wait", arguments: { isLong: false } })).body.result;
    await untilStatus(url, taskId, "completed");
    registry.setPolicy(readPolicyConfig({ tools: { deny: ["wait"] } }));
    const missing = { code: -32602, message: "There is no such task. It may have expired." };
    expect((await post(url, "tasks/get", { taskId })).body.error).toMatchObject(missing);
    expect((await post(url, "tasks/update", { taskId, inputResponses: {} })).body.error).toMatchObject(missing);
    registry.unregister("wait");
    expect((await post(url, "tasks/get", { taskId })).body.error).toMatchObject(missing);
    expect((await post(url, "tasks/cancel", { taskId })).body.error).toBeUndefined();
    registry.setPolicy(undefined);
    expect((await post(url, "tasks/get", { taskId })).body.result.status).toBe("completed");
  });

  it("can be cancelled, which ends the work", async () => {
    let ended = false;
    const slow = defineTool({
      name: "slow",
      description: "Waits.",
      inputSchema: nothing,
      async handler(_input, { signal }) {
        await untilAborted(signal).catch(() => (ended = true));
        return "";
      },
    });
    const { url } = await serving([slow], { taskSupport: () => "preferred" });
    const { taskId } = (await post(url, "tools/call", { name: "slow", arguments: {} })).body.result;
    expect((await post(url, "tasks/cancel", { taskId })).body.result).toEqual({ resultType: "complete", _meta: expect.anything() });
    await untilStatus(url, taskId, "cancelled");
    await vi.waitFor(() => expect(ended).toBe(true), { timeout: 60_000 });
  });

  it("are answered for by any server with the same store, answers and cancelling included", async () => {
    const store = withoutWatching(createMemoryTaskStore());
    const options = { tasks: store, taskSupport, taskPollMs: 20 };
    const [first, second] = await Promise.all([serving(tools, options), serving(tools, options)]);
    const { taskId } = (await post(first.url, "tools/call", { name: "erase", arguments: {} })).body.result;
    const task = await untilStatus(second.url, taskId, "input_required");
    const [key] = Object.keys(task["inputRequests"]!);
    await post(second.url, "tasks/update", { taskId, inputResponses: { [key!]: { action: "decline" } } });
    expect((await untilStatus(second.url, taskId, "completed"))["result"]).toEqual({ content: [{ type: "text", text: "Kept." }] });
  });

  it("are refused by a full store, and the call is answered the plain way", async () => {
    const tasks = createMemoryTaskStore({ maxTasks: 1 });
    const create = vi.spyOn(tasks, "create");
    const { url } = await serving(tools, { tasks, taskAfterMs: 10 });
    const first = await post(url, "tools/call", { name: "wait", arguments: { isLong: true } });
    expect(first.body.result.resultType).toBe("task");
    const second = post(url, "tools/call", { name: "wait", arguments: { isLong: true } });
    await until(() => create.mock.results.at(-1)?.type === "throw", "The second call did not try to become a task.");
    letGo();
    expect((await second).body.result).toMatchObject({ resultType: "complete", content: [{ text: "Waited." }] });
  });
});

describe("the store in memory", () => {
  const task = (taskId: string, more: Partial<StoredTask> = {}): StoredTask => {
    const now = new Date().toISOString();
    const base = {
      owner: "a",
      tool: "t",
      status: "working",
      createdAt: now,
      lastUpdatedAt: now,
      ttlMs: 1_000,
      pollIntervalMs: 10,
    } as const;
    return { taskId, ...base, inputRequests: {}, inputResponses: {}, revision: 1, ...more };
  };

  it("changes a task only for those who saw its latest revision", () => {
    const store = createMemoryTaskStore();
    store.create(task("one"), call);
    expect(store.replace(task("one", { status: "completed", revision: 2 }), 1)).toBe(true);
    expect(store.replace(task("one", { status: "failed", revision: 2 }), 1)).toBe(false);
    expect(store.get("one")).toMatchObject({ status: "completed" });
  });

  it("forgets tasks after their time, and finished ones when room is needed", () => {
    const store = createMemoryTaskStore({ maxTasks: 2 });
    store.create(task("old", { createdAt: new Date(Date.now() - 5_000).toISOString() }), call);
    expect(store.get("old")).toBeUndefined();
    store.create(task("done", { status: "completed" }), call);
    store.create(task("running"), call);
    store.create(task("next"), call);
    expect(store.get("done")).toBeUndefined();
    expect(() => store.create(task("too many"), call)).toThrow(/2 tasks are running/);
  });
});

/** As a store that cannot tell of changes: servers have to look. */
function withoutWatching({ create, get, replace }: TaskStore): TaskStore {
  return { create, get, replace };
}
