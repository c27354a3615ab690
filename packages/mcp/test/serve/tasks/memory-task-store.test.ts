import { describe, expect, it, vi } from "vitest";
import { createMemoryTaskStore } from "../../../src/serve/tasks/memory-task-store.ts";
import type { StoredTask, TaskStatus } from "../../../src/serve/tasks/task-store.ts";

const call = { callId: "call-1", input: {}, caller: {} };

const now = Date.parse("2026-01-01T00:00:00Z");
const task = (taskId: string, status: TaskStatus = "working", more: Partial<StoredTask> = {}): StoredTask => ({
  taskId,
  owner: "ada",
  tool: "echo",
  status,
  createdAt: new Date(now).toISOString(),
  lastUpdatedAt: new Date(now).toISOString(),
  ttlMs: 1_000,
  pollIntervalMs: 100,
  inputRequests: {},
  inputResponses: {},
  revision: 0,
  ...more,
});

function at<Result>(ms: number, work: () => Result): Result {
  vi.useFakeTimers({ now: ms });
  try {
    return work();
  } finally {
    vi.useRealTimers();
  }
}

describe("tasks in memory", () => {
  it("are there until they expire", () => {
    const store = createMemoryTaskStore();
    const one = task("a");
    at(now, () => store.create(one, call));
    expect(at(now + 999, () => store.get("a"))).toBe(one);
    expect(at(now, () => store.get("b"))).toBeUndefined();
    expect(at(now + 1_000, () => store.get("a"))).toBeUndefined();
    expect(at(now, () => store.get("a"))).toBeUndefined();
  });

  it("are replaced from the revision that is stored, and who watches is told", () => {
    const store = createMemoryTaskStore();
    const told: string[] = [];
    at(now, () => {
      store.create(task("a"), call);
      const leave = store.watch!("a", () => void told.push("first"));
      store.watch!("a", () => void told.push("second"));
      store.watch!("b", () => void told.push("other"));
      expect(store.replace(task("a", "completed", { revision: 2 }), 1)).toBe(false);
      expect(store.replace(task("c"), 0)).toBe(false);
      expect([told, store.get("a")]).toEqual([[], task("a")]);
      expect(store.replace(task("a", "completed", { revision: 1 }), 0)).toBe(true);
      expect([told.splice(0), store.get("a")]).toEqual([["first", "second"], task("a", "completed", { revision: 1 })]);
      leave();
      store.replace(task("a", "completed", { revision: 2 }), 1);
      expect(told).toEqual(["second"]);
    });
  });

  it("of one owner are limited: those that are over make room, those that run do not", () => {
    const store = createMemoryTaskStore({ maxTasksPerOwner: 2 });
    at(now, () => {
      for (const status of ["completed", "working"] as const) store.create(task(status, status), call);
      store.create(task("other", "working", { owner: "bob" }), call);
      store.create(task("new"), call);
      expect(["completed", "working", "new"].map((id) => store.get(id) !== undefined)).toEqual([false, true, true]);
      expect(() => store.create(task("more"), call)).toThrow("You have 2 tasks running already. Try again when one has ended.");
      expect(store.get("more")).toBeUndefined();
    });
  });

  it("are limited altogether: those that expired go first, then those that are over", () => {
    const store = createMemoryTaskStore({ maxTasks: 3 });
    const create = (id: string, status: TaskStatus, more: Partial<StoredTask> = {}) =>
      store.create(task(id, status, { owner: id, ttlMs: 60_000, ...more }), call);
    at(now, () => {
      create("short", "working", { ttlMs: 10 });
      create("over", "failed");
      create("long", "input_required");
    });
    at(now + 20, () => {
      create("second", "working");
      expect(["short", "over", "long", "second"].map((id) => store.get(id) !== undefined)).toEqual([false, true, true, true]);
      create("third", "working");
      expect(["over", "long", "second", "third"].map((id) => store.get(id) !== undefined)).toEqual([false, true, true, true]);
      expect(() => create("fourth", "working")).toThrow(
        expect.objectContaining({ code: "QUEUE_FULL", message: "3 tasks are running already. Try again later." }),
      );
    });
  });

  it("number a hundred of one owner, unless set", () => {
    const store = createMemoryTaskStore();
    at(now, () => {
      for (let id = 0; id < 100; id++) store.create(task(String(id)), call);
      expect(() => store.create(task("more"), call)).toThrow("You have 100 tasks");
      store.create(task("other", "working", { owner: "bob" }), call);
    });
  });
});
