import { describe, expect, it } from "vitest";
import { createMemoryTaskStore } from "../../../src/serve/tasks/memory-task-store.ts";
import { cancelTask, getTask, supportsTasks, updateTask } from "../../../src/serve/tasks/task-methods.ts";
import type { StoredTask } from "../../../src/serve/tasks/task-store.ts";
import type { Exchange } from "../../../src/serve/exchange.ts";

const call = { callId: "call-1", input: {}, caller: {} };

const capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const roots = { method: "roots/list", params: {} } as const;
const task = (more: Partial<StoredTask> = {}): StoredTask => ({
  taskId: "t1",
  owner: "ada",
  tool: "echo",
  status: "working",
  createdAt: new Date().toISOString(),
  lastUpdatedAt: "then",
  ttlMs: 60_000,
  pollIntervalMs: 100,
  inputRequests: {},
  inputResponses: {},
  revision: 1,
  ...more,
});

function open(stored: StoredTask = task(), allowed = true) {
  const store = createMemoryTaskStore();
  store.create(stored, call);
  const parts = { store, registry: { view: () => ({ decisionAbout: () => ({ allowed }) }) } as never };
  const exchange = (params: object = {}, more: object = {}) =>
    ({ era: "modern", capabilities, principal: "ada", caller: {}, params: { taskId: "t1", ...params }, ...more }) as unknown as Exchange;
  return { parts, exchange, now: () => store.get("t1") as StoredTask };
}

describe("a task over the protocol", () => {
  it("shows its status, and its questions, result or error where it has them", async () => {
    const fields = {
      taskId: "t1",
      status: "working",
      createdAt: expect.any(String),
      lastUpdatedAt: "then",
      ttlMs: 60_000,
      pollIntervalMs: 100,
    };
    const shown = (more: Partial<StoredTask>) => {
      const { parts, exchange } = open(task(more));
      return getTask(parts, exchange());
    };
    expect(await shown({ inputRequests: { one: roots } })).toEqual(fields);
    expect(await shown({ status: "input_required", inputRequests: { one: roots } })).toEqual({
      ...fields,
      status: "input_required",
      inputRequests: { one: roots },
    });
    const { pollIntervalMs: _, ...over } = fields;
    expect(await shown({ status: "completed", result: { a: 1 } })).toEqual({ ...over, status: "completed", result: { a: 1 } });
    expect(await shown({ status: "failed", statusMessage: "No.", error: { code: 1, message: "m" } })).toEqual({
      ...over,
      status: "failed",
      statusMessage: "No.",
      error: { code: 1, message: "m" },
    });
  });

  it("takes the answers that fit, and goes on when all are there", async () => {
    const { parts, exchange, now } = open(task({ status: "input_required", inputRequests: { one: roots, two: roots } }));
    expect(await updateTask(parts, exchange({ inputResponses: { one: { roots: 5 }, other: { roots: [] } } }))).toEqual({});
    expect(now().revision).toBe(1);
    expect(await updateTask(parts, exchange({ inputResponses: { one: { roots: [] } } }))).toEqual({});
    expect(now()).toMatchObject({
      status: "input_required",
      inputRequests: { two: roots },
      inputResponses: { one: { roots: [] } },
      revision: 2,
    });
    await updateTask(parts, exchange({ inputResponses: { two: { roots: [] } } }));
    expect(now()).toMatchObject({ status: "working", inputRequests: {}, inputResponses: { one: { roots: [] }, two: { roots: [] } } });
    await expect(updateTask(parts, exchange({ inputResponses: [] }))).rejects.toMatchObject({
      code: -32602,
      message: "inputResponses must be an object.",
    });
  });

  it("is cancelled by its owner, and stays as it is once it is over", async () => {
    const { parts, exchange, now } = open(task({ inputRequests: { one: roots } }), false);
    expect(await cancelTask(parts, exchange())).toEqual({});
    expect(now()).toMatchObject({ status: "cancelled", statusMessage: "The client cancelled it.", inputRequests: {} });
    const over = open(task({ status: "completed" }));
    expect(await cancelTask(over.parts, over.exchange())).toEqual({});
    expect(over.now()).toEqual(task({ status: "completed", createdAt: expect.any(String) }));
  });

  it("is unknown to others, and to its owner where its tool is hidden", async () => {
    const none = { code: -32602, message: "There is no such task. It may have expired." };
    const { parts, exchange } = open();
    for (const method of [getTask, updateTask, cancelTask])
      for (const other of [exchange({}, { principal: "eve" }), exchange({ taskId: "t2" }), exchange({ taskId: 5 })])
        await expect(method(parts, other)).rejects.toMatchObject(none);
    const hidden = open(task(), false);
    for (const method of [getTask, updateTask]) await expect(method(hidden.parts, hidden.exchange())).rejects.toMatchObject(none);
  });

  it("is for clients that declare tasks", async () => {
    const { parts, exchange } = open();
    for (const more of [
      { era: "legacy" },
      { capabilities: {} },
      { capabilities: { extensions: {} } },
      { capabilities: { extensions: { "io.modelcontextprotocol/tasks": true } } },
    ]) {
      expect(supportsTasks(exchange({}, more))).toBe(false);
      await expect(getTask(parts, exchange({}, more))).rejects.toThrow(
        'The client does not declare the extension "io.modelcontextprotocol/tasks".',
      );
    }
    expect(supportsTasks(exchange())).toBe(true);
  });
});
